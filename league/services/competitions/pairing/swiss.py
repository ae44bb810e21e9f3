"""The next round of a Swiss.

Fields of up to :data:`LARGEST_DUTCH` are paired by the FIDE Dutch system (Handbook C.04.3, in force
since February 2026). The library ``caissify-pairings`` finds the pairs, and
:mod:`~league.services.competitions.pairing.sides` who is at home. Larger fields, for which it takes
minutes, and those with criteria that FIDE does not have are paired by a matching of least cost.
Either way nobody meets twice, nobody has two byes, and nobody plays three games in a row or three
more at one side.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np
from caissify_pairings import generate_pairings

from league.services.competitions.pairing.matching import least_cost_matching
from league.services.competitions.pairing.sides import Contender, Strength, clash, home_and_away
from league.services.competitions.standings.entrant_rounds import collect_rounds, with_absences

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from league.services.competitions.pairing.matching import Floats, Integers
    from league.services.competitions.standings.entrant_rounds import (
        EntrantRound,
        PointsRules,
        Result,
    )

LARGEST_DUTCH = 80
"""Its time grows with the fourth power of the field: a second for 64, a quarter of a minute for 128
and more than three minutes for 256."""


class NoPairing(Exception):
    """No legal pairing exists.

    ``reason`` is ``met`` if too many have met, ``byes`` if everybody has had a bye,
    and ``sides`` if only the rules about home and away are in the way. ``entrants`` are those who
    have no possible opponent at all; there may be none.
    """

    def __init__(self, reason: str, entrants: Sequence[int]) -> None:
        super().__init__(f"no legal pairing: {reason} {list(entrants)}")
        self.reason = reason
        self.entrants = list(entrants)


@dataclass(frozen=True)
class SwissStanding:
    """A Swiss before one of its rounds."""

    entrants: Sequence[int]
    """Everybody in the initial order, with those who have left. Late entries may be anywhere."""
    results: Sequence[Result]
    round: int
    """The round to pair, from 1. A missing result of an earlier one counts as missed."""
    rounds: int
    points: PointsRules
    out: frozenset[int] = frozenset()
    """Those who do not play this round."""
    sides: bool = True
    """Whether home and away matter. If not, the higher-ranked of two is at home."""
    apart: frozenset[frozenset[int]] = frozenset()
    """Pairs that should not meet if that can be avoided, such as members of one club."""
    first_home: bool = True
    """Whether the first of the initial order starts at home, as drawn by lot."""
    shares: Floats | None = None
    """(entrants, entrants) what each is expected to win of a game against each. If given, games in
    a score group are as even as possible, instead of its first half against the second."""

    @cached_property
    def rounds_of(self) -> dict[int, list[EntrantRound]]:
        so_far = [result for result in self.results if result.round < self.round]
        return {
            entrant: with_absences(own, self.round - 1)
            for entrant, own in collect_rounds(self.entrants, so_far, self.points).items()
        }

    @cached_property
    def scores(self) -> dict[int, list[Fraction]]:
        """Return everybody's score before each round from 1."""
        return {
            entrant: list(
                accumulate((one_round.points for one_round in own_rounds), initial=Fraction(0))
            )
            for entrant, own_rounds in self.rounds_of.items()
        }

    def floats(self, entrant: int) -> list[str]:
        """Return whether each round took an entrant ``down``, ``up`` or neither (``none``)."""
        return [self._float(entrant, one_round) for one_round in self.rounds_of[entrant]]

    def _float(self, entrant: int, one_round: EntrantRound) -> str:
        if one_round.opponent is None or not one_round.played:
            given = one_round.opponent is None and not one_round.asked
            return "down" if given or one_round.points > self.points.loss else "none"
        own, other = (
            self.scores[each][one_round.round - 1] for each in (entrant, one_round.opponent)
        )
        return "none" if own == other else "down" if own > other else "up"

    @cached_property
    def contenders(self) -> list[Contender]:
        """Return those who play, by rank."""
        playing = [
            Contender(
                entrant,
                number,
                self.scores[entrant][-1],
                [one_round.home for one_round in self.rounds_of[entrant] if one_round.played]
                if self.sides
                else [],
            )
            for number, entrant in enumerate(self.entrants, start=1)
            if entrant not in self.out
        ]
        return sorted(playing, key=lambda contender: contender.rank)

    def opponents(self, entrant: int) -> set[int]:
        """Return those whom an entrant has played. A forfeit was no game."""
        return {
            one_round.opponent
            for one_round in self.rounds_of[entrant]
            if one_round.played and one_round.opponent is not None
        }

    def can_be_free(self, entrant: int) -> bool:
        """Return whether an entrant never scored a win without a game."""
        return not any(
            not one_round.played and not one_round.asked and one_round.share == 1
            for one_round in self.rounds_of[entrant]
        )

    def leads(self, contender: Contender) -> bool:
        """Return whether a contender has more than half of what was to be won, in the last round.

        Such topscorers may have one side a third time.
        """
        half = self.points.win * (self.round - 1) / 2
        return self.round >= self.rounds and contender.score > half

    def can_meet(self, one: Contender, other: Contender) -> bool:
        """Return whether two contenders satisfy the absolute criteria."""
        return other.entrant not in self.opponents(one.entrant) and not self.sides_clash(one, other)

    def sides_clash(self, one: Contender, other: Contender) -> bool:
        return clash(one, other) and not self.leads(one) and not self.leads(other)


@dataclass(frozen=True)
class SwissRound:
    """A paired round."""

    pairs: list[tuple[int, int]]
    """(home, away), the top game first."""
    free: int | None
    """The entrant without an opponent."""


def swiss(standing: SwissStanding) -> SwissRound:
    """Return the next round. It is empty if nobody plays.

    Raises:
        NoPairing: there is no legal one.
    """
    cheapest = at_least_cost(standing)
    plain = standing.sides and not standing.apart and standing.shares is None
    if plain and 2 <= len(standing.contenders) <= LARGEST_DUTCH:
        pairs = _dutch_pairs(standing)
        return _round(standing, pairs) if pairs else cheapest
    return cheapest


def at_least_cost(standing: SwissStanding) -> SwissRound:
    """Return the next round as it is paired in large fields. Raises as :func:`swiss`."""
    pairs = least_cost_pairs(standing)
    if pairs is None:
        raise why_not(standing)
    return _round(standing, pairs)


def broken_rules(standing: SwissStanding, round_: SwissRound) -> list[tuple[str, list[int]]]:
    """Return the problems of a round that was changed by hand, as (rule, entrants).

    The rules are ``missing``, ``twice``, ``free-again``, ``met``, ``sides`` and ``apart``.
    """
    by_entrant = {contender.entrant: contender for contender in standing.contenders}
    paired = [entrant for pair in round_.pairs for entrant in pair]
    named = paired + ([] if round_.free is None else [round_.free])
    problems = [
        (rule, entrants)
        for rule, entrants in (
            ("missing", [entrant for entrant in by_entrant if entrant not in named]),
            ("twice", sorted({entrant for entrant in named if named.count(entrant) > 1})),
        )
        if entrants
    ]
    if round_.free is not None and not standing.can_be_free(round_.free):
        problems.append(("free-again", [round_.free]))
    for home, away in round_.pairs:
        if home in by_entrant and away in by_entrant and home != away:
            problems += _broken_by(standing, by_entrant[home], by_entrant[away])
    return problems


def _broken_by(
    standing: SwissStanding, home: Contender, away: Contender
) -> Iterator[tuple[str, list[int]]]:
    both = [home.entrant, away.entrant]
    if away.entrant in standing.opponents(home.entrant):
        yield "met", both
    if frozenset(both) in standing.apart:
        yield "apart", both
    for contender, at_home in ((home, True), (away, False)):
        due = contender.strength == Strength.ABSOLUTE and contender.wants_home != at_home
        if due and not standing.leads(home) and not standing.leads(away):
            yield "sides", [contender.entrant]


def why_not(standing: SwissStanding) -> NoPairing:
    """Return the first rule that prevents a pairing of the round."""
    alone = [
        one.entrant
        for one in standing.contenders
        if not any(standing.can_meet(one, other) for other in standing.contenders if other != one)
    ]
    if standing.sides and least_cost_pairs(standing, ignoring_sides=True) is not None:
        return NoPairing("sides", alone)
    if len(standing.contenders) % 2 and least_cost_pairs(standing, ignoring_byes=True) is not None:
        return NoPairing("byes", [])
    return NoPairing("met", alone)


def _round(
    standing: SwissStanding, pairs: Sequence[tuple[Contender, Contender | None]]
) -> SwissRound:
    """Return pairs in the order of their games: by the better score, then the sum, then rank."""
    free = next((one.entrant for one, other in pairs if other is None), None)
    games = []
    for one, other in pairs:
        if other is not None:
            higher, lower = sorted((one, other), key=lambda contender: contender.rank)
            home, away = (
                home_and_away(higher, lower, first_home=standing.first_home)
                if standing.sides
                else (higher, lower)
            )
            order = (-higher.score, -lower.score, higher.number)
            games.append((order, (home.entrant, away.entrant)))
    return SwissRound([pair for _, pair in sorted(games)], free)


def _dutch_pairs(standing: SwissStanding) -> list[tuple[Contender, Contender | None]] | None:
    """Return the pairs of the library, or ``None`` if one of them is illegal.

    If the library finds no legal pairing, it breaks rules silently.
    """
    met = {(one, other) for one in standing.rounds_of for other in standing.opponents(one)}
    found = generate_pairings(
        system="dutch",
        players=[_as_player(standing, contender) for contender in standing.contenders],
        previous_pairings=met,
        round_number=standing.round,
        total_rounds=standing.rounds,
    )
    by_entrant = {contender.entrant: contender for contender in standing.contenders}
    pairs = [(by_entrant[one["white_id"]], by_entrant.get(one["black_id"])) for one in found]
    legal = all(
        standing.can_be_free(one.entrant) if other is None else standing.can_meet(one, other)
        for one, other in pairs
    )
    return pairs if legal and sum(other is None for _, other in pairs) <= 1 else None


def _as_player(standing: SwissStanding, contender: Contender) -> dict[str, object]:
    entrant = contender.entrant
    return {
        "id": entrant,
        "name": "",
        "rating": -contender.number,
        "starting_number": contender.number,
        "pairing_number": contender.number,
        "score": float(contender.score / (standing.points.win or 1)),
        "color_hist": ["white" if home else "black" for home in contender.sides],
        "float_history": standing.floats(entrant),
        "bye_count": 0 if standing.can_be_free(entrant) else 1,
    }


KEPT_APART, FLOAT, AGAIN, SIDE = 1e5, 1e3, 300.0, 100.0
"""The cost of a pair that should be kept apart, by the square of the score groups between two, if
somebody floats in the same direction again, and if both want the same side. The distance from the
pairs of a fold, the first half of a score group against the second, and an uneven game cost less
than a float."""


def least_cost_pairs(
    standing: SwissStanding, *, ignoring_sides: bool = False, ignoring_byes: bool = False
) -> list[tuple[Contender, Contender | None]] | None:
    """Return legal pairs of least cost, or ``None`` if there are none.

    The bye goes to the lowest score with which the others can be paired, whatever that costs.
    """
    if len(standing.contenders) % 2 == 0:
        return _least_cost_pairs(standing, frozenset(), ignoring_sides=ignoring_sides)
    free = [
        one for one in standing.contenders if ignoring_byes or standing.can_be_free(one.entrant)
    ]
    for score in sorted({one.score for one in free}):
        can_be_free = frozenset(one.entrant for one in free if one.score == score)
        pairs = _least_cost_pairs(standing, can_be_free, ignoring_sides=ignoring_sides)
        if pairs is not None:
            return pairs
    return None


def _least_cost_pairs(
    standing: SwissStanding, can_be_free: frozenset[int], *, ignoring_sides: bool
) -> list[tuple[Contender, Contender | None]] | None:
    """Return pairs of least cost, with a bye for one of ``can_be_free`` if the number is odd."""
    contenders = standing.contenders
    if not contenders:
        return []
    group = _groups(contenders)
    want = np.array([_wish(contender) for contender in contenders])
    costs = _pair_costs(standing, group, want, ignoring_sides=ignoring_sides)
    kinds = 2 * (group[:, None] != group) + (want[:, None] * want == 1)
    if len(contenders) % 2:
        costs = _with_free(costs, [one.entrant in can_be_free for one in contenders])
        group = np.append(group, group.max())
        kinds = np.pad(kinds, (0, 1), constant_values=4)
    found = least_cost_matching(costs, kinds, group)
    if found is None:
        return None
    everybody: list[Contender | None] = [*contenders, None]
    return [(contenders[one], everybody[other]) for one, other in found]


def _pair_costs(
    standing: SwissStanding, group: Integers, want: Integers, *, ignoring_sides: bool
) -> Floats:
    contenders = standing.contenders
    costs = _off_fold(group) if standing.shares is None else _uneven(standing.shares, contenders)
    costs += FLOAT * (group[:, None] - group) ** 2.0
    last = [standing.floats(contender.entrant)[-1:] for contender in contenders]
    down, up = (np.array([floats == [way] for floats in last]) for way in ("down", "up"))
    again = (group[:, None] < group) & (down[:, None] | up)
    costs += AGAIN * (again | again.T)
    costs += SIDE * (want[:, None] * want == 1)
    if not ignoring_sides:
        absolute = np.array([contender.strength == Strength.ABSOLUTE for contender in contenders])
        leads = np.array([standing.leads(contender) for contender in contenders])
        must = want * (absolute & ~leads)
        costs[must[:, None] * must == 1] = np.inf
    at = {contender.entrant: place for place, contender in enumerate(contenders)}
    for one, other in map(tuple, standing.apart):
        if one in at and other in at:
            costs[[at[one], at[other]], [at[other], at[one]]] += KEPT_APART
    for entrant, place in at.items():
        met = [at[other] for other in standing.opponents(entrant) if other in at]
        costs[place, met] = np.inf
    np.fill_diagonal(costs, np.inf)
    return costs


def _wish(contender: Contender) -> int:
    return {None: 0, True: 1, False: -1}[contender.wants_home]


def _groups(contenders: Sequence[Contender]) -> Integers:
    """Return the number of each contender's score group, from 0 for the best."""
    scores = sorted({contender.score for contender in contenders}, reverse=True)
    number = {score: at for at, score in enumerate(scores)}
    return np.array([number[contender.score] for contender in contenders], dtype=np.intp)


def _off_fold(group: Integers) -> Floats:
    """Return how far each pair is from its place in the fold of its group, below 100."""
    count = len(group)
    place = np.arange(count)
    sizes = np.bincount(group)[group] if count else group
    half = np.minimum(sizes[:, None], sizes) // 2
    away: Floats = (np.abs(place[:, None] - place) - half) / max(count, 1)
    return 99.0 * away**2


def _uneven(shares: Floats, contenders: Sequence[Contender]) -> Floats:
    """Return how uneven the game of each pair would be, below 100."""
    at = [contender.number - 1 for contender in contenders]
    uneven: Floats = 99.0 * np.square(2 * shares[np.ix_(at, at)] - 1)
    return uneven


def _with_free(costs: Floats, can_be_free: Sequence[bool]) -> Floats:
    """Add a place for the entrant without an opponent, cheapest for the last by rank."""
    count = len(costs)
    free = np.where(can_be_free, 99.0 * np.arange(count)[::-1] / count, np.inf)
    wider = np.pad(costs, (0, 1), constant_values=np.inf)
    wider[-1, :-1] = wider[:-1, -1] = free
    return wider
