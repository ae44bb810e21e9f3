"""Rounds keep the hour of the arena's clocks when these change."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from league.models import Arena, Competition
from league.services.competitions import progress
from league.services.competitions.running import drawing, entering
from tests.support.cast import NOW
from tests.support.competition_steps import competition, crowd, date_of, enter

BERLIN = ZoneInfo("Europe/Berlin")
FIRST = datetime(2026, 10, 18, 20, tzinfo=BERLIN)
"""A week before the clocks go back."""


def drawn(duel: Arena, format_: str, first: datetime, **dates: str) -> Competition:
    """Return a competition of eight whose first round opens at a time in Berlin."""
    duel.time_zone = "Europe/Berlin"
    duel.save()
    rules = {"check_in": "14d"}
    one = competition(duel, format_, dates=dates, entry=rules, play={"groups": 2})
    one.state, one.opened_at, one.starts_at = Competition.State.REGISTRATION, NOW, first
    one.save()
    enter(one, *crowd(8))
    one.entrants.update(state="checked-in")
    progress.sweep(first)
    one.refresh_from_db()
    return one


@pytest.mark.parametrize(
    ("format_", "length"),
    [
        *((format_, "7d") for format_ in Competition.Format),
        *(("swiss", length) for length in ("1 week", "1d", "1 month")),
    ],
)
def test_rounds_keep_their_hour(duel: Arena, format_: str, length: str) -> None:
    default, beyond = ("5d", "2d") if length != "1d" else ("0s", "1d")
    one = drawn(duel, format_, FIRST, round_length=length, default_after=default, beyond=beyond)
    rounds = list(one.rounds.all())
    assert len(rounds) >= 3
    moments = [
        moment
        for each in rounds
        for moment in (each.opens_at, each.closes_at, each.play_at, drawing.end_of(one, each))
    ]
    begins = entering.check_in_from(one)
    assert begins
    assert {moment.astimezone(BERLIN).hour for moment in [*moments, begins]} == {20}
    played = [date_of(each).play_at for each in one.fixtures.filter(games__isnull=False)]
    assert all(moment.astimezone(BERLIN).hour in {20, 21} for moment in played)


@pytest.mark.parametrize(
    ("first", "dates"),
    [
        ("2027-03-27T20:00", {"round_length": "1d", "default_after": "1439m"}),
        ("2027-02-01T20:00", {"round_length": "1 month", "default_after": "29d"}),
    ],
)
def test_the_default_date_is_within_a_shorter_round(
    duel: Arena, first: str, dates: dict[str, str]
) -> None:
    start = datetime.fromisoformat(first).replace(tzinfo=BERLIN)
    one = drawn(duel, "table", start, **dates)
    for each in one.rounds.all():
        assert each.opens_at <= each.play_at <= each.closes_at - timedelta(minutes=1)
