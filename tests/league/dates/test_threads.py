"""Both sides and staff write to each other about a date."""

from datetime import datetime, timedelta
from functools import partial
from typing import cast

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.models import Arena, Arrangement, ArrangementMessage, Notice, NoticeKind, Player, User
from league.models.arrangement_parts import LONGEST_DATE_MESSAGE
from league.services.core.errors import Conflict, Forbidden, LimitReached, Refused
from league.services.dates import playing
from league.services.dates.answers import accept, decline
from league.services.dates.limits import MESSAGES_WITHIN, MOST_MESSAGES, REPORT_WITHIN
from league.services.dates.proposals import propose
from league.services.dates.threads import write
from league.services.dishonor.bans import ban
from league.services.results.reports.answers import confirm
from tests.support.api_steps import by_token, fields_at_fault, send
from tests.support.cast import NOW, side
from tests.support.concurrency import all_at_once
from tests.support.date_steps import SATURDAY
from tests.support.web_steps import browser_of, words


def says(
    one: Arrangement, player: Player, text: str = "Hello.", now: datetime = NOW
) -> ArrangementMessage:
    return write(one, by=cast("User", player.user), player=player, text=text, now=now)


def told(kind: NoticeKind = NoticeKind.MESSAGED) -> set[str]:
    return set(Notice.objects.filter(kind=kind).values_list("player__name", flat=True))


def page_of(one: Arrangement, route: str = "date") -> str:
    return reverse(route, args=[one.arena.slug, one.pk])


def a_date(arena: Arena, alice: Player, charlie: Player) -> Arrangement:
    """A date in three days, by the real clock."""
    now = timezone.now()
    one = propose(arena, charlie, now + timedelta(days=3), by=alice, now=now)
    return accept(one.pk, by=charlie, seen=1, now=now)


def test_captains_and_staff_write_and_strangers_do_not(
    proposed_date: Arrangement, alice: Player, charlie: Player, eve: Player, olga: Player
) -> None:
    assert says(proposed_date, alice, " Is eight too late? ").text == "Is eight too late?"
    assert told() == {"Charlie"}
    assert says(proposed_date, charlie).player == charlie
    assert told() == {"Alice", "Charlie"}
    assert says(proposed_date, olga).player is None
    with pytest.raises(Forbidden, match="both sides and staff"):
        says(proposed_date, eve)
    assert proposed_date.messages.count() == 3


def test_members_of_the_rosters_write_and_are_told(
    team_date: Arrangement, alice: Player, bob: Player, dora: Player, eve: Player
) -> None:
    assert says(team_date, bob).player == bob
    assert told() == {"Charlie", "Dora"}
    says(team_date, dora)
    assert told() == {"Alice", "Bob", "Charlie", "Dora"}
    team_date.proposer_roster.memberships.filter(player=bob).delete()  # type: ignore[union-attr]
    for outsider in (bob, eve):
        with pytest.raises(Forbidden):
            says(team_date, outsider)


def test_unread_messages_are_one_notice(proposed_date: Arrangement, alice: Player) -> None:
    for _number in range(5):
        says(proposed_date, alice)
    assert Notice.objects.filter(kind=NoticeKind.MESSAGED).count() == 1


def test_banned_players_read_and_do_not_write(
    agreed_date: Arrangement, duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    says(agreed_date, alice, "See you.")
    ban(charlie, arena=duel, by=cast("User", olga.user), reason="Insults", now=NOW)
    with pytest.raises(Forbidden, match="Charlie is banned"):
        says(agreed_date, charlie)
    assert agreed_date.messages.count() == 1
    assert "See you." in words(browser_of(charlie).get(page_of(agreed_date)))


@pytest.mark.parametrize(
    ("text", "message"),
    [("", "Write a message"), (" \x00 ", "Write a message"), ("x" * 1001, "at most 1000")],
)
def test_empty_and_long_messages_are_refused(
    proposed_date: Arrangement, alice: Player, text: str, message: str
) -> None:
    with pytest.raises(Refused, match=message) as refusal:
        says(proposed_date, alice, text)
    assert refusal.value.field == "text"
    assert not ArrangementMessage.objects.exists()
    says(proposed_date, alice, "x" * LONGEST_DATE_MESSAGE)


def test_a_thread_ends_with_its_date(
    proposed_date: Arrangement, duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    other = propose(duel, charlie, SATURDAY + timedelta(hours=1), by=alice, now=NOW)
    decline(other.pk, by=charlie, seen=1, now=NOW)
    for writer in (alice, charlie, olga):
        with pytest.raises(Conflict, match="over"):
            says(other, writer)
    accept(proposed_date.pk, by=charlie, seen=1, now=NOW)
    match = playing.report(
        proposed_date.pk,
        [side(alice, place=0), side(charlie, place=1)],
        reporter=alice,
        played_at=SATURDAY,
        now=SATURDAY,
    )
    later = SATURDAY + REPORT_WITHIN
    says(proposed_date, charlie, "I disagree.", now=later)  # while the report waits for an answer
    confirm(match.pk, by=charlie, now=later)
    says(proposed_date, alice, "Thanks.", now=later - timedelta(seconds=1))
    with pytest.raises(Conflict, match="over"):
        says(proposed_date, alice, now=later)


def test_messages_of_a_day_are_limited(
    proposed_date: Arrangement,
    agreed_date: Arrangement,
    duel: Arena,
    alice: Player,
    charlie: Player,
) -> None:
    other = propose(duel, charlie, SATURDAY + timedelta(hours=1), by=alice, now=NOW)
    for number in range(MOST_MESSAGES):
        says(other if number % 2 else agreed_date, alice)
    with pytest.raises(LimitReached, match="30 messages") as refusal:
        says(other, alice, now=NOW + timedelta(hours=1))
    assert refusal.value.wait == int((MESSAGES_WITHIN - timedelta(hours=1)).total_seconds())
    says(agreed_date, charlie)
    says(agreed_date, alice, now=NOW + MESSAGES_WITHIN)


@pytest.mark.django_db(transaction=True)
def test_messages_at_once_stay_within_the_limit(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    dates = [
        propose(duel, charlie, SATURDAY + timedelta(hours=hour), by=alice, now=NOW)
        for hour in range(2)
    ]
    for _number in range(MOST_MESSAGES - 2):
        says(dates[0], alice)
    given = all_at_once([partial(says, dates[number % 2], alice) for number in range(8)])
    assert sum(isinstance(answer, ArrangementMessage) for answer in given) == 2
    assert sum(isinstance(answer, LimitReached) for answer in given) == 6
    assert ArrangementMessage.objects.count() == MOST_MESSAGES


def test_messages_outlive_the_accounts_that_wrote_them(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    one = a_date(duel, alice, charlie)
    says(one, alice, "From Alice.", now=timezone.now())
    says(one, olga, "From staff.", now=timezone.now())
    for writer in (alice, olga):
        cast("User", writer.user).delete()
    page = words(browser_of(charlie).get(page_of(one)))
    assert "Alice wrote, " in page
    assert "Staff wrote, " in page
    assert "From staff." in page


def test_the_thread_on_the_pages(
    duel: Arena, alice: Player, charlie: Player, eve: Player, olga: Player
) -> None:
    one = a_date(duel, alice, charlie)
    address = page_of(one, "date_write")
    hers, his = browser_of(alice), browser_of(charlie)
    assert "Nobody has written yet." in words(hers.get(page_of(one)))
    sent = hers.post(address, {"text": "<b>Which</b> server?\nYours?"}, follow=True)
    assert "Sent." in words(sent)
    page = his.get(page_of(one))
    assert b"&lt;b&gt;Which&lt;/b&gt; server?<br>Yours?" in page.content
    assert "Alice wrote about your date in Duel." in words(his.get(reverse("inbox")))
    empty = his.post(address, {"text": " "})
    assert (empty.status_code, "Write a message." in words(empty)) == (400, True)
    long = his.post(address, {"text": "x" * 1001})
    assert (long.status_code, "at most 1000 characters" in words(long)) == (400, True)
    for reader in (Client(), browser_of(eve)):
        assert "server?" not in words(reader.get(page_of(one)))
    assert browser_of(eve).post(address, {"text": "Let me in."}).status_code == 403
    assert "server?" in words(browser_of(olga).get(page_of(one)))
    browser_of(olga).post(address, {"text": "Play fair."})
    assert "Olga (staff) wrote, " in words(his.get(page_of(one)))


def test_the_thread_goes_on_beside_the_result(
    duel: Arena, alice: Player, charlie: Player, eve: Player
) -> None:
    one = a_date(duel, alice, charlie)
    says(one, alice, "Good luck!", now=timezone.now())
    Arrangement.objects.update(play_at=timezone.now() - timedelta(hours=1))
    match = playing.report(
        one.pk,
        [side(alice, place=0), side(charlie, place=1)],
        reporter=alice,
        played_at=timezone.now(),
        now=timezone.now(),
    )
    his = browser_of(charlie)
    for address in (match.get_absolute_url(), page_of(one)):
        page = words(his.get(address, follow=True))
        assert "Good luck!" in page
        assert "Send message" in page
        for reader in (Client(), browser_of(eve)):
            assert "Good luck!" not in words(reader.get(address, follow=True))
    assert "Sent." in words(
        his.post(page_of(one, "date_write"), {"text": "Well played."}, follow=True)
    )
    assert "Well played." in words(his.get(match.get_absolute_url()))


def test_proposals_are_shown_to_the_rosters_they_are_for(
    team_date: Arrangement, bob: Player, eve: Player
) -> None:
    Arrangement.objects.update(state="proposed", accepted_at=None, answered_at=None)
    assert browser_of(bob).get(page_of(team_date)).status_code == 200
    assert browser_of(eve).get(page_of(team_date)).status_code == 404


def test_the_thread_in_the_api(
    duel: Arena, alice: Player, charlie: Player, eve: Player, olga: Player
) -> None:
    one = a_date(duel, alice, charlie)
    address = reverse("api:date-messages", args=[one.pk])
    made = send(by_token(alice), address, {"text": "Hello."})
    assert made.status_code == 201
    assert made.json()["player"]["id"] == alice.pk
    send(by_token(olga), address, {"text": "Play fair."})
    listed = by_token(charlie).get(address).json()["results"]
    assert [message["text"] for message in listed] == ["Hello.", "Play fair."]
    assert listed[1]["player"] is None
    for body in ({}, {"text": " "}, {"text": "x" * 1001}, {"text": 1}, {"text": "a\x00b"}):
        refused = send(by_token(alice), address, body)
        assert (refused.status_code, fields_at_fault(refused)) == (400, {"text"})
    assert send(by_token(eve), address, {"text": "Hi."}).status_code == 403
    assert by_token(eve).get(address).status_code == 403
    assert send(by_token(alice), reverse("api:date-messages", args=[10**6]), {}).status_code == 404
