"""Laurel's own system, against numerical integration, simulations and real results."""

import csv
import lzma
import math
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from scipy import integrate

from ratings.history import History, Match, Participant, Side
from ratings.lab.trial import split_at, try_system
from ratings.registry import build
from ratings.replay import final_states, replay
from ratings.system import RatingSystem
from ratings.systems.glicko.games import SCALE
from ratings.systems.laurel.duel import Lead, chances, draw_exposure, posterior
from ratings.types import States
from tests.support.rating_histories import DAY, batch_of, bits, contest, duel

FOOTBALL = Path(__file__).resolve().parents[3] / "league/demo/international_results.csv.xz"
LEADS = [(0.0, 0.3, 0.2), (0.7, 1.5, 0.0), (-1.3, 6.0, 0.8), (2.5, 0.01, 0.4), (-4.0, 12.0, 0.1)]


def davidson(lead: float, nu: float) -> tuple[float, float, float]:
    """Win, draw and loss, as in the paper."""
    strengths = (math.exp(lead / 2), nu, math.exp(-lead / 2))
    return tuple(one / sum(strengths) for one in strengths)  # type: ignore[return-value]


def mean_over(lead: tuple[float, float], value: Callable[[float], float]) -> float:
    """Integrate ``value`` over a normal lead."""
    mean, variance = lead
    deviation = math.sqrt(variance)

    def integrand(at: float) -> float:
        return value(at) * math.exp(-0.5 * ((at - mean) / deviation) ** 2)

    ends = (mean - 9 * deviation, mean + 9 * deviation)
    total = integrate.quad(integrand, *ends, limit=400, points=[mean, 0.0])[0]
    return float(total / (deviation * math.sqrt(2 * math.pi)))


def leads(mean: float, variance: float) -> Lead:
    return Lead(np.array([mean]), np.array([variance]))


@pytest.mark.parametrize(("mean", "variance", "nu"), LEADS)
def test_chances_are_those_of_davidson_over_the_uncertain_lead(
    mean: float, variance: float, nu: float
) -> None:
    found = chances(leads(mean, variance), np.array([nu]))
    wanted = [
        mean_over((mean, variance), lambda d, at=at: davidson(d, nu)[at])  # type: ignore[misc]
        for at in range(3)
    ]
    np.testing.assert_allclose([one[0] for one in found], wanted, atol=3e-6)
    exposure = mean_over((mean, variance), lambda d: 1 / (math.exp(d / 2) + nu + math.exp(-d / 2)))
    assert draw_exposure(leads(mean, variance), np.array([nu]))[0] == pytest.approx(
        exposure, abs=3e-6
    )


@pytest.mark.parametrize("weight", [1.0, 2.0])
@pytest.mark.parametrize("result", [0.0, 0.5, 1.0])
@pytest.mark.parametrize(("mean", "variance", "nu"), LEADS)
def test_a_result_moves_the_lead_to_the_moments_of_its_posterior(
    mean: float, variance: float, nu: float, result: float, weight: float
) -> None:
    if result == 0.5 and nu == 0.0:
        nu = 0.05

    def likelihood(lead: float) -> float:
        win, draw, loss = davidson(lead, nu)
        return float({1.0: win, 0.5: draw, 0.0: loss}[result] ** weight)

    def moment(power: int, about: float) -> float:
        return mean_over((mean, variance), lambda d: likelihood(d) * (d - about) ** power)

    mass = moment(0, 0.0)
    new_mean = mean + moment(1, mean) / mass
    new_variance = moment(2, new_mean) / mass
    found = posterior(leads(mean, variance), np.array([nu]), np.array([result]), np.array([weight]))
    assert mean + variance * found.shift[0] == pytest.approx(new_mean, abs=2e-5)
    assert variance - variance**2 * found.shrinkage[0] == pytest.approx(new_variance, abs=1e-4)


def test_a_duel_gives_the_moments_of_the_joint_posterior() -> None:
    """Two players, integrated over both strengths at once."""
    system = build("laurel", {"drift": 0, "draws": 0})
    states = system.newcomers(2)
    states.rating[:] = [1600.0, 1450.0]
    states.deviation[:] = [120.0, 260.0]
    after = replay(system, History.build([duel("a", "b")]), states).states
    own, other = (
        np.linspace(mean - 9 * sd, mean + 9 * sd, 1201) for mean, sd in ((1600, 120), (1450, 260))
    )
    prior = np.exp(-0.5 * ((own[:, None] - 1600) / 120) ** 2 - 0.5 * ((other - 1450) / 260) ** 2)
    joint = prior / (1 + np.exp(-(own[:, None] - other) / SCALE))
    joint /= joint.sum()
    for player, (values, axis) in enumerate([(own, 1), (other, 0)]):
        marginal = joint.sum(axis=axis)
        mean = float((marginal * values).sum())
        spread = math.sqrt(float((marginal * (values - mean) ** 2).sum()))
        assert after.rating[player] == pytest.approx(mean, abs=1e-3)
        assert after.deviation[player] == pytest.approx(spread, abs=1e-3)


def test_a_known_lead_of_one_unit_has_the_odds_of_the_paper() -> None:
    system = build("laurel", {"draws": 0.2})
    states = States.full((1, 2), rating=1500.0, deviation=1e-3)
    states.rating[0, 0] += SCALE
    forecast = system.predict(states, (1, 1))
    win, draw, loss = davidson(1.0, 0.5)
    assert [*forecast.win[0], forecast.draw[0]] == pytest.approx([win, loss, draw], abs=1e-6)


def test_teams_move_like_the_lead_of_their_means() -> None:
    """A side of n performs like its members on average, so its lead counts sqrt(n) times."""
    system = build("laurel", {"drift": 0})
    states = States.full((1, 4), rating=1500.0, deviation=100.0)
    after = system.rate(states, batch_of((2, 2), [[0, 1]])).after
    lead = leads(0.0, 2 * (2 * 100**2 / 4) * 2 / SCALE**2)
    nu = np.array([2 * 0.1 / 0.9])
    shift = posterior(lead, nu, np.array([1.0]), np.array([1.0])).shift[0]
    share = math.sqrt(2) / 2
    moved = 100**2 * share * shift / SCALE
    np.testing.assert_allclose(after.rating[0] - 1500, [moved, moved, -moved, -moved], rtol=1e-9)


def test_time_makes_ratings_less_certain_up_to_a_newcomers() -> None:
    system = build("laurel")
    states = system.newcomers(1)
    states.deviation[:] = 60.0
    states.last_played[:] = 0
    years = np.array([0, 1, 4, 10_000]) * 365.25 * DAY
    found = [system.at(states, np.array([int(time)])).deviation[0] for time in years]
    wanted = [60, math.hypot(60, 35), math.hypot(60, 70), 300]
    assert found == pytest.approx(wanted)


def played(results: list[tuple[str, str, int | None, float]]) -> History:
    """Build duels of (first listed, second, first side, result of the first listed)."""
    return History.build(
        Match(
            str(number),
            number * DAY,
            [
                Side(0 if result >= 0.5 else 1, [Participant(own)]),
                Side(0 if result <= 0.5 else 1, [Participant(other)]),
            ],
            first=first,
        )
        for number, (own, other, first, result) in enumerate(results)
    )


def forecast_of(system: RatingSystem, history: History, first: int | None = None) -> list[float]:
    """Return the chances of win and draw of the first player against the second."""
    states = final_states(system, history).take(np.array([[0, 1]]))
    batch = batch_of((1, 1), [[0, 1]])
    batch = type(batch)(
        **{
            **vars(batch),
            "times": history.times[-1:] + DAY,
            "first": np.array([-1 if first is None else first]),
        }
    )
    found = system.predict_batch(states, batch)
    return [float(found.win[0, 0]), float(found.draw[0])]


def test_the_share_of_draws_is_learnt_from_a_players_matches() -> None:
    system = build("laurel")
    never = played([("a", "b", None, float(number % 2)) for number in range(200)])
    often = played([("a", "b", None, [1.0, 0.5, 0.0, 0.5][number % 4]) for number in range(200)])
    assert forecast_of(system, never)[1] < 0.01
    assert forecast_of(system, often)[1] == pytest.approx(0.5, abs=0.05)


def test_the_advantage_of_the_first_side_is_learnt_from_a_players_matches() -> None:
    system = build("laurel", {"first_side": 0, "first_side_deviation": 100})
    home_wins = played([("a", "b", number % 2, 1.0 - number % 2) for number in range(40)])
    at_home, away = forecast_of(system, home_wins, 0)[0], forecast_of(system, home_wins, 1)[0]
    assert at_home > 0.75
    assert away < 0.25
    assert 0.4 < forecast_of(system, home_wins)[0] < 0.6


def test_a_specialist_is_the_favourite_in_their_context_only() -> None:
    system = build("laurel")
    matches = [
        contest(*sides, at=number * DAY, match_id=str(number), contexts=iter([surface, surface]))
        for number in range(40)
        for surface, sides in [
            ("clay", (["a"], ["b"])) if number % 2 else ("grass", (["b"], ["a"]))
        ]
    ]
    history = History.build(matches)
    after = replay(system, history)
    offsets = after.terms["context"].reshape(-1, 2)[-2:]
    assert (offsets[:, 0] > 20).all(), "winners are stronger on this surface than as a whole"
    assert (offsets[:, 1] < -20).all()


def test_nobody_can_put_a_defeat_down_to_a_context_of_their_own() -> None:
    """Captains report what their players played, after they know the result."""
    system = build("laurel")

    def rated(played: str) -> States:
        matches = [
            contest(["b"], ["a"], at=number * DAY, match_id=str(number), contexts=iter(["", name]))
            for number, name in enumerate(f"{played}{each}" if played else "" for each in range(9))
        ]
        return final_states(system, History.build(matches))

    assert bits(rated("new ")) == bits(rated(""))


def test_contexts_cost_nothing_where_there_are_none() -> None:
    """Without contexts, their parameter changes no bit."""
    history = played([("a", "b", None, 1.0), ("b", "a", None, 0.5)])
    one, other = (
        final_states(build("laurel", {"context_deviation": spread}), history) for spread in (0, 75)
    )
    assert one.rating.tobytes() == other.rating.tobytes()


def football() -> History:
    with lzma.open(FOOTBALL, "rt", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["home_score"].isdigit()]
    matches = []
    for number, row in enumerate(rows):
        day = datetime.fromisoformat(row["date"]).replace(tzinfo=UTC)
        home, away = int(row["home_score"]), int(row["away_score"])
        sides = [
            Side(int(home < away), [Participant(row["home_team"])], float(home)),
            Side(int(away < home), [Participant(row["away_team"])], float(away)),
        ]
        neutral = row["neutral"].upper() == "TRUE"
        matches.append(
            Match(
                str(number), int(day.timestamp()) * 1_000_000, sides, first=None if neutral else 0
            )
        )
    return History.build(matches)


def test_it_forecasts_football_better_than_elo_with_home_advantage_and_margins() -> None:
    """Elo with 100 points for the home team and goals has .5601 and needs both to be told."""
    history = football()
    half = split_at(history, 0.5)
    own = try_system(build("laurel"), history, half, lambda: 0.0)
    elo = try_system(build("elo", {"first_side": 100, "margin": "goals"}), history, half, lambda: 0)
    assert own.matches == elo.matches == len(history) - half
    assert own.log_loss < 0.556
    assert elo.log_loss == pytest.approx(0.5601, abs=5e-4)
