"""Several parameter sets of one system, rating the same duels side by side.

A replay of a history in which few players meet often spends most of its time on calling NumPy, not
on arithmetic. A fit replays the same history with many candidates, so their arrays are joined along
a last axis, and each call computes for all of them. Everything is computed element by element with
the formulas of the system itself, so each candidate ends with the same bits as on its own.

Letters in array shapes: ``c`` candidates, ``n`` players, ``m`` duels that share no player. The two
sides of a duel are the first axis, ``(2, m, c)``. ``k`` numbers per player form one table
``(k, n, c)``, so that one call gathers all of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ratings.types import Floats, Integers, States


class Candidates(ABC):
    """``c`` systems of one class that differ in numbers only."""

    rates_unplayed: ClassVar[bool] = True
    """Whether a match that was not played is rated like any other."""

    @abstractmethod
    def newcomers(self, players: int) -> Floats:
        """Return the table ``(k, n, c)`` of so many newcomers."""

    def at(self, before: Floats, idle: Integers) -> Floats:
        """Return ``before`` ``(k, 2, m, c)`` as of the match, ``idle`` ``(2, m, 1)`` µs after the
        players' last one. It is 0 for newcomers, and below 0 for late reports."""
        del idle
        return before

    @abstractmethod
    def chances(self, now: Floats, lead: Floats | float) -> Floats:
        """Return ``(2, m, c)`` both sides' chances, draws shared evenly.

        ``lead`` ``(m, c)`` is how much stronger being first makes the side listed first.
        """

    @abstractmethod
    def rate(self, now: Floats, lead: Floats | float, results: Floats, weights: Floats) -> Floats:
        """Return ``now`` after these duels.

        ``results`` ``(2, m, 1)`` are 1 for a win, ½ for a draw and 0 for a loss, ``weights`` is
        ``(m, 1)``.
        """

    @abstractmethod
    def states(self, table: Floats, games: Integers, last_played: Integers, which: int) -> States:
        """Return the states ``(n,)`` of one candidate."""


def column(values: Iterable[float]) -> float | Floats:
    """Return one number of each candidate as ``(c,)``, or as one number if all have the same."""
    found = list(values)
    return found[0] if len(set(found)) == 1 else np.array(found, dtype=np.float64)


def logistic_shares(first: Floats, second: Floats) -> Floats:
    """Return ``(2, …)`` shares of ``exp`` of two exponents, with the bits of ``shares_of_exp``."""
    small = np.exp(np.minimum(first, second) - np.maximum(first, second))
    favourite = 1.0 / (1.0 + small)
    underdog = small / (1.0 + small)
    ahead = first >= second
    return np.stack([np.where(ahead, favourite, underdog), np.where(ahead, underdog, favourite)])
