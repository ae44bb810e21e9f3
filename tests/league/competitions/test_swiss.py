"""Swiss rounds: against a second library, and against every round that is possible."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from league.services.competitions.pairing.swiss import (
    LARGEST_DUTCH,
    NoPairing,
    SwissRound,
    SwissStanding,
    broken_rules,
    swiss,
)
from league.services.competitions.standings.entrant_rounds import Outcome, PointsRules, Result
from tests.support.effort import examples
from tests.support.swiss_by_hand import (
    CHESS,
    every_round,
    must,
    played_round,
    points_of,
    score_of,
    tournament,
    with_the_lowest_bye,
)


def check_criteria(standing: SwissStanding, round_: SwissRound) -> None:
    """Check the absolute criteria by the results alone, without the code under test."""
    playing = set(standing.entrants) - standing.out
    paired = [entrant for pair in round_.pairs for entrant in pair]
    free = [] if round_.free is None else [round_.free]
    assert sorted(paired + free) == sorted(playing)
    assert bool(free) == len(playing) % 2
    met = {frozenset((result.home, result.away)) for result in standing.results if result.played}
    assert not met & {frozenset(pair) for pair in round_.pairs}
    byes = [result.home for result in standing.results if result.away is None]
    asked = {result.home for result in standing.results if result.outcome is not Outcome.HOME}
    assert not set(free) & (set(byes) - asked)
    for home, away in round_.pairs:
        home_must, away_must = must(standing, home), must(standing, away)
        assert (home_must, away_must) not in {("away", None), (None, "home"), ("away", "home")} or (
            standing.round == standing.rounds
        )


def floats(standing: SwissStanding, pairs: Sequence[tuple[int, int | None]]) -> int:
    score = {
        entrant: sum(points_of(result, entrant) for result in standing.results)
        for entrant in standing.entrants
    }
    return sum(other is not None and score[one] != score[other] for one, other in pairs)


@pytest.mark.parametrize("seed", range(examples(4)))
@pytest.mark.parametrize("sides", [True, False])
def test_small_fields_are_paired_whenever_they_can_be(seed: int, *, sides: bool) -> None:
    generator = np.random.default_rng(seed)
    count = int(generator.integers(3, 9))
    standing = SwissStanding(range(1, count + 1), [], 1, count, CHESS, sides=sides)
    for number in range(1, count + 1):
        possible = list(every_round(standing, bound_by_sides=sides))
        if not possible:
            with pytest.raises(NoPairing) as error:
                swiss(standing)
            without_sides = any(every_round(standing, bound_by_sides=False))
            assert (error.value.reason == "sides") == without_sides
            return
        round_ = swiss(standing)
        chosen = [*round_.pairs, *([(round_.free, None)] if round_.free else [])]
        assert {frozenset(pair) for pair in chosen} in [
            {frozenset(pair) for pair in every} for every in possible
        ]
        if not sides:
            fair = with_the_lowest_bye(standing, possible)
            score_gaps = [gaps(standing, pairs) for pairs in fair]
            assert gaps(standing, chosen) == min(score_gaps)
        results = [
            Result(number, home, away, generator.choice([*Outcome][:3]))
            for home, away in round_.pairs
        ]
        if round_.free:
            results.append(Result(number, round_.free, None, Outcome.HOME))
        standing = replace(standing, results=[*standing.results, *results], round=number + 1)


def gaps(standing: SwissStanding, pairs: list[tuple[int, int | None]]) -> int:
    """Return the sum of the squares of score groups between two who meet, or down to a bye."""
    score = {
        entrant: sum((points_of(result, entrant) for result in standing.results), Fraction(0))
        for entrant in standing.entrants
    }
    groups = sorted(set(score.values()))
    place = {entrant: groups.index(own) for entrant, own in score.items()}
    return sum((place[one] - (0 if other is None else place[other])) ** 2 for one, other in pairs)


SYSTEMS = [
    CHESS,
    PointsRules.of(3, 1, 0, 0, 3),
    PointsRules.of(1, 0.5, 0, 0, 0.5),
    PointsRules.of(3, 1, 0, -1, 1),
    PointsRules.of(2, 2, 1, 0, 1.5),
    PointsRules.of(0.3, 0.1, 0, -0.2, 0),
]


@pytest.mark.parametrize("seed", range(examples(60)))
def test_the_bye_goes_to_the_lowest_score_whatever_the_settings(seed: int) -> None:
    """Against every legal round, with forfeits, absences, byes asked for and unusual points."""
    generator = np.random.default_rng([seed, 79])
    count = int(generator.integers(3, 9))
    entrants = [int(one) for one in generator.permutation(range(1, count + 1))]
    standing = SwissStanding(
        entrants,
        [],
        1,
        count,
        SYSTEMS[seed % len(SYSTEMS)],
        sides=bool(generator.integers(2)),
        apart=frozenset(frozenset(pair) for pair in combinations(entrants[: count // 2], 2))
        if generator.integers(2)
        else frozenset(),
        shares=generator.uniform(size=(count, count)) if generator.integers(2) else None,
    )
    for number in range(1, count + 1):
        out = frozenset(entrant for entrant in entrants if generator.random() < 0.12)
        standing = replace(standing, out=out)
        possible = list(every_round(standing, bound_by_sides=standing.sides))
        if not possible:
            with pytest.raises(NoPairing):
                swiss(standing)
            return
        round_ = swiss(standing)
        if round_.free is not None:
            [(lowest, _other)] = {
                (score_of(standing, one), other)
                for pairs in with_the_lowest_bye(standing, possible)
                for one, other in pairs
                if other is None
            }
            assert score_of(standing, round_.free) == lowest
        results = played_round(standing, round_, generator, 0.1)
        for entrant in sorted(out):
            outcome = [Outcome.DRAW, Outcome.NOBODY, None][generator.integers(3)]
            if outcome:
                results.append(Result(number, entrant, None, outcome))
        standing = replace(
            standing, results=[*standing.results, *results], round=number + 1, out=frozenset()
        )


def test_a_round_of_nobody_is_empty() -> None:
    everybody = frozenset({1, 2})
    for sides in (True, False):
        standing = SwissStanding([1, 2], [], 1, 1, CHESS, out=everybody, sides=sides)
        assert swiss(standing) == SwissRound([], None)
        assert swiss(replace(standing, out=frozenset({2}))) == SwissRound([], 1)


@pytest.mark.parametrize("count", [LARGEST_DUTCH + 20, 129, 513][: examples(2)])
def test_large_fields_are_paired_by_a_matching(count: int) -> None:
    for standing, round_ in tournament(count, 4, np.random.default_rng(count), leaving=0.02):
        check_criteria(standing, round_)
        if standing.round == 1:
            assert floats(standing, round_.pairs) == 0


def test_late_entries_come_with_what_they_are_given() -> None:
    games = [Result(1, 1, 2, Outcome.HOME), Result(1, 3, 4, Outcome.HOME)]
    half = SwissStanding([1, 2, 5, 3, 4], [*games, Result(1, 5, None, Outcome.DRAW)], 2, 4, CHESS)
    assert swiss(half).pairs[0] in {(1, 3), (3, 1)}
    none = replace(half, results=games)
    assert {contender.entrant: contender.score for contender in none.contenders}[5] == 0
    check_criteria(none, swiss(none))


def test_members_of_a_club_are_kept_apart_where_possible() -> None:
    club = frozenset({frozenset({1, 3}), frozenset({2, 4})})
    standing = SwissStanding([1, 2, 3, 4], [], 1, 3, CHESS, apart=club)
    assert not {frozenset(pair) for pair in swiss(standing).pairs} & club
    only = SwissStanding([1, 3], [], 1, 1, CHESS, apart=club)
    assert len(swiss(only).pairs) == 1


def test_without_sides_the_higher_ranked_is_at_home() -> None:
    standing = SwissStanding(range(1, 9), [], 1, 3, CHESS, sides=False)
    assert swiss(standing).pairs == [(1, 5), (2, 6), (3, 7), (4, 8)]


@pytest.mark.parametrize(
    ("standing", "reason", "entrants"),
    [
        (SwissStanding([1, 2], [Result(1, 1, 2, Outcome.HOME)], 2, 2, CHESS), "met", [1, 2]),
        (SwissStanding([1], [Result(1, 1, None, Outcome.HOME)], 2, 2, CHESS), "byes", []),
        (
            SwissStanding(
                [1, 2, 3, 4],
                [
                    Result(1, 1, 2, Outcome.DRAW),
                    Result(2, 1, 3, Outcome.DRAW),
                    Result(1, 4, 3, Outcome.DRAW),
                    Result(2, 4, 2, Outcome.DRAW),
                ],
                3,
                4,
                CHESS,
            ),
            "sides",
            [1, 2, 3, 4],
        ),
    ],
)
def test_the_reason_is_named_if_there_is_no_legal_round(
    standing: SwissStanding, reason: str, entrants: list[int]
) -> None:
    with pytest.raises(NoPairing) as error:
        swiss(standing)
    assert (error.value.reason, sorted(error.value.entrants)) == (reason, entrants)


def test_a_round_changed_by_hand_is_checked() -> None:
    games = [Result(1, 1, 2, Outcome.HOME), Result(1, 3, 4, Outcome.HOME)]
    games += [Result(1, 5, None, Outcome.HOME), Result(2, 1, 3, Outcome.HOME)]
    standing = SwissStanding(
        [1, 2, 3, 4, 5], games, 3, 4, CHESS, apart=frozenset({frozenset({1, 4})})
    )
    assert broken_rules(standing, SwissRound([(1, 2), (4, 4)], 5)) == [
        ("missing", [3]),
        ("twice", [4]),
        ("free-again", [5]),
        ("met", [1, 2]),
        ("sides", [1]),
    ]
    assert broken_rules(standing, SwissRound([(4, 1), (3, 5)], 2)) == [("apart", [4, 1])]
