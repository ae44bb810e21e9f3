"""Leaderboards filtered by how much is known of a player: matches played, and deviation."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from league.models import Arena, Player, Rating
from tests.support.cast import arena, put_in_order
from tests.support.season_steps import win
from tests.support.web_steps import words

BOARD = "/arenas/duel/leaderboard/"


def listed(source: str) -> list[tuple[int, str]]:
    """Return the ranks and names of a page's rows."""
    found = re.findall(r'rank rank-(\d+)".*?>([A-Z][a-z]+)</a>', source)
    return [(int(rank), name) for rank, name in found]


@pytest.fixture
def divided_players(duel: Arena, alice: Player, bob: Player, charlie: Player) -> list[Player]:
    """Alice and Charlie have a deviation of 40, Bob between them one of 80."""
    for nth, player in enumerate((alice, bob, charlie)):
        Rating.objects.create(
            season=duel.seasons.get(),
            player=player,
            rating=1700 - 100 * nth,
            deviation=80 if player == bob else 40,
            volatility=0.06,
            games=3,
            last_played_at=timezone.now(),
        )
    put_in_order()
    return [alice, bob, charlie]


@pytest.mark.parametrize("system", ["elo", "fermi", "wager", "ladder", "glicko-2", "codeforces"])
def test_every_board_can_be_filtered_by_matches(
    system: str, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    where = arena("cup", rating_system=system)
    win(where, charlie, dora)
    for _twice in range(2):
        win(where, alice, bob)
    put_in_order()
    board = f"/arenas/{where.slug}/leaderboard/"
    everybody = listed(Client().get(board).content.decode())
    assert len(everybody) == 4
    often = [row for row in everybody if row[1] in {"Alice", "Bob"}]
    page = Client().get(board, {"games": "2"}).content.decode()
    assert "At least this many matches" in page
    assert listed(page) == often  # with their ranks among all
    assert listed(Client().get(board, {"games": "2", "q": "ali"}).content.decode()) == [
        row for row in often if row[1] == "Alice"
    ]
    api = Client().get(f"/api/v1/arenas/{where.slug}/leaderboard/?games=2").json()["results"]
    assert [(row["rank"], row["player"]["name"]) for row in api] == often
    nobody = words(Client().get(board, {"games": "3"}))
    assert "No players match these filters" in nobody


def test_the_deviation_filter_is_on_the_scale_that_the_board_shows(
    duel: Arena, divided_players: list[Player]
) -> None:
    duel.display = {"scale": "scaled", "factor": 10}
    duel.save()
    sure = listed(Client().get(BOARD, {"sure": "600"}).content.decode())
    assert [name for _rank, name in sure] == ["Alice", "Charlie"]
    assert listed(Client().get(BOARD, {"sure": "60"}).content.decode()) == []
    by_api = Client().get("/api/v1/arenas/duel/leaderboard/?sure=60").json()["results"]
    assert [row["player"]["name"] for row in by_api] == ["Alice", "Charlie"]
    # In the fixed range, one deviation is fewer points at its ends than in its middle.
    duel.display = {"scale": "fixed-range"}
    duel.save()
    assert "± at most" not in words(Client().get(BOARD))
    assert "have no ±" in words(Client().get(BOARD, {"sure": "60"}))
