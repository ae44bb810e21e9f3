"""The standings always equal a sort of all ratings, at any position and in any order."""

import random
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from io import StringIO

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.models import F, Q
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from league.models import Arena, Player, Rating, Season, StandingChange, StandingHistogram
from league.models.standing import Standing
from league.services.integrity.standings import differences
from league.services.results.reports.answers import confirm
from league.services.standings import leaderboards, ranking, rebuilding, updating
from league.services.standings.board import Board, ask
from league.services.standings.histogram import FULL
from ratings.percentile import percentiles
from ratings.seasons.decay import Decay
from tests.support.cast import NOW, arena, beats, put_in_order
from tests.support.effort import examples
from tests.support.standing_steps import write

PEOPLE = 1_500


@pytest.fixture(scope="module")
def people() -> list[str]:
    return [f"p{number:04}" for number in range(PEOPLE)]


@pytest.fixture
def everybody(db: None, people: list[str]) -> list[int]:
    """Create enough players to fill several buckets; return their ids."""
    made = Player.objects.bulk_create(Player(name=name, folded_name=name) for name in people)
    return [player.pk for player in made]


def agrees(season: Season, now: object = NOW) -> None:
    """Check that every page and position is what sorting all ratings gives."""
    put_in_order()
    assert differences(season, NOW) == []
    sign = 1 if season.lowest_first else -1
    # On a ladder a rating is a rank, also before the first match; 0 or less is none.
    ranked = Q(rating__gt=0) if season.lowest_first else Q(games__gt=0)
    rated = Rating.objects.filter(ranked, season=season).values_list("player", "rating")
    order = sorted((sign * rating, player) for player, rating in rated)
    keys = np.array([key for key, _player in order])
    groups = percentiles(-keys, np.ones(len(keys), bool))
    expected = [
        (int(np.searchsorted(keys, key)) + 1, position, int(groups[position]), player, sign * key)
        for position, (key, player) in enumerate(order)
    ]
    shown = []
    number: int | None = 1
    while number:
        page = leaderboards.leaderboard(season, now=NOW, page=number, per_page=130)
        assert page.total == len(order)
        shown += [
            (row.rank, row.position, row.percentile, row.player_id, row.rating) for row in page.rows
        ]
        number = page.next
    assert shown == expected
    for place in expected[:: max(len(expected) // 25, 1)]:
        row = leaderboards.player_row(season, Player(pk=place[3]), now=NOW)
        assert row
        assert (row.rank, row.position, row.percentile, row.player_id, row.rating) == place
    histogram = updating.load_histogram(season.pk)
    assert histogram is None or histogram.counts.max() <= FULL


class Killed(Exception):
    """The worker was killed."""


def die_while_updating(season: Season) -> None:
    """Be killed before the last statement of an update."""

    def die(*_what: object) -> None:
        raise Killed

    with pytest.MonkeyPatch.context() as patched, suppress(Killed):
        patched.setattr(updating, "write_histogram", die)
        updating.update(season, NOW)


OPERATIONS = [
    "move",
    "join",
    "tie",
    "scatter",
    "leave",
    "update",
    "update a little",
    "rebuild",
    "die",
]


@settings(
    max_examples=examples(3),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    st.lists(st.sampled_from(OPERATIONS), min_size=25, max_size=35),
    st.integers(0, 2**32),
    st.sampled_from(["elo", "ladder"]),
)
@example(["tie", "update", "tie", "update", "scatter", "update", "leave", "join"] * 3, 7, "elo")
@example(["move", "update", "tie", "update"] * 3, 7, "ladder")
def test_after_ten_thousand_changes_the_standings_are_those_of_a_rebuild(
    everybody: list[int], operations: list[str], seed: int, system: str
) -> None:
    """Each example makes thousands of changes: players move, join, tie, leave or are reset."""
    chance = random.Random(seed)  # noqa: S311 - chance, no secret
    with transaction.atomic():
        made = arena("melee", rating_system=system)
        season = made.seasons.get()
        for operation in operations:
            some = chance.sample(everybody, chance.choice([1, 20, 150, 400]))
            if operation in {"move", "join"}:
                write(season, some, [chance.gauss(1200, 300) for _ in some])
            elif operation == "tie":
                write(season, some, [chance.choice([-5.0, 0.0, 1200.0])] * len(some))
            elif operation == "scatter":
                Rating.objects.filter(season=season).update(rating=1000 + F("player_id") % 11)
            elif operation == "leave":
                Rating.objects.filter(season=season, player__in=some).delete()
            elif operation == "update":
                put_in_order()
            elif operation == "update a little":
                updating.update(season, NOW, batch=30)
            elif operation == "rebuild":
                rebuilding.rebuild(season, NOW)
            else:
                die_while_updating(season)
        agrees(season)
        transaction.set_rollback(True)


def test_an_update_that_was_killed_loses_nothing(duel: Arena, everybody: list[int]) -> None:
    season = duel.seasons.get()
    write(season, everybody, [float(player % 1000) for player in everybody])
    die_while_updating(season)
    assert leaderboards.leaderboard(season, now=NOW).total == 0
    assert StandingChange.objects.count() == PEOPLE
    agrees(season)
    assert not StandingChange.objects.exists()


def test_a_player_due_and_changed_at_once_is_updated_once(
    duel: Arena, everybody: list[int]
) -> None:
    season = duel.seasons.get()
    write(season, everybody, [float(player % 1000) for player in everybody])
    put_in_order()
    Standing.objects.filter(season_id=season.pk, player_id__in=everybody[:400]).update(due=1)
    write(season, everybody[200:600], [2000.0 + player % 7 for player in everybody[200:600]])
    assert updating.update(season, NOW) == 600
    agrees(season)


def test_an_update_leaves_the_planner_as_it_found_it(duel: Arena, everybody: list[int]) -> None:
    """The rest of its transaction, such as the end of a season, is planned as usual."""
    season = duel.seasons.get()
    write(season, everybody, [1000.0] * PEOPLE)
    with connection.cursor() as cursor:
        for name in ("enable_seqscan", "enable_hashjoin", "enable_mergejoin"):
            cursor.execute(f"SET LOCAL {name} TO DEFAULT")
            updating.update(season, NOW)
            cursor.execute("SELECT current_setting(%s)", [name])
            assert cursor.fetchone() == ("on",), name


def test_many_with_the_same_rating_share_a_rank_and_stand_as_they_joined(
    duel: Arena, everybody: list[int]
) -> None:
    season = duel.seasons.get()
    chosen = random.Random(1).sample(everybody, PEOPLE)  # noqa: S311 - chance, no secret
    write(season, chosen, [1500.0] * 5 + [1200.0] * (PEOPLE - 10) + [900.0] * 5)
    put_in_order()
    page = leaderboards.leaderboard(season, now=NOW, page=PEOPLE // 100)
    assert {row.rank for row in page.rows} == {6}
    ids = [row.player_id for row in page.rows]
    assert ids == sorted(ids)
    assert leaderboards.leaderboard(season, now=NOW, page=99).rows[-1].rank == PEOPLE - 4
    agrees(season)


def test_a_page_and_a_place_cost_the_same_at_any_depth(
    duel: Arena, everybody: list[int], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    season = duel.seasons.get()
    write(season, everybody, [float(at) for at in range(PEOPLE)])
    put_in_order()
    ask(season.pk, Board.check_fresh)
    season = Season.objects.select_related("arena").get(pk=season.pk)
    for page in (1, 10, 20, 30):
        with django_assert_num_queries(1):
            leaderboards.leaderboard(season, now=NOW, page=page)
    for player in (everybody[0], everybody[750], everybody[-1]):
        with django_assert_num_queries(1):
            row = leaderboards.player_row(season, Player(pk=player), now=NOW)
    assert row
    assert (row.rank, row.percentile, row.page) == (1, 100, 1)


def test_no_answer_mixes_two_moments(duel: Arena, everybody: list[int]) -> None:
    """A cached histogram has a version: rows of another version make the process reload it."""
    season = duel.seasons.get()
    write(season, everybody[:400], [float(at) for at in range(400)])
    put_in_order()
    last = leaderboards.leaderboard(season, now=NOW, page=8).rows[-1]
    assert (last.rank, last.player_id) == (400, everybody[0])
    write(season, everybody[400:900], [float(at) for at in range(400, 900)])
    put_in_order()
    page = leaderboards.leaderboard(season, now=NOW, page=18)
    assert (page.total, page.rows[-1].rank) == (900, 900)
    Rating.objects.filter(season=season).delete()
    put_in_order()
    assert leaderboards.leaderboard(season, now=NOW).total == 0
    assert leaderboards.leaders([season], now=NOW) == {}


def test_an_inactive_player_leaves_the_leaderboard_and_returns_to_the_same_rank(
    duel: Arena, alice: Player, bob: Player, charlie: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    month = ranking.RankingRules(placement_matches=2, window=30 * 86_400.0)
    monkeypatch.setattr(ranking, "ranking_rules", lambda _season: month)
    season = duel.seasons.get()
    write(season, [alice.pk], [1300.0], games=1)
    write(season, [bob.pk, charlie.pk], [1250.0, 1200.0], games=2)
    Rating.objects.filter(player=bob).update(last_played_at=NOW - timedelta(days=29))

    def board(days: float) -> list[tuple[str, int | None]]:
        updating.update_pending(NOW + timedelta(days=days))
        assert differences(season, NOW + timedelta(days=days)) == []
        rows = leaderboards.leaderboard(season, now=NOW).rows
        return [(row.name, row.rank) for row in rows]

    assert board(0) == [("Bob", 1), ("Charlie", 2)]
    alone = leaderboards.player_row(season, alice, now=NOW)
    assert alone
    assert (alone.rank, alone.page, alone.rating) == (None, None, 1300)
    assert board(1) == [("Bob", 1), ("Charlie", 2)]
    assert board(1.001) == [("Charlie", 1)]
    away = leaderboards.player_row(season, bob, now=NOW)
    assert away
    assert (away.rank, away.rating) == (None, 1250)
    Rating.objects.filter(player=bob).update(last_played_at=NOW + timedelta(days=2))
    Rating.objects.filter(player=alice).update(games=2)
    assert board(2) == [("Alice", 1), ("Bob", 2), ("Charlie", 3)]
    assert board(60) == []


def test_absence_takes_points_slice_by_slice_and_a_game_brings_time_back(
    duel: Arena, alice: Player, charlie: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    decay = Decay(points=70, grace_period="3d", decay_period="1w", recover_per_game="1d")
    monkeypatch.setattr(ranking, "ranking_rules", lambda _season: ranking.RankingRules(decay=decay))
    season = duel.seasons.get()
    confirm(beats(alice, charlie, duel).pk, by=charlie, now=NOW)
    stored = Rating.objects.get(player=alice).rating

    def lost(days: float) -> float:
        now = NOW + timedelta(days=days)
        updating.update_pending(now)
        assert differences(season, now) == []
        row = leaderboards.player_row(season, alice, now=now)
        assert row
        return round(stored - row.rating, 9)

    assert [lost(days) for days in (0, 2.9, 3.5, 4, 4.9, 5, 30)] == [0, 0, 0, 10, 10, 20, 70]
    back = beats(alice, charlie, duel, now=NOW + timedelta(days=30))
    confirm(back.pk, by=charlie, now=NOW)
    stored = Rating.objects.get(player=alice).rating
    assert lost(30) == 60
    assert lost(40) == 70


def test_time_stops_at_the_end_of_a_season_and_goes_on_if_it_is_put_off(
    duel: Arena, alice: Player, charlie: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def month(season: Season) -> ranking.RankingRules:
        return replace(plain(season), window=30 * 86_400.0)

    plain = ranking.ranking_rules
    monkeypatch.setattr(ranking, "ranking_rules", month)
    Season.objects.update(ends_at=NOW + timedelta(days=3))
    season = duel.seasons.get()
    confirm(beats(alice, charlie, duel).pk, by=charlie, now=NOW)
    updating.update_pending(NOW)
    updating.update_pending(NOW + timedelta(days=99))
    assert leaderboards.leaderboard(season, now=NOW).total == 2
    Season.objects.update(ends_at=None)
    updating.update_pending(NOW + timedelta(days=99))
    assert leaderboards.leaderboard(season, now=NOW).total == 0


def test_every_season_has_a_partition_that_goes_with_it(alice: Player) -> None:
    season = arena("court").seasons.get()
    Rating.objects.create(season=season, player=alice, rating=1.0, games=1, last_played_at=NOW)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(f"SELECT player_id FROM league_rating_{season.pk}")
        assert cursor.fetchall() == [(alice.pk,)]
        put_in_order()
        season.ratings.all().delete()
        season.delete()
        cursor.execute("SELECT to_regclass(%s)", [f"league_rating_{season.pk}"])
        assert cursor.fetchone() == (None,)
    assert not StandingHistogram.objects.exists()
    assert not StandingChange.objects.exists()


def test_standings_that_were_tampered_with_are_found_and_rebuilt(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    season = duel.seasons.get()
    confirm(beats(alice, charlie, duel).pk, by=charlie, now=NOW)
    put_in_order()
    with connection.cursor() as cursor:
        cursor.execute("UPDATE league_standing SET key = 0 WHERE player_id = %s", [alice.pk])
    assert len(differences(season, NOW)) == 2
    with pytest.raises(CommandError, match="2 values"):
        call_command("verify_ratings", stdout=StringIO())
    told = StringIO()
    call_command("rebuild_standings", arena="duel", stdout=told)
    assert "Duel · Season 1: 2 players in the standings" in told.getvalue()
    agrees(season)
    with pytest.raises(CommandError, match="no such season"):
        call_command("rebuild_standings", season=0)
