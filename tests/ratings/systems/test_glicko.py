"""Glicko: Glickman's rating periods, and the normalised form for large contests."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.history import History, Match
from ratings.registry import build
from ratings.replay import Replay, replay
from ratings.tunables.reading import ParameterError
from ratings.types import NEVER, States
from tests.support.effort import examples
from tests.support.rating_histories import batch_of, contest, duel, matches, states_of

WEEK = 7 * 86_400_000_000
Q = math.log(10) / 400
FACTOR = math.pi / math.sqrt(3)
BETA = 400 * FACTOR / math.log(10)


def g(deviation: float) -> float:
    """Return Glickman's g as he prints it."""
    return 1 / math.sqrt(1 + 3 * Q**2 * deviation**2 / math.pi**2)


def after_period(
    rating: float, deviation: float, games: list[tuple[float, float, float]]
) -> tuple[float, float]:
    """Apply Glickman's formulas to games ``(opponent's rating, deviation, result)``."""
    surprise = information = 0.0
    for opponent, opponent_deviation, result in games:
        trust = g(opponent_deviation)
        expected = 1 / (1 + 10 ** (-trust * (rating - opponent) / 400))
        surprise += trust * (result - expected)
        information += Q**2 * trust**2 * expected * (1 - expected)
    variance = 1 / (1 / deviation**2 + information)
    return rating + Q * variance * surprise, math.sqrt(variance)


IN_PAPER = {"deviation_growth": 35.0}


def players(*known: tuple[float, float]) -> States:
    states = states_of(np.array([rating for rating, _deviation in known]))
    states.deviation[:] = [deviation for _rating, deviation in known]
    return states


def rated(
    played: list[Match], states: States | None = None, **parameters: float | str | bool
) -> Replay:
    return replay(build("glicko", {**IN_PAPER, **parameters}), History.build(played), states)


GLICKMAN_S_EXAMPLE = [
    duel("Alice", "Bob", match_id="1"),
    duel("Charlie", "Alice", match_id="2"),
    duel("Dora", "Alice", match_id="3"),
]


def example_players() -> States:
    return players((1500, 200), (1400, 30), (1550, 100), (1700, 300))


def test_glickmans_worked_example_gives_1464_and_151_4() -> None:
    states = rated(GLICKMAN_S_EXAMPLE, example_players()).states
    # He rounds intermediate results, hence 1464 for 1464.1.
    assert states.rating[0] == pytest.approx(1464, abs=0.15)
    assert states.deviation[0] == pytest.approx(151.4, abs=0.05)
    games = [(1400.0, 30.0, 1.0), (1550.0, 100.0, 0.0), (1700.0, 300.0, 0.0)]
    assert (states.rating[0], states.deviation[0]) == pytest.approx(after_period(1500, 200, games))


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_the_order_of_the_matches_of_a_period_does_not_matter(order: tuple[int, ...]) -> None:
    played = [GLICKMAN_S_EXAMPLE[number] for number in order]
    history = History.build(played, players=["Alice", "Bob", "Charlie", "Dora"])
    states = replay(build("glicko", IN_PAPER), history, example_players()).states
    usual = rated(GLICKMAN_S_EXAMPLE, example_players()).states
    np.testing.assert_allclose(states.rating, usual.rating, rtol=1e-14)
    np.testing.assert_allclose(states.deviation, usual.deviation, rtol=1e-14)


def test_after_each_match_the_state_is_the_result_of_the_period_so_far() -> None:
    replayed = rated(GLICKMAN_S_EXAMPLE, example_players())
    games = [(1400.0, 30.0, 1.0), (1550.0, 100.0, 0.0), (1700.0, 300.0, 0.0)]
    for number, row in enumerate((0, 3, 5), start=1):
        state = (replayed.after.rating[row], replayed.after.deviation[row])
        assert state == pytest.approx(after_period(1500, 200, games[:number]))


@settings(max_examples=examples(12), deadline=None)
@given(data=st.data())
def test_histories_of_duels_follow_glickmans_formulas(data: st.DataObject) -> None:
    one_on_one = matches(rates=lambda sizes: tuple(sizes) == (1, 1))
    drawn = data.draw(st.lists(one_on_one, min_size=1, max_size=12))
    weeks = sorted(
        data.draw(st.lists(st.integers(0, 400), min_size=len(drawn), max_size=len(drawn)))
    )
    played = [
        contest(
            *[[side.participants[0].player] for side in match.sides],
            places=[side.place for side in match.sides],
            at=week * WEEK + number,
            match_id=str(number),
        )
        for number, (match, week) in enumerate(zip(drawn, weeks, strict=True))
    ]
    history = History.build(played)
    states = replay(build("glicko", IN_PAPER), history).states

    now = dict.fromkeys(history.players, (1500.0, 350.0))
    last: dict[str, int] = {}
    for week, of_week in itertools.groupby(zip(weeks, played, strict=True), key=lambda at: at[0]):
        results: dict[str, list[tuple[str, float]]] = {}
        for _week, match in of_week:
            one, other = (side.participants[0].player for side in match.sides)
            won = 0.5 + 0.5 * np.sign(match.sides[1].place - match.sides[0].place)
            results.setdefault(one, []).append((other, won))
            results.setdefault(other, []).append((one, 1 - won))
        before = dict(now)
        for player in results:
            away = week - last.get(player, week)
            rating, deviation = before[player]
            before[player] = rating, min(math.sqrt(deviation**2 + away * 35**2), 350)
            last[player] = week
        for player, games in results.items():
            rating, deviation = after_period(
                *before[player], [(*before[opponent], won) for opponent, won in games]
            )
            now[player] = rating, max(deviation, 30)
    np.testing.assert_allclose(states.rating, [now[name][0] for name in history.players], rtol=1e-9)
    np.testing.assert_allclose(
        states.deviation, [now[name][1] for name in history.players], rtol=1e-9
    )


def test_a_period_ends_with_its_week_even_after_few_matches() -> None:
    same_week = [duel("Alice", "Bob"), duel("Alice", "Bob", at=WEEK - 1, match_id="2")]
    next_week = [duel("Alice", "Bob"), duel("Alice", "Bob", at=WEEK, match_id="2")]
    assert rated(same_week).terms["start"][2] == 1500
    later = rated(next_week)
    assert later.terms["start"][2] == later.after.rating[0] > 1500


def test_deviations_grow_with_the_periods_since_the_last_match_up_to_the_highest() -> None:
    system = build("glicko", IN_PAPER)
    states = players((1500, 50), (1500, 50), (1500, 50), (1500, 50))
    states.last_played[:] = [0, 0, 0, NEVER]
    at = np.array([WEEK - 1, 3 * WEEK, 99 * WEEK, 99 * WEEK])
    deviations = system.at(states, at).deviation
    assert deviations.tolist() == pytest.approx([50, math.sqrt(50**2 + 3 * 35**2), 350, 50])


def test_a_late_report_counts_in_the_players_current_period() -> None:
    played = [
        duel("Alice", "Bob", at=5 * WEEK),
        duel("Alice", "Charlie", at=5 * WEEK + 1, match_id="2"),
    ]
    late = rated([*played, duel("Bob", "Charlie", at=4 * WEEK, match_id="3")]).states
    in_time = rated([*played[:2], duel("Bob", "Charlie", at=5 * WEEK + 2, match_id="3")]).states
    np.testing.assert_array_equal(late.rating, in_time.rating)
    np.testing.assert_array_equal(late.deviation, in_time.deviation)


def test_no_deviation_falls_below_the_lowest() -> None:
    played = [duel("Alice", "Bob", match_id=str(number)) for number in range(400)]
    assert rated(played).states.deviation.tolist() == [30, 30]
    sure = rated(played, deviation_min=1).states
    assert sure.deviation[0] < 30


def test_a_match_of_weight_3_counts_like_three_in_the_same_period() -> None:
    once = rated([contest(["Alice"], ["Bob"], weight=3.0)]).states
    thrice = rated([duel("Alice", "Bob", match_id=str(number)) for number in range(3)]).states
    np.testing.assert_allclose(once.rating, thrice.rating, rtol=1e-12)
    np.testing.assert_allclose(once.deviation, thrice.deviation, rtol=1e-12)


def test_the_terms_add_up_to_the_rating_of_the_period_so_far() -> None:
    replayed = rated(GLICKMAN_S_EXAMPLE, example_players())
    terms = replayed.terms
    np.testing.assert_allclose(
        terms["start"] + terms["step"] * terms["total"], replayed.after.rating, rtol=1e-14
    )
    np.testing.assert_allclose(terms["total"][5], terms["surprise"][[0, 3, 5]].sum(), rtol=1e-14)


def by_the_paper(
    states: list[tuple[float, float]], places: list[int], weight: float
) -> list[tuple[float, float]]:
    """Rate one contest like the reference, in plain loops."""
    beta = BETA / math.sqrt(weight)
    scale = FACTOR / beta
    known = [(rating, math.hypot(deviation, 35)) for rating, deviation in states]
    result = []
    for (rating, deviation), place in zip(known, places, strict=True):
        surprise = 0.0
        for (other, other_deviation), other_place in zip(known, places, strict=True):
            trust = 1 / math.sqrt(1 + (other_deviation / beta) ** 2)
            spread = math.hypot(beta, other_deviation)
            expected = 1 / (1 + math.exp(-FACTOR * (rating - other) / spread))
            actual = 0.5 + 0.5 * ((place < other_place) - (place > other_place))
            surprise += trust * (actual - expected)
        variance = 1 / (1 / deviation**2 + scale**2 / 4)
        result.append((rating + scale * variance * surprise / len(states), math.sqrt(variance)))
    return result


@settings(max_examples=examples(20), deadline=None)
@given(
    data=st.data(),
    weight=st.sampled_from([1.0, 0.25, 3.0]),
)
def test_large_contests_match_the_papers_reference(data: st.DataObject, weight: float) -> None:
    count = data.draw(st.integers(2, 8))
    ratings = data.draw(st.lists(st.floats(0, 4000), min_size=count, max_size=count))
    deviations = data.draw(st.lists(st.floats(30, 500), min_size=count, max_size=count))
    places = data.draw(st.lists(st.integers(0, 5), min_size=count, max_size=count))
    known = list(zip(ratings, deviations, strict=True))
    before = players(*known).take(np.arange(count)[None, :])
    after = (
        build("glicko", {**IN_PAPER, "form": "paper"})
        .rate(before, batch_of((1,) * count, [places], weight))
        .after
    )
    expected = np.array(by_the_paper(known, places, weight))
    np.testing.assert_allclose(after.rating[0], expected[:, 0], rtol=1e-10, atol=1e-9)
    np.testing.assert_allclose(after.deviation[0], expected[:, 1], rtol=1e-12)


def test_the_reference_implementation_gives_the_same_figures() -> None:
    """Figures of Elo-MMR-Py 2.0.0, system glicko, which omits contests where all tie."""
    played = [
        contest(["Alice"], ["Bob"], ["Charlie"], ["Dora"], places=[0, 1, 1, 3]),
        contest(["Dora"], ["Alice"], match_id="2", at=WEEK, weight=0.5),
        contest(["Bob"], ["Charlie"], places=[0, 0], match_id="3", at=2 * WEEK),
        contest(["Charlie"], ["Alice"], ["Bob"], match_id="4", at=100 * WEEK, weight=2.0),
    ]
    states = rated(played, form="paper", ignore_all_tied=True).states
    figures = [  # Alice, Bob, Charlie, Dora
        (1526.5761543495232, 166.0489474571648),
        (1445.6106493739387, 175.10637597062902),
        (1559.5191892037617, 175.10637597062902),
        (1469.2862635686258, 222.568287981574),
    ]
    assert states.rating.tolist() == pytest.approx([mu for mu, _sigma in figures], rel=1e-13)
    assert states.deviation.tolist() == pytest.approx([sigma for _mu, sigma in figures], rel=1e-13)


def test_a_scale_twice_as_long_gives_ratings_twice_as_far_apart() -> None:
    chess = rated(GLICKMAN_S_EXAMPLE, example_players()).states
    doubled = players((3000, 400), (2800, 60), (3100, 200), (3400, 600))
    wide = rated(GLICKMAN_S_EXAMPLE, doubled, scale=800, deviation_max=700).states
    np.testing.assert_allclose(wide.rating, 2 * chess.rating, rtol=1e-13)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"deviation_min": 400}, "deviation_min: must be at most deviation_max"),
        ({"deviation_default": 20}, "deviation_default: must be from 30 to 350"),
        ({"form": "other"}, "form: must be one of glickman, paper"),
    ],
)
def test_contradictory_parameters_are_rejected(wrong: dict[str, object], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        build("glicko", wrong)


def test_the_papers_form_does_not_limit_deviations() -> None:
    assert build("glicko", {"form": "paper", "deviation_default": 20}).newcomers(1).deviation == 20
