"""Results that come in after the end of their season."""

from datetime import timedelta

import pytest

from league import tasks
from league.models import Arena, Match, Player, Season, Status
from league.services.core.errors import Conflict, Refused
from league.services.integrity.ratings import verify
from league.services.results.reports.answers import confirm, confirm_expired
from league.services.results.reports.reporting import report
from league.services.seasons.ending import freeze, settle_late
from league.services.seasons.opening import open_planned, open_season
from league.services.seasons.planning import plan_season
from tests.support.cast import beats, side
from tests.support.season_steps import FROZEN, NEXT, ended, ratings, set_season_rules, win


def test_a_frozen_season_settles_no_results(
    season: Season, duel: Arena, alice: Player, bob: Player
) -> None:
    Season.objects.filter(pk=season.pk).update(ends_at=None)
    waiting = beats(alice, bob, duel)
    Season.objects.filter(pk=season.pk).update(ends_at=NEXT)
    before = ratings(season)
    freeze(season.pk, now=FROZEN)
    with pytest.raises(Conflict, match="no longer change"):
        confirm(waiting.pk, by=bob, now=FROZEN)
    assert confirm_expired(FROZEN) == 0
    assert settle_late(FROZEN) == 1
    waiting.refresh_from_db()
    assert (waiting.status, waiting.get_settlement_display()) == (
        Status.VOID,
        "not settled before its season was archived",
    )
    assert settle_late(FROZEN) == 0
    assert ratings(season) == before
    assert verify(season) == []


def late_report(duel: Arena, alice: Player, bob: Player) -> Match:
    """Report a match of the first season while the second is running."""
    return report(
        duel,
        [side(alice, place=0), side(bob, place=1)],
        reporter=alice,
        played_at=NEXT - timedelta(hours=1),
        now=NEXT + timedelta(hours=1),
    )


def test_a_late_result_counts_for_the_season_it_was_played_in_until_that_is_frozen(
    duel: Arena, alice: Player, bob: Player
) -> None:
    win(duel, alice, bob)
    first = duel.seasons.get()
    second = open_season(duel, starts_at=NEXT)
    assert late_report(duel, alice, bob).season == first
    match = confirm(late_report(duel, alice, bob).pk, by=bob, now=NEXT + timedelta(days=1))
    assert (match.season, match.status) == (first, Status.RATED)
    assert ratings(second) == {}
    freeze(first.pk, now=FROZEN)
    with pytest.raises(Refused, match="before the season started"):
        late_report(duel, alice, bob)
    assert verify(first) == []


def test_a_late_result_counts_for_the_running_season_if_the_arena_says_so(
    duel: Arena, alice: Player, bob: Player
) -> None:
    set_season_rules(duel, calendar={"late": "running"})
    first = duel.seasons.get()
    first.rules = duel.season_rules
    first.save()
    waiting = beats(alice, bob, duel)
    planned = plan_season(duel, starts_at=NEXT)
    assert freeze(first.pk, now=NEXT)  # at once: nothing more can count for it
    assert settle_late(NEXT) == 0  # it waits for a season
    second = open_season_of(planned)
    assert late_report(duel, alice, bob).season == second
    assert settle_late(NEXT) == 1
    assert confirm(waiting.pk, by=bob, now=NEXT).season == second
    assert set(ratings(second)) == {"Alice", "Bob"}
    assert verify(second) == []


def open_season_of(planned: Season) -> Season:
    open_planned(planned.pk, now=NEXT)
    planned.refresh_from_db()
    return planned


def test_a_late_result_does_not_count_if_the_arena_says_so(
    duel: Arena, alice: Player, bob: Player
) -> None:
    set_season_rules(duel, calendar={"late": "refuse"})
    first = duel.seasons.get()
    first.rules = duel.season_rules
    first.save()
    waiting = beats(alice, bob, duel)
    open_season(duel, starts_at=NEXT)
    assert freeze(first.pk, now=NEXT)
    assert settle_late(NEXT) == 1
    waiting.refresh_from_db()
    assert waiting.status == Status.VOID
    with pytest.raises(Refused, match="before the season started"):
        late_report(duel, alice, bob)


def test_between_seasons_only_late_results_are_taken(
    duel: Arena, alice: Player, bob: Player
) -> None:
    season = ended(duel)
    assert duel.takes_results(NEXT)
    assert late_report(duel, alice, bob).season == season
    with pytest.raises(Refused, match="No season is running"):
        beats(alice, bob, duel, now=NEXT + timedelta(hours=2))
    assert not duel.takes_results(NEXT - timedelta(days=400))
    freeze(season.pk, now=FROZEN)
    assert not duel.takes_results(FROZEN)


def test_the_sweeper_freezes_due_seasons_and_settles_late_results(
    season: Season, duel: Arena, alice: Player, bob: Player
) -> None:
    Season.objects.filter(pk=season.pk).update(ends_at=None)
    waiting = beats(alice, bob, duel)
    Season.objects.filter(pk=season.pk).update(ends_at=NEXT)
    assert tasks.freeze_due_seasons() == [season.pk]
    tasks.freeze_season(season.pk)
    season.refresh_from_db()
    waiting.refresh_from_db()
    assert season.archived_at is not None
    assert waiting.status == Status.VOID
