"""The reasons for the order of a leaderboard, as the pages of players give them."""

from datetime import timedelta
from itertools import pairwise

import numpy as np
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from league.models import Arena, Player, Rating, Season
from league.services.standings.leaderboard_rows import LeaderboardRow
from league.services.standings.leaderboards import leaderboard
from league.services.standings.order_in_words import ahead, behind, describe_place
from league.services.standings.updating import update_pending
from ratings.system import Shows
from tests.support.cast import RANKED_AT_ONCE, arena, put_in_order
from tests.support.challenge_steps import ladder_of
from tests.support.web_steps import words

DAY = timedelta(days=1)
DECAY = {"points": 700, "grace_period": "3d", "decay_period": "7d", "recover_per_game": "1d"}


def play(season: Season, seed: int) -> list[LeaderboardRow]:
    """Return the board of twenty players, among them equals and some who have not played lately."""
    drawn, now = np.random.default_rng(seed), timezone.now()
    players = [Player.objects.create(name=f"Player {seed}.{number}") for number in range(20)]
    for player in players:
        rating = float(
            drawn.choice([1500, 1500.2, 1499.8, 1600, 1601.5, drawn.uniform(1000, 2000)])
        )
        Rating.objects.create(
            season=season,
            player=player,
            rating=rating,
            deviation=50,
            games=3,
            last_played_at=now - DAY * int(drawn.integers(0, 12)),
        )
    update_pending(now)
    return list(leaderboard(season, now=now).rows)


def check(upper: LeaderboardRow, lower: LeaderboardRow, shows: Shows) -> str:
    """Compute the reason for the order of two rows again, and return its kind."""
    first, second = (f"{row.rating:.0f}" for row in (upper, lower))
    after = " after decay" if upper.before_decay <= lower.before_decay else ""
    gap = int(first) - int(second)
    assert upper.rating >= lower.rating
    kind = ""
    for text, side, other, own, theirs in (
        (ahead(upper, lower, shows), "Ahead of", lower, first, second),
        (behind(lower, upper, shows), "Behind", upper, second, first),
    ):
        if upper.rating == lower.rating:
            assert upper.player_id < lower.player_id
            kind = "level"
            said = f"Level with {other.name}: the same rating, so the same rank {upper.rank}. "
            assert upper.rank == lower.rank
        elif first == second:
            kind, said = "fraction", f"{side} {other.name} by a fraction: both ratings read {own}."
        else:
            kind = after or "rating"
            said = f"{side} {other.name} by {gap}{after}: rating {own} to {theirs}."
        assert text.startswith(said)
    return kind


def test_each_reason_is_the_rule_by_which_the_board_is_ordered(db: None) -> None:
    kinds = set()
    for seed in range(4):
        rules = {**RANKED_AT_ONCE, **({"decay": DECAY} if seed % 2 else {})}
        season = arena(f"board-{seed}", season_rules=rules).seasons.get()
        rows = play(season, seed)
        assert len(rows) == 20
        kinds |= {check(upper, lower, season.shows) for upper, lower in pairwise(rows)}
    assert len(kinds) == 4, kinds


def test_a_players_page_says_why_they_are_behind_and_ahead(duel: Arena) -> None:
    season = duel.seasons.get()
    rows = play(season, 5)
    middle = rows[9]
    page = words(Client().get(f"/players/{middle.player_id}/"))
    for reason in describe_place(middle, rows, season.shows):
        assert reason in page
    assert len(describe_place(rows[0], rows, season.shows)) == 1
    assert len(describe_place(rows[-1], rows, season.shows)) == 1


def test_on_a_ladder_the_rank_itself_decides() -> None:
    _ladder, players = ladder_of([f"Player {number}" for number in range(1, 5)])
    put_in_order()
    page = words(Client().get(f"/players/{players[1].pk}/"))
    assert "Behind Player 1 on the ladder: rank 2 to 1." in page
    assert "Ahead of Player 3 on the ladder: rank 2 to 3." in page


def test_the_leaderboard_says_beside_each_row_why_it_is_ahead_of_the_next(
    duel: Arena, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    season = duel.seasons.get()
    rows = play(season, 3)
    board = f"/arenas/{duel.slug}/leaderboard/"
    reader = Client()
    plain = reader.get(board)
    assert f'href="{board}?why=1"' in plain.content.decode()
    assert "Ahead of" not in words(plain)
    asked = reader.get(board, {"why": "1"})
    text, at = words(asked), 0
    for row, other in pairwise(rows):
        at = text.index(ahead(row, other, season.shows), at)
    with CaptureQueriesContext(connection) as before:
        reader.get(board)
    with django_assert_num_queries(len(before)):
        reader.get(board, {"why": "1"})


def test_the_reasons_stay_on_the_page_of_the_leaderboard(duel: Arena) -> None:
    play(duel.seasons.get(), 3)
    page = Client().get(f"/arenas/{duel.slug}/leaderboard/?page=1&q=Player").content.decode()
    assert "?page=1&amp;q=Player&amp;why=1" in page
