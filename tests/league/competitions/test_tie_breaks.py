"""Tie-breaks against a second calculation from the rules, in tournaments by chance."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, groupby

import numpy as np
import pytest

from league.services.competitions.pairing.round_robin import round_robin
from league.services.competitions.standings.entrant_rounds import (
    Outcome,
    PointsRules,
    Result,
    collect_rounds,
    with_absences,
)
from league.services.competitions.standings.tables import table
from league.services.competitions.standings.tie_breaks import TIE_BREAKS, Played
from tests.support.effort import examples
from tests.support.tie_breaks_by_rules import Event, Points, Record

CHESS = PointsRules()
SYSTEMS = [
    (1, 0.5, 0, 0, 1),
    (3, 1, 0, 0, 3),
    (1, 0.5, 0, 0, 0.5),
    (3, 1, 0, -1, 1),
    (2, 2, 1, 0, 1.5),
    (0.3, 0.1, 0, -0.2, 0),
    (3, 2, 1, 0, 2),
    (0, 0, 0, 0, 0),
]
WORDS = {
    (Outcome.HOME, True): ("win", "loss"),
    (Outcome.DRAW, True): ("draw", "draw"),
    (Outcome.AWAY, True): ("loss", "win"),
    (Outcome.NOBODY, True): ("loss", "loss"),
    (Outcome.HOME, False): ("forfeit win", "forfeit loss"),
    (Outcome.DRAW, False): ("forfeit draw", "forfeit draw"),
    (Outcome.AWAY, False): ("forfeit loss", "forfeit win"),
    (Outcome.NOBODY, False): ("forfeit loss", "forfeit loss"),
}
ALONE = {Outcome.HOME: "pairing bye", Outcome.DRAW: "half-point bye", Outcome.NOBODY: "absent"}


def records(results: Sequence[Result]) -> list[Record]:
    """Return results as an arbiter writes them down."""
    found = []
    for each in results:
        if each.away is None:
            found.append(Record(each.round, each.home, None, ALONE[each.outcome]))
            continue
        mine, theirs = WORDS[each.outcome, each.played]
        found.append(Record(each.round, each.home, each.away, mine, white=True))
        found.append(Record(each.round, each.away, each.home, theirs))
    return found


def a_game(number: int, home: int, away: int, generator: np.random.Generator) -> Result:
    """Return a game by chance, or a forfeit of one side or both."""
    if generator.random() < 0.8:
        outcome = [Outcome.HOME, Outcome.DRAW, Outcome.AWAY][generator.integers(3)]
        return Result(number, home, away, outcome)
    outcome = [*Outcome][generator.integers(4)]
    return Result(number, home, away, outcome, played=False)


def a_swiss(
    count: int, rounds: int, generator: np.random.Generator, *, meet_twice: bool = False
) -> list[Result]:
    """Return rounds by chance with byes of all kinds, absences, withdrawals and late entries."""
    results: list[Result] = []
    met: set[frozenset[int]] = set()
    first = {one: 1 if generator.random() < 0.8 else 2 for one in range(1, count + 1)}
    last = {
        one: rounds if generator.random() < 0.8 else int(generator.integers(rounds + 1))
        for one in first
    }
    for number in range(1, rounds + 1):
        there = [one for one in first if first[one] <= number <= last[one]]
        out = [one for one in there if generator.random() < 0.15]
        for one in out:
            kind = generator.integers(3)
            if kind < 2:
                outcome = [Outcome.DRAW, Outcome.NOBODY][kind]
                results.append(Result(number, one, None, outcome))
        left = [int(one) for one in generator.permutation([one for one in there if one not in out])]
        while left:
            one = left.pop()
            other = next((each for each in left if frozenset((one, each)) not in met), None)
            if other is None:
                results.append(Result(number, one, None, Outcome.HOME))
                continue
            left.remove(other)
            met.add(frozenset((one, other)))
            results.append(a_game(number, one, other, generator))
    return results


def a_round_robin(count: int, generator: np.random.Generator) -> list[Result]:
    """Return a round robin by chance, of which some games may be missing."""
    drawn = round_robin(range(1, count + 1), int(generator.integers(1, 3)))
    return [
        a_game(number, home, away, generator)
        for number, pairs in enumerate(drawn, start=1)
        for home, away in pairs
        if generator.random() < 0.9
    ]


def by_rules(event: Event) -> dict[str, Callable[[int], Fraction]]:
    return {
        "wins": event.wins,
        "away": event.away,
        "away_wins": event.away_wins,
        "progressive": event.progressive,
        "buchholz": event.buchholz,
        "buchholz_cut_1": lambda one: event.buchholz(one, low=1),
        "median_buchholz": lambda one: event.buchholz(one, low=1, high=1),
        "sonneborn_berger": event.sonneborn_berger,
    }


@pytest.mark.parametrize("seed", range(examples(60)))
def test_each_tie_break_is_that_of_the_rules(seed: int) -> None:
    generator = np.random.default_rng([seed, 7])
    swiss, numbers = bool(seed % 3), SYSTEMS[seed % len(SYSTEMS)]
    count, rounds = int(generator.integers(2, 12)), int(generator.integers(1, 8))
    results = (
        a_swiss(count, rounds, generator) if swiss else a_round_robin(max(count, 3), generator)
    )
    count = count if swiss else max(count, 3)
    points = PointsRules.of(*numbers)
    event = Event(
        records(results),
        Points(*(Fraction(str(each)) for each in numbers)),
        rounds,
        swiss=swiss,
    )
    everybody = range(1, count + 1)
    own_rounds = collect_rounds(everybody, results, points)
    if swiss:
        own_rounds = {one: with_absences(own, rounds) for one, own in own_rounds.items()}
    played = Played(own_rounds, points, swiss)
    assert played.totals == {one: event.score(one) for one in everybody}
    for name, value in by_rules(event).items():
        found = TIE_BREAKS[name].values(everybody, played)
        assert found == {one: value(one) for one in everybody}, name


@pytest.mark.parametrize("seed", range(examples(60)))
def test_the_direct_encounter_is_that_of_the_rules(seed: int) -> None:
    """Against every outcome of the games that are missing."""
    generator = np.random.default_rng([seed, 6])
    swiss, numbers = bool(seed % 3), SYSTEMS[seed % len(SYSTEMS)]
    count = int(generator.integers(3, 7))
    results = (
        a_swiss(count, int(generator.integers(1, count)), generator)
        if swiss
        else a_round_robin(count, generator)
    )
    event = Event(
        records(results),
        Points(*(Fraction(str(each)) for each in numbers)),
        0,
        swiss=swiss,
    )
    lines = table(range(1, count + 1), results, PointsRules.of(*numbers), ["direct"], swiss=swiss)
    for _points, level in groupby(lines, key=lambda line: line.points):
        tied = list(level)
        places = groupby(tied, key=lambda line: line.place)
        parts = [{line.entrant for line in part} for _place, part in places]
        if len(missing_pairs(event, [line.entrant for line in tied])) < 7:
            assert parts == event.ranked_by_encounter([line.entrant for line in tied])


def missing_pairs(event: Event, tied: Sequence[int]) -> list[tuple[int, int]]:
    played = {(each.player, each.opponent) for each in event.records if each.played}
    return [pair for pair in combinations(tied, 2) if pair not in played]


def four(*, forfeits_meet: bool) -> list[tuple[int, int]]:
    """Return (entrant, place) where 2 beat 3 by forfeit, and both have as much Buchholz."""
    results = [
        Result(1, 3, 4, Outcome.HOME),
        Result(1, 2, 1, Outcome.HOME),
        Result(2, 2, 3, Outcome.HOME, played=False),
        Result(2, 1, 4, Outcome.HOME),
        Result(3, 4, 2, Outcome.HOME),
        Result(3, 3, 1, Outcome.HOME),
    ]
    names = ["direct", "buchholz"]
    lines = table([1, 2, 3, 4], results, CHESS, names, swiss=True, forfeits_meet=forfeits_meet)
    return [(line.entrant, line.place) for line in lines]


def test_a_forfeit_is_no_encounter_unless_the_organiser_wants_it() -> None:
    assert four(forfeits_meet=False)[:2] == [(2, 1), (3, 1)]
    assert four(forfeits_meet=True)[:2] == [(2, 1), (3, 2)]


def test_byes_count_at_their_points() -> None:
    """A bye gives half a point: 3 has a quarter, and no win."""
    points = PointsRules.of(1, 0.5, 0, 0, 0.5)
    results = [
        Result(1, 1, 2, Outcome.HOME),
        Result(1, 3, None, Outcome.HOME),
        Result(2, 2, 3, Outcome.HOME),
        Result(2, 1, None, Outcome.HOME),
    ]
    played = Played(collect_rounds([1, 2, 3], results, points), points, swiss=True)
    values = TIE_BREAKS["sonneborn_berger"].values([3], played)
    assert values == {3: Fraction(1, 4)}
    assert TIE_BREAKS["wins"].values([1, 2, 3], played) == {1: 1, 2: 1, 3: 0}


def test_wins_count_byes_and_forfeits_alike() -> None:
    results = [
        Result(1, 1, 2, Outcome.HOME, played=False),
        Result(1, 3, None, Outcome.HOME),
        Result(1, 4, None, Outcome.DRAW),
    ]
    played = Played(collect_rounds([1, 2, 3, 4], results, CHESS), CHESS, swiss=True)
    assert TIE_BREAKS["wins"].values([1, 2, 3, 4], played) == {1: 1, 2: 0, 3: 1, 4: 0}
    assert "byes" in str(TIE_BREAKS["wins"].explanation)
    assert "forfeit" in str(TIE_BREAKS["wins"].explanation)
