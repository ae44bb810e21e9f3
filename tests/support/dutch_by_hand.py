"""The Dutch system of FIDE as its articles read, for small fields.

Every legal round is listed. Bracket by bracket, those that meet the criteria best remain (C.04.3 in
force since February 2026, articles 2 to 4), and of equals the one that the articles come to first.
Points, floats, wishes and sides are computed from the results alone.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from league.services.competitions.pairing.swiss import SwissStanding
from league.services.competitions.standings.entrant_rounds import Result
from tests.support.swiss_by_hand import Pairs, every_round, points_of

NONE, MILD, STRONG, ABSOLUTE = range(4)
FAR = Fraction(10**6)
"""More than any difference of scores: an entrant who floats on has a larger one (C.18, C.20)."""


@dataclass(frozen=True)
class Card:
    """What the articles ask of an entrant before a round."""

    number: int
    score: Fraction
    sides: str
    """``h`` for a game at home, ``a`` for one away."""
    floats: tuple[str, str]
    """``down``, ``up`` or nothing in the round before, and two before."""
    unplayed: int
    leads: bool

    @property
    def rank(self) -> tuple[Fraction, int]:
        return -self.score, self.number

    @property
    def surplus(self) -> int:
        return self.sides.count("h") - self.sides.count("a")

    @property
    def wish(self) -> str:
        if not self.sides:
            return ""
        if self.surplus:
            return "a" if self.surplus > 0 else "h"
        return "a" if self.sides[-1] == "h" else "h"

    @property
    def strength(self) -> int:
        if not self.sides:
            return NONE
        if abs(self.surplus) > 1 or self.sides[-2:] in {"hh", "aa"}:
            return ABSOLUTE
        return STRONG if self.surplus else MILD


def cards_of(standing: SwissStanding) -> dict[int, Card]:
    """Return the cards of all who play this round."""
    before = {
        entrant: [score_after(standing, entrant, number) for number in range(standing.round)]
        for entrant in standing.entrants
    }
    cards = {}
    for number, entrant in enumerate(standing.entrants, start=1):
        if entrant in standing.out:
            continue
        rounds = [result_of(standing, entrant, each) for each in range(1, standing.round)]
        games = [each for each in rounds if each and each.played and each.away is not None]
        half = standing.points.win * (standing.round - 1)
        score = before[entrant][-1]
        cards[entrant] = Card(
            number,
            score,
            "".join("h" if each.home == entrant else "a" for each in games),
            (
                float_of(standing, entrant, standing.round - 1, before),
                float_of(standing, entrant, standing.round - 2, before),
            ),
            len(rounds) - len(games),
            standing.round == standing.rounds and 2 * score > half,
        )
    return cards


def result_of(standing: SwissStanding, entrant: int, number: int) -> Result | None:
    found = [
        each
        for each in standing.results
        if each.round == number and entrant in {each.home, each.away}
    ]
    return found[0] if found else None


def score_after(standing: SwissStanding, entrant: int, number: int) -> Fraction:
    return sum(
        (
            points_of(each, entrant, standing.points)
            for each in standing.results
            if each.round <= number
        ),
        Fraction(0),
    )


def float_of(
    standing: SwissStanding, entrant: int, number: int, before: dict[int, list[Fraction]]
) -> str:
    """Return the float of a round (1.4.2 to 1.4.4)."""
    result = result_of(standing, entrant, number) if number > 0 else None
    if result is None:
        return ""
    if not result.played or result.away is None:
        allocated = result.away is None and result.outcome.value == "home"
        more = points_of(result, entrant, standing.points) > standing.points.loss
        return "down" if allocated or more else ""
    other = result.away if result.home == entrant else result.home
    own, theirs = before[entrant][number - 1], before[other][number - 1]
    return "" if own == theirs else "down" if own > theirs else "up"


def dutch_round(standing: SwissStanding) -> set[tuple[int, int | None]] | None:
    """Return the round as (home, away), a bye with ``None``; ``None`` if no round is legal."""
    cards = cards_of(standing)
    rounds = list(every_round(standing))
    if not rounds:
        return None
    lowest = min(_bye_score(cards, each) for each in rounds)
    rounds = [each for each in rounds if _bye_score(cards, each) == lowest]
    floating: list[int] = []
    for score in sorted({card.score for card in cards.values()}, reverse=True):
        below = [one for one, card in cards.items() if card.score < score]
        next_score = max((cards[one].score for one in below), default=None)
        residents = [one for one, card in cards.items() if card.score == score]
        following = [one for one in below if cards[one].score == next_score]
        bracket = Bracket(cards, floating, residents, following, standing.first_home)
        rounds = bracket.best_of(rounds)
        floating = bracket.left_over(rounds[0])
    assert len(rounds) == 1
    return {
        (one, None) if other is None else home_and_away(cards, one, other, standing.first_home)
        for one, other in rounds[0]
    }


def _bye_score(cards: dict[int, Card], pairs: Pairs) -> Fraction:
    return sum((cards[one].score for one, other in pairs if other is None), Fraction(0))


@dataclass(frozen=True)
class Bracket:
    """A score group with those who floated down to it."""

    cards: dict[int, Card]
    floating: Sequence[int]
    residents: Sequence[int]
    following: Sequence[int]
    """The next score group."""
    first_home: bool

    def best_of(self, rounds: list[Pairs]) -> list[Pairs]:
        """Return the rounds whose games in this bracket are the best, and the same."""
        by_games = defaultdict(list)
        for pairs in rounds:
            by_games[frozenset(self.games(pairs))].append(pairs)
        looks_ahead = defaultdict(list)
        for pairs in rounds:
            left = self.left_over(pairs)
            follows = self._floats(pairs, [*left, *self.following]) if self.following else ()
            looks_ahead[frozenset(left)].append(follows)
        keys = {
            games: self._key(alike[0], min(looks_ahead[frozenset(self.left_over(alike[0]))]))
            for games, alike in by_games.items()
        }
        return by_games[min(keys, key=lambda games: keys[games])]

    def games(self, pairs: Pairs) -> list[tuple[int, int]]:
        """Return the games inside the bracket, each with the higher rank first."""
        inside = {*self.floating, *self.residents}
        return [
            (one, other) if self.cards[one].rank < self.cards[other].rank else (other, one)
            for one, other in pairs
            if one in inside and other in inside and other is not None
        ]

    def left_over(self, pairs: Pairs) -> list[int]:
        return self._left_of(pairs, [*self.floating, *self.residents])

    def _left_of(self, pairs: Pairs, bracket: Sequence[int]) -> list[int]:
        partner = {one: other for pair in pairs for one, other in (pair, pair[::-1])}
        return [one for one in bracket if partner[one] not in bracket]

    def _floats(self, pairs: Pairs, bracket: Sequence[int]) -> tuple[Any, ...]:
        """Return the number of those who float down and their scores (C.6, C.7)."""
        left = self._left_of(pairs, bracket)
        return len(left), sorted((self.cards[one].score for one in left), reverse=True)

    def _key(self, pairs: Pairs, ahead: tuple[Any, ...]) -> tuple[Any, ...]:
        games, left = self.games(pairs), self.left_over(pairs)
        free = next((one for one, other in pairs if other is None), None)
        return (
            *self._floats(pairs, [*self.floating, *self.residents]),
            ahead,
            self.cards[free].unplayed if free is not None and left == [free] else 0,
            *self._side_criteria(games),
            *self._float_criteria(games, left),
            *self._place(games, left),
        )

    def _side_criteria(self, games: Sequence[tuple[int, int]]) -> tuple[int, ...]:
        """Return C.10 to C.13."""
        wide = thrice = denied = strongly = 0
        for one, other in games:
            home, _away = home_and_away(self.cards, one, other, self.first_home)
            topscorers = self.cards[one].leads or self.cards[other].leads
            for each in (one, other):
                card, side = self.cards[each], "h" if each == home else "a"
                wide += topscorers and abs(card.surplus + (1 if side == "h" else -1)) > 2
                thrice += topscorers and (card.sides + side)[-3:] == 3 * side
                denied += card.wish not in {"", side}
                strongly += card.strength == STRONG and card.wish != side
        return wide, thrice, denied, strongly

    def _float_criteria(
        self, games: Sequence[tuple[int, int]], left: Sequence[int]
    ) -> tuple[Any, ...]:
        """Return C.14 to C.21."""
        cards = self.cards
        down = [[one for one in cards if cards[one].floats[ago] == "down"] for ago in (0, 1)]
        up = [[one for one in cards if cards[one].floats[ago] == "up"] for ago in (0, 1)]
        mixed = [(one, other) for one, other in games if one in self.floating]
        differences = {one: cards[one].score - cards[other].score for one, other in mixed}
        differences |= {one: cards[one].score + FAR for one in left if one in self.floating}
        raised = {other: cards[one].score - cards[other].score for one, other in mixed}
        counts = [
            sum(one in among for one in some)
            for ago in (0, 1)
            for some, among in (
                ([one for one in left if one in self.residents], down[ago]),
                (raised, up[ago]),
            )
        ]
        lists = [
            sorted((some[one] for one in some if one in among), reverse=True)
            for ago in (0, 1)
            for some, among in ((differences, down[ago]), (raised, up[ago]))
        ]
        return (*counts, *lists)

    def _place(self, games: Sequence[tuple[int, int]], left: Sequence[int]) -> tuple[Any, ...]:
        """Return a key for the order of articles 3.6, 3.7 and 4."""
        order = sorted([*self.floating, *self.residents], key=lambda one: self.cards[one].rank)
        mixed = sorted(
            (order.index(one), order.index(other)) for one, other in games if one in self.floating
        )
        above = {other for one, other in games if one in self.floating}
        rest = sorted(
            (one for one in self.residents if one not in above),
            key=lambda one: self.cards[one].rank,
        )
        inside = sorted((rest.index(one), rest.index(other)) for one, other in games if one in rest)
        first = range(len(inside))
        moved_down = [one for one in first if one not in [pair[0] for pair in inside]]
        moved_up = [one for one, _other in inside if one not in first]
        return (
            [one for one, _other in mixed],
            [other for _one, other in mixed],
            len(moved_up),
            sum(moved_up) - sum(moved_down),
            sorted(-one for one in moved_down),
            sorted(moved_up),
            [other for _one, other in inside],
        )


def home_and_away(
    cards: dict[int, Card], one: int, other: int, first_home: bool
) -> tuple[int, int]:
    """Return who is at home first (article 5.2)."""
    higher, lower = sorted((one, other), key=lambda each: cards[each].rank)
    side = _side_of_higher(cards[higher], cards[lower], first_home)
    return (higher, lower) if side == "h" else (lower, higher)


def _side_of_higher(higher: Card, lower: Card, first_home: bool) -> str:
    turned = {"h": "a", "a": "h", "": ""}
    if higher.wish != lower.wish and higher.wish and lower.wish:
        return higher.wish
    if higher.strength != lower.strength:
        return higher.wish if higher.strength > lower.strength else turned[lower.wish]
    if higher.strength == ABSOLUTE and abs(higher.surplus) != abs(lower.surplus):
        return higher.wish if abs(higher.surplus) > abs(lower.surplus) else turned[lower.wish]
    for mine, theirs in zip(higher.sides[::-1], lower.sides[::-1], strict=False):
        if mine != theirs:
            return turned[mine]
    if higher.wish:
        return higher.wish
    return "h" if (higher.number % 2 == 1) == first_home else "a"
