"""Synthetic histories and their true skills."""

import math
from dataclasses import replace

import numpy as np
import pytest

from ratings.lab.evaluation import evaluate_predictions, predict_by_strengths
from ratings.lab.synthetic import LARGE, SMALL, Synthetic, World, generate, in_groups


def made(world: World, seed: int = 1) -> Synthetic:
    return generate(world, np.random.default_rng(seed))


def test_the_sets_have_the_papers_sizes() -> None:
    assert (SMALL.players, SMALL.rounds, SMALL.entrants) == (1_000, 15_000, 5)
    assert (LARGE.players, LARGE.rounds, LARGE.entrants) == (10_000, 50, 10_000)
    for world in (SMALL, LARGE):
        assert (world.mean, world.deviation, world.drift, world.performance) == (1500, 350, 35, 200)


def test_rounds_are_free_for_alls_of_distinct_players_a_day_apart() -> None:
    history = made(World(players=30, rounds=20, entrants=7)).history
    assert len(history) == 20
    assert set(np.diff(history.times).tolist()) == {86_400_000_000}
    for players, places in zip(
        history.player.reshape(20, 7), history.places.reshape(20, 7), strict=True
    ):
        assert len(set(players.tolist())) == 7
        assert sorted(places.tolist()) == list(range(7))


def test_skills_start_normal_and_drift_when_players_take_part() -> None:
    world = World(players=4000, rounds=6, entrants=4000)
    synthetic = made(world)
    first = synthetic.skills[:4000]
    assert first.mean() == pytest.approx(1500, abs=25)
    assert first.std() == pytest.approx(math.hypot(350, 35), rel=0.05)
    skills = np.empty((6, 4000))
    for number, row in enumerate(synthetic.history.player.reshape(6, 4000)):
        skills[number, row] = synthetic.skills.reshape(6, 4000)[number]
    moves = np.diff(skills, axis=0)
    assert moves.std() == pytest.approx(35, rel=0.03)
    assert abs(moves.mean()) < 2

    rare = made(World(players=2, rounds=40, entrants=1))
    by_player = [rare.skills[rare.history.player == code] for code in (0, 1)]
    assert all(np.abs(np.diff(skills)).max() < 4 * 35 + 60 for skills in by_player)


def test_performances_are_logistic_around_the_skill() -> None:
    rng = np.random.default_rng(5)
    performances = SMALL.performances(rng, np.full(200_000, 1500.0))
    assert performances.mean() == pytest.approx(1500, abs=2)
    assert performances.std() == pytest.approx(200, rel=0.01)
    # The logistic distribution has heavier tails: 1.25% instead of 0.27% beyond 3 deviations.
    beyond = np.mean(np.abs(performances - 1500) > 600)
    assert beyond == pytest.approx(2 / (1 + math.exp(3 * math.pi / math.sqrt(3))), rel=0.15)


def test_the_upper_bound_of_the_small_set_matches_the_paper() -> None:
    synthetic = made(SMALL)
    predictions = predict_by_strengths(synthetic.history, synthetic.skills)
    evaluation = evaluate_predictions(synthetic.history, predictions, first=1_500)
    assert evaluation.pair_inversion == pytest.approx(85.99, abs=0.3)
    assert evaluation.rank_deviation == pytest.approx(13.01, abs=0.3)


def test_the_upper_bound_of_the_large_set_matches_the_paper() -> None:
    synthetic = made(replace(LARGE, rounds=8))
    evaluation = evaluate_predictions(
        synthetic.history, predict_by_strengths(synthetic.history, synthetic.skills)
    )
    assert evaluation.pair_inversion == pytest.approx(84.68, abs=0.4)
    assert evaluation.rank_deviation == pytest.approx(10.61, abs=0.3)


def test_groups_keep_the_order_of_their_round() -> None:
    whole = made(World(players=40, rounds=3, entrants=40))
    cut = in_groups(whole, 8, np.random.default_rng(2))
    assert len(cut.history) == 15
    assert sorted(set(cut.history.times.tolist())) == whole.history.times.tolist()
    place_of, skill_of = {}, {}
    for number in range(3):
        rows = slice(40 * number, 40 * number + 40)
        for player, place, skill in zip(
            whole.history.player[rows], whole.history.places[rows], whole.skills[rows], strict=True
        ):
            place_of[number, int(player)] = int(place)
            skill_of[number, int(player)] = float(skill)
    groups = zip(
        cut.history.player.reshape(15, 8),
        cut.history.places.reshape(15, 8),
        cut.skills.reshape(15, 8),
        strict=True,
    )
    for number, (players, places, skills) in enumerate(groups):
        whole_places = [place_of[number // 5, int(player)] for player in players]
        assert np.argsort(np.argsort(whole_places)).tolist() == places.tolist()
        assert skills.tolist() == [skill_of[number // 5, int(player)] for player in players]


def test_a_round_cannot_be_cut_into_groups_of_a_size_that_does_not_divide_it() -> None:
    with pytest.raises(ValueError, match="rounds of 40 cannot be cut into groups of 7"):
        in_groups(made(World(40, 1, 40)), 7, np.random.default_rng(1))
