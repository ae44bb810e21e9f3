"""Histories of many shapes, and their comparison with the plain Elo-MMR."""

import pytest

from ratings.history import History
from ratings.types import States
from tests.support.elo_mmr_by_hand import World
from tests.support.rating_histories import PLAYERS

SHAPES = {
    "duels": ([1, 1], [0, 1]),
    "a drawn duel": ([1, 1], [0, 0]),
    "five alone": ([1] * 5, [3, 0, 4, 1, 2]),
    "five with ties": ([1] * 5, [0, 1, 1, 0, 2]),
    "two teams": ([3, 3], [1, 0]),
    "uneven teams that tie": ([1, 3, 2], [0, 0, 1]),
}


def sides_of(sizes: list[int], turn: int) -> list[list[str]]:
    """Return sides of these sizes, with different players each turn."""
    names = iter(PLAYERS[turn:] + PLAYERS[:turn])
    return [[next(names) for _ in range(size)] for size in sizes]


def agrees(world: World, history: History, states: States, tolerance: float = 1e-8) -> None:
    for name, rating, deviation in zip(
        history.players, states.rating.tolist(), states.deviation.tolist(), strict=True
    ):
        assert rating == pytest.approx(world.people[name].mu, abs=tolerance), name
        assert deviation == pytest.approx(world.people[name].sigma, rel=1e-12), name
