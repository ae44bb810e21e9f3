"""Glicko-2 compared with Glickman's example and with plain loops of his steps."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.history import History
from ratings.registry import build
from ratings.replay import replay
from ratings.systems.glicko2.update import new_volatility, rate_period
from ratings.types import NEVER, States
from tests.support.effort import examples
from tests.support.glicko2_worlds import UNLIMITED
from tests.support.published import published
from tests.support.rating_histories import DAY, batch_of, contest, duel, states_of


def plain_reading(
    player: tuple[float, float, float],
    games: list[tuple[float, float, float]],
    tau: float = 0.5,
) -> tuple[float, float, float]:
    """Run Glickman's steps for one player in loops, with the volatility by bisection."""
    rating, deviation, volatility = player
    scale = 173.7178
    mu, phi = (rating - 1500) / scale, deviation / scale
    opponents = [((r - 1500) / scale, d / scale, s) for r, d, s in games]
    inverse_v = improvement_sum = 0.0
    for mu_j, phi_j, score in opponents:
        g = 1 / math.sqrt(1 + 3 * phi_j**2 / math.pi**2)
        expected = 1 / (1 + math.exp(-g * (mu - mu_j)))
        inverse_v += g**2 * expected * (1 - expected)
        improvement_sum += g * (score - expected)
    v = 1 / inverse_v
    delta = v * improvement_sum

    def f(x: float) -> float:
        ex = math.exp(x)
        first = ex * (delta**2 - phi**2 - v - ex) / (2 * (phi**2 + v + ex) ** 2)
        return first - (x - math.log(volatility**2)) / tau**2

    low, high = -60.0, 60.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    new_volatility = math.exp(low / 2)
    phi_star = math.sqrt(phi**2 + new_volatility**2)
    new_phi = 1 / math.sqrt(1 / phi_star**2 + 1 / v)
    return scale * (mu + new_phi**2 * improvement_sum) + 1500, scale * new_phi, new_volatility


def test_glickmans_published_example_is_reproduced() -> None:
    after = rate_period(1500, 200, 0.06, [1400, 1550, 1700], [30, 100, 300], [1, 0, 0])
    assert after.rating[0] == pytest.approx(1464.06, abs=0.01)
    assert after.deviation[0] == pytest.approx(151.52, abs=0.005)
    assert after.volatility[0] == pytest.approx(0.05999, abs=0.00001)


def test_periods_of_many_players_agree_with_plain_loops_from_the_paper() -> None:
    rng = np.random.default_rng(11)
    count, games = 60, 4
    players = (
        rng.uniform(600, 2600, count),
        rng.uniform(30, 350, count),
        rng.uniform(0.03, 0.3, count),
    )
    opposition = rng.uniform(600, 2600, (count, games))
    deviations = rng.uniform(30, 350, (count, games))
    results = rng.choice([0.0, 0.5, 1.0], (count, games))
    after = rate_period(*players, opposition, deviations, results, system_constant=0.9)
    for row in range(count):
        player = tuple(float(column[row]) for column in players)
        games_of_row = list(zip(opposition[row], deviations[row], results[row], strict=True))
        expected = plain_reading(player, games_of_row, tau=0.9)  # type: ignore[arg-type] # three of them
        got = after.rating[row], after.deviation[row], after.volatility[row]
        # Glickman rounds the scale to seven digits and stops within 1e-6 of the volatility.
        assert got == pytest.approx(expected, rel=2e-6)


@pytest.mark.parametrize("winner", [0, 1])
def test_a_duel_is_one_period_of_one_game_for_each(winner: int) -> None:
    states = states_of(np.array([[1500.0, 1720.0]]))
    states.deviation[0] = [210.0, 45.0]
    batch = batch_of((1, 1), [[winner, 1 - winner]])
    after = published("glicko-2:gw2", UNLIMITED).rate(states, batch).after
    for own, other in ((0, 1), (1, 0)):
        period = rate_period(
            states.rating[0, own], states.deviation[0, own], 0.06,
            [states.rating[0, other]], [states.deviation[0, other]], [own == winner],
        )  # fmt: skip
        assert after.rating[0, own] == pytest.approx(period.rating[0], rel=1e-14)
        assert after.deviation[0, own] == pytest.approx(period.deviation[0], rel=1e-14)
        assert after.volatility[0, own] == pytest.approx(period.volatility[0], rel=1e-14)


def test_a_free_for_all_is_one_period_of_games_against_everyone() -> None:
    ratings = np.array([[1500.0, 1400.0, 1550.0, 1700.0]])
    states = states_of(ratings)
    states.deviation[0] = [200.0, 30.0, 100.0, 300.0]
    batch = batch_of((1, 1, 1, 1), [[2, 3, 1, 0]])
    after = published("glicko-2:gw2", UNLIMITED).rate(states, batch).after
    assert after.rating[0, 0] == pytest.approx(1464.06, abs=0.01)
    assert after.deviation[0, 0] == pytest.approx(151.52, abs=0.005)


def test_team_mates_share_an_expectation_and_the_newcomer_moves_furthest() -> None:
    states = states_of(np.array([1500.0, 1500.0, 1500.0, 1500.0]))
    states.deviation[:] = [350.0, 40.0, 100.0, 100.0]
    played = contest(["Alice", "Bob"], ["Charlie", "Dora"])
    replayed = replay(published("glicko-2:gw2"), History.build([played]), states)
    assert replayed.terms["expected"].tolist() == [0.5] * 4
    assert replayed.terms["opposition_deviation"][0] == pytest.approx(100)
    assert replayed.terms["opposition_deviation"][2] == pytest.approx(
        math.sqrt((350**2 + 40**2) / 2)
    )
    alice, bob, charlie, dora = replayed.terms["change"]
    assert alice > bob > 0
    assert charlie == dora < 0


@pytest.mark.parametrize(
    ("strength", "ratings", "deviations"),
    [("max", (1500.0, 1900.0), (60.0, 50.0)), ("min", (1500.0, 1200.0), (60.0, 300.0))],
)
def test_one_member_can_stand_for_a_side(
    strength: str, ratings: tuple[float, float], deviations: tuple[float, float]
) -> None:
    system = published("glicko-2:gw2", {"team_strength": strength})
    states = states_of(np.array([[1900.0, 1200.0, 1500.0, 1500.0]]))
    states.deviation[0] = [50.0, 300.0, 80.0, 60.0]
    terms = system.rate(states, batch_of((2, 2), [[0, 1]])).terms
    assert terms["opposition"][0].tolist() == np.repeat(ratings, 2).tolist()
    assert terms["opposition_deviation"][0] == pytest.approx(np.repeat(deviations, 2))


def test_the_number_of_players_matters_if_strengths_are_summed() -> None:
    system = published("glicko-2:gw2", {"team_strength": "sum"})
    terms = system.rate(
        states_of(np.array([[1500.0, 1500.0, 1500.0]])), batch_of((2, 1), [[0, 1]])
    ).terms
    assert terms["expected"][0, 0] > 0.99
    assert terms["opposition_deviation"][0, 2] == pytest.approx(90 * math.sqrt(2))


def inactive_for(time: int, deviation: float = 30.0) -> float:
    states = States.full(1, rating=1500, deviation=deviation, volatility=0.06)
    states.last_played[0] = 0
    return float(published("glicko-2:gw2").at(states, np.array([time])).deviation[0])


def test_a_deviation_grows_with_each_whole_period_of_inactivity() -> None:
    assert inactive_for(3 * DAY - 1) == 30
    one = math.sqrt(30**2 + (350**2 - 30**2) / 20)
    assert inactive_for(3 * DAY) == pytest.approx(one)
    assert inactive_for(6 * DAY - 1) == pytest.approx(one)
    assert inactive_for(6 * DAY) > one


def test_the_smallest_deviation_grows_to_the_largest_in_twenty_periods_and_stays() -> None:
    assert inactive_for(57 * DAY) < 350
    assert inactive_for(60 * DAY) == pytest.approx(350)
    assert inactive_for(9999 * DAY) == 350
    assert inactive_for(60 * DAY, deviation=200) == 350


def test_the_deviation_of_players_who_never_played_does_not_grow() -> None:
    states = States.full(1, rating=1500, deviation=200, volatility=0.06)
    assert states.last_played[0] == NEVER
    assert published("glicko-2:gw2").at(states, np.array([9999 * DAY])).deviation.tolist() == [
        200.0
    ]


def test_a_late_report_does_not_shrink_the_deviation() -> None:
    states = States.full(1, rating=1500, deviation=200, volatility=0.06)
    states.last_played[0] = 50 * DAY
    assert published("glicko-2:gw2").at(states, np.array([0])).deviation.tolist() == [200.0]


def test_a_match_after_a_break_counts_from_the_grown_deviation() -> None:
    system = published("glicko-2:gw2")
    soon = [duel("Alice", "Charlie"), duel("Alice", "Charlie", at=DAY)]
    late = [duel("Alice", "Charlie"), duel("Alice", "Charlie", at=30 * DAY)]
    rested, rusty = (replay(system, History.build(played)) for played in (soon, late))
    assert rested.terms["deviation"][2] == rested.after.deviation[0]
    assert rusty.terms["deviation"][2] == pytest.approx(
        min(350, math.sqrt(rusty.after.deviation[0] ** 2 + 10 * 6080))
    )
    assert rusty.terms["change"][2] > rested.terms["change"][2]


@pytest.mark.parametrize(
    ("parameters", "change"),
    [
        ({}, 162.31),
        ({"rating_max_change": 25}, 25),
        ({"rating_max": 1300}, 100),
        ({"rating_max_change": 50, "rating_max": 1300}, 50),
    ],
)
def test_a_newcomer_s_first_win_stays_within_the_limits(
    parameters: dict[str, float], change: float
) -> None:
    system = published("glicko-2:gw2", parameters)
    replayed = replay(system, History.build([duel("Alice", "Charlie")]))
    assert replayed.terms["change"][0] == pytest.approx(change, abs=0.01)
    assert replayed.states.rating[0] == pytest.approx(1200 + change, abs=0.01)


def test_no_rating_falls_below_the_lowest() -> None:
    system = published("glicko-2:gw2", {"rating_default": 150})
    played = [duel("Alice", "Charlie", match_id=str(number)) for number in range(5)]
    assert replay(system, History.build(played)).states.rating[1] == 100


def test_frequent_players_keep_the_smallest_deviation() -> None:
    played = [
        contest(["Alice"], ["Charlie"], places=[number % 2, 1 - number % 2], match_id=str(number))
        for number in range(400)
    ]
    system = published("glicko-2:gw2", {"deviation_min": 80})
    deviations = replay(system, History.build(played)).after.deviation
    assert deviations.min() == 80


def test_volatility_stays_within_its_limits_and_limits_its_effect() -> None:
    ratings = np.array([[600.0, *[1500.0] * 9]])
    states = states_of(ratings, deviation=60.0, volatility=0.079)
    upset = batch_of((1,) * 10, [list(range(10))])
    free = published("glicko-2:gw2", {**UNLIMITED, "volatility_system_constant": 1.2}).rate(
        states, upset
    )
    capped = build(
        "glicko-2", {**UNLIMITED, "volatility_system_constant": 1.2, "volatility_max": 0.08}
    ).rate(states, upset)
    assert free.after.volatility[0, 0] > 0.085
    assert capped.after.volatility[0, 0] == 0.08
    assert capped.after.deviation[0, 0] < free.after.deviation[0, 0]


def test_a_forecast_counts_both_deviations() -> None:
    system = published("glicko-2:gw2")
    states = states_of(np.array([[1700.0, 1500.0]] * 2))
    states.deviation[:] = [[30.0, 30.0], [350.0, 30.0]]
    sure, unsure = system.predict(states, (1, 1)).win[:, 0]
    g = 1 / math.sqrt(1 + 3 * (350**2 + 30**2) * (math.log(10) / 400) ** 2 / math.pi**2)
    assert unsure == pytest.approx(1 / (1 + 10 ** (-g * 200 / 400)))
    assert sure > unsure > 0.5


def test_a_later_forecast_is_less_certain() -> None:
    system = published("glicko-2:gw2")
    states = states_of(np.array([[1700.0, 1500.0]]), deviation=40.0)
    states.last_played[:] = 0
    now = system.predict(states, (1, 1), np.array([0])).win[0, 0]
    later = system.predict(states, (1, 1), np.array([30 * DAY])).win[0, 0]
    assert now > later > 0.5


@settings(max_examples=examples(40), deadline=None)
@given(
    phi=st.floats(0.05, 3.0),
    volatility=st.floats(1e-4, 1.0),
    information=st.floats(1e-6, 50.0),
    surprise=st.floats(-100.0, 100.0),
    system_constant=st.sampled_from([0.2, 0.5, 1.2]),
)
def test_the_new_volatility_is_a_zero_of_glickmans_function(
    phi: float, volatility: float, information: float, surprise: float, system_constant: float
) -> None:
    variance = 1 / information
    improvement = variance * min(abs(surprise), information**0.5 * 20)
    known = np.array([[phi], [volatility], [variance], [improvement]])
    found = float(new_volatility(known[0], known[1], known[2], known[3], system_constant)[0])

    def f(x: float) -> float:
        power = math.exp(x)
        rest = phi**2 + variance + power
        pull = power * (improvement**2 - rest) / (2 * rest**2)
        return float(pull - (x - math.log(volatility**2)) / system_constant**2)

    x = math.log(found**2)
    # Glickman's method stops when a bracket is narrower than 1e-6.
    assert f(x - 1e-6) > 0 > f(x + 1e-6)
