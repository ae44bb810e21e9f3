"""A season that is over is archived permanently, and late results follow the arena's rules."""

import threading
from contextlib import suppress
from datetime import timedelta
from functools import partial

import pytest
from django.db import DatabaseError, connection, transaction

from league.models import (
    Arena,
    Award,
    DishonorAward,
    FinalStanding,
    Match,
    Offence,
    Player,
    Rating,
    Season,
    Status,
)
from league.services.seasons import end_previews, final_standings
from league.services.seasons.end_previews import preview
from league.services.seasons.ending import freeze, freeze_due
from league.services.standings.leaderboards import player_rows
from league.services.standings.updating import update_all
from tests.support.cast import NOW, arena, beats
from tests.support.concurrency import all_at_once
from tests.support.season_steps import FROZEN, NEXT, ended, ratings, set_season_rules, win
from tests.support.waiting import wait_until_blocked


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
    assert (best.division, rows[-1].percentile, rows[-1].division) == ("", 1, "")
    awards = [(award.kind, award.name, award.value) for award in season.awards.all()]
    assert awards[:2] == [("top", "Alice", 1), ("top", rows[1].name, 2)]
    assert ("streak", "Alice", 3) in awards
    assert ("fairest", "Alice", 3) in awards


@pytest.mark.parametrize("system", ["glicko", "glicko-2", "elo-mmr", "elo"])
def test_the_archive_has_the_deviations_that_the_board_showed_at_the_end(
    alice: Player, bob: Player, charlie: Player, system: str
) -> None:
    parameters = {"elo-mmr": {"drift_per_day": 50.0}, "glicko-2": {"deviation_period": "3d"}}.get(
        system, {}
    )
    league = arena("growing", rating_system=system, rating_parameters=parameters)
    win(league, alice, bob, NOW - timedelta(days=8))
    win(league, charlie, bob, NOW)
    season = ended(league)
    assert freeze(season.pk, now=FROZEN)
    shown = player_deviations(season, alice, bob, charlie)
    archived = FinalStanding.objects.filter(season=season).values_list("name", "deviation")
    assert dict(archived) == shown
    stored = dict(season.ratings.values_list("player__name", "deviation"))
    assert (stored != shown) == (system != "elo")


def player_deviations(season: Season, *players: Player) -> dict[str, float | None]:
    season = Season.objects.get(pk=season.pk)
    return {
        player.name: player_rows(player, [season], now=FROZEN)[season.pk].deviation
        for player in players
    }


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
    assert shown.awards is not None
    assert len(shown.awards) == season.awards.count()
    assert preview(season, FROZEN) is None


def test_the_preview_of_a_large_season_is_its_leaderboard_without_awards(
    season: Season, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = preview(season, FROZEN)
    update_all(season, FROZEN)
    monkeypatch.setattr(end_previews, "MOST_GAMES", 1)
    large = preview(season, FROZEN)
    assert whole
    assert large
    assert large.awards is None
    assert whole.awards

    def shown(row: FinalStanding) -> tuple[object, ...]:
        return row.rank, row.name, row.division, row.rating, row.games

    ranked = [shown(row) for row in whole.standings if row.rank]
    assert [shown(row) for row in large.standings] == ranked
    assert (large.players, large.ranked) == (whole.players, whole.ranked)
    Season.objects.update(archived_at=FROZEN)
    assert preview(Season.objects.get(pk=season.pk), FROZEN) is None


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
