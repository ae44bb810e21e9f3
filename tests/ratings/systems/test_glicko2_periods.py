"""Glicko-2 by rating periods: the matches of a period count as played at the same time."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.history import History, Match
from ratings.replay import Replay, replay
from ratings.systems.glicko2.update import rate_period
from ratings.types import States
from tests.support.effort import examples
from tests.support.glicko2_worlds import UNLIMITED
from tests.support.published import published
from tests.support.rating_histories import DAY, contest, duel, states_of

WEEK = 7 * DAY
BY_PERIOD = {**UNLIMITED, "update": "period", "period": "1w"}
GLICKMAN_S_EXAMPLE = [
    duel("Alice", "Bob", match_id="1"),
    duel("Charlie", "Alice", match_id="2"),
    duel("Dora", "Alice", match_id="3"),
]


def example_players() -> States:
    states = states_of(np.array([1500.0, 1400.0, 1550.0, 1700.0]))
    states.deviation[:] = [200, 30, 100, 300]
    return states


def rated(played: list[Match], **parameters: object) -> Replay:
    history = History.build(played, players=["Alice", "Bob", "Charlie", "Dora"])
    return replay(
        published("glicko-2:gw2", {**BY_PERIOD, **parameters}), history, example_players()
    )


def test_three_matches_of_a_period_reproduce_glickmans_published_example() -> None:
    states = rated(GLICKMAN_S_EXAMPLE).states
    assert states.rating[0] == pytest.approx(1464.06, abs=0.01)
    assert states.deviation[0] == pytest.approx(151.52, abs=0.005)
    assert states.volatility[0] == pytest.approx(0.05999, abs=0.00001)


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_the_order_of_the_matches_of_a_period_does_not_matter(order: tuple[int, ...]) -> None:
    states = rated([GLICKMAN_S_EXAMPLE[number] for number in order]).states
    usual = rated(GLICKMAN_S_EXAMPLE).states
    np.testing.assert_allclose(states.rating, usual.rating, rtol=1e-13)
    np.testing.assert_allclose(states.deviation, usual.deviation, rtol=1e-13)
    # The solver stops within a millionth of the logarithm of the volatility.
    np.testing.assert_allclose(states.volatility, usual.volatility, rtol=1e-9)


def test_the_same_three_matches_rated_one_by_one_differ() -> None:
    one_by_one = rated(GLICKMAN_S_EXAMPLE, update="match").states
    assert one_by_one.rating[0] == pytest.approx(1463.79, abs=0.01)


@settings(max_examples=examples(10), deadline=None)
@given(
    seed=st.integers(0, 1000),
    weeks=st.lists(st.integers(0, 60), min_size=1, max_size=14).map(sorted),
)
def test_a_history_agrees_with_rating_each_period_as_a_whole(seed: int, weeks: list[int]) -> None:
    rng = np.random.default_rng(seed)
    names = ["Alice", "Bob", "Charlie", "Dora"]
    pairs = [rng.permutation(4)[:2].tolist() for _ in weeks]
    played = [
        duel(names[winner], names[loser], at=week * WEEK + number, match_id=str(number))
        for number, (week, (winner, loser)) in enumerate(zip(weeks, pairs, strict=True))
    ]
    states = rated(played, deviation_max=350, deviation_default=350).states

    now = example_players()
    last = np.full(4, -1)
    for week, of_week in itertools.groupby(zip(weeks, pairs, strict=True), key=lambda at: at[0]):
        games: dict[int, list[tuple[int, float]]] = {}
        for _week, (winner, loser) in of_week:
            games.setdefault(winner, []).append((loser, 1.0))
            games.setdefault(loser, []).append((winner, 0.0))
        before = now.copy()
        for player in games:
            if last[player] >= 0:
                # Whole periods of 3 days from the last match to the start of the week.
                inactive = (week * WEEK - last[player]) // (3 * DAY)
                grown = before.deviation[player] ** 2 + inactive * (350**2 - 1) / 20
                before.deviation[player] = min(math.sqrt(grown), 350)
        for player, met in games.items():
            others = [other for other, _result in met]
            after = rate_period(
                before.rating[player], before.deviation[player], before.volatility[player],
                before.rating[others], before.deviation[others], [result for _, result in met],
            )  # fmt: skip
            now.rating[player] = after.rating[0]
            now.deviation[player] = after.deviation[0]
            now.volatility[player] = after.volatility[0]
        for number, (other_week, pair) in enumerate(zip(weeks, pairs, strict=True)):
            if other_week == week:
                last[pair] = week * WEEK + number
    np.testing.assert_allclose(states.rating, now.rating, rtol=1e-9)
    np.testing.assert_allclose(states.deviation, now.deviation, rtol=1e-9)
    np.testing.assert_allclose(states.volatility, now.volatility, rtol=1e-7)


def test_the_largest_change_limits_the_change_in_a_period() -> None:
    won = [contest(["Alice"], ["Dora"], match_id=str(number)) for number in range(30)]
    freely, bound = rated(won), rated(won, rating_max_change=40)
    assert freely.states.rating[0] > 1600
    assert bound.states.rating[0] == 1540
    assert bound.terms["change"][::2].sum() == pytest.approx(40)


def test_a_deviation_grows_only_from_period_to_period() -> None:
    system = published(
        "glicko-2:gw2", {**BY_PERIOD, "deviation_max": 350, "deviation_period": "3d"}
    )
    states = states_of(np.array([1500.0, 1500.0]))
    states.last_played[:] = 0
    deviations = system.at(states, np.array([WEEK - 1, WEEK])).deviation
    assert deviations[0] == 90
    assert deviations[1] == pytest.approx(math.sqrt(90**2 + 2 * (350**2 - 1) / 20))


@pytest.mark.parametrize(
    ("limits", "volatility", "gain"),
    [
        ({}, (0.06, 0.08), (0, 260)),
        ({"volatility_system_constant": 1.2}, (0.06, 0.08), (0, 260)),
        ({"volatility_system_constant": 1.2, "volatility_max": 1}, (0.8, 1), (300, 1000)),
    ],
)
def test_losing_on_purpose_pays_only_without_the_default_limits(
    limits: dict[str, float], volatility: tuple[float, float], gain: tuple[float, float]
) -> None:
    """The help warns of this: a week of losses to weak players, then a week of wins."""
    system = published("glicko-2:gw2", {"update": "period", "rating_max_change": 5000, **limits})
    lost = [duel("Bob", "Alice", match_id=str(number)) for number in range(20)]
    won = [duel("Alice", "Bob", at=WEEK, match_id=str(number)) for number in range(20)]
    states = states_of(np.array([1500.0, 700.0]), deviation=50)
    names = ["Alice", "Bob"]
    farmed = replay(system, History.build(lost, players=names), states).states
    assert volatility[0] <= farmed.volatility[0] <= volatility[1]

    farmed.rating[:], farmed.deviation[:] = 1500, 50
    after = replay(system, History.build(won, players=names), farmed).states
    assert gain[0] <= after.rating[0] - 1500 <= gain[1]
