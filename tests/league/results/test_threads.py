"""Captains and staff write to each other about a dispute."""

from datetime import timedelta
from functools import partial

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from league.models import Arena, Match, MatchMessage, Player, User
from league.services.core.clock import database_now
from league.services.core.errors import Conflict, Forbidden, LimitReached, Refused
from league.services.results.reports.answers import confirm, dispute
from league.services.results.rules.limits import MESSAGES_WITHIN, MOST_MESSAGES
from league.services.results.staff.threads import DISCUSSION, write
from tests.support.api_steps import by_token, send
from tests.support.cast import NOW, beats
from tests.support.concurrency import all_at_once
from tests.support.web_steps import browser_of, words


@pytest.fixture
def disputed_match(duel: Arena, alice: Player, charlie: Player) -> Match:
    return dispute(beats(alice, charlie, duel).pk, by=charlie, reason="A draw.", now=NOW)


@pytest.fixture
def fresh_dispute(duel: Arena, alice: Player, charlie: Player) -> Match:
    now = database_now()
    match = beats(alice, charlie, duel, now=now)
    return dispute(match.pk, by=charlie, reason="A draw.", now=now)


def says(match: Match, player: Player, text: str = "Look.", **more: object) -> MatchMessage:
    user: User | None = player.user
    assert user
    given: dict[str, object] = {"now": NOW, **more}
    return write(match.pk, by=user, player=player, text=text, **given)  # type: ignore[arg-type]


def test_captains_and_staff_write_and_others_do_not(
    disputed_match: Match, alice: Player, charlie: Player, olga: Player, eve: Player
) -> None:
    assert (
        says(disputed_match, alice, " Look. ", link="https://example.com/replay?id=1").text
        == "Look."
    )
    assert says(disputed_match, charlie).player == charlie
    assert says(disputed_match, olga).player is None
    with pytest.raises(Forbidden, match="Only the captains"):
        says(disputed_match, eve)
    assert MatchMessage.objects.count() == 3


def test_only_disputes_have_messages_and_captains_have_three_days(
    duel: Arena, disputed_match: Match, alice: Player, charlie: Player, olga: Player
) -> None:
    with pytest.raises(Conflict, match="time for messages is over"):
        says(disputed_match, alice, now=NOW + DISCUSSION)
    says(disputed_match, olga, now=NOW + DISCUSSION)
    for match in (
        beats(alice, charlie, duel),
        confirm(beats(alice, charlie, duel).pk, by=charlie, now=NOW),
    ):
        with pytest.raises(Conflict, match="not disputed"):
            says(match, alice)


@pytest.mark.parametrize(
    "link",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "ftp://example.com/x",
        "example.com",
        "https://",
        "https://exa mple.com",
        "https://example.com/" + "x" * 500,
        "//example.com",
        "https://videos.example@evil.example/1",
        "https://[x",
    ],
)
def test_a_link_is_a_whole_web_address(disputed_match: Match, alice: Player, link: str) -> None:
    with pytest.raises(Refused) as refusal:
        says(disputed_match, alice, link=link)
    assert refusal.value.field == "link"


@pytest.mark.parametrize("link", ["javascript:alert(1)", "https://videos.example@evil.example/1"])
def test_a_link_that_was_stored_otherwise_is_not_shown(
    disputed_match: Match, alice: Player, link: str
) -> None:
    author = alice.user
    assert author
    MatchMessage.objects.create(
        match=disputed_match, author=author, player=alice, at=NOW, text="Look.", link=link
    )
    page = browser_of(alice).get(disputed_match.get_absolute_url()).content.decode()
    assert "Look." in page
    assert link not in page


@pytest.mark.parametrize("text", ["", "  ", "\x00", "x" * 2001])
def test_a_message_has_text_of_some_length(disputed_match: Match, alice: Player, text: str) -> None:
    with pytest.raises(Refused) as refusal:
        says(disputed_match, alice, text)
    assert refusal.value.field == "text"


def test_nobody_writes_more_than_others_can_read(disputed_match: Match, alice: Player) -> None:
    for _turn in range(MOST_MESSAGES):
        says(disputed_match, alice)
    with pytest.raises(LimitReached, match="20 messages in an hour"):
        says(disputed_match, alice, now=NOW + MESSAGES_WITHIN - timedelta(seconds=1))
    says(disputed_match, alice, now=NOW + MESSAGES_WITHIN)


@pytest.mark.django_db(transaction=True)
def test_messages_at_the_same_instant_do_not_pass_the_limit(
    disputed_match: Match, alice: Player
) -> None:
    for _turn in range(MOST_MESSAGES - 2):
        says(disputed_match, alice)
    all_at_once([partial(says, disputed_match, alice)] * 8)
    assert MatchMessage.objects.count() == MOST_MESSAGES


def test_messages_are_never_changed(disputed_match: Match, alice: Player) -> None:
    message = says(disputed_match, alice)
    for act in (message.delete, lambda: MatchMessage.objects.update(text="I lost.")):
        with pytest.raises(IntegrityError, match="written once"), transaction.atomic():
            act()


def test_the_page_shows_messages_to_captains_and_staff_only(
    fresh_dispute: Match, alice: Player, charlie: Player, olga: Player, eve: Player
) -> None:
    address = fresh_dispute.get_absolute_url()
    writing = reverse("match_write", args=[fresh_dispute.pk])
    sent = {"text": "<b>My</b> replay:", "link": "https://example.com/r/1"}
    assert browser_of(alice).post(writing, sent).status_code == 302
    assert browser_of(olga).post(writing, {"text": "Thank you."}).status_code == 302
    for reader in (alice, charlie, olga):
        page = browser_of(reader).get(address).content.decode()
        assert "&lt;b&gt;My&lt;/b&gt; replay:" in page
        assert '<a href="https://example.com/r/1" rel="nofollow noopener ugc">' in page
        assert "(staff) wrote" in page
        assert "Captains can write until" in page
    for browser in (browser_of(eve), Client()):
        page = browser.get(address).content.decode()
        assert "<strong>Alice</strong> wrote" in page
        assert "replay:" not in page
        assert "example.com/r/1" not in page
        assert "Send message" not in page


def test_the_page_says_what_is_wrong_with_a_message(fresh_dispute: Match, alice: Player) -> None:
    writing = reverse("match_write", args=[fresh_dispute.pk])
    for sent, sentence in (
        ({"text": ""}, "Write a message."),
        ({"text": "Look.", "link": "javascript:alert(1)"}, "Enter a whole link that starts"),
    ):
        page = browser_of(alice).post(writing, sent)
        assert page.status_code == 400
        assert sentence in words(page)
    assert not MatchMessage.objects.exists()


def test_the_api_has_the_same_thread(
    fresh_dispute: Match, alice: Player, charlie: Player, eve: Player
) -> None:
    address = reverse("api:match-messages", args=[fresh_dispute.pk])
    answer = send(by_token(alice), address, {"text": "Look.", "link": "https://example.com/1"})
    assert answer.status_code == 201
    read = by_token(charlie).get(address).json()["results"]
    assert [(row["player"]["name"], row["text"], row["link"]) for row in read] == [
        ("Alice", "Look.", "https://example.com/1")
    ]
    assert by_token(eve).get(address).status_code == 403
    assert send(by_token(alice), address, {"text": "Look.", "link": "x"}).status_code == 400
