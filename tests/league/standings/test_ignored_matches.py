"""A draw that the rating system ignores is in the record, and changes nothing else."""

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Arena, FinalStanding, Match, Player, Rating, RatingEvent, Season
from league.services.integrity.ratings import verify
from league.services.integrity.standings import differences
from league.services.results.reports.answers import confirm
from league.services.results.reports.reporting import report
from league.services.seasons.ending import freeze
from league.services.standings import connections
from league.services.standings.leaderboard_rows import LeaderboardRow
from league.services.standings.leaderboards import player_row
from league.services.standings.rebuilding import rebuild
from league.services.standings.updating import update_pending
from ratings.history import History
from ratings.registry import build
from ratings.replay import final_states
from tests.support.cast import NOW, RANKED_AT_ONCE, arena, side
from tests.support.correction_steps import correct
from tests.support.rating_histories import duel as played_duel
from tests.support.season_steps import NEXT, win
from tests.support.web_steps import words

SYSTEM = {"noob_delay": [0.25, 0.5], "ignore_all_tied": True}
RANKED = {"placement_matches": 2, "window": "3650d", "opponents": 0}


@pytest.fixture
def careful_arena(db: None) -> Arena:
    """An arena that ignores draws, delays newcomers, and ranks players after two matches."""
    return arena(
        "careful",
        rating_system="elo-mmr",
        rating_parameters=SYSTEM,
        season_rules={**RANKED_AT_ONCE, "ranked": RANKED},
    )


def draw(arena: Arena, one: Player, other: Player, now: datetime = NOW) -> Match:
    sides = [side(one, place=0), side(other, place=0)]
    played_at = now - timedelta(hours=1)
    made = report(arena, sides, reporter=one, played_at=played_at, now=now, client_token=uuid4())
    return confirm(made.pk, by=other, now=now)


def wins_alone(count: int) -> float:
    """Alice's rating after some wins over Bob, from the engine."""
    history = History.build([played_duel("Alice", "Bob", match_id=str(n)) for n in range(count)])
    return float(final_states(build("elo-mmr", SYSTEM), history).rating[0])


def row_of(season: Season, player: Player, now: datetime = NOW) -> LeaderboardRow | None:
    """Return a player's line, the same from the live standings and from rebuilt ones."""
    update_pending(now)
    assert verify(season) == []
    assert differences(season, now) == []
    live = player_row(season, player, now=now)
    rebuild(season, now)
    assert player_row(season, player, now=now) == live
    return live


def record(row: LeaderboardRow) -> tuple[int, int, int]:
    return row.wins, row.draws, row.losses


def test_a_draw_leaves_rating_placement_and_newcomers_delay_as_they_were(
    careful_arena: Arena, alice: Player, bob: Player
) -> None:
    season = careful_arena.seasons.get()
    draw(careful_arena, alice, bob)
    row = row_of(season, alice)
    assert row
    assert (row.rating, row.games, row.last_played_at, row.provisional) == (1500, 0, None, True)
    assert record(row) == (0, 1, 0)

    win(careful_arena, alice, bob)
    draw(careful_arena, alice, bob)
    row = row_of(season, alice)
    assert row
    assert (row.rating, row.games, row.rank, row.provisional) == (wins_alone(1), 1, None, True)
    assert (record(row), row.outcome, row.streak) == ((1, 2, 0), 0, 1)

    win(careful_arena, alice, bob)
    row, theirs = row_of(season, alice), row_of(season, bob)
    assert row
    assert theirs
    assert (row.rating, row.games, row.rank) == (wins_alone(2), 2, 1)
    assert (record(row), record(theirs)) == ((2, 2, 0), (0, 2, 2))
    assert (row.outcome, row.streak) == (1, 1)


def test_pages_and_programs_agree_about_an_ignored_draw(
    careful_arena: Arena, alice: Player, bob: Player, client: Client
) -> None:
    drawn = draw(careful_arena, alice, bob)
    page = words(client.get(drawn.get_absolute_url()))
    assert page.count("Nobody won, so this match changed no rating.") == 2
    assert "first rated match" not in page
    page = words(client.get(alice.get_absolute_url()))
    assert "0 · 1 · 0" in page
    [standing] = client.get(f"/api/v1/players/{alice.pk}/ratings/").json()["results"]
    assert (standing["games"], standing["last_played_at"]) == (0, None)
    assert "play 2 more rated matches to be ranked" in page

    first = win(careful_arena, alice, bob)
    win(careful_arena, alice, bob)
    again = draw(careful_arena, alice, bob)
    update_pending(NOW)
    assert "first rated match" in words(client.get(first.get_absolute_url()))
    assert "Nobody won" not in words(client.get(first.get_absolute_url()))
    assert "Nobody won" in words(client.get(again.get_absolute_url()))
    told = [client.get(f"/api/v1/matches/{one.pk}/").json()["events"] for one in (first, again)]
    assert [[event["ignored"] for event in events] for events in told] == [[False] * 2, [True] * 2]
    [best, second] = client.get(f"/api/v1/arenas/{careful_arena.slug}/leaderboard/").json()[
        "results"
    ]
    assert [best[name] for name in ("games", "wins", "draws", "losses")] == [2, 2, 2, 0]
    assert [second[name] for name in ("games", "wins", "draws", "losses")] == [2, 0, 2, 2]
    page = words(client.get(alice.get_absolute_url(), {"season": careful_arena.seasons.get().pk}))
    assert "2 · 2 · 0" in page
    assert client.get(reverse("leaderboard", args=[careful_arena.slug])).status_code == 200


def test_a_draw_corrected_to_a_win_counts_and_a_win_corrected_to_a_draw_does_not(
    careful_arena: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    season, staff = careful_arena.seasons.get(), olga.user
    assert staff
    drawn = draw(careful_arena, alice, bob)
    won = win(careful_arena, alice, bob)
    assert correct(drawn, staff, [(0, None), (1, None)]).state == "done"
    row = row_of(season, alice)
    assert row
    assert (row.rating, row.games, record(row)) == (wins_alone(2), 2, (2, 0, 0))
    assert correct(won, staff, [(0, None), (0, None)]).state == "done"
    row = row_of(season, alice)
    assert row
    assert (row.rating, row.games, record(row)) == (wins_alone(1), 1, (1, 1, 0))
    assert not RatingEvent.objects.get(match=drawn, player=alice).ignored
    assert RatingEvent.objects.get(match=won, player=alice).ignored


def test_draws_neither_confirm_points_nor_bring_absent_players_back(
    db: None, alice: Player, bob: Player, charlie: Player
) -> None:
    decay = {"points": 700, "grace_period": "3d", "decay_period": "7d", "recover_per_game": "7d"}
    decaying = arena(
        "decaying",
        rating_system="elo-mmr",
        rating_parameters=SYSTEM,
        season_rules={**RANKED_AT_ONCE, "decay": decay},
    )
    season, later = decaying.seasons.get(), NOW + timedelta(days=30)
    win(decaying, alice, bob)
    before = row_of(season, alice, later)
    draw(decaying, alice, charlie, later)
    after = row_of(season, alice, later)
    assert before
    assert after
    assert after.rating == before.rating == wins_alone(1) - 700
    assert after.last_played_at == before.last_played_at
    assert connections.support_of(season, alice.pk).matches == 1
    win(decaying, alice, bob, later)
    back = row_of(season, alice, later)
    assert back
    assert back.rating > before.rating + 700


def test_the_archive_has_each_player_once_with_their_whole_record(
    careful_arena: Arena, alice: Player, bob: Player
) -> None:
    season = careful_arena.seasons.get()
    win(careful_arena, alice, bob)
    win(careful_arena, alice, bob)
    placed = Rating.objects.get(season=season, player=alice).rating
    draw(careful_arena, alice, bob)
    win(careful_arena, alice, bob)
    season.ends_at = NEXT
    season.rules = careful_arena.rules().to_json()
    season.save()
    assert freeze(season.pk, now=NEXT + timedelta(days=3))
    rows: list[Any] = [
        (row.name, row.games, row.wins, row.draws, row.losses, row.streak)
        for row in FinalStanding.objects.filter(season=season)
    ]
    assert rows == [("Alice", 3, 3, 1, 0, 2), ("Bob", 3, 0, 1, 3, 0)]
    best = FinalStanding.objects.get(season=season, name="Alice")
    assert best.gain == best.rating - placed
