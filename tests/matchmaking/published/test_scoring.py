"""Each metric of the scoring phase, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from matchmaking.published import metrics
from matchmaking.rules.arena import MatcherRules
from matchmaking.types import Floats, Integers

RULES = MatcherRules(profession_unique=7)


def array(*values: float) -> Floats:
    return np.array(values, dtype=np.float64)


def whole(*values: int) -> Integers:
    return np.array(values, dtype=np.int64)


def test_age_counts_seconds() -> None:
    assert metrics.age(array(0, 30, 1.5), 2) == pytest.approx([0, 60, 3])


def test_games_count_up_to_the_maximum() -> None:
    assert metrics.games(array(100, 300, 5000), 200, 500, -0.25) == pytest.approx([-25, -25, -125])


def test_rank_counts_in_both_directions() -> None:
    assert metrics.rank(array(10, 40), 20, -3) == pytest.approx([-30, -60])


def test_roster_size_counts_players() -> None:
    assert metrics.roster_size(array(1, 3, 5), 2, -100) == pytest.approx([-100, -100, -300])


def test_rating_balance_includes_the_roster_in_the_team() -> None:
    # A duo of 1400 and a solo of 1600 join two players of 1500; the others have 1520 on average.
    score = metrics.rating_balance(array(2800, 1600), array(2, 1), 3000, 2, 1520, -10)
    assert score == pytest.approx([-700, -10 * (1520 - 4600 / 3) * -1])


def test_rating_likeness_uses_the_team_as_it_is() -> None:
    assert metrics.rating_likeness(array(1400, 1600), 1520, -10) == pytest.approx([-1200, -800])


@pytest.mark.parametrize(
    ("joining", "team", "other", "common", "unique", "matching"),
    [
        (0, 0, 2, 0, 0, 0),
        (1, 0, 0, 0, 7, 0),
        (1, 0, 1, 0, 7, 100),
        (1, 1, 1, 0, 0, 0),
        (1, 1, 2, 0, 0, 100),
        (1, 2, 0, -100, 0, 0),
        (1, 2, 3, -100, 0, 100),
        (2, 2, 0, -200, 0, 0),
        (3, 0, 1, -100, 0, 100),
    ],
)
def test_each_profession_counts_once(
    joining: int, team: int, other: int, common: float, unique: float, matching: float
) -> None:
    roster, own, theirs = whole(joining), whole(team), whole(other)
    assert metrics.profession_common(roster, own, RULES) == pytest.approx([common])
    assert metrics.profession_unique(roster, own, RULES) == pytest.approx([unique])
    assert metrics.profession_matching(roster, own, theirs, RULES) == pytest.approx([matching])


def test_dishonor_counts_distance_and_stacks() -> None:
    assert metrics.dishonor_distance(array(0, 10), 4, -100) == pytest.approx([-400, -600])
    assert metrics.dishonor_stack(array(0, 10), -50) == pytest.approx([0, -500])


def test_guild_teams_count_only_against_each_other() -> None:
    flags = np.array([True, False])
    assert metrics.guild_team(flags, other_has_one=True, weight=50) == pytest.approx([50, 0])
    assert metrics.guild_team(flags, other_has_one=False, weight=50) == pytest.approx([0, 0])


def test_a_perfect_fit_takes_all_remaining_seats() -> None:
    assert metrics.perfect_fit(array(1, 2, 3), 2, 40) == pytest.approx([0, 40, 0])
