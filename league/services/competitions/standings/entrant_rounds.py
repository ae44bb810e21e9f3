"""Results from each side's view: the rounds of an entrant and their points.

Pure: tables, tie-breaks and Swiss pairings are computed from these.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Outcome(Enum):
    """The result of a fixture, as its home side sees it."""

    HOME = "home"
    DRAW = "draw"
    AWAY = "away"
    NOBODY = "nobody"
    """Both lose, as when neither side came."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a fixture, or of a round without an opponent (``away`` is ``None``).

    Without an opponent, ``HOME`` is a bye that the pairing gave, ``DRAW`` one that the entrant
    asked for, which counts as a draw, and ``NOBODY`` an absence without points.
    """

    round: int
    home: int
    away: int | None
    outcome: Outcome
    played: bool = True
    """False for a forfeit."""
    scores: tuple[Fraction, Fraction] = (Fraction(0), Fraction(0))
    """Exact, so that half points add up."""


@dataclass(frozen=True, slots=True)
class PointsRules:
    """The points for results. Exact, so that equal sums are equal."""

    win: Fraction = Fraction(1)
    draw: Fraction = Fraction(1, 2)
    loss: Fraction = Fraction(0)
    forfeit: Fraction = Fraction(0)
    """For the side that did not come."""
    bye: Fraction = Fraction(1)
    """For a round in which the pairing left no opponent."""

    @classmethod
    def of(cls, win: float, draw: float, loss: float, forfeit: float, bye: float) -> PointsRules:
        """Return rules from decimal numbers, as they are written: 0.1 is a tenth."""
        return cls(*(Fraction(str(number)) for number in (win, draw, loss, forfeit, bye)))


class EntrantRound(NamedTuple):
    """One round of one entrant."""

    round: int
    opponent: int | None
    home: bool
    points: Fraction
    share: Fraction
    """1 for a win, 1/2 for a draw, 0 for a loss, with or without a game."""
    played: bool
    asked: bool
    """Whether a round without an opponent was the entrant's own choice."""
    scored: Fraction = Fraction(0)
    conceded: Fraction = Fraction(0)

    @property
    def forgone(self) -> bool:
        """Return whether the entrant gave the round up, before it or by a forfeit."""
        return self.asked or (self.opponent is not None and not self.played and not self.share)


WON, DRAWN, LOST = Fraction(1), Fraction(1, 2), Fraction(0)
SHARES = {
    Outcome.HOME: (WON, LOST),
    Outcome.DRAW: (DRAWN, DRAWN),
    Outcome.AWAY: (LOST, WON),
    Outcome.NOBODY: (LOST, LOST),
}


def collect_rounds(
    entrants: Sequence[int], results: Iterable[Result], points: PointsRules
) -> dict[int, list[EntrantRound]]:
    """Return the rounds of each entrant in their order.

    Raises:
        ValueError: a result names somebody who is no entrant, or one entrant twice.
    """
    own_rounds: dict[int, list[EntrantRound]] = {entrant: [] for entrant in entrants}
    if len(own_rounds) != len(entrants):
        raise ValueError("an entrant is listed twice")
    for result in results:
        unknown = {result.home, result.away} - own_rounds.keys() - {None}
        if unknown:
            raise ValueError(f"not an entrant: {unknown.pop()}")
        if result.home == result.away:
            raise ValueError(f"against itself: {result.home}")
        for entrant, one_round in _sides(result, points):
            own_rounds[entrant].append(one_round)
    for rounds in own_rounds.values():
        rounds.sort(key=lambda one_round: one_round.round)
    return own_rounds


def absent(number: int) -> EntrantRound:
    """Return a round that an entrant missed, such as one before a late entry."""
    return EntrantRound(number, None, home=False, points=LOST, share=LOST, played=False, asked=True)


def with_absences(own_rounds: Sequence[EntrantRound], rounds: int) -> list[EntrantRound]:
    """Return the rounds of an entrant from 1 to ``rounds``, with those that were missed."""
    there = {one_round.round for one_round in own_rounds}
    missed = (absent(number) for number in range(1, rounds + 1) if number not in there)
    return sorted([*own_rounds, *missed], key=lambda one_round: one_round.round)


def _sides(result: Result, points: PointsRules) -> list[tuple[int, EntrantRound]]:
    home_share, away_share = SHARES[result.outcome]
    if result.away is None:
        return [(result.home, _alone(result, home_share, points))]
    scored, conceded = result.scores
    home = EntrantRound(
        result.round,
        result.away,
        home=True,
        points=_worth(home_share, points, played=result.played),
        share=home_share,
        played=result.played,
        asked=False,
        scored=scored,
        conceded=conceded,
    )
    away = home._replace(
        opponent=result.home,
        home=False,
        points=_worth(away_share, points, played=result.played),
        share=away_share,
        scored=conceded,
        conceded=scored,
    )
    return [(result.home, home), (result.away, away)]


def _worth(share: Fraction, points: PointsRules, *, played: bool) -> Fraction:
    if share == LOST and not played:
        return points.forfeit
    return {WON: points.win, DRAWN: points.draw, LOST: points.loss}[share]


def _alone(result: Result, share: Fraction, points: PointsRules) -> EntrantRound:
    given = {Outcome.HOME: points.bye, Outcome.DRAW: points.draw, Outcome.NOBODY: Fraction(0)}
    if result.outcome not in given:
        raise ValueError(f"nobody to lose against in round {result.round}: {result.home}")
    return EntrantRound(
        result.round,
        None,
        home=False,
        points=given[result.outcome],
        share=share,
        played=False,
        asked=result.outcome is not Outcome.HOME,
    )
