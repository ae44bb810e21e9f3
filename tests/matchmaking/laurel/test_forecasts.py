"""The matches of ``laurel`` are fair by the forecast that players are shown."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matchmaking.ticket import Queue
from matchmaking.types import Booleans, Floats, Integers
from tests.support.effort import examples
from tests.support.laurel_ticks import PAIRS, SEEDS, any_queue, names, tick
from tests.support.matchmaking_queues import party, solo
from tests.support.plain_laurel import is_allowed


def by_rating(queue: Queue) -> Callable[..., Floats]:
    """Return a forecast that sees ratings without their deviations."""

    def forecast(tickets: Integers, first: Booleans) -> Floats:
        assert np.ptp(queue.sizes[tickets], axis=0).max() == 0, "all of the same sizes, in order"
        totals = queue.rating_mean * queue.sizes
        gap = (totals[tickets] * np.where(first, 1, -1)).sum(axis=1)
        teams = (queue.sizes[tickets] * first).sum(axis=1)
        chances: Floats = 1 / (1 + 10 ** (-gap / teams / 400))
        return chances

    return forecast


@pytest.mark.parametrize("shown", [False, True])
def test_a_match_is_fair_by_the_forecast_that_is_shown(shown: bool) -> None:
    """Equal ratings less deviations are not equal chances: the uncertain would win three of four,
    or by the forecast even more."""
    for rating, matches in ((1900, 0), (1600, 1)):
        uncertain = party("A", rating, rating, wait=600, deviation=300.0)
        queue = Queue.of([uncertain, party("B", 1600, 1600, wait=600)])
        forecast = by_rating(queue) if shown else None
        assert len(tick(queue, PAIRS, forecast=forecast).matches) == matches


def test_teams_that_the_forecast_finds_unfair_are_split_in_another_way() -> None:
    uncertain = [solo(f"A{n}", 1900, wait=600, deviation=300.0) for n in range(2)]
    queue = Queue.of([*uncertain, *(solo(f"B{n}", 1600, wait=600) for n in range(2))])
    ((first, second),) = names(queue, tick(queue, PAIRS, forecast=by_rating(queue)))
    assert {"A0", "A1"} not in (first, second)


@given(seed=SEEDS, length=st.integers(0, 60))
@settings(max_examples=examples(12), deadline=None)
def test_every_match_is_fair_by_the_forecast(seed: int, length: int) -> None:
    queue, rules = any_queue(seed, length)
    forecast = by_rating(queue)
    for match in tick(queue, rules, forecast=forecast).matches:
        tickets = np.array([match.tickets])
        first = np.isin(tickets, match.team1)
        assert abs(forecast(tickets, first)[0] - 0.5) <= rules.laurel.fairness + 1e-9


@given(seed=SEEDS, length=st.integers(0, 60))
@settings(max_examples=examples(4), deadline=None)
def test_without_a_forecast_the_teams_are_even(seed: int, length: int) -> None:
    queue, rules = any_queue(seed, length)

    def ignorant(tickets: Integers, first: Booleans) -> Floats:
        return np.full(len(tickets), np.nan)

    made = tick(queue, rules, forecast=ignorant).matches
    assert all(is_allowed(queue, rules, match, now=0.0) for match in made)
