"""Players whose rating is carried over are on the leaderboard of the new season, as previewed."""

import itertools
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Anchor, Arena, Award, FinalStanding, Player, Rating, Season
from league.services.integrity.standings import differences
from league.services.seasons import end_previews
from league.services.seasons.ending import end, freeze_early
from league.services.seasons.opening import adopt_rules, open_season
from league.services.seasons.planning import next_season
from league.services.seasons.starting_ratings import preview
from league.services.standings.leaderboards import inactive, leaderboard
from league.services.standings.provisional import provisional
from league.services.standings.updating import update_pending
from ratings.registry import SYSTEMS
from tests.support.cast import NOW, account, arena
from tests.support.effort import spread
from tests.support.result_steps import user_of
from tests.support.season_steps import NEXT, set_season_rules, win

BETWEEN = datetime(2026, 2, 20, tzinfo=UTC).isoformat()
STARTS: list[dict[str, Any]] = [
    {"placement": "carry-over"},
    {"placement": "carry-over", "full_reset_before": BETWEEN},
    {"placement": "carry-over", "partial_reset_before": BETWEEN},
    {"placement": "linear-scale", "center": 1000.0, "ratio": 0.3},
    {"placement": "linear-scale", "ratio": 1.0, "reset_deviation": True},
]
RANKED: list[dict[str, Any]] = [
    {"placement_matches": 5, "returning_matches": 0, "window": "3650d", "opponents": 0},
    {"placement_matches": 5, "returning_matches": 0, "window": "35d", "opponents": 0},
    {"placement_matches": 5, "returning_matches": 0, "window": "3650d", "opponents": 2},
    {"placement_matches": 5, "returning_matches": 3, "window": "3650d", "opponents": 0},
]
CASES = [
    (system, start, ranked)
    for system in SYSTEMS
    for start in (STARTS[:1] if SYSTEMS[system].shows.lowest_first else STARTS)
    for ranked in RANKED
]


def played(club: Arena, players: list[Player]) -> Season:
    """Let the first of some players win against the next and so on, the last ones long ago."""
    for number, (winner, loser) in enumerate(itertools.pairwise(players)):
        win(club, winner, loser, NOW - timedelta(days=30 - 10 * number))
    update_pending(NOW)
    return club.seasons.get()


@pytest.mark.parametrize(
    ("system", "start", "ranked"),
    spread(CASES, 40),
    ids=["-".join([case[0], *map(str, [*case[1].values(), *case[2].values()])]) for case in CASES],
)
def test_the_board_shows_whom_the_preview_promises(
    system: str,
    start: dict[str, Any],
    ranked: dict[str, Any],
    alice: Player,
    bob: Player,
    charlie: Player,
    dora: Player,
) -> None:
    club = arena("club", rating_system=system)
    first = played(club, [alice, bob, charlie, dora])
    set_season_rules(club, start=start, ranked=ranked)
    promised = preview(next_season(club, NEXT))
    second = open_season(club, starts_at=NEXT)

    board, away = leaderboard(second, now=NEXT), inactive(second, now=NEXT)
    waiting = provisional(second, now=NEXT)
    assert board.total == promised.ranked
    assert len(board.rows) + len(away.rows) + len(waiting) == promised.players
    assert promised.players + promised.anew == first.ratings.count() == 4
    at_once = SYSTEMS[system].shows.lowest_first or not (
        ranked["returning_matches"] or ranked["opponents"]
    )
    assert len(waiting) == (0 if at_once else promised.players)
    assert bool(away.rows) == (at_once and promised.ranked < promised.players)
    assert {row.missing for row in waiting} <= {promised.needed and promised.needed.matches}
    shown = [*board.rows, *away.rows, *(row.row for row in waiting)]
    before = Rating.objects.filter(season=second).values_list("player", "rating")
    assert {row.player_id: row.rating for row in shown} == dict(before)
    assert differences(second, NEXT) == []


def test_a_ladder_keeps_its_people_and_their_ranks(
    alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    club = arena("club", rating_system="ladder")
    first = played(club, [alice, bob, charlie, dora])
    Rating.objects.filter(season=first, player=dora).update(last_played_at=NOW)
    ranks = {row.player_id: row.rank for row in leaderboard(first, now=NOW).rows}
    set_season_rules(club, start={"placement": "carry-over"})
    second = open_season(club, starts_at=NEXT)
    rows = leaderboard(second, now=NEXT).rows
    assert {row.player_id: row.rank for row in rows} == ranks
    assert [row.percentile for row in rows] == [100, 67, 34, 1]
    newcomer = account("Erin")
    win(club, newcomer, alice, NEXT + timedelta(hours=1))
    update_pending(NEXT + timedelta(hours=2))
    assert leaderboard(second, now=NEXT + timedelta(hours=2)).total == 5
    assert differences(second, NEXT + timedelta(hours=2)) == []

    # A season later still, those who have not played at all since are where they were.
    third = open_season(club, starts_at=NEXT + timedelta(days=30))
    rows = leaderboard(third, now=NEXT + timedelta(days=30)).rows
    assert {row.rank for row in rows} == {1, 2, 3, 4, 5}
    assert {alice.pk, bob.pk, charlie.pk, dora.pk, newcomer.pk} == {r.player_id for r in rows}


def test_the_archive_of_a_ladder_lists_everybody_and_honours_those_who_played(
    alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    club = arena("club", rating_system="ladder")
    played(club, [alice, bob, charlie, dora])
    set_season_rules(club, start={"placement": "carry-over"})
    second = open_season(club, starts_at=NEXT)
    win(club, bob, charlie, NEXT + timedelta(hours=1))
    over = NEXT + timedelta(days=9)
    assert end(second.pk, now=over)
    promised = end_previews.preview(club.seasons.get(pk=second.pk), over)
    assert promised is not None
    assert (promised.players, promised.ranked) == (4, 4)
    assert freeze_early(second.pk, now=over)
    found = FinalStanding.objects.filter(season=second).order_by("position")
    assert [one.rank for one in found] == [1, 2, 3, 4]
    assert set(Award.objects.filter(season=second).values_list("player", flat=True)) <= {
        bob.pk,
        charlie.pk,
    }


def test_a_season_without_results_that_takes_a_ladders_rules_shows_its_people(
    alice: Player, bob: Player, charlie: Player
) -> None:
    club = arena("club", rating_system="ladder")
    played(club, [alice, bob, charlie])
    second = open_season(club, starts_at=NEXT)
    assert leaderboard(second, now=NEXT).total == 0
    set_season_rules(club, start={"placement": "carry-over"})
    assert adopt_rules(second, club)
    second.refresh_from_db()
    assert leaderboard(second, now=NEXT).total == 3
    set_season_rules(club, start={"placement": "fresh"})
    assert adopt_rules(second, club)
    update_pending(NEXT)
    second.refresh_from_db()
    assert leaderboard(second, now=NEXT).total == 0
    assert differences(second, NEXT) == []


def test_an_anchor_is_not_promised_to_be_ranked(
    duel: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    played(duel, [alice, bob, charlie])
    Anchor.objects.create(arena=duel, player=bob, rating=1234)
    ranked = {"placement_matches": 1, "opponents": 0, "window": "3650d", "returning_matches": 0}
    set_season_rules(duel, start={"placement": "carry-over"}, ranked=ranked)
    promised = preview(next_season(duel, NEXT))
    second = open_season(duel, starts_at=NEXT)
    assert (promised.players, promised.anew, promised.ranked) == (2, 0, 2)
    assert leaderboard(second, now=NEXT).total == 2
    assert [row.row.rating for row in provisional(second, now=NEXT)] == [1234]


PLACED = [
    ("glicko-2", {"placement": "carry-over"}),
    ("ladder", {"placement": "carry-over"}),
    ("elo", {"placement": "fresh", "day_one": 50.0}),
]


@pytest.mark.parametrize(("system", "start"), PLACED, ids=["carried", "rank", "drawn"])
def test_a_rating_is_shown_everywhere_before_the_first_match_of_a_season(
    system: str, start: dict[str, Any], alice: Player, bob: Player, client: Client
) -> None:
    club = arena("club", rating_system=system)
    played(club, [alice, bob])
    set_season_rules(club, start=start)
    second = open_season(club, starts_at=NOW + timedelta(minutes=1))
    rating = Rating.objects.get(season=second, player=alice).rating
    page = client.get(f"{alice.get_absolute_url()}?season={second.pk}")
    assert page.status_code == 200
    assert page.context["row"].rating == rating
    listed = client.get(f"/api/v1/players/{alice.pk}/ratings/").json()["results"]
    assert rating in [one["rating"] for one in listed if one["season"]["id"] == second.pk]
    client.force_login(user_of(alice))
    how = client.get(reverse("how_it_works", args=["club"]))
    assert how.context["row"].rating == rating
