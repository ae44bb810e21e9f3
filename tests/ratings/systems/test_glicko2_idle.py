"""Glicko-2's deviations of players who are away: Glickman's step 6, and Guild Wars 2's curve."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.history import History
from ratings.registry import build
from ratings.replay import final_states, replay
from ratings.types import MICROSECONDS_PER_SECOND, NEVER
from tests.support.effort import examples
from tests.support.glicko2_worlds import UNLIMITED
from tests.support.rating_histories import DAY, duel, states_of

WEEK = 7 * DAY
BY_VOLATILITY: dict[str, Any] = {
    **UNLIMITED,
    "update": "period",
    "period": "1w",
    "deviation_growth": "volatility",
}
POINTS = 173.7178
"""Glickman's factor from his scale to rating points."""


def by_hand(deviation: float, volatility: float, periods: int) -> float:
    """Run step 6 for so many periods without games: ``φ' = sqrt(φ² + σ²)``, one after another."""
    phi = deviation / POINTS
    for _period in range(periods):
        phi = math.sqrt(phi**2 + volatility**2)
    return phi * POINTS


def deviation_at(time: int, played: int, deviation: float, **parameters: Any) -> float:
    """Return the deviation that is read at a time after a match at ``played``."""
    system = build("glicko-2", {**BY_VOLATILITY, **parameters})
    states = states_of(np.array([1500.0]))
    states.deviation[:], states.last_played[:] = deviation, played
    return float(system.at(states, np.array([time])).deviation[0])


def test_one_week_away_grows_91_5_to_92_1() -> None:
    assert by_hand(91.5, 0.06, 1) == pytest.approx(92.09, abs=0.005)
    found = deviation_at(2 * WEEK, 0, 91.5)
    assert found == pytest.approx(by_hand(91.5, 0.06, 1), rel=1e-6)


@pytest.mark.parametrize("played", [0, 1, WEEK - 1])
@pytest.mark.parametrize(
    ("time", "periods"),
    [(0, 0), (1, 0), (2, 1), (3, 2), (12, 11)],
)
def test_only_the_rating_periods_between_two_count(played: int, time: int, periods: int) -> None:
    """The week of the last match has ended with that match, and the current one has not ended."""
    for moment in (max(time * WEEK, played), (time + 1) * WEEK - 1):
        found = deviation_at(moment, played, 80.0)
        assert found == pytest.approx(by_hand(80.0, 0.06, periods), rel=1e-6)


def test_match_by_match_each_whole_period_of_inactivity_counts() -> None:
    for hours, periods in ((47, 0), (48, 1), (95, 1), (96, 2), (500, 10)):
        time = hours * 3600 * MICROSECONDS_PER_SECOND
        found = deviation_at(time, 0, 60.0, update="match", deviation_period="2d")
        assert found == pytest.approx(by_hand(60.0, 0.06, periods), rel=1e-6)


def test_an_erratic_player_grows_faster_and_nobody_above_the_highest() -> None:
    system = build("glicko-2", {**BY_VOLATILITY, "deviation_max": 350})
    states = states_of(np.array([1500.0, 1500.0, 1500.0]))
    states.deviation[:], states.volatility[:] = [80, 80, 349.9], [0.04, 0.08, 0.08]
    states.last_played[:] = 0
    grown = system.at(states, np.full(3, 11 * WEEK)).deviation
    assert grown[:2] == pytest.approx([by_hand(80, 0.04, 10), by_hand(80, 0.08, 10)], rel=1e-6)
    assert grown[2] == 350
    states.last_played[:] = NEVER
    assert (system.at(states, np.full(3, 11 * WEEK)).deviation == states.deviation).all()


def reference(weeks: list[int], pairs: list[tuple[int, int]]) -> list[tuple[float, float, float]]:
    """Rate every week for everybody as the paper says, without code of the engine.

    Steps 2 to 8 for those with games, and step 6 alone for those without, from the week after their
    first on. Step 5 by bisection.
    """
    mu, phi, sigma = [0.0] * 4, [350 / POINTS] * 4, [0.06] * 4
    started: set[int] = set()
    for week in range(max(weeks) + 1):
        before = list(zip(mu, phi, strict=True))
        games: dict[int, list[tuple[int, float]]] = {}
        for at, (winner, loser) in zip(weeks, pairs, strict=True):
            if at == week:
                games.setdefault(winner, []).append((loser, 1.0))
                games.setdefault(loser, []).append((winner, 0.0))
        for player in range(4):
            if player not in games:
                if player in started:
                    phi[player] = math.hypot(phi[player], sigma[player])
                continue
            own_mu, own_phi = before[player]
            information = surprise = 0.0
            for other, score in games[player]:
                trust = 1 / math.sqrt(1 + 3 * before[other][1] ** 2 / math.pi**2)
                expected = 1 / (1 + math.exp(-trust * (own_mu - before[other][0])))
                information += trust**2 * expected * (1 - expected)
                surprise += trust * (score - expected)
            sigma[player] = solve(own_phi, sigma[player], 1 / information, surprise / information)
            phi[player] = 1 / math.sqrt(1 / (own_phi**2 + sigma[player] ** 2) + information)
            mu[player] = own_mu + phi[player] ** 2 * surprise
        started |= games.keys()
    points = 400 / math.log(10)
    return [
        (points * one + 1500, points * two, three)
        for one, two, three in zip(mu, phi, sigma, strict=True)
    ]


def solve(phi: float, sigma: float, v: float, delta: float) -> float:
    """Return step 5's new volatility by bisection of its ``f``, with τ = 0.5."""
    start = math.log(sigma**2)

    def f(x: float) -> float:
        total = phi**2 + v + math.exp(x)
        return math.exp(x) * (delta**2 - total) / (2 * total**2) - (x - start) / 0.5**2

    low, high = start - 20, start + 20
    for _step in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    return math.exp(low / 2)


@settings(max_examples=examples(15), deadline=None)
@given(seed=st.integers(0, 1000), weeks=st.lists(st.integers(0, 40), min_size=1, max_size=14))
def test_a_history_with_long_absences_is_glickmans_paper_week_by_week(
    seed: int, weeks: list[int]
) -> None:
    weeks = sorted(weeks)
    rng = np.random.default_rng(seed)
    names = ["Alice", "Bob", "Charlie", "Dora"]
    drawn = [rng.permutation(4)[:2].tolist() for _ in weeks]
    pairs = [(first, second) for first, second in drawn]
    history = History.build(
        [
            duel(names[first], names[second], at=week * WEEK + number, match_id=str(number))
            for number, (week, (first, second)) in enumerate(zip(weeks, pairs, strict=True))
        ],
        players=names,
    )
    system = build("glicko-2", {**BY_VOLATILITY, "rating_default": 1500, "deviation_default": 350})
    replayed = replay(system, history).states
    live = system.newcomers(4)
    for number in range(len(history)):
        live = final_states(system, history.part(number, number + 1), live)
    for name in ("rating", "deviation", "volatility"):
        assert getattr(live, name).tobytes() == getattr(replayed, name).tobytes()
    # Everybody as read in the last week: who is away has grown until the week before it.
    end = max(weeks) * WEEK
    read = system.at(replayed, np.full(4, end))
    played_last = replayed.last_played >= end
    for player, (rating, at_end, volatility) in enumerate(reference(weeks, pairs)):
        # The paper's last week has ended for those without games too.
        away = replayed.games[player] and not played_last[player]
        last_step = 400 / math.log(10) * volatility if away else 0.0
        deviation = math.sqrt(at_end**2 - last_step**2)
        # The engine stops within a millionth of the logarithm of the volatility.
        assert read.rating[player] == pytest.approx(rating, rel=1e-6)
        assert read.deviation[player] == pytest.approx(deviation, rel=1e-6)
        assert read.volatility[player] == pytest.approx(volatility, rel=1e-5)
