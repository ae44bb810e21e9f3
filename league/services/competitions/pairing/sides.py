"""The choice of home or white, by article 5 of the FIDE Dutch system (Handbook C.04.3).

In the words of chess, the side at home has white.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction


class Strength(IntEnum):
    """The strength of a preference."""

    NONE = 0
    MILD = 1
    STRONG = 2
    ABSOLUTE = 3


@dataclass(frozen=True)
class Contender:
    """An entrant who is to be paired."""

    entrant: int
    number: int
    """The place in the initial order, from 1."""
    score: Fraction
    sides: Sequence[bool]
    """Of the games that were played, True for each at home."""

    @property
    def rank(self) -> tuple[Fraction, int]:
        """Return a key by which those with a higher rank come first."""
        return -self.score, self.number

    @cached_property
    def surplus(self) -> int:
        """Return the games at home less those away."""
        return 2 * sum(self.sides) - len(self.sides)

    @cached_property
    def wants_home(self) -> bool | None:
        """Return the side that is due; ``None`` before the first game."""
        if not self.sides:
            return None
        return self.surplus < 0 if self.surplus else not self.sides[-1]

    @cached_property
    def strength(self) -> Strength:
        if not self.sides:
            return Strength.NONE
        if abs(self.surplus) > 1 or (len(self.sides) > 1 and self.sides[-1] == self.sides[-2]):
            return Strength.ABSOLUTE
        return Strength.STRONG if self.surplus else Strength.MILD


def clash(one: Contender, other: Contender) -> bool:
    """Return whether both must have the same side next."""
    return (
        one.wants_home == other.wants_home and one.strength == other.strength == Strength.ABSOLUTE
    )


def home_and_away(
    one: Contender, other: Contender, *, first_home: bool = True
) -> tuple[Contender, Contender]:
    """Return two opponents in order (home, away).

    Args:
        first_home: whether odd numbers start at home, as drawn by lot before the first round.
    """
    higher, lower = sorted((one, other), key=lambda contender: contender.rank)
    return (higher, lower) if _higher_at_home(higher, lower, first_home) else (lower, higher)


def _higher_at_home(higher: Contender, lower: Contender, first_home: bool) -> bool:
    ours, theirs = higher.wants_home, lower.wants_home
    if ours is not None and theirs is not None and ours != theirs:
        return ours
    if higher.strength != lower.strength:
        return bool(ours) if higher.strength > lower.strength else not theirs
    if higher.strength == Strength.ABSOLUTE and abs(higher.surplus) != abs(lower.surplus):
        return bool(ours) if abs(higher.surplus) > abs(lower.surplus) else not theirs
    for mine, yours in zip(reversed(higher.sides), reversed(lower.sides), strict=False):
        if mine != yours:
            return yours
    return ours if ours is not None else (higher.number % 2 == 1) == first_home
