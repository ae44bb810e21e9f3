"""Elo-MMR compared with plain loops from its paper, and the paper's theorems."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.history import History, Match, Participant, Side
from ratings.registry import build
from ratings.replay import final_states, replay
from ratings.systems.elo_mmr.belief import Beliefs, Performance
from ratings.types import Floats, States
from tests.support.effort import examples
from tests.support.elo_mmr_by_hand import World
from tests.support.elo_mmr_worlds import SHAPES, agrees, sides_of
from tests.support.rating_histories import DAY, PLAYERS, batch_of, contest, states_of

RHOS = [0, 0.04, 1, 5, "inf"]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("rho", RHOS)
@pytest.mark.parametrize("split_ties", [False, True])
def test_a_history_agrees_with_plain_loops_from_the_paper(
    shape: str, rho: float | str, split_ties: bool
) -> None:
    sizes, places = SHAPES[shape]
    world = World(rho=float(rho), split_ties=split_ties)
    played = []
    for turn in range(8):
        sides = sides_of(sizes, turn % 3)
        world.play(sides, places)
        played.append(contest(*sides, places=places, at=turn, match_id=str(turn)))
    system = build("elo-mmr", {"parametrisation": "paper", "rho": rho, "split_ties": split_ties})
    history = History.build(played)
    agrees(world, history, final_states(system, history))


def test_the_references_parameters_give_a_beta_and_gamma_per_player_and_match() -> None:
    delays, drift, weight_limit, limit = [0.4, 0.7], 30.0, 0.25, 70.0
    rng = np.random.default_rng(4)
    world, played, at = World(), [], 0
    games: dict[str, int] = dict.fromkeys(PLAYERS, 0)
    last: dict[str, int] = {}
    for turn in range(12):
        at += int(rng.integers(0, 20 * DAY))
        weight, ceiling = float(rng.choice([0.5, 1, 2])), float(rng.choice([1600, math.inf]))
        sides = sides_of([1, 2, 1], int(rng.integers(9)))
        betas, gammas = {}, {}
        for name in itertools.chain(*sides):
            w = weight_limit * weight * [*delays, 1.0][min(games[name], 2)]
            days = (at - last.get(name, at)) / DAY
            betas[name] = math.sqrt((1 + 1 / w) * limit**2 + drift / w)
            gammas[name] = math.sqrt(w * limit**2 + drift * days)
            games[name] += 1
            last[name] = at
        world.play(sides, [1, 0, 1], betas=betas, gammas=gammas, ceiling=ceiling)
        placed = zip(sides, [1, 0, 1], strict=True)
        listed = [Side(place, [Participant(name) for name in side]) for side, place in placed]
        played.append(Match(str(turn), at, listed, weight, ceiling))
    system = build(
        "elo-mmr",
        {
            "weight_limit": weight_limit,
            "sig_limit": limit,
            "drift_per_day": drift,
            "noob_delay": delays,
        },
    )
    history = History.build(played)
    agrees(world, history, final_states(system, history))


def test_after_many_matches_the_deviation_converges_to_its_limit() -> None:
    """It converges to s, or to where a day and a match add as much as a match takes away."""
    played = [contest(["Alice"], ["Bob"], at=day * DAY, match_id=str(day)) for day in range(300)]
    history = History.build(played)
    still = final_states(build("elo-mmr"), history)
    assert still.deviation == pytest.approx([80, 80], rel=1e-9)
    daily = final_states(build("elo-mmr", {"drift_per_day": 900}), history)
    variance = daily.deviation**2
    gamma, beta = 0.2 * 80**2 + 900, (1 + 1 / 0.2) * 80**2 + 900 / 0.2
    assert 1 / variance == pytest.approx(1 / (variance + gamma) + 1 / beta, rel=1e-9)
    assert (daily.deviation > 80).all()


@pytest.mark.parametrize("rho", RHOS)
@settings(max_examples=examples(3), deadline=None)
@given(data=st.data())
def test_a_worse_place_in_any_match_never_raises_a_rating(
    rho: float | str, data: st.DataObject
) -> None:
    """Theorem 5.5. It keeps the others' ratings fixed, so each match is against newcomers."""
    system = build("elo-mmr", {"rho": rho, "weight_limit": 0.5})
    places = st.lists(st.integers(0, 3), min_size=4, max_size=4)
    rounds = data.draw(st.lists(places, min_size=1, max_size=6))
    changed = data.draw(st.integers(0, len(rounds) - 1))
    better = [list(one) for one in rounds]
    better[changed][0] = data.draw(st.integers(0, rounds[changed][0]))

    def alice(played: list[list[int]]) -> float:
        matches = [
            contest(["Alice"], *[[f"{each}{at}"] for each in "xyz"], places=one, match_id=str(at))
            for at, one in enumerate(played)
        ]
        return float(final_states(system, History.build(matches)).rating[0])

    assert alice(better) >= alice(rounds) - 1e-9


@pytest.mark.parametrize("rho", [0.04, 1, 5])
def test_any_performance_moves_a_rating_within_the_bounds_of_theorem_5_7(
    rho: float,
) -> None:
    rng = np.random.default_rng(8)
    players, beta, gamma = 50, 200.0, 35.0
    beliefs = Beliefs.of(
        rng.normal(1500, 200, players), np.full(players, 150.0), np.empty((players, 0))
    )
    for _ in range(20):
        beliefs.diffuse(np.full(players, gamma**2), rho)
        performance = beliefs.rating + rng.logistic(0, 150, players)
        beliefs.settle(Performance(performance, np.full(players, beta**2)))
    beliefs.diffuse(np.full(players, gamma**2), rho)
    before, normal, whole = beliefs.rating, beliefs.weight, 1 / beliefs.variance
    push = math.pi / (beta * math.sqrt(3))
    beliefs.settle(Performance(np.full(players, 1e7), np.full(players, beta**2)))
    moved = beliefs.rating - before
    assert (moved <= push / normal * (1 + 1e-9)).all()
    assert (moved >= push / (normal + math.pi**2 / 6 * (whole - normal)) * (1 - 1e-9)).all()


@pytest.mark.parametrize("rho", [0, 0.04, 1, 5])
def test_two_drifts_equal_one_combined_drift_and_keep_ratings_and_old_evidence(
    rho: float,
) -> None:
    """Rating preservation, correct magnitude and composability from section 4.1."""
    once, twice = (
        Beliefs.of(np.array([1500.0]), np.array([200.0]), np.empty((1, 0))) for _ in range(2)
    )
    for beliefs in (once, twice):
        beliefs.settle(Performance(np.array([1900.0]), np.array([200.0**2])))
    variance, rating = once.variance.copy(), once.rating.copy()
    once.diffuse(np.array([500.0]), rho)
    twice.diffuse(np.array([200.0]), rho)
    twice.diffuse(np.array([300.0]), rho)
    assert once.variance == pytest.approx(variance + 500)
    assert (once.rating == rating).all()
    for beliefs in (once, twice):
        beliefs.write()
    np.testing.assert_allclose(twice.memory, once.memory, rtol=1e-13)
    single = once.memory[0, 3] * once.memory[0, 4] * 3 / math.pi**2
    assert once.memory[0, 1] + single == pytest.approx(1 / once.variance[0])


@pytest.mark.parametrize("factor", [0.25, 4.0])
def test_scaling_all_parameters_scales_all_ratings(factor: float) -> None:
    def final(scale: float) -> States:
        parameters = {
            "parametrisation": "paper",
            "initial_rating": 1500 * scale,
            "initial_deviation": 350 * scale,
            "beta": 200 * scale,
            "gamma": 35 * scale,
        }
        rounds = [contest(*[[name] for name in PLAYERS], at=at) for at in range(3)]
        return final_states(build("elo-mmr", parameters), History.build(rounds))

    np.testing.assert_allclose(final(factor).rating, factor * final(1.0).rating, rtol=1e-13)
    np.testing.assert_allclose(final(factor).deviation, factor * final(1.0).deviation, rtol=1e-13)


def test_a_hundred_factors_are_as_good_as_a_thousand() -> None:
    rng = np.random.default_rng(5)
    world, played = World(), []
    for turn in range(400):
        places = rng.permutation(2).tolist()
        world.play([["Alice"], ["Charlie"]], places)
        played.append(contest(["Alice"], ["Charlie"], places=places, at=turn, match_id=str(turn)))
    history = History.build(played)
    system = build("elo-mmr", {"parametrisation": "paper", "beta": 200, "gamma": 35})
    states = final_states(system, history)
    agrees(world, history, states)
    remembered = np.count_nonzero(~np.isnan(states.memory[0])) // 3
    assert 50 < remembered < 150


def test_a_limited_history_merges_the_oldest_performance_into_the_average() -> None:
    """Section 5.3: it becomes a normal factor with the same weight and performance."""
    limited = build("elo-mmr", {"history_limit": 2, "rho": 0, "parametrisation": "paper"})
    world = World(rho=0)
    played = []
    for turn, winner in enumerate("AABAB"):
        for name in ("Alice", "Bob"):
            person = world.people.get(name)
            while person and len(person.p) > 2:
                whole = person.w[0] + person.w[1]
                person.p[0] = (person.w[0] * person.p[0] + person.w[1] * person.p[1]) / whole
                person.w[0] = whole
                for column in (person.p, person.w, person.beta):
                    del column[1]
        places = [0, 1] if winner == "A" else [1, 0]
        world.play([["Alice"], ["Bob"]], places)
        played.append(contest(["Alice"], ["Bob"], places=places, at=turn, match_id=str(turn)))
    history = History.build(played)
    states = final_states(limited, history)
    assert np.count_nonzero(~np.isnan(states.memory[0])) == 2 + 3 * 2
    agrees(world, history, states)


def peak(belief: Floats) -> float:
    """Return the most likely strength by a row of memory, on a fine grid and then a finer one."""
    row = belief[~np.isnan(belief)]
    (centre, weight), factors = row[:2], row[2:].reshape(-1, 3)

    def log_belief(strength: Floats) -> Floats:
        of_factors = [
            -2 * pull / slope * np.log(np.cosh((strength - p) * slope / 2))
            for p, slope, pull in factors
        ]
        return np.asarray(sum(of_factors) - weight / 2 * (strength - centre) ** 2)

    points = [centre, *factors[:, 0]]
    low, high = min(points) - 1, max(points) + 1
    for _ in range(4):
        grid = np.linspace(low, high, 2_001)
        best = grid[np.argmax(log_belief(grid))]
        low, high = best - (high - low) / 500, best + (high - low) / 500
    return float(best)


@pytest.mark.parametrize("limit", [1, 2, 3, 5])
@pytest.mark.parametrize("rho", [0, 0.2, 1])
def test_after_every_match_a_rating_with_a_limited_history_is_the_peak_of_its_belief(
    limit: int, rho: float
) -> None:
    system = build("elo-mmr", {"history_limit": limit, "rho": rho})
    rng = np.random.default_rng(limit)
    states = states_of(rng.normal(1500, 300, 4))
    for turn in range(25):
        states = system.rate(
            replace(states, **{name: getattr(states, name)[None] for name in vars(states)}),
            batch_of((1, 1, 1, 1), [rng.permutation(4).tolist()]),
        ).after.ravel()
        for rating, belief in zip(states.rating, states.memory, strict=True):
            assert rating == pytest.approx(peak(belief), abs=0.01), turn


def test_the_less_known_of_two_team_mates_moves_further() -> None:
    states = states_of(np.full(4, 1500.0))
    states.deviation[:] = [350, 60, 100, 100]
    played = History.build([contest(["Alice", "Bob"], ["Charlie", "Dora"])])
    after = final_states(build("elo-mmr"), played, states).rating
    assert after[0] - 1500 > after[1] - 1500 > 0


@pytest.mark.parametrize("name", ["elo-mmr", "elo-mmx"])
def test_the_average_of_equal_sides_rates_like_their_sum(name: str) -> None:
    states = states_of(np.array([1700.0, 1300.0, 1500.0, 1650.0, 1450.0, 1600.0]))
    states.deviation[:] = [350, 60, 100, 100, 200, 90]
    history = History.build(
        [contest(["Alice", "Bob"], ["Charlie", "Dora"], ["Eve", "Frank"], places=[1, 0, 2])]
    )
    summed, averaged = (
        final_states(build(name, {"team_strength": how}), history, states)
        for how in ("sum", "mean")
    )
    np.testing.assert_allclose(averaged.rating, summed.rating, atol=1e-6)
    np.testing.assert_allclose(averaged.deviation, summed.deviation, rtol=1e-12)


@pytest.mark.parametrize(("how", "chance"), [("mean", 0.5), ("max", 0.5), ("min", 0.5)])
def test_numbers_do_not_matter_unless_strengths_are_summed(how: str, chance: float) -> None:
    states = states_of(np.full((1, 3), 1500.0))
    forecast = build("elo-mmr", {"team_strength": how}).predict(states, (2, 1))
    assert forecast.win[0, 0] == pytest.approx(chance, abs=1e-12)
    assert build("elo-mmr").predict(states, (2, 1)).win[0, 0] > 0.99


@pytest.mark.parametrize("name", ["elo-mmr", "elo-mmx"])
@pytest.mark.parametrize(("how", "first", "second"), [("max", 0, 2), ("min", 1, 3)])
def test_one_member_can_stand_for_a_side(name: str, how: str, first: int, second: int) -> None:
    """A side performs as that member in a duel, and all its members are credited alike."""
    states = states_of(np.array([1900.0, 1200.0, 1600.0, 1300.0]))
    states.deviation[:] = [100, 60, 200, 90]
    system = build(name, {"team_strength": how})
    teams = History.build([contest(["Alice", "Bob"], ["Charlie", "Dora"], places=[1, 0])])
    surprise = replay(system, teams, states).terms["surprise"]
    duel = History.build([contest(["Alice"], ["Bob"], places=[1, 0])])
    alone = replay(system, duel, states.take(np.array([first, second]))).terms["surprise"]
    assert surprise.tolist() == pytest.approx(np.repeat(alone, 2).tolist(), abs=1e-6)
    of_sides = system.predict(states.take(np.array([[0, 1, 2, 3]])), (2, 2))
    of_both = system.predict(states.take(np.array([[first, second]])), (1, 1))
    assert of_sides.win.tolist() == of_both.win.tolist()


def test_absence_makes_a_rating_less_certain_only_if_strength_drifts_with_time() -> None:
    states = states_of(np.array([1500.0]))
    states.last_played[:] = 0
    later = np.array([100 * DAY])
    assert build("elo-mmr").at(states, later).deviation[0] == 90
    drifting = build("elo-mmr", {"drift_per_day": 25}).at(states, later)
    assert drifting.deviation[0] == pytest.approx(math.sqrt(90**2 + 2500))
    assert drifting.rating[0] == 1500


@pytest.mark.parametrize("spread", [400.0, 1e6])
@pytest.mark.parametrize("tied", [False, True])
def test_ten_thousand_players_can_be_any_distance_apart(spread: float, tied: bool) -> None:
    rng = np.random.default_rng(3)
    count = 10_000 if spread < 1e6 else 1_000
    states = states_of(rng.normal(0, spread, (1, count)))
    places = [[0] * count] if tied else [rng.permutation(count).tolist()]
    after = build("elo-mmr").rate(states, batch_of((1,) * count, places)).after
    assert np.isfinite(after.rating).all()
    assert (after.deviation > 0).all()
