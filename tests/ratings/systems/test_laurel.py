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
from scipy.special import ndtr

from ratings.history import History, Match, Participant, Side
from ratings.lab.trial import split_at, try_system
from ratings.registry import build
from ratings.replay import final_states, replay
from ratings.system import RatingSystem
from ratings.systems.laurel import beliefs, learning
from ratings.systems.laurel.beliefs import ADVANTAGE, CALIBRATION, COUNT, SPREAD, TRUST
from ratings.systems.laurel.duel import Lead, chances, exposure, read_margin, read_winner
from ratings.systems.laurel.leads import LUCK
from ratings.systems.laurel.memory import BELIEFS, SENSITIVITIES
from ratings.types import Learnt, States
from tests.support.rating_histories import DAY, batch_of, bits, contest, duel

FOOTBALL = Path(__file__).resolve().parents[3] / "league/demo/international_results.csv.xz"
LEADS = [(0.0, 0.3, 0.2), (0.4, 0.8, 0.05), (-0.7, 1.5, 0.4), (1.4, 0.01, 0.2), (-1.1, 3.0, 0.1)]
RESULTS = [1.0, 0.5, 0.0]


def likelihood(result: float, half: float) -> Callable[[float], float]:
    """The chance of a result by the lead: performances differ from it by a standard normal."""
    return {
        1.0: lambda lead: float(ndtr(lead - half)),
        0.5: lambda lead: float(ndtr(half - lead) - ndtr(-half - lead)),
        0.0: lambda lead: float(ndtr(-half - lead)),
    }[result]


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


@pytest.mark.parametrize(("mean", "variance", "half"), LEADS)
def test_chances_are_those_of_performances_around_an_uncertain_lead(
    mean: float, variance: float, half: float
) -> None:
    found = chances(leads(mean, variance), np.array([half]))
    wanted = [mean_over((mean, variance), likelihood(result, half)) for result in RESULTS]
    np.testing.assert_allclose([one[0] for one in found], wanted, atol=1e-7)
    expected = exposure(leads(mean, variance), np.array([half]))[0]
    assert expected * half == pytest.approx(wanted[1], abs=1e-7)


def test_the_first_draws_are_exposed_by_the_density_of_level_performances() -> None:
    lead = leads(0.7, 0.5)
    narrow = exposure(lead, np.array([0.0]))[0]
    assert narrow == pytest.approx(2 * math.exp(-0.5 * 0.7**2 / 1.5) / math.sqrt(2 * math.pi * 1.5))
    assert narrow == pytest.approx(exposure(lead, np.array([1e-4]))[0], rel=1e-6)


@pytest.mark.parametrize("result", RESULTS)
@pytest.mark.parametrize(("mean", "variance", "half"), LEADS)
def test_a_winner_moves_the_lead_to_the_moments_of_its_posterior(
    mean: float, variance: float, half: float, result: float
) -> None:
    """Unless the surprise is above its limit."""
    chance = likelihood(result, half)

    def moment(power: int, about: float) -> float:
        return mean_over((mean, variance), lambda lead: chance(lead) * (lead - about) ** power)

    mass = moment(0, 0.0)
    new_mean = mean + moment(1, mean) / mass
    new_variance = moment(2, new_mean) / mass
    found = read_winner(leads(mean, variance), np.array([half]), np.array([result]))
    total = 1.0 + variance
    assert abs(found.surprise[0]) < 3
    moved = mean + variance / math.sqrt(total) * found.surprise[0]
    assert moved == pytest.approx(new_mean, abs=1e-6)
    left = variance - variance**2 / total * found.certainty[0]
    assert left == pytest.approx(new_variance, abs=1e-6)


@pytest.mark.parametrize("margin", [-1.5, 0.0, 0.8])
@pytest.mark.parametrize(("mean", "variance", "_half"), LEADS)
def test_a_margin_is_a_measurement_of_the_lead(
    mean: float, variance: float, _half: float, margin: float
) -> None:
    found = read_margin(leads(mean, variance), np.array([margin]))
    precision = 1 / variance + 1
    wanted = (mean / variance + margin) / precision
    total = 1.0 + variance
    moved = mean + variance / math.sqrt(total) * found.surprise[0]
    assert moved == pytest.approx(wanted)
    assert variance - variance**2 / total * found.certainty[0] == pytest.approx(1 / precision)


def test_a_duel_gives_the_moments_of_the_joint_posterior() -> None:
    """Two players, integrated over both strengths at once."""
    system = build("laurel", {"drift": 0, "draws": 0})
    states = system.newcomers(2)
    states.rating[:] = [1600.0, 1450.0]
    states.deviation[:] = [120.0, 200.0]
    after = replay(system, History.build([duel("a", "b")]), states).states
    own, other = (
        np.linspace(mean - 9 * sd, mean + 9 * sd, 1201) for mean, sd in ((1600, 120), (1450, 200))
    )
    prior = np.exp(-0.5 * ((own[:, None] - 1600) / 120) ** 2 - 0.5 * ((other - 1450) / 200) ** 2)
    joint = prior * ndtr((own[:, None] - other) / LUCK)
    joint /= joint.sum()
    for player, (values, axis) in enumerate([(own, 1), (other, 0)]):
        marginal = joint.sum(axis=axis)
        mean = float((marginal * values).sum())
        spread = math.sqrt(float((marginal * (values - mean) ** 2).sum()))
        assert after.rating[player] == pytest.approx(mean, abs=1e-3)
        assert after.deviation[player] == pytest.approx(spread, abs=1e-3)


def test_a_lead_of_400_wins_ten_for_each_one_lost() -> None:
    states = States.full((1, 2), rating=1500.0, deviation=1e-3)
    states.rating[0, 0] += 400
    win, loss = build("laurel", {"draws": 0}).predict(states, (1, 1)).win[0]
    assert win / loss == pytest.approx(10, rel=0.01)


def knowing(count: int, **known: float) -> States:
    """Return newcomers who know these beliefs, and will not change them."""
    system = build("laurel")
    fresh = system.newcomers(count).take(np.arange(count)[None])
    after = system.rate(fresh, batch_of((1,) * count, [list(range(count))])).after
    memory = np.zeros_like(after.memory)
    memory[..., BELIEFS.stop : BELIEFS.stop + COUNT] = 1e12
    for name, value in known.items():
        memory[..., BELIEFS.start + getattr(beliefs, name.upper())] = value
    fresh.memory = memory
    return fresh


def test_a_match_of_weight_two_counts_as_two_measurements() -> None:
    """Where margins are trusted, a match is a linear measurement, and two are one of half noise."""
    system = build("laurel", {"drift": 0})
    states = knowing(2, spread=math.log(10), trust=30.0)
    states.deviation[:] = 150.0
    scored = [[8.0, 0.0]]
    twice = system.rate(states, batch_of((1, 1), [[0, 1]], weight=2.0, scores=scored)).after
    variance = 2 * 150**2
    lead = 240.0 * variance / (variance + LUCK**2 / 2)
    assert twice.rating[0, 0] - twice.rating[0, 1] == pytest.approx(lead)
    left = 150**2 * (1 - 150**2 / (variance + LUCK**2 / 2))
    assert twice.deviation[0, 0] ** 2 == pytest.approx(left)


def test_a_race_moves_ratings_to_the_moments_of_their_joint_posterior() -> None:
    """Three players, against a million draws of their strengths and performances.

    The factor graph matches moments, so its numbers are near, not exact.
    """
    system = build("laurel", {"drift": 0})
    states = States.full((1, 3), rating=1500.0, deviation=150.0)
    states.rating[0] = [1450.0, 1600.0, 1500.0]
    after = system.rate(states, batch_of((1, 1, 1), [[0, 1, 2]])).after
    rng = np.random.default_rng(4)
    strengths = states.rating + 150 * rng.standard_normal((1_000_000, 3))
    performed = strengths + LUCK / math.sqrt(2) * rng.standard_normal(strengths.shape)
    seen = strengths[(performed[:, 0] > performed[:, 1]) & (performed[:, 1] > performed[:, 2])]
    np.testing.assert_allclose(after.rating[0], seen.mean(axis=0), atol=3)
    np.testing.assert_allclose(after.deviation[0], seen.std(axis=0), atol=3)
    chances = system.predict(states, (1, 1, 1)).win[0]
    first = np.bincount(performed.argmax(axis=1)) / len(performed)
    np.testing.assert_allclose(chances, first, atol=2e-3)


def test_teams_move_like_the_lead_of_their_means() -> None:
    """A side of n performs like its members on average, so its lead counts sqrt(n) times."""
    system = build("laurel", {"drift": 0, "draws": 0})
    states = States.full((1, 4), rating=1500.0, deviation=100.0)
    after = system.rate(states, batch_of((2, 2), [[0, 1]])).after
    lead = leads(0.0, 2 * (2 * 100**2 / 4) * 2 / LUCK**2)
    read = read_winner(lead, np.zeros(1), np.ones(1))
    moved = 100**2 * (math.sqrt(2) / 2) * read.surprise[0] / LUCK / lead.deviation[0]
    np.testing.assert_allclose(after.rating[0] - 1500, [moved, moved, -moved, -moved], rtol=1e-9)


def test_time_makes_ratings_less_certain_up_to_a_newcomers() -> None:
    system = build("laurel")
    states = system.newcomers(1)
    states.deviation[:] = 60.0
    states.last_played[:] = 0
    years = np.array([0, 1, 4, 10_000]) * 365.25 * DAY
    found = [system.at(states, np.array([int(time)])).deviation[0] for time in years]
    wanted = [60, math.hypot(60, 50), math.hypot(60, 100), 200]
    assert found == pytest.approx(wanted)


@pytest.mark.parametrize("belief", [ADVANTAGE, CALIBRATION, SPREAD])
@pytest.mark.parametrize("result", RESULTS)
def test_beliefs_climb_the_likelihood_of_results(belief: int, result: float) -> None:
    """The gradient against differences of logarithms of chances."""
    strength, variance, half, score = 0.4, 0.6, np.array([0.2]), 7.0
    margin = math.copysign(score, result - 0.5) if result != 0.5 else 0.0

    def beliefs_with(value: float) -> np.ndarray:
        row = np.zeros((1, COUNT))
        row[0, [ADVANTAGE, CALIBRATION, SPREAD, TRUST]] = [0.15, -0.1, math.log(9), -30.0]
        row[0, belief] += value
        return row

    def log_chance(value: float) -> float:
        row = beliefs_with(value)[0]
        lead = strength + row[ADVANTAGE]
        if belief == SPREAD:
            spread = math.exp(row[SPREAD])
            off = (margin / spread - lead) ** 2 / (1 + variance)
            return float(-0.5 * off - row[SPREAD])
        slope = math.exp(row[CALIBRATION]) if belief == CALIBRATION else 1.0
        found = chances(leads(slope * lead, variance), half)
        return math.log(found[RESULTS.index(result)][0])

    row = beliefs_with(0.0)
    lead = leads(strength + row[0, ADVANTAGE], variance)
    reading = learning.read(lead, half, np.array([result]), np.array([margin]), row)
    gradient, _ = learning.of_two(
        reading, half, np.array([result]), row, np.ones(1), np.zeros((1, 2))
    )
    slope = (log_chance(1e-5) - log_chance(-1e-5)) / 2e-5
    assert gradient[0, belief] == pytest.approx(slope, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize(
    ("column", "belief", "trust"), [(0, "trust", 0.3), (1, "pace", 30.0), (1, "pace", 0.3)]
)
def test_sensitivities_are_the_slopes_of_ratings(column: int, belief: str, trust: float) -> None:
    """After one match, against ratings by beliefs a little higher and a little lower.

    That by pace is one of a margin, and near enough for a winner.
    """
    system = build("laurel")
    batch = batch_of((1, 1), [[0, 1]], scores=[[9.0, 0.0]])

    def rated(change: float) -> States:
        usual = {"spread": math.log(10), "trust": trust, "pace": 0.2}
        states = knowing(2, **{**usual, belief: usual[belief] + change})
        states.rating[0] = [1560.0, 1480.0]
        return system.rate(states, batch).after

    slope = (rated(1e-4).rating - rated(-1e-4).rating) / 2e-4 / LUCK
    found = rated(0.0).memory[..., SENSITIVITIES][..., column]
    exact = belief == "trust" or trust > 1
    np.testing.assert_allclose(found, slope, rtol=1e-6 if exact else 0.3)


def test_players_of_a_match_share_what_they_know() -> None:
    first = np.array([[[1.0], [4.0]]]) * np.ones(COUNT)
    evidence = np.array([[[30.0], [10.0]]]) * np.ones(COUNT)
    pooled, certain = beliefs.pool(first, evidence)
    np.testing.assert_allclose(pooled, 1.75)
    np.testing.assert_allclose(certain, 20.0)
    newcomer = evidence * np.array([1.0, 0.0])[:, None]
    np.testing.assert_allclose(beliefs.pool(first, newcomer)[0], 1.0)


def season_of(margin_of: Callable[[float, np.random.Generator], float]) -> States:
    """Return the states after 1,500 matches of 20 players, with margins made from the luck."""
    rng = np.random.default_rng(7)
    strength = 200 * rng.standard_normal(20)
    matches = []
    for number in range(1500):
        own, other = rng.choice(20, 2, replace=False).tolist()
        played = (strength[own] - strength[other]) / LUCK + rng.standard_normal()
        score = max(round(abs(margin_of(played, rng))), 1)
        winner, loser = (own, other) if played > 0 else (other, own)
        matches.append(
            contest(
                [str(winner)],
                [str(loser)],
                scores=[float(score), 0.0],
                at=number * DAY // 10,
                match_id=str(number),
            )
        )
    return final_states(build("laurel"), History.build(matches))


def believed(states: States, belief: int) -> float:
    return float(np.median(states.memory[:, BELIEFS.start + belief]))


def test_the_spread_of_margins_is_learnt() -> None:
    for points in (3.0, 40.0):
        states = season_of(lambda played, _rng, points=points: points * played)  # type: ignore[misc]
        assert math.exp(believed(states, SPREAD)) == pytest.approx(points, rel=0.25)


def test_the_game_is_told_once_it_is_known() -> None:
    system = build("laurel")
    assert system.describe_game(system.newcomers(2)) == Learnt(None, None, None, None)
    told = system.describe_game(season_of(lambda played, _rng: 20 * played))
    assert told is not None
    assert told.first_side is None, "no match had one"
    assert told.margin == pytest.approx(20 / LUCK, rel=0.25)
    assert told.draws == pytest.approx(0, abs=0.01)
    homes = played([("a", "b", number % 2, float(number % 3 > 0)) for number in range(200)])
    advantage = system.describe_game(final_states(system, homes))
    assert advantage is not None
    assert advantage.first_side is not None


def test_margins_are_trusted_as_far_as_they_say_something() -> None:
    telling = season_of(lambda played, _rng: 20 * played)
    silent = season_of(lambda _played, rng: float(20 * rng.standard_normal()))
    assert believed(telling, TRUST) > believed(silent, TRUST)


def test_a_margin_that_contradicts_the_places_says_nothing() -> None:
    """Nor one of a draw; and it does not matter whether few or many points win."""
    system = build("laurel")
    states = knowing(2, spread=math.log(10), trust=2.0)

    def change(scores: list[float], places: tuple[int, int] = (0, 1)) -> float:
        batch = batch_of((1, 1), [places], scores=[scores])
        return float(system.rate(states, batch).after.rating[0, 0]) - 1500

    silent = change([math.nan, math.nan])
    assert change([2.0, 2.0]) == silent
    assert change([math.inf, 0.0]) == silent
    assert change([9.0, 3.0], (0, 0)) == change([math.nan, math.nan], (0, 0)) == 0
    assert change([20.0, 0.0]) == change([0.0, 20.0]) > silent > change([1.0, 0.0])


def test_no_score_is_worth_more_than_three_deviations() -> None:
    system = build("laurel")
    states = knowing(2, spread=math.log(10), trust=2.0)
    changes = [
        system.rate(states, batch_of((1, 1), [[0, 1]], scores=[[score, 0.0]])).after.rating[0, 0]
        for score in (60.0, 1e6, 1e300)
    ]
    assert changes[0] == changes[1] == changes[2]


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
    system = build("laurel", {"first_side": 0, "first_side_deviation": 200})
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
    assert own.log_loss < 0.55
    assert own.slope == pytest.approx(1, abs=0.05)
    assert elo.log_loss == pytest.approx(0.5601, abs=5e-4)
