"""Dates as files for calendars, read by a parser that is not ours."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar, Event

from league.models import Arena, Arrangement, Player
from league.services.dates.answers import accept
from league.services.dates.calendars import LONGEST_LINE, calendar, escape, fold
from league.services.dates.changing import agree, ask_to_move, call_off
from league.services.dates.proposals import move, propose
from tests.support.cast import NOW
from tests.support.web_steps import browser_of

HOSTILE = [
    "Semi; comma, back\\slash",
    "Line\r\nEND:VEVENT\r\nBEGIN:VALARM",
    "\\n is not a line break",
    "日本語の名前がとても長い" * 4,
    "👩‍👩‍👧‍👦" * 15,
    'Quotes "and": colons; PARAM=1',
    "\u0007bell\u2028line\u0085next",
    "é" * 74,
]


def event_of(file: bytes) -> Event:
    """Return the one event of a file, after checks of its form."""
    assert file.endswith(b"\r\n")
    for line in file.split(b"\r\n"):
        assert len(line) <= LONGEST_LINE
        assert b"\n" not in line
        line.decode()  # no character is cut
    (event,) = Calendar.from_ical(file).events
    assert isinstance(event, Event)
    return event


def named(name: str) -> Arrangement:
    """A date in an arena with this name, without a database."""
    return Arrangement(
        pk=7,
        arena=Arena(name=name, slug="duel"),
        proposer=Player(name="Alice; Ltd"),
        opponent=Player(name="Charlie, Esq."),
        play_at=datetime(2026, 3, 29, 1, 30, tzinfo=UTC),
        accepted_at=NOW,
        revision=3,
    )


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_stay_names(name: str) -> None:
    event = event_of(calendar(named(name), "https://league.example/arenas/duel/dates/7/"))
    plain = "".join(
        sign for sign in name.replace("\r\n", "\n") if sign == "\n" or sign.isprintable()
    )
    assert str(event["SUMMARY"]) == f"Alice; Ltd against Charlie, Esq. ({plain})"
    assert event["URL"] == "https://league.example/arenas/duel/dates/7/"


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=200))
def test_any_text_survives_escaping_and_folding(text: str) -> None:
    plain = "".join(
        sign
        for sign in text.replace("\r\n", "\n").replace("\r", "\n")
        if sign == "\n" or sign.isprintable()
    )
    lines = ["BEGIN:VCALENDAR", "BEGIN:VEVENT", f"SUMMARY:{escape(text)}"]
    file = b"".join(map(fold, [*lines, "END:VEVENT", "END:VCALENDAR"]))
    assert str(event_of(file)["SUMMARY"]) == plain


def test_a_date_keeps_its_id_and_counts_its_changes(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    now = timezone.now()
    at = (now + timedelta(days=3)).replace(microsecond=0)
    one = propose(duel, charlie, at, by=alice, now=now)
    address = reverse("date_calendar", args=["duel", one.pk])
    assert browser_of(alice).get(address).status_code == 409
    assert Client().get(address).status_code == 404
    move(one.pk, at + timedelta(hours=1), by=charlie, seen=1, now=now)
    accept(one.pk, by=alice, seen=2, now=now)
    answer = Client().get(address)
    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    assert f'filename="duel-{one.pk}.ics"' in answer.headers["Content-Disposition"]
    event = event_of(answer.content)
    assert str(event["UID"]) == str(one.uid)
    assert event["SEQUENCE"] == 1
    assert at + timedelta(hours=1) == event.DTSTART
    assert event.DTSTART is not None
    assert event.DTSTART.tzinfo is not None
    assert now.replace(microsecond=0) == event.DTSTAMP
    assert str(event["SUMMARY"]) == "Alice against Charlie (Duel)"
    assert str(event["URL"]) == f"http://testserver{one.get_absolute_url()}"
    again = Client().get(address).content
    assert again == answer.content


def test_calendars_learn_of_moves_and_of_calling_off(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    at = NOW + timedelta(days=3)
    one = propose(duel, charlie, at, by=alice, now=NOW)
    accept(one.pk, by=charlie, seen=1, now=NOW)
    address = reverse("date_calendar", args=["duel", one.pk])

    def now_in_calendars() -> tuple[object, ...]:
        event = event_of(Client().get(address).content)
        assert str(event["UID"]) == str(one.uid)
        return event["SEQUENCE"], str(event["STATUS"]), event.DTSTART, event.DTSTAMP

    assert now_in_calendars() == (0, "CONFIRMED", at, NOW)
    later, hour = at + timedelta(days=1), timedelta(hours=1)
    asked = ask_to_move(one.pk, later, by=alice, seen=1, now=NOW + hour)
    assert now_in_calendars() == (0, "CONFIRMED", at, NOW)
    assert asked.request_id
    agree(one.pk, by=charlie, request=asked.request_id, now=NOW + 2 * hour)
    assert now_in_calendars() == (1, "CONFIRMED", later, NOW + 2 * hour)
    call_off(one.pk, by=charlie, seen=2, reason="Ill.", now=NOW + 3 * hour)
    assert now_in_calendars() == (2, "CANCELLED", later, NOW + 3 * hour)
