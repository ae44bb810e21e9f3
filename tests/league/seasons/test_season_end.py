"""A season that is over is archived permanently, and late results follow the arena's rules."""

from __future__ import annotations

import threading
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

import pytest
from django.db import DatabaseError, connection, transaction

from league import tasks
from league.models import (
    Award,
    DishonorAward,
    FinalStanding,
    Match,
    Offence,
    Rating,
    Season,
    Status,
)
from league.services.core.errors import Conflict, Refused
from league.services.integrity.ratings import verify
from league.services.results.answers import confirm, confirm_expired
from league.services.results.reporting import report
from league.services.seasons import final_standings
from league.services.seasons.ending import freeze, freeze_due, preview, settle_late
from league.services.seasons.opening import open_planned, open_season
from league.services.seasons.planning import plan_season
from tests.support.cast import NOW, beats, side
from tests.support.concurrency import all_at_once
from tests.support.season_steps import NEXT, ratings, set_season_rules, win
from tests.support.waiting import wait_until_blocked

if TYPE_CHECKING:
    from league.models import Arena, Player

pytestmark = pytest.mark.django_db

FROZEN = NEXT + timedelta(days=3)
"""When a season that ends at ``NEXT`` is archived by default."""


@pytest.fixture
def season(duel: Arena, alice: Player, bob: Player, charlie: Player, dora: Player) -> Season:
    """Alice wins three in a row, Charlie wins and loses, Dora beats Bob once and leaves once."""
    win(duel, charlie, bob)
    win(duel, alice, charlie)
    win(duel, alice, bob)
    win(duel, alice, charlie)
    win(duel, dora, bob)
    Match.objects.latest("pk").participants.filter(player=dora).update(quit=True)
    return ended(duel)


def ended(duel: Arena) -> Season:
    season = duel.seasons.get()
    season.ends_at = NEXT
    season.rules = duel.rules().written()
    season.save()
    return season


def test_the_archive_tells_how_everyone_ended(season: Season, alice: Player) -> None:
    assert freeze(season.pk, now=FROZEN)
    rows = list(FinalStanding.objects.filter(season=season))
    assert [row.position for row in rows] == [1, 2, 3, 4]
    best = rows[0]
    assert (best.player, best.name, best.rank, best.percentile) == (alice, "Alice", 1, 100)
    assert best.rating == ratings(season)["Alice"]
    assert {row.name: (row.games, row.wins, row.draws, row.losses, row.streak) for row in rows} == {
        "Alice": (3, 3, 0, 0, 3),
        "Charlie": (3, 1, 0, 2, 1),
        "Dora": (1, 1, 0, 0, 1),
        "Bob": (3, 0, 0, 3, 0),
    }
    assert (best.division, rows[-1].percentile, rows[-1].division) == ("Master", 1, "Bronze")
    awards = [(award.kind, award.name, award.value) for award in season.awards.all()]
    assert awards[:2] == [("top", "Alice", 1), ("top", rows[1].name, 2)]
    assert ("streak", "Alice", 3) in awards
    assert ("fairest", "Alice", 3) in awards


def test_dishonor_and_leaving_early_cost_the_award_for_fairness(
    season: Season, duel: Arena, alice: Player
) -> None:
    DishonorAward.objects.create(
        player=alice, arena=duel, at=NOW, offence=Offence.QUEUE_DODGE, stacks=1
    )
    freeze(season.pk, now=FROZEN)
    assert season.awards.get(kind=Award.Kind.FAIREST).name == "Charlie"


def test_leaving_a_match_that_does_not_count_keeps_the_award_for_fairness(
    season: Season, duel: Arena, alice: Player, bob: Player
) -> None:
    Season.objects.filter(pk=season.pk).update(ends_at=None)
    mistaken = beats(bob, alice, duel)
    mistaken.participants.filter(player=alice).update(quit=True)
    Match.objects.filter(pk=mistaken.pk).update(status=Status.VOID, settled_at=NOW)
    Season.objects.filter(pk=season.pk).update(ends_at=NEXT)
    freeze(season.pk, now=FROZEN)
    assert season.awards.get(kind=Award.Kind.FAIREST).name == "Alice"


def test_awards_go_to_the_highest_ranked_and_equal_ranks_share_them(
    melee: Arena, duel: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    """Dora joined last, and neither name nor account decides."""
    for first, second in ((alice, bob), (charlie, dora)):
        win(duel, first, second)
        win(duel, first, second)
    season = ended(duel)
    freeze(season.pk, now=FROZEN)
    awards = list(season.awards.values_list("kind", "name", "value"))
    assert [award for award in awards if award[0] == "top"] == [
        ("top", "Alice", 1),
        ("top", "Charlie", 1),
        ("top", "Bob", 3),
        ("top", "Dora", 3),
    ]
    assert [award[1] for award in awards if award[0] == "improved"] == ["Alice", "Charlie"]
    assert [award for award in awards if award[0] == "streak"] == [
        ("streak", "Alice", 2),
        ("streak", "Charlie", 2),
    ]
    assert [award for award in awards if award[0] == "fairest"] == [
        ("fairest", "Alice", 2),
        ("fairest", "Charlie", 2),
    ]

    win(melee, charlie, bob)
    win(melee, charlie, bob)
    win(melee, alice, dora)
    win(melee, alice, dora)
    Rating.objects.filter(season__arena=melee, player=charlie).update(rating=2000.0)
    season = ended(melee)
    freeze(season.pk, now=FROZEN)
    streak = season.awards.get(kind=Award.Kind.STREAK)
    assert (streak.name, streak.value) == ("Charlie", 2)  # as long as Alice's, and rank 1


def test_divisions_by_rank_and_by_rating_are_archived_too(
    duel: Arena, alice: Player, bob: Player
) -> None:
    set_season_rules(
        duel,
        cuts={"by": "rank"},
        divisions=[{"name": "All", "first": None}, {"name": "First", "first": 1}],
    )
    win(duel, alice, bob)
    season = ended(duel)
    freeze(season.pk, now=FROZEN)
    rows = FinalStanding.objects.filter(season=season)
    assert dict(rows.values_list("name", "division")) == {"Alice": "First", "Bob": "All"}


def test_a_season_is_frozen_on_its_day_and_once(season: Season) -> None:
    assert not freeze(season.pk, now=FROZEN - timedelta(seconds=1))
    assert freeze_due(FROZEN - timedelta(seconds=1)) == []
    assert freeze_due(FROZEN) == [season.pk]
    assert freeze(season.pk, now=FROZEN)
    assert not freeze(season.pk, now=FROZEN)
    assert freeze_due(FROZEN) == []
    assert season.final_standings.count() == 4


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_freeze_a_season_once(season: Season) -> None:
    answers = all_at_once([partial(freeze, season.pk, now=FROZEN)] * 6)
    assert sorted(map(str, answers)) == ["False"] * 5 + ["True"]
    assert season.final_standings.count() == 4


@pytest.mark.django_db(transaction=True)
def test_a_worker_killed_half_way_leaves_no_archive(season: Season) -> None:
    def dies() -> None:
        with suppress(DatabaseError), transaction.atomic():
            final_standings.write(Season.objects.select_for_update().get(pk=season.pk), FROZEN)
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
        connection.close()

    worker = threading.Thread(target=dies)
    worker.start()
    worker.join()
    assert not FinalStanding.objects.exists()
    assert freeze(season.pk, now=FROZEN)


def test_the_preview_writes_nothing_and_shows_what_the_freeze_writes(season: Season) -> None:
    shown = preview(season, FROZEN)
    assert shown
    assert not FinalStanding.objects.exists()
    assert not Award.objects.exists()
    freeze(season.pk, now=FROZEN)
    assert [(row.position, row.name) for row in shown.standings] == list(
        FinalStanding.objects.values_list("position", "name")
    )
    assert shown.players == 4
    assert len(shown.awards) == season.awards.count()
    assert preview(season, FROZEN) is None


def test_an_arena_without_players_leaves_an_empty_archive(duel: Arena) -> None:
    season = ended(duel)
    assert freeze(season.pk, now=FROZEN)
    season.refresh_from_db()
    assert season.archived_at == FROZEN
    assert not season.awards.exists()


@pytest.mark.django_db(transaction=True)
def test_a_player_who_changes_name_during_the_freeze_keeps_the_old_name_in_the_archive(
    season: Season, alice: Player
) -> None:
    worker = threading.Thread(target=all_at_once, args=[[partial(freeze, season.pk, now=FROZEN)]])
    with transaction.atomic():
        alice.name = "Alicia"
        alice.save()
        worker.start()
        wait_until_blocked()  # the archive is written, and held up before it is complete
    worker.join()
    archived = FinalStanding.objects.get(player=alice)
    assert (archived.name, archived.player.name) == ("Alice", "Alicia")


def test_an_archive_never_changes(season: Season) -> None:
    freeze(season.pk, now=FROZEN)
    for rows in (FinalStanding.objects.filter(season=season), season.awards.all()):
        with pytest.raises(DatabaseError, match="is a ledger"), transaction.atomic():
            rows.update(name="Mallory")
        with pytest.raises(DatabaseError, match="is a ledger"), transaction.atomic():
            rows.delete()


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
