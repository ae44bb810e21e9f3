"""Ladder points, compared with the published tables and pseudo-code."""

import numpy as np
import pytest

from ratings.points.rules import (
    CONQUEST,
    PRESETS,
    STRONGHOLD,
    Checkpoint,
    Ladder,
    PointRule,
    PointRules,
    PointsError,
    Window,
    award_points,
    listing,
    score_ratios,
)
from ratings.tunables.declarations import declarations

MINUTE = 60_000_000


def points(
    odds: float,
    ratio: float,
    *,
    rules: PointRules = CONQUEST,
    victory: bool = False,
    deserted: bool = False,
    in_season: bool = True,
) -> int:
    got = award_points(
        rules,
        np.array([odds]),
        np.array([ratio]),
        victory=np.array([victory]),
        deserted=np.array([deserted]),
        in_season=np.array([in_season]),
    )
    return int(got[0])


@pytest.mark.parametrize(
    ("odds", "ratio", "conquest", "stronghold"),
    [
        (0.0, 0.0, -1, -1),
        (0.0, 0.2, -1, 0),
        (0.19, 0.4, 0, 1),
        (0.1, 0.6, 1, 2),
        (0.1, 0.8, 2, 2),
        (0.1, 1.0, 3, 3),
        (0.2, 0.59, -1, 0),
        (0.2, 0.6, 0, 1),
        (0.3, 0.8, 1, 1),
        (0.39, 1.0, 2, 2),
        (0.4, 0.99, -1, -1),
        (0.5, 1.0, 1, 1),
        (0.6, 0.39, -2, -2),
        (0.6, 0.4, -2, -1),
        (0.7, 0.6, -1, -1),
        (0.7, 1.0, 1, 1),
        (0.8, 0.0, -3, -3),
        (0.8, 0.2, -3, -2),
        (0.9, 0.4, -2, -1),
        (1.0, 0.6, -1, -1),
        (1.0, 1.0, 1, 1),
    ],
)
def test_only_the_highest_thresholds_count(
    odds: float, ratio: float, conquest: int, stronghold: int
) -> None:
    assert points(odds, ratio, rules=CONQUEST) == conquest
    assert points(odds, ratio, rules=STRONGHOLD) == stronghold


@pytest.mark.parametrize("mode", list(PRESETS))
def test_all_results_agree_with_the_published_pseudo_code(mode: str) -> None:
    rng = np.random.default_rng(8)
    rules = PRESETS[mode]
    odds = np.append(rng.random(300), [0, 0.2, 0.4, 0.6, 0.8, 1])
    ratios = np.append(rng.random(300), [0, 0.2, 0.4, 0.6, 0.8, 1])
    expected = []
    for chance, ratio in zip(odds, ratios, strict=True):
        best = None
        for rule in rules.rules:
            if rule.odds <= chance and (best is None or rule.odds > best.odds):
                best = rule
        assert best
        score = None
        for checkpoint in best.checkpoints:
            if checkpoint.score_ratio <= ratio and (
                score is None or checkpoint.score_ratio > score.score_ratio
            ):
                score = checkpoint
        assert score
        expected.append(score.points)
    assert rules.points(odds, ratios).tolist() == expected


def test_three_hundred_of_five_hundred_reach_the_checkpoint_at_six_tenths() -> None:
    ratios = score_ratios(np.array([300.0, 299.0, 500.0]), np.array([500.0] * 3), np.zeros(3, bool))
    assert CONQUEST.points(np.zeros(3), ratios).tolist() == [1, 0, 3]


def test_scores_are_relative_to_the_winning_score_and_0_for_deserters() -> None:
    ratios = score_ratios(
        np.array([250.0, 500.0, 400.0, 0.0, -5.0]),
        np.array([500.0, 500.0, 500.0, 0.0, 10.0]),
        np.array([False, False, True, False, False]),
    )
    assert ratios.tolist() == [0.5, 1, 0, 0, 0]


def test_a_victory_gives_at_least_one_point_but_only_in_season() -> None:
    assert points(0.9, 0.5, victory=True) == 1
    assert points(0.0, 1.0, victory=True) == 3
    assert points(0.9, 0.5) == -2
    assert points(0.9, 1.0, victory=True, in_season=False) == 0
    assert points(0.9, 0.0, in_season=False) == 0


def test_the_season_includes_its_start_and_excludes_its_end() -> None:
    season = Window(start=0, end=100 * MINUTE)
    at = np.array([-1, 0, 39, 40, 99, 100]) * MINUTE
    assert season.counts(at).tolist() == [False, True, True, True, True, False]
    assert season.may_begin(at, Ladder()).tolist() == [False, True, True, False, False, False]
    assert season.may_begin(at, Ladder(grace=0)).tolist() == season.counts(at).tolist()
    with pytest.raises(ValueError, match="must end after it starts"):
        Window(start=5, end=5)


def test_the_leaderboard_is_updated_for_players_with_enough_points_or_who_fall_below() -> None:
    ladder = Ladder(leaderboard_points=5)
    assert listing(ladder, before=4, after=5) == "update"
    assert listing(ladder, before=7, after=6) == "update"
    assert listing(ladder, before=5, after=4) == "remove"
    assert listing(ladder, before=4, after=3) == "none"
    assert all(declared.help for declared in declarations(Ladder))


def rule(odds: float, *ratios: float) -> PointRule:
    return PointRule(odds, tuple(Checkpoint(ratio, 1) for ratio in ratios))


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ((), "capture: odds must begin at 0"),
        ((rule(0.2, 0.0),), "capture: odds must begin at 0"),
        ((rule(0.0, 0.5),), "capture, odds 0: score ratios must begin at 0"),
        ((rule(0.0),), "capture, odds 0: score ratios must begin at 0"),
        ((rule(0.0, 0.0, 0.6, 0.6),), "score ratios must increase"),
        ((rule(0.0, 0.0), rule(0.0, 0.0)), "odds must increase"),
        ((rule(0.0, 0.0), rule(1.5, 0.0)), "odds must be at most 1; you gave 1.5"),
    ],
)
def test_tables_with_gaps_are_rejected(rules: tuple[PointRule, ...], message: str) -> None:
    with pytest.raises(PointsError, match=message):
        PointRules("capture", rules)
