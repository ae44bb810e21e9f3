"""Losing on purpose: where it pays and where it does not."""

import numpy as np
import pytest

from ratings.lab.adversary import Attack, FarmingResult, farm
from ratings.lab.reproduction.parts import as_published
from ratings.registry import SYSTEMS
from ratings.system import UnsupportedMatch
from tests.support.system_properties import properties_of

SHORT = Attack(players=60, entrants=8, honest=12, farming=12, final=4)
UNCAPPED: dict[str, object] = {"volatility_max": 1.0, "volatility_system_constant": 1.2}


def farmed(
    name: str,
    attack: Attack,
    seed: int = 1,
    parameters: dict[str, object] | None = None,
    thrown: np.ndarray | None = None,
) -> FarmingResult:
    return farm(as_published(name, parameters), attack, np.random.default_rng(seed), thrown)


def test_farming_topcoders_volatility_pays() -> None:
    result = farmed("topcoder", Attack())
    assert result.gain > 300
    assert result.thrown.sum() >= 10
    # It costs while it lasts and pays in the last fifteen contests, as in the paper's figure.
    assert result.adversary[45:90].min() < result.control[45:90].min() - 100
    assert result.adversary[-1] - result.adversary[-16] > 500


def test_farming_glicko_2_pays_only_without_the_volatility_cap() -> None:
    twenty = Attack(entrants=20)
    assert farmed("glicko-2", twenty, parameters=UNCAPPED).gain > 50
    assert farmed("glicko-2", twenty).gain < 0


@pytest.mark.parametrize(
    "name", ["elo-mmr", "elo-mmx", "codeforces", "glicko", "laurel", "trueskill"]
)
def test_farming_never_pays_in_systems_that_do_not_amplify_erratic_results(name: str) -> None:
    for seed in (1, 2):
        assert farmed(name, Attack(), seed).gain <= 0


def test_topcoders_attack_repeated_on_elo_mmr_does_not_pay() -> None:
    thrown = farmed("topcoder", Attack()).thrown
    carried = farmed("elo-mmr", Attack(), thrown=thrown)
    assert carried.thrown.tolist() == thrown.tolist()
    assert carried.gain < 0


@pytest.mark.parametrize("name", list(SYSTEMS))
def test_control_and_adversary_are_identical_until_the_attack_begins(name: str) -> None:
    attack = (
        SHORT
        if properties_of(name).most_sides is None
        else Attack(players=60, entrants=2, honest=12, farming=12, final=4)
    )
    result = farmed(name, attack)
    assert len(result.control) == len(result.adversary) == len(result.thrown) == 28
    before = int(np.argmax(result.thrown)) if result.thrown.any() else 28
    assert before >= 12
    assert result.adversary[:before].tobytes() == result.control[:before].tobytes()
    assert not result.thrown[24:].any()
    sign = -1 if SYSTEMS[name].shows.lowest_first else 1
    assert result.gain == sign * (result.adversary[-1] - result.control[-1])


def test_the_attacker_throws_contests_only_above_the_threshold() -> None:
    result = farmed("topcoder", SHORT)
    threshold = result.control[11]
    above = np.concatenate([[False], result.adversary[:-1] > threshold])
    farming = (np.arange(28) >= 12) & (np.arange(28) < 24)
    assert result.thrown.tolist() == (above & farming).tolist()
    lower = Attack(players=60, entrants=8, honest=12, farming=12, final=4, below=1e6)
    assert farmed("topcoder", lower).thrown.tolist() == farming.tolist()


def test_a_system_for_two_sides_rejects_an_attack_in_large_contests() -> None:
    with pytest.raises(UnsupportedMatch, match="two sides"):
        farmed("wager", SHORT)
