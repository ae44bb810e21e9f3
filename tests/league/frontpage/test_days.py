"""Figures of days: matches, waits, fairness and forecasts, checked by a plain count."""

from datetime import timedelta

import pytest

from league.models import Arena, ArenaDay, Match, Player, Ticket
from league.services.core.clock import database_now
from league.services.frontpage.days import BINS, SHOWN, WAITS, note_days, read_last_days
from league.services.results.reports.answers import confirm
from tests.support.cast import beats

DAY = timedelta(days=1)


def won(one: Player, other: Player, arena: Arena, ago: int, chance: float | None) -> None:
    """``one`` beats ``other`` some days ago, with this chance before the match."""
    now = database_now()
    match = beats(one, other, arena, now=now)
    confirm(match.pk, by=other, now=now)
    forecast = None if chance is None else [chance, 1 - chance]
    Match.objects.filter(pk=match.pk).update(played_at=now - ago * DAY, forecast=forecast)


def test_days_count_matches_and_how_favourites_did(
    duel: Arena, alice: Player, charlie: Player, eve: Player
) -> None:
    chances = [(0, 0.75), (0, 0.25), (0, 0.78), (1, 0.5), (1, None), (40, 0.9)]
    for ago, chance in chances:
        won(alice, charlie, duel, ago, chance)
    assert note_days(database_now()) == 2
    found = read_last_days(database_now())
    assert len(found.days) == SHOWN
    assert [day.matches for day in found.days[-3:]] == [0, 2, 3]
    assert found.days[-1].favourite == pytest.approx((0.75 + 0.75 + 0.78) / 3)
    [even, sure] = found.calibration
    assert (even.low, even.high, even.games, even.won) == (50, 60, 1, 0.5)
    assert (sure.low, sure.high, sure.games) == (70, 80, 3)
    assert sure.won == pytest.approx(2 / 3)
    assert note_days(database_now()) == 2
    assert ArenaDay.objects.count() == 2


def test_a_late_result_counts_for_the_day_on_which_it_was_played(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    won(alice, charlie, duel, 0, 0.75)
    note_days(database_now())
    won(alice, charlie, duel, 5, 0.75)
    won(alice, charlie, duel, SHOWN - 1, 0.75)
    note_days(database_now())
    days = read_last_days(database_now()).days
    assert [day.matches for day in days if day.matches] == [1, 1, 1]
    Match.objects.update(played_at=database_now() - SHOWN * DAY)
    note_days(database_now())
    assert read_last_days(database_now()).is_empty


def test_a_day_knows_how_long_half_of_the_queue_waited(duel: Arena, alice: Player) -> None:
    now = database_now()
    for seconds in (5, 10, 11, 45, 9000):
        Ticket.objects.create(
            arena=duel, captain=alice, queued_at=now - timedelta(seconds=seconds), closed_at=now,
            place=seconds, state=Ticket.State.PLAYED,
        )  # fmt: skip
    note_days(now)
    day = ArenaDay.objects.get()
    assert day.waits == [2, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1]
    assert len(day.waits) == len(WAITS) + 1
    assert len(day.forecasts) == BINS
    assert read_last_days(now).days[-1].wait == 20
