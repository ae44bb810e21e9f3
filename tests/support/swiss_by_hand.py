"""Swiss tournaments by chance, and every round that would be legal by brute force."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np

from league.services.competitions.pairing.swiss import SwissRound, SwissStanding, swiss
from league.services.competitions.standings.entrant_rounds import Outcome, PointsRules, Result

CHESS = PointsRules()
OUTCOMES = [Outcome.HOME, Outcome.DRAW, Outcome.AWAY]


def played_round(
    standing: SwissStanding, round_: SwissRound, generator: np.random.Generator, forfeits: float
) -> list[Result]:
    """Return results of a round by chance."""
    results = [
        Result(
            standing.round,
            home,
            away,
            OUTCOMES[generator.choice([0, 0, 2]) if forfeit else generator.integers(3)],
            played=not forfeit,
        )
        for home, away in round_.pairs
        for forfeit in [generator.random() < forfeits]
    ]
    if round_.free is not None:
        results.append(Result(standing.round, round_.free, None, Outcome.HOME))
    return results


def tournament(
    count: int,
    rounds: int,
    generator: np.random.Generator,
    *,
    leaving: float = 0.0,
    forfeits: float = 0.05,
) -> Iterator[tuple[SwissStanding, SwissRound]]:
    """Play a Swiss, and yield each round as it is paired. Some stay away, or ask for a bye."""
    standing = SwissStanding(range(1, count + 1), [], 1, rounds, CHESS)
    while standing.round <= rounds:
        away = frozenset(entrant for entrant in standing.entrants if generator.random() < leaving)
        standing = replace(standing, out=away if len(away) < count - 1 else frozenset())
        round_ = swiss(standing)
        yield standing, round_
        asked = [
            Result(standing.round, entrant, None, Outcome.DRAW)
            for entrant in sorted(standing.out)
            if generator.random() < 0.5
        ]
        results = [*standing.results, *played_round(standing, round_, generator, forfeits), *asked]
        standing = replace(standing, results=results, round=standing.round + 1, out=frozenset())


WON, DRAWN, LOST = Fraction(1), Fraction(1, 2), Fraction(0)


def every_round(
    standing: SwissStanding, *, bound_by_sides: bool = True
) -> Iterator[list[tuple[int, int | None]]]:
    """Yield every legal round of a small field, by plain recursion over the results."""
    playing = [entrant for entrant in standing.entrants if entrant not in standing.out]
    met = {
        frozenset((result.home, result.away))
        for result in standing.results
        if result.played and result.away is not None
    }
    had_bye = {
        side
        for result in standing.results
        if not result.played or result.away is None
        for side, won in (
            (result.home, result.outcome is Outcome.HOME),
            (result.away, result.outcome is Outcome.AWAY),
        )
        if won
    }
    due = {} if not bound_by_sides else {entrant: must(standing, entrant) for entrant in playing}

    def rest(left: list[int], free: bool) -> Iterator[list[tuple[int, int | None]]]:
        if not left:
            yield []
            return
        one, *others = left
        for other in others:
            both_must = due.get(one) is not None and due.get(one) == due.get(other)
            if frozenset((one, other)) not in met and not both_must:
                remaining = [entrant for entrant in others if entrant != other]
                for further in rest(remaining, free):
                    yield [(one, other), *further]
        if free and one not in had_bye:
            for further in rest(others, free=False):
                yield [(one, None), *further]

    yield from rest(playing, free=len(playing) % 2 == 1)


def must(standing: SwissStanding, entrant: int) -> str | None:
    """Return the side that an entrant has to have, and ``None`` if either is possible."""
    sides = [
        "home" if result.home == entrant else "away"
        for result in sorted(standing.results, key=lambda result: result.round)
        if result.played and result.away is not None and entrant in {result.home, result.away}
    ]
    half = standing.points.win * (standing.round - 1)
    if standing.round == standing.rounds and 2 * score_of(standing, entrant) > half:
        return None
    for side, other in (("home", "away"), ("away", "home")):
        if sides.count(side) - sides.count(other) > 1 or sides[-2:] == [side, side]:
            return other
    return None


def points_of(result: Result, entrant: int, points: PointsRules = CHESS) -> Fraction:
    if entrant not in {result.home, result.away}:
        return LOST
    if result.away is None:
        return {Outcome.HOME: points.bye, Outcome.DRAW: points.draw, Outcome.NOBODY: LOST}[
            result.outcome
        ]
    if result.outcome is Outcome.DRAW:
        return points.draw
    if {Outcome.HOME: result.home, Outcome.AWAY: result.away}.get(result.outcome) == entrant:
        return points.win
    return points.loss if result.played else points.forfeit


def score_of(standing: SwissStanding, entrant: int) -> Fraction:
    return sum((points_of(each, entrant, standing.points) for each in standing.results), LOST)


Pairs = list[tuple[int, int | None]]


def with_the_lowest_bye(standing: SwissStanding, rounds: list[Pairs]) -> list[Pairs]:
    """Return the rounds whose bye goes to as low a score as in any of them."""

    def bye(pairs: Pairs) -> Fraction:
        return sum((score_of(standing, one) for one, other in pairs if other is None), LOST)

    lowest = min(map(bye, rounds))
    return [pairs for pairs in rounds if bye(pairs) == lowest]
