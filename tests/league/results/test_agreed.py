"""A match of a date or challenge that somebody has already reported without it."""

from datetime import timedelta
from uuid import uuid4

import psycopg
import pytest
from django.conf import settings
from django.db import connection
from django.urls import reverse

from league.models import (
    Agreement,
    Arena,
    Arrangement,
    Challenge,
    CounterReport,
    Match,
    Player,
    Status,
)
from league.services.core.clock import database_now
from league.services.core.errors import Conflict
from league.services.dates import no_shows, playing
from league.services.dates.answers import accept
from league.services.dates.proposals import propose
from league.services.ladder import playing as ladder_playing
from league.services.ladder.challenges import accept as take_up
from league.services.ladder.challenges import challenge
from league.services.results.reports.answers import confirm
from league.services.results.reports.reporting import report
from tests.support.api_steps import by_token, send
from tests.support.cast import NOW, arena, beats, side
from tests.support.web_steps import browser_of, result_form, words

HOUR = timedelta(hours=1)
LATER = NOW + 3 * HOUR


@pytest.fixture
def date(duel: Arena, alice: Player, charlie: Player) -> Arrangement:
    """Alice and Charlie agreed to play at NOW."""
    asked = propose(duel, charlie, NOW, by=alice, now=NOW - 9 * HOUR)
    return accept(asked.pk, by=charlie, seen=1, now=NOW - 8 * HOUR)


def alone(duel: Arena, winner: Player, loser: Player, reporter: Player) -> Match:
    """Report the match without its date."""
    sides = [side(winner, place=0), side(loser, place=1)]
    return report(duel, sides, reporter=reporter, played_at=NOW + HOUR, now=NOW + HOUR)


def with_date(date: Arrangement, winner: Player, loser: Player, reporter: Player) -> Match:
    return playing.report(
        date.pk,
        [side(winner, place=0), side(loser, place=1)],
        reporter=reporter,
        played_at=NOW + HOUR,
        now=LATER,
        client_token=uuid4(),
    )


def is_unanswered(match: Match) -> bool:
    """Return whether nothing has happened to the only match and its date."""
    assert Match.objects.get() == match
    match.refresh_from_db()
    assert not CounterReport.objects.exists()
    assert Arrangement.objects.get().state == Arrangement.State.ACCEPTED
    agreed = match.sides.exclude(agreed_by__isnull=True).exclude(agreed_by="")
    return match.status == Status.REPORTED and not agreed.exists()


@pytest.mark.parametrize("agrees", [True, False])
def test_the_opponents_own_report_is_named_and_not_answered(
    duel: Arena, date: Arrangement, alice: Player, charlie: Player, agrees: bool
) -> None:
    first = alone(duel, charlie, alice, charlie)
    won, lost = (charlie, alice) if agrees else (alice, charlie)
    with pytest.raises(Conflict) as refusal:
        with_date(date, won, lost, alice)
    assert refusal.value.code == "already_reported"
    assert refusal.value.message == (
        "Your opponent Charlie had already reported this match. Confirm or dispute that report, "
        f"match {first.pk}, instead."
    )
    assert is_unanswered(first)
    assert confirm(first.pk, by=alice, now=LATER).status == Status.RATED


@pytest.mark.django_db(transaction=True)
def test_reporting_a_date_never_waits_for_an_answer_to_an_earlier_report(
    duel: Arena, date: Arrangement, alice: Player, charlie: Player
) -> None:
    first = alone(duel, charlie, alice, charlie)
    address = settings.DATABASE_URL
    with psycopg.connect(address) as answering, connection.cursor() as cursor:
        answering.execute("SELECT FROM league_match WHERE id = %s FOR NO KEY UPDATE", [first.pk])
        cursor.execute("SET lock_timeout = '2s'")
        with pytest.raises(Conflict, match="had already reported this match"):
            with_date(date, alice, charlie, alice)
    assert is_unanswered(first)


def test_ones_own_report_of_just_before_is_named(
    duel: Arena, date: Arrangement, alice: Player, charlie: Player
) -> None:
    first = alone(duel, alice, charlie, alice)
    with pytest.raises(
        Conflict, match=f"Alice has already reported this match. See match {first.pk}"
    ):
        playing.report(
            date.pk,
            [side(alice, place=0), side(charlie, place=1)],
            reporter=alice,
            played_at=NOW + HOUR,
            now=NOW + HOUR + timedelta(minutes=5),
        )
    assert is_unanswered(first)


def test_agreeing_to_a_no_show_names_ones_own_report(
    duel: Arena, date: Arrangement, alice: Player, charlie: Player
) -> None:
    first = alone(duel, charlie, alice, charlie)
    no_shows.claim(date.pk, by=alice, now=LATER)
    with pytest.raises(Conflict, match="Charlie has already reported this match"):
        no_shows.concede(date.pk, by=charlie, now=LATER)
    with pytest.raises(Conflict, match="Charlie has already reported this match"):
        no_shows.deny(date.pk, by=charlie, reason="I was there.", now=LATER)
    assert is_unanswered(first)


def test_the_page_and_the_api_say_so(duel: Arena, alice: Player, charlie: Player) -> None:
    now = database_now()
    asked = propose(duel, charlie, now - HOUR, by=alice, now=now - 9 * HOUR)
    date = accept(asked.pk, by=charlie, seen=1, now=now - 8 * HOUR)
    first = beats(charlie, alice, duel, now=now)
    address = reverse("date_report", args=["duel", date.pk])
    form = result_form("", outcome="1", played_at=f"{now:%Y-%m-%dT%H:%M}")
    page = browser_of(alice).post(address, form)
    assert page.status_code == 409
    assert "Your opponent Charlie had already reported this match." in words(page)
    answer = send(
        by_token(alice),
        reverse("api:date-report", args=[date.pk]),
        {"sides": [{"place": 1}, {"place": 0}], "played_at": now.isoformat()},
    )
    assert (answer.status_code, answer.json()["code"]) == (409, "already_reported")
    assert is_unanswered(first)


def test_a_challenge_says_so_too(alice: Player, charlie: Player) -> None:
    ladder = arena("ladder", rating_system="ladder")
    confirm(beats(alice, charlie, ladder).pk, by=charlie, now=NOW)
    made = challenge(ladder, alice, by=charlie, now=NOW)
    take_up(made.pk, by=alice, now=NOW)
    sides = [side(charlie, place=0), side(alice, place=1)]
    first = report(ladder, sides, reporter=charlie, played_at=NOW + HOUR, now=NOW + HOUR)
    with pytest.raises(Conflict, match="Your opponent Charlie had already reported this match"):
        ladder_playing.report(
            made.pk, sides, reporter=alice, played_at=NOW + HOUR, now=LATER, client_token=uuid4()
        )
    first.refresh_from_db()
    assert first.status == Status.REPORTED
    assert Challenge.objects.get(pk=made.pk).match == first


def test_a_date_whose_match_nobody_reported_takes_its_result(
    duel: Arena, date: Arrangement, alice: Player, charlie: Player
) -> None:
    earlier = report(
        duel,
        [side(charlie, place=0), side(alice, place=1)],
        reporter=charlie,
        played_at=NOW - timedelta(days=2),
        now=NOW - timedelta(days=2),
    )
    match = with_date(date, alice, charlie, alice)
    assert match != earlier
    assert set(match.sides.values_list("agreed_by", flat=True)) == {Agreement.DATE}
