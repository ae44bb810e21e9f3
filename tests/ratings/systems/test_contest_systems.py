"""Elo-MMX, Codeforces, Topcoder and BAR compared with plain loops and with the reference."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

from ratings.history import History, Match, Participant, Side
from ratings.lab.reproduction.parts import as_published
from ratings.registry import build
from ratings.replay import final_states, replay
from tests.support.elo_mmr_by_hand import World
from tests.support.elo_mmr_worlds import SHAPES, agrees, sides_of
from tests.support.published import published
from tests.support.rating_histories import DAY, batch_of, contest, states_of

REFERENCE = json.loads((Path(__file__).parent / "elo_mmr_reference.json").read_text())

# The reference uses its own approximation of Phi, accurate to about 1e-9.
WITHIN = {"topcoder": 1e-6, "elo-mmx": 1e-6}


@pytest.mark.parametrize("case", REFERENCE["results"])
def test_results_match_the_reference_implementation(case: str) -> None:
    result = REFERENCE["results"][case]
    history = History.build(
        Match(
            str(number),
            played["day"] * DAY,
            [
                Side(place, [Participant(name)])
                for name, place in zip(played["players"], played["places"], strict=True)
            ],
            played["weight"],
            played["ceiling"] if result["ceilings"] and played["ceiling"] else math.inf,
        )
        for number, played in enumerate(REFERENCE["contests"])
    )
    system = as_published(result["system"], result["parameters"])
    states = final_states(system, history)
    second = states.volatility if system.shows.volatility else states.deviation
    within = WITHIN.get(result["system"], 1e-10)
    for row, name in enumerate(history.players):
        rating, deviation = result["states"][name]
        assert states.rating[row] == pytest.approx(rating, abs=within), name
        if system.shows.volatility or system.shows.deviation:
            assert second[row] == pytest.approx(deviation, abs=within), name


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("split_ties", [False, True])
def test_elo_mmx_agrees_with_plain_loops_from_the_paper(shape: str, split_ties: bool) -> None:
    sizes, places = SHAPES[shape]
    world = World(normal=True, split_ties=split_ties)
    played = []
    for turn in range(6):
        sides = sides_of(sizes, turn % 3)
        world.play(sides, places)
        played.append(contest(*sides, places=places, at=turn, match_id=str(turn)))
    system = build("elo-mmx", {"parametrisation": "paper", "split_ties": split_ties})
    history = History.build(played)
    agrees(world, history, final_states(system, history))


def test_an_odd_result_moves_elo_mmx_far_and_elo_mmr_little() -> None:
    """Section 5.2: this robustness is the R in Elo-MMR."""
    states = states_of(np.array([[800.0, 2800.0]]))
    batch = batch_of((1, 1), [[0, 1]])
    robust = build("elo-mmr").rate(states, batch).after.rating[0, 0] - 800
    normal = build("elo-mmx").rate(states, batch).after.rating[0, 0] - 800
    assert 0 < 2 * robust < normal


def play_by_hand(rating: list[float], places: list[int], beta: float, weight: float) -> list[float]:
    """Rate by Codeforces in plain loops."""
    after = []
    count = len(rating)

    def chance(lead: float) -> float:
        return 1 / (1 + math.exp(-lead * math.pi / math.sqrt(3) / beta))

    for own in range(count):
        low = sum(place < places[own] for place in places)
        tied = sum(place == places[own] for place in places)
        actual = 1 + low + (tied - 1) / 2
        expected = 0.5 + sum(chance(other - rating[own]) for other in rating)
        target = math.sqrt(actual * expected)

        def missing(x: float, target: float = target) -> float:
            return 0.5 + sum(chance(other - x) for other in rating) - target

        performance = brentq(missing, -20_000, 20_000, xtol=1e-11)  # type: ignore[no-untyped-call] # SciPy's
        after.append((rating[own] + weight * performance) / (1 + weight))
    return after


@pytest.mark.parametrize("count", [2, 6, 150])
def test_codeforces_agrees_with_plain_loops(count: int) -> None:
    rng = np.random.default_rng(6)
    rating, places = rng.normal(1500, 400, count), rng.integers(0, count, count)
    got = published("codeforces:elo-mmr", {"weight": 0.7}).rate(
        states_of(rating[None]), batch_of((1,) * count, [places.tolist()], weight=2.0)
    )
    beta = 400 * math.pi / math.sqrt(3) / math.log(10)
    expected = play_by_hand(rating.tolist(), places.tolist(), beta / math.sqrt(2), 1.4)
    np.testing.assert_allclose(got.after.rating[0], expected, rtol=0, atol=1e-8)


@pytest.mark.parametrize("count", [3, 50, 200])
def test_deflation_lowers_the_mean_by_at_least_a_point_and_never_raises_the_strongest(
    count: int,
) -> None:
    rng = np.random.default_rng(7)
    states = states_of(rng.normal(1500, 300, (4, count)))
    places = [rng.permutation(count).tolist() for _ in range(3)]
    # The strongest sides gain the most, so deflation must hold them down.
    places.append(np.argsort(np.argsort(-states.rating[3])).tolist())
    batch = batch_of((1,) * count, places)
    change = (
        published("codeforces:elo-mmr", {"deflation": True}).rate(states, batch).terms["change"]
    )
    assert (change.mean(axis=-1) <= -1 + 1e-9).all()
    free = published("codeforces:elo-mmr").rate(states, batch).terms["change"]
    lowered = free - change
    assert np.ptp(lowered, axis=-1) == pytest.approx(np.zeros(4), abs=1e-9)
    strongest = np.argsort(-states.rating, axis=-1)[:, : min(4 * round(math.sqrt(count)), count)]
    of_strongest = np.take_along_axis(change, strongest, axis=-1).mean(axis=-1)
    once = free - free.mean(axis=-1, keepdims=True) - 1
    before = np.take_along_axis(once, strongest, axis=-1).mean(axis=-1)
    np.testing.assert_allclose(of_strongest, before - np.clip(before, 0, 10), atol=1e-9)


@pytest.mark.parametrize("count", [5, 40])
@pytest.mark.parametrize("levels", [1, 3])
def test_deflation_does_not_depend_on_who_is_listed_first(count: int, levels: int) -> None:
    rng = np.random.default_rng(8)
    rating = rng.choice(np.linspace(1300, 1700, levels), count)
    places = rng.permutation(count)
    system = published("codeforces:elo-mmr", {"deflation": True})
    listed = [np.arange(count), np.argsort(places), rng.permutation(count)]
    after = []
    for order in listed:
        batch = batch_of((1,) * count, [places[order].tolist()])
        outcome = system.rate(states_of(rating[order][None]), batch)
        after.append(outcome.after.rating[0][np.argsort(order)])
    np.testing.assert_allclose(after[1:], [after[0]] * 2, rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", ["codeforces", "topcoder", "bar", "elo-mmr", "elo-mmx"])
def test_a_win_raises_all_team_mates_and_lowers_the_other_team(name: str) -> None:
    played = History.build([contest(["Alice", "Bob"], ["Charlie", "Dora"])])
    change = replay(build(name), played).terms["change"]
    assert (change[:2] > 0).all()
    assert (change[2:] < 0).all()


def topcoder_by_hand(
    people: list[tuple[float, float, int]], places: list[int], contest_weight: float
) -> list[tuple[float, float]]:
    """Apply the formulas player by player. People are rating, volatility and earlier matches."""
    count = len(people)
    mean = sum(rating for rating, _, _ in people) / count
    factor = math.sqrt(
        sum(volatility**2 for _, volatility, _ in people) / count
        + sum((rating - mean) ** 2 for rating, _, _ in people) / (count - 1)
    )
    after = []
    for own, (rating, volatility, games) in enumerate(people):
        expected = sum(
            float(ndtr(math.sqrt(contest_weight) * (r - rating) / math.hypot(v, volatility)))
            for r, v, _ in people
        )
        low = sum(place < places[own] for place in places)
        high = low + sum(place == places[own] for place in places) - 1
        actual = (1 + low + high) / 2
        performance = rating + factor * (
            -float(ndtri(actual / count)) + float(ndtri(expected / count))
        )
        k = games + 1
        share = 0.18 + 0.42 / k
        cap = (150 + 1500 / (k + 1)) * math.sqrt(contest_weight)
        weight = contest_weight * share / (1 - share)
        weight *= 0.8 if rating >= 2500 else 0.9 if rating >= 2000 else 1.0
        uncapped = (rating + weight * performance) / (1 + weight)
        squared = (uncapped - rating) ** 2 / weight + volatility**2 / (1 + weight)
        capped = min(max(uncapped, rating - cap), rating + cap)
        after.append((capped, math.sqrt(squared)))
    return after


@pytest.mark.parametrize("count", [2, 6, 150])
@pytest.mark.parametrize("weight", [1.0, 0.5])
def test_topcoder_agrees_with_plain_loops(count: int, weight: float) -> None:
    rng = np.random.default_rng(9)
    rating, volatility = rng.normal(1900, 500, count), rng.uniform(100, 500, count)
    games, places = rng.integers(0, 30, count), rng.integers(0, count, count)
    states = states_of(rating[None])
    states.volatility[0], states.games[0] = volatility, games
    batch = batch_of((1,) * count, [places.tolist()], weight=weight)
    got = published("topcoder:elo-mmr").rate(states, batch).after
    people = list(zip(rating.tolist(), volatility.tolist(), games.tolist(), strict=True))
    expected = topcoder_by_hand(people, places.tolist(), weight)
    np.testing.assert_allclose(got.rating[0], [one for one, _ in expected], atol=1e-8)
    np.testing.assert_allclose(got.volatility[0], [one for _, one in expected], atol=1e-8)


def test_a_volatile_topcoder_player_gains_more_from_the_same_win() -> None:
    """Volatility farming relies on this (section 5.1)."""
    states = states_of(np.array([[1500.0, 1500.0], [1500.0, 1500.0]]))
    states.volatility[:] = [[100, 300], [500, 300]]
    states.games[:] = 50
    change = (
        published("topcoder:elo-mmr")
        .rate(states, batch_of((1, 1), [[0, 1], [0, 1]]))
        .terms["change"]
    )
    assert change[1, 0] > change[0, 0] > 0


def bar_by_hand(
    sides: list[list[tuple[float, float]]], places: list[int], beta: float
) -> list[tuple[float, float]]:
    """Apply the formulas member by member. Members are rating and deviation."""
    drifted = [[(r, d**2 + 35**2) for r, d in side] for side in sides]
    mean = [sum(r for r, _ in side) for side in drifted]
    variance = [sum(v for _, v in side) for side in drifted]
    after = []
    for own, side in enumerate(drifted):
        pull = 0.0
        for other in range(len(sides)):
            if other != own:
                c = math.sqrt(variance[own] + variance[other] + 2 * beta**2)
                lead = (mean[own] - mean[other]) / c
                expected = 1 / (1 + math.exp(-lead * math.pi / math.sqrt(3)))
                order = places[other] - places[own]
                actual = 1.0 if order > 0 else 0.0 if order < 0 else 0.5
                pull += (actual - expected) / c / len(sides)
        for r, v in side:
            kept = max(1e-4, 1 - v * 0.25 / (variance[own] + 2 * beta**2))
            after.append((r + v * pull, math.sqrt(v * kept)))
    return after


@pytest.mark.parametrize("sizes", [(1, 1), (1, 1, 1, 1), (3, 3), (1, 3, 2)])
def test_bar_agrees_with_plain_loops(sizes: tuple[int, ...]) -> None:
    rng = np.random.default_rng(10)
    states = states_of(rng.normal(1500, 300, (1, sum(sizes))))
    states.deviation[0] = rng.uniform(50, 350, sum(sizes))
    places = rng.integers(0, 2, len(sizes)).tolist()
    got = build("bar").rate(states, batch_of(sizes, [places], weight=2.0)).after
    members = iter(zip(states.rating[0].tolist(), states.deviation[0].tolist(), strict=True))
    sides = [[next(members) for _ in range(size)] for size in sizes]
    beta = 400 * math.pi / math.sqrt(3) / math.log(10) / math.sqrt(2)
    expected = bar_by_hand(sides, places, beta)
    np.testing.assert_allclose(got.rating[0], [one for one, _ in expected], atol=1e-9)
    np.testing.assert_allclose(got.deviation[0], [one for _, one in expected], atol=1e-9)


@pytest.mark.parametrize("name", ["codeforces", "topcoder", "elo-mmr", "elo-mmx"])
def test_a_ceiling_limits_the_performance(name: str) -> None:
    played = contest(["Alice"], ["Bob"], ["Charlie"])
    capped = Match("1", 0, played.sides, 1.0, perf_ceiling=1510.0)
    free = replay(build(name), History.build([played]))
    limited = replay(build(name), History.build([capped]))
    assert free.terms["performance"][0] > 1510 == limited.terms["performance"][0]
    assert free.after.rating[0] > limited.after.rating[0]
