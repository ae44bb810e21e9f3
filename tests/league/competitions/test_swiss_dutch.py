"""The Dutch system of FIDE (Handbook C.04.3) against every legal round of small fields."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from league.services.competitions.pairing.swiss import NoPairing, SwissStanding, swiss
from league.services.competitions.standings.entrant_rounds import Outcome, PointsRules, Result
from tests.support.dutch_by_hand import dutch_round
from tests.support.effort import examples
from tests.support.swiss_by_hand import CHESS, played_round

SYSTEMS = [
    CHESS,
    PointsRules.of(3, 1, 0, 0, 3),
    PointsRules.of(1, 0.5, 0, 0, 0.5),
    PointsRules.of(3, 1, 0, -1, 1),
    PointsRules.of(2, 1, 0, 0, 2),
]


@pytest.mark.parametrize("seed", range(examples(30, 1200)))
def test_a_swiss_is_paired_as_the_articles_say(seed: int) -> None:
    """Pairs, sides and byes, with forfeits, absences, byes on request, withdrawals, odd points."""
    generator = np.random.default_rng([seed, 4, 3])
    count = int(generator.integers(4, 9)) if seed % 10 else int(generator.integers(9, 11))
    rounds = int(generator.integers(3, count))
    standing = SwissStanding(
        range(1, count + 1),
        [],
        1,
        rounds,
        SYSTEMS[seed % len(SYSTEMS)],
        first_home=bool(generator.integers(2)),
    )
    gone: set[int] = set()
    for number in range(1, rounds + 1):
        gone |= {one for one in standing.entrants if generator.random() < 0.02}
        away = {one for one in standing.entrants if generator.random() < 0.08}
        standing = replace(standing, round=number, out=frozenset(gone | away))
        expected = dutch_round(standing)
        if expected is None:
            with pytest.raises(NoPairing):
                swiss(standing)
            return
        round_ = swiss(standing)
        free = set() if round_.free is None else {(round_.free, None)}
        assert {*round_.pairs} | free == expected
        results = [*standing.results, *played_round(standing, round_, generator, forfeits=0.1)]
        results += [
            Result(number, one, None, Outcome.DRAW if generator.random() < 0.5 else Outcome.NOBODY)
            for one in sorted(away - gone)
            if generator.random() < 0.7
        ]
        standing = replace(standing, results=results)


def test_points_without_a_game_are_a_float_and_an_absence_is_none() -> None:
    """By articles 1.4.3 and 1.4.4; until 2026 an absence was one, too."""
    results = [
        Result(1, 1, None, Outcome.HOME),
        Result(1, 2, None, Outcome.DRAW),
        Result(1, 3, None, Outcome.NOBODY),
        Result(1, 4, 5, Outcome.HOME, played=False),
        Result(1, 6, 7, Outcome.HOME),
    ]
    for points in (CHESS, replace(CHESS, bye=Fraction(0))):
        standing = SwissStanding(range(1, 9), results, 2, 5, points)
        floats = [standing.floats(entrant) for entrant in standing.entrants]
        none, down = ["none"], ["down"]
        assert floats == [down, down, none, down, none, none, none, none]
