"""Predictions evaluated by hand, by plain loops, and by the true skills."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.history import History, Match, Participant, Side
from ratings.lab.evaluation import (
    Evaluation,
    Predictions,
    evaluate,
    evaluate_predictions,
    predict_by_strengths,
    predict_history,
    rank_error,
)
from ratings.professions import key
from ratings.registry import SYSTEMS, build
from ratings.replay import replay
from tests.support.effort import examples
from tests.support.rating_histories import PLAYERS, contest, duel, histories, random_duels
from tests.support.system_properties import properties_of


def predictions_of(
    strengths: list[float], chances: list[float] | None = None, games: int = 9
) -> Predictions:
    return Predictions(
        strength=np.array(strengths),
        games=np.full(len(strengths), games),
        chance=np.array(chances or [math.nan] * len(strengths)),
    )


def one_contest(places: list[int]) -> History:
    return History.build([contest(*[[name] for name in PLAYERS[: len(places)]], places=places)])


def evaluation_of(places: list[int], strengths: list[float]) -> Evaluation:
    """Evaluate one contest with these places, predicted by these strengths."""
    return evaluate_predictions(one_contest(places), predictions_of(strengths))


def test_a_reversed_order_inverts_every_pair() -> None:
    evaluation = evaluation_of([0, 1, 2], [1100, 1500, 1900])
    assert evaluation.pair_inversion == 0
    # First and last are two ranks off, the maximum with three sides.
    assert evaluation.rank_deviation == pytest.approx(100 * (2 + 0 + 2) / 3 / 2)


def test_ties_in_the_outcome_and_equal_ratings_count_as_predicted() -> None:
    for places, strengths in (
        ([0, 1, 1], [1900.0, 1100.0, 1500.0]),
        ([0, 1, 2], [1500.0, 1500.0, 1500.0]),
    ):
        evaluation = evaluation_of(places, strengths)
        assert evaluation.pair_inversion == 100
        assert evaluation.rank_deviation == 0


def test_newcomers_do_not_count_and_others_move_up_in_place() -> None:
    predictions = predictions_of([1000, 1900, 1500])
    predictions.games[0] = 4
    evaluation = evaluate_predictions(one_contest([0, 1, 2]), predictions)
    assert (evaluation.pair_inversion, evaluation.rank_deviation) == (100, 0)
    newcomers_too = evaluate_predictions(one_contest([0, 1, 2]), predictions, experienced=0)
    assert newcomers_too.pair_inversion < 100


def test_a_teams_experience_is_that_of_its_least_experienced_member() -> None:
    history = History.build(
        [duel("Alice", "Charlie", match_id="1"), duel("Alice", "Charlie", at=1, match_id="2"),
         contest(["Alice", "Bob"], ["Charlie", "Alison"][:1], at=2, match_id="3")]
    )  # fmt: skip
    assert predict_history(build("elo"), history).games.tolist() == [0, 0, 1, 1, 0, 2]
    later = build("elo").newcomers(len(history.players))
    later.games[:] = 10
    assert predict_history(build("elo"), history, later).games.tolist() == [10, 10, 11, 11, 10, 12]


@pytest.mark.parametrize("name", list(SYSTEMS))
@settings(max_examples=examples(3), deadline=None)
@given(data=st.data())
def test_every_system_predicts_matches_before_rating_them(name: str, data: st.DataObject) -> None:
    played = [
        match for match in data.draw(histories()) if properties_of(name).rates(sizes_of(match))
    ]
    if not played:
        return
    history = History.build(played)
    system = build(name)
    predictions = predict_history(system, history)
    before = replay(system, history).before.rating
    sides = np.split(before, history.participant_offsets[1:-1])
    sign = -1 if system.shows.lowest_first else 1
    np.testing.assert_allclose(predictions.strength, [sign * side.mean() for side in sides])
    by_match = np.split(predictions.chance, history.side_offsets[1:-1])
    np.testing.assert_allclose([chances.sum() for chances in by_match], 1.0)


def sizes_of(match: Match) -> list[int]:
    return [len(side.participants) for side in match.sides]


@settings(max_examples=examples(12), deadline=None)
@given(data=st.data())
def test_the_order_is_evaluated_as_by_plain_loops(data: st.DataObject) -> None:
    played, strengths, games = [], [], []
    for number in range(data.draw(st.integers(1, 4))):
        sides = data.draw(st.integers(2, 9))
        places = data.draw(st.lists(st.integers(0, 5), min_size=sides, max_size=sides))
        names = [[name] for name in PLAYERS[:sides]]
        played.append(contest(*names, places=places, match_id=str(number)))
        strengths += data.draw(st.lists(st.integers(0, 6), min_size=sides, max_size=sides))
        games += data.draw(st.lists(st.sampled_from([4, 5]), min_size=sides, max_size=sides))
    predictions = Predictions(
        np.array(strengths, float), np.array(games), np.full(len(games), math.nan)
    )
    evaluation = evaluate_predictions(History.build(played), predictions)

    right = off = weight = 0.0
    at = 0
    for match in played:
        sides_of = range(at, at + len(match.sides))
        at += len(match.sides)
        field = [
            (match.sides[i - sides_of.start].place, strengths[i]) for i in sides_of if games[i] >= 5
        ]
        if len({place for place, _ in field}) < 2:
            continue
        weight += len(field)
        for place, strength in field:
            others = len(field) - 1
            wrong = sum(
                (one < place and rating < strength) or (one > place and rating > strength)
                for one, rating in field
            )
            right += (others - wrong) / others
            low = sum(one < place for one, _ in field)
            high = low + sum(one == place for one, _ in field) - 1
            # Of equals in strength the better placed go first; of equals in all, any.
            ahead = sum((r > strength) or (r == strength and p < place) for p, r in field)
            equals = sum(p == place and r == strength for p, r in field)
            off += _mean_distance(ahead, equals, low, high) / others
    if weight:
        assert evaluation.pair_inversion == pytest.approx(100 * right / weight)
        assert evaluation.rank_deviation == pytest.approx(100 * off / weight)
    else:
        assert evaluation.matches == 0


def _mean_distance(first: int, equals: int, low: int, high: int) -> float:
    """Mean distance of the ranks ``first`` … from the range ``low`` to ``high``."""
    ranks = range(first, first + equals)
    return sum(max(low - rank, rank - high, 0) for rank in ranks) / equals


@settings(max_examples=examples(100))
@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=1, max_size=12))
def test_the_rank_error_is_the_sum_of_squares_of_plain_loops(pairs: list[tuple[int, int]]) -> None:
    def rank(of: int, among: tuple[int, ...]) -> float:
        higher = sum(other > of for other in among)
        return higher + (1 + sum(other == of for other in among)) / 2

    true, rated = zip(*pairs, strict=True)
    squares = sum((rank(one, true) - rank(other, rated)) ** 2 for one, other in pairs)
    found = rank_error(np.array(true, dtype=float), np.array(rated, dtype=float))
    assert found == pytest.approx(squares)
    assert rank_error(np.arange(5.0), np.array([1.0, 0.0, 2.0, 3.0, 4.0])) == 2


def test_chances_are_evaluated_as_by_hand() -> None:
    history = History.build(
        [
            duel("Alice", "Charlie", match_id="1"),
            duel("Alice", "Charlie", match_id="2"),
            contest(["Alice"], ["Charlie"], places=[0, 0], match_id="3"),
            contest(["Alice"], ["Bob"], ["Charlie"], match_id="4"),
        ]
    )
    chances = [0.8, 0.2, 0.4, 0.6, 0.5, 0.5, 0.25, 0.5, 0.25]
    evaluation = evaluate_predictions(history, predictions_of([0] * 9, chances))
    assert evaluation.accuracy == pytest.approx(100 * 1 / 3)
    losses = [-math.log(0.8), -math.log(0.4), -math.log(0.5), -math.log(0.25)]
    assert evaluation.log_loss == pytest.approx(sum(losses) / 4)
    errors = [0.2**2, 0.6**2, 0.0, 0.5 * (0.75**2 + 0.5**2 + 0.25**2)]
    assert evaluation.brier == pytest.approx(sum(errors) / 4)
    table = {
        round(bin_.predicted, 3): (bin_.sides, bin_.observed) for bin_ in evaluation.calibration
    }
    assert table[0.8] == (1, 1.0)
    # Of the sides given one half, two shared a first place and one came second.
    assert table[0.5][0] == 3
    assert table[0.5][1] == pytest.approx(1 / 3)


def test_equal_favourites_share_the_credit() -> None:
    history = History.build([duel("Alice", "Charlie")])
    assert evaluate_predictions(history, predictions_of([0, 0], [0.5, 0.5])).accuracy == 50


def test_the_loss_of_a_certain_prediction_gone_wrong_is_finite() -> None:
    history = History.build([duel("Alice", "Charlie")])
    assert 20 < evaluate_predictions(history, predictions_of([0, 0], [0.0, 1.0])).log_loss < 30


def test_only_matches_from_the_first_on_are_evaluated() -> None:
    history = History.build([duel("Alice", "Charlie"), duel("Alice", "Charlie", match_id="2")])
    predictions = predictions_of([1, 2, 2, 1], [0.1, 0.9, 0.9, 0.1])
    evaluation = evaluate_predictions(history, predictions, first=1)
    assert (evaluation.matches, evaluation.pair_inversion, evaluation.accuracy) == (1, 100, 100)


def test_true_skills_predict_better_than_learned_ratings() -> None:
    rng = np.random.default_rng(4)
    skills = rng.normal(1500, 350, 60)
    blind = random_duels(3000, players=60)
    one, two = blind.player[::2], blind.player[1::2]
    wins = rng.random(3000) < 1 / (1 + 10 ** ((skills[two] - skills[one]) / 400))
    history = History.duels(
        blind.players, blind.times, np.where(wins, one, two), np.where(wins, two, one)
    )
    truth = evaluate_predictions(
        history, predict_by_strengths(history, skills[history.player]), first=300
    )
    learned = evaluate(build("elo"), history, first=300)
    assert 60 < learned.pair_inversion < truth.pair_inversion < 90
    assert 0.2 < learned.log_loss < math.log(2)
    assert math.isnan(truth.log_loss)
    assert truth.calibration == []
    assert learned.accuracy == pytest.approx(learned.pair_inversion, abs=0.5)
    off = [bin_.sides * abs(bin_.predicted - bin_.observed) for bin_ in learned.calibration]
    assert sum(bin_.sides for bin_ in learned.calibration) == 2 * 2700
    assert sum(off) / (2 * 2700) < 0.08


def test_forecasts_use_the_ratings_of_the_professions_played() -> None:
    """By hand, at a ratio of 1/4: 1400 and 2200 are 1600, 1200 and 1600 are 1300."""
    system = build("glicko-2", {"rating_profession_ratio": 0.25})
    states = system.newcomers(2)
    states.rating[:], states.deviation[:], states.last_played[:] = [1400.0, 1200.0], 80.0, 0
    states.memory = np.array([[key(name), 0.0, 80.0, 0.06, 0.0] for name in ("Monk", "Thief")])
    states.memory[:, 1] = [2200.0, 1600.0]
    sides = [
        Side(place, [Participant(player, profession=played)])
        for place, (player, played) in enumerate([("Alice", "Monk"), ("Bob", "Thief")])
    ]
    history = History.build([Match("1", 0, sides)])
    together = 1 / math.sqrt(1 + 3 * (2 * 80**2) * (math.log(10) / 400 / math.pi) ** 2)
    expected = 1 / (1 + 10 ** (-together * (1600 - 1300) / 400))
    chance = predict_history(system, history, states).chance
    assert chance.tolist() == pytest.approx([expected, 1 - expected], rel=1e-12)
