"""Players of a challenge, and of a match of a queue, write to each other."""

from datetime import timedelta
from typing import cast

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.models import (
    Agreement,
    Arena,
    ArrangementMessage,
    Challenge,
    Match,
    Notice,
    NoticeKind,
    Player,
    User,
)
from league.services.core.errors import Conflict, Forbidden, LimitReached, Refused
from league.services.dates.answers import accept as agree
from league.services.dates.limits import MOST_MESSAGES, REPORT_WITHIN
from league.services.dates.people import Meeting
from league.services.dates.proposals import propose
from league.services.dates.threads import write
from league.services.following.blocks import block
from league.services.ladder.challenges import accept, challenge
from league.services.ladder.playing import start
from league.services.results.reports.answers import confirm
from league.services.results.reports.live import StartingSide
from league.services.results.reports.live import start as begin
from tests.support.api_steps import by_token, send
from tests.support.cast import arena, beats, beats_as_agreed
from tests.support.web_steps import browser_of, words


def says(one: Meeting, player: Player, text: str = "Hello.") -> ArrangementMessage:
    now = timezone.now()
    return write(one, by=cast("User", player.user), player=player, text=text, now=now)


def told() -> set[str]:
    notices = Notice.objects.filter(kind=NoticeKind.MESSAGED)
    return set(notices.values_list("player__name", flat=True))


@pytest.fixture
def sent_challenge(alice: Player, bob: Player) -> Challenge:
    """Bob challenges Alice, who is above him."""
    ladder, now = arena("ladder", rating_system="ladder"), timezone.now()
    confirm(beats(alice, bob, ladder, now=now).pk, by=bob, now=now)
    return challenge(ladder, alice, by=bob, now=now)


@pytest.fixture
def accepted_challenge(sent_challenge: Challenge, alice: Player) -> Challenge:
    return accept(sent_challenge.pk, by=alice, now=timezone.now())


@pytest.fixture
def queue_match(teams: Arena, alice: Player, bob: Player, charlie: Player, dora: Player) -> Match:
    """Alice and Bob play Charlie and Dora, as a queue has matched them."""
    sides = [StartingSide(alice, [alice, bob]), StartingSide(charlie, [charlie, dora])]
    return begin(teams, sides, now=timezone.now(), agreed_by=Agreement.READY_CHECK)


def test_the_two_of_an_accepted_challenge_and_staff_write_and_strangers_do_not(
    accepted_challenge: Challenge, alice: Player, bob: Player, eve: Player, olga: Player
) -> None:
    assert says(accepted_challenge, bob, " Eight? ").text == "Eight?"
    assert told() == {"Alice"}
    assert says(accepted_challenge, alice).player == alice
    assert says(accepted_challenge, olga).player is None
    with pytest.raises(Forbidden):
        says(accepted_challenge, eve)
    page = words(browser_of(alice).get(accepted_challenge.get_absolute_url()))
    assert "Bob wrote" in page
    assert "Eight?" in page
    for reader in (browser_of(eve), Client()):
        assert "Eight?" not in words(reader.get(accepted_challenge.get_absolute_url()))
    notice = Notice.objects.filter(kind=NoticeKind.MESSAGED, player=alice).get()
    opened = browser_of(alice).get(reverse("notice", args=[notice.pk]))
    assert opened.headers["Location"] == f"{accepted_challenge.get_absolute_url()}#messages"
    assert "Bob wrote about your challenge in Ladder." in words(browser_of(alice).get("/inbox/"))


def test_a_challenge_without_an_answer_has_no_messages(
    sent_challenge: Challenge, alice: Player, bob: Player
) -> None:
    for player in (alice, bob):
        with pytest.raises(Conflict, match="accepted"):
            says(sent_challenge, player)
    assert (
        'id="messages"'
        not in browser_of(bob).get(sent_challenge.get_absolute_url()).content.decode()
    )


def test_everyone_in_a_match_of_a_queue_writes_to_the_other_side(
    queue_match: Match, alice: Player, bob: Player, charlie: Player, dora: Player, eve: Player
) -> None:
    says(queue_match, bob, "Server in Frankfurt?")
    assert told() == {"Charlie", "Dora"}
    says(queue_match, dora)
    assert told() == {"Alice", "Bob", "Charlie", "Dora"}
    with pytest.raises(Forbidden):
        says(queue_match, eve)
    assert "Server in Frankfurt?" in words(browser_of(charlie).get(queue_match.get_absolute_url()))
    assert "Server in Frankfurt?" not in words(browser_of(eve).get(queue_match.get_absolute_url()))
    browser = browser_of(charlie)
    form = reverse("match_talk", args=[queue_match.pk])
    assert "Write a message." in words(browser.post(form, {"text": " "}))
    shown = browser.post(form, {"text": "Fine."}, follow=True)
    assert "Fine." in words(shown)
    assert browser_of(eve).post(form, {"text": "Ha."}).status_code == 403


def test_a_match_without_a_queue_has_its_own_place_for_messages(
    duel: Arena, alice: Player, bob: Player
) -> None:
    match = beats(alice, bob, duel)
    with pytest.raises(Conflict, match="started here"):
        says(match, alice)


def test_the_thread_of_a_match_ends_a_week_after_it(
    duel: Arena, alice: Player, bob: Player
) -> None:
    now = timezone.now()
    match = beats_as_agreed(alice, bob, duel, now=now - REPORT_WITHIN - timedelta(hours=2))
    says(match, bob)  # while the report waits
    confirm(match.pk, by=bob, now=now)
    with pytest.raises(Conflict, match="over"):
        says(match, bob)


def test_blocked_players_do_not_write(
    accepted_challenge: Challenge, alice: Player, bob: Player
) -> None:
    block(alice, bob, now=timezone.now())
    with pytest.raises(Refused):
        says(accepted_challenge, bob)
    assert told() == set()


def test_all_messages_of_an_author_count_for_one_limit(
    accepted_challenge: Challenge, queue_match: Match, bob: Player
) -> None:
    for number in range(MOST_MESSAGES):
        says(queue_match if number % 2 else accepted_challenge, bob)
    with pytest.raises(LimitReached):
        says(accepted_challenge, bob)


def test_a_message_is_about_one_thing(accepted_challenge: Challenge, queue_match: Match) -> None:
    for about in ({}, {"challenge": accepted_challenge, "match": queue_match}):
        with pytest.raises(IntegrityError), transaction.atomic():
            ArrangementMessage.objects.create(text="Hello.", at=timezone.now(), **about)


def test_one_address_leads_from_a_challenge_to_its_date_and_its_match(
    accepted_challenge: Challenge, alice: Player, bob: Player, eve: Player
) -> None:
    ladder, now = accepted_challenge.season.arena, timezone.now()
    says(accepted_challenge, bob, "Saturday?")
    browser, page = browser_of(alice), accepted_challenge.get_absolute_url()
    assert "Propose a time" in words(browser.get(page))
    one = propose(ladder, alice, now + timedelta(days=1), by=bob, now=now)
    assert "waiting for an answer" in words(browser.get(page))
    assert "waiting for an answer" not in words(browser_of(eve).get(page))
    agree(one.pk, by=alice, seen=1, now=now)
    date = browser.get(page, follow=True)
    assert date.redirect_chain == [(one.get_absolute_url(), 302)]
    assert "Saturday?" in words(date)  # what they wrote before is there, too
    match = start(accepted_challenge.pk, by=alice, now=now)
    shown = browser.get(page, follow=True)
    assert shown.redirect_chain == [(match.get_absolute_url(), 302)]
    assert "Saturday?" in words(shown)
    assert "Saturday?" not in words(browser_of(eve).get(match.get_absolute_url()))


def test_programs_write_about_a_challenge_and_a_match(
    accepted_challenge: Challenge, queue_match: Match, alice: Player, eve: Player
) -> None:
    for name, one in (("challenge", accepted_challenge), ("match", queue_match)):
        kind = "messages" if name == "challenge" else "talk"
        address = reverse(f"api:{name}-{kind}", args=[one.pk])
        made = send(by_token(alice), address, {"text": "Hello."})
        assert made.status_code == 201, made.content
        listed = by_token(alice).get(address).json()["results"]
        assert [row["text"] for row in listed] == ["Hello."]
        assert by_token(eve).get(address).status_code == 403
