"""The Dutch system of FIDE (Handbook C.04.3) against every legal round of small fields."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from league.services.competitions.pairing.swiss import NoPairing, SwissStanding, swiss
from league.services.competitions.standings.turns import Outcome, PointsRules, Result
from tests.support.effort import examples
from tests.support.swiss_by_hand import (
    CHESS,
    denied,
    every_round,
    floaters,
    played_round,
    with_the_lowest_bye,
)

if TYPE_CHECKING:
    from fractions import Fraction

    from tests.support.swiss_by_hand import Pairs

SYSTEMS = [
    CHESS,
    PointsRules.of(3, 1, 0, 0, 3),
    PointsRules.of(1, 0.5, 0, 0, 0.5),
    PointsRules.of(3, 1, 0, -1, 1),
    PointsRules.of(2, 1, 0, 0, 2),
]


def who_floats(standing: SwissStanding, pairs: Pairs) -> list[tuple[int, list[Fraction]]]:
    """Return how many float down from the first two brackets, and with which scores."""
    return [(len(scores), scores) for scores in floaters(standing, pairs)[:2]]


@pytest.mark.parametrize("seed", range(examples(10, 1000)))
def test_bye_floaters_and_sides_are_as_the_criteria_want_them(seed: int) -> None:
    """The bye, then those who float from the first bracket and the next, then wishes in the first.

    With byes, forfeits, absences and unusual points.
    """
    generator = np.random.default_rng([seed, 4, 3])
    count, rounds = int(generator.integers(4, 9)), int(generator.integers(3, 7))
    points = SYSTEMS[seed % len(SYSTEMS)]
    standing = SwissStanding(range(1, count + 1), [], 1, rounds, points)
    for number in range(1, rounds + 1):
        out = frozenset(one for one in standing.entrants if generator.random() < 0.1)
        standing = replace(standing, round=number, out=out)
        possible = list(every_round(standing))
        if not possible:
            with pytest.raises(NoPairing):
                swiss(standing)
            return
        round_ = swiss(standing)
        chosen: Pairs = [*round_.pairs, *([(round_.free, None)] if round_.free else [])]
        if chosen:
            fair = with_the_lowest_bye(standing, possible)
            least = min(who_floats(standing, pairs) for pairs in fair)
            assert who_floats(standing, chosen) == least
            alike = [pairs for pairs in fair if who_floats(standing, pairs) == least]
            if number < rounds and len(floaters(standing, chosen)) > 1:
                wishes = [denied(standing, pairs) for pairs in alike]
                assert denied(standing, chosen) == min(wishes)
        results = [*standing.results, *played_round(standing, round_, generator, 0.1)]
        results += [
            Result(number, one, None, Outcome.DRAW if generator.random() < 0.5 else Outcome.NOBODY)
            for one in sorted(out)
            if generator.random() < 0.7
        ]
        standing = replace(standing, results=results)
