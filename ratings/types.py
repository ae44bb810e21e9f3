"""The shapes that every rating system shares.

One shape serves all formats. A *match* has two or more *sides*; a side has a place (0 is best,
equal places tie), an optional score and one or more *participants*; a participant has a player,
a profession, seconds played and whether they quit. A duel is two sides of one, a team game two
sides of n, a free-for-all k sides of one.

Matches of the same shape that share no player form a *batch* and are rated at once. Every array of
a batch has the match as its first axis, so row ``i`` of a batch is the same computation as a batch
that holds match ``i`` alone: that is what makes live ratings and a replay agree bit for bit.

Letters in array shapes: ``n`` players, ``m`` matches of a batch, ``s`` sides, ``p`` participants of
one match (side after side).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Mapping

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]
Complexes = NDArray[np.complex128]

MICROSECONDS_PER_SECOND = 1_000_000
NEVER = np.iinfo(np.int64).min
"""``last_played`` of a player without a rated match."""


@dataclass
class States:
    """Rating states as parallel arrays.

    They are of players ``(n,)`` or of a batch's participants ``(m, p)``.

    ``deviation`` and ``volatility`` are NaN where a system has none. ``memory`` is what else a
    system keeps, one row of floats a player, padded with NaN; its width is 0 for most systems.
    """

    rating: Floats
    deviation: Floats
    volatility: Floats
    games: Integers
    last_played: Integers
    """Microseconds since 1970 (UTC), ``NEVER`` for newcomers."""
    memory: Floats
    """``(..., width)``."""

    @classmethod
    def filled(
        cls,
        shape: int | tuple[int, ...],
        *,
        rating: float = np.nan,
        deviation: float = np.nan,
        volatility: float = np.nan,
        width: int = 0,
    ) -> States:
        """Newcomers' states, all alike: no game, never played, empty memory."""
        shape = (shape,) if isinstance(shape, int) else shape
        return cls(
            rating=np.full(shape, rating, dtype=np.float64),
            deviation=np.full(shape, deviation, dtype=np.float64),
            volatility=np.full(shape, volatility, dtype=np.float64),
            games=np.zeros(shape, dtype=np.int64),
            last_played=np.full(shape, NEVER, dtype=np.int64),
            memory=np.full((*shape, width), np.nan),
        )

    def __len__(self) -> int:
        return len(self.rating)

    def copy(self) -> States:
        """The same states in arrays of their own."""
        return States(
            rating=self.rating.copy(),
            deviation=self.deviation.copy(),
            volatility=self.volatility.copy(),
            games=self.games.copy(),
            last_played=self.last_played.copy(),
            memory=self.memory.copy(),
        )

    def ravel(self) -> States:
        """The states of ``(m, p)`` participants as ``(m * p,)`` rows, match after match."""
        return States(
            rating=self.rating.ravel(),
            deviation=self.deviation.ravel(),
            volatility=self.volatility.ravel(),
            games=self.games.ravel(),
            last_played=self.last_played.ravel(),
            memory=self.memory.reshape(self.rating.size, self.memory.shape[-1]),
        )

    def joined_by(self, others: States) -> States:
        """These ``(n,)`` players followed by others, for the newcomers of a later history."""
        width = max(self.memory.shape[-1], others.memory.shape[-1])
        return States(
            rating=np.concatenate([self.rating, others.rating]),
            deviation=np.concatenate([self.deviation, others.deviation]),
            volatility=np.concatenate([self.volatility, others.volatility]),
            games=np.concatenate([self.games, others.games]),
            last_played=np.concatenate([self.last_played, others.last_played]),
            memory=np.concatenate([widen(self.memory, width), widen(others.memory, width)]),
        )

    def take(self, index: Integers | slice) -> States:
        """The states at ``index``, in the shape of ``index``."""
        return States(
            rating=self.rating[index],
            deviation=self.deviation[index],
            volatility=self.volatility[index],
            games=self.games[index],
            last_played=self.last_played[index],
            memory=self.memory[index]
            if isinstance(index, slice)
            else self.memory.take(index, axis=0),
        )

    def put(self, index: Integers | slice, states: States) -> None:
        """Write ``states`` (in the shape of ``index``) over the rows at ``index``."""
        self.rating[index] = states.rating
        self.deviation[index] = states.deviation
        self.volatility[index] = states.volatility
        self.games[index] = states.games
        self.last_played[index] = states.last_played
        width = states.memory.shape[-1]
        if width == 0 == self.memory.shape[-1]:
            return
        if width > self.memory.shape[-1]:
            # A quarter to spare: enough to widen seldom, little to carry along.
            self.memory = widen(self.memory, max(width, 5 * self.memory.shape[-1] // 4))
        self.memory[index, :width] = states.memory
        self.memory[index, width:] = np.nan


def widen(memory: Floats, width: int) -> Floats:
    """``memory`` padded with NaN to ``width`` columns."""
    padding = np.full((*memory.shape[:-1], width - memory.shape[-1]), np.nan)
    return np.concatenate([memory, padding], axis=-1)


@dataclass(frozen=True)
class Batch:
    """``m`` matches of one shape that share no player."""

    sizes: tuple[int, ...]
    """Participants of each of the ``s`` sides."""
    players: Integers
    """``(m, p)`` rows of the state table."""
    places: Integers
    """``(m, s)``, 0 is best, equal places tie."""
    scores: Floats
    """``(m, s)``, NaN where none was kept."""
    seconds: Floats
    """``(m, p)`` seconds played, NaN where none were kept."""
    quits: Booleans
    """``(m, p)``."""
    professions: Integers
    """``(m, p)`` keys (``ratings.professions``), 0 for none."""
    times: Integers
    """``(m,)`` microseconds since 1970 (UTC)."""
    weights: Floats
    """``(m,)``, 1 by default."""
    perf_ceilings: Floats
    """``(m,)``, infinity by default."""
    played: Booleans | None = None
    """``(m,)``, as of a history; none where all were."""

    @property
    def side_of(self) -> Integers:
        """``(p,)`` the side of each participant."""
        sides = np.arange(len(self.sizes))
        return sides if len(sides) == self.players.shape[-1] else np.repeat(sides, self.sizes)


@dataclass(frozen=True)
class Outcome:
    """What rating a batch gives: the states after, and the terms that made up each change."""

    after: States
    """``(m, p)``; ``games`` and ``last_played`` are the replay's to advance, not the system's."""
    terms: Mapping[str, Floats]
    """Each ``(m, p)``, by the names that the system declares in ``terms``."""


@dataclass(frozen=True)
class Term:
    """One number of an explanation, as the match page words it."""

    name: str
    label: str
    help: str


@dataclass(frozen=True)
class Forecast:
    """Chances of the outcomes of ``m`` matches of one shape."""

    win: Floats
    """``(m, s)`` chance that this side alone comes first; with ``draw`` it sums to 1."""
    draw: Floats
    """``(m,)``, 0 where the system models no draw."""
