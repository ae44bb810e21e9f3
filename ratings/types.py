"""Data types shared by all rating systems.

One structure fits all formats. A *match* has two or more *sides*. A side has a place (0 is best,
equal places tie), an optional score and one or more *participants*. A participant has a player,
a profession, seconds played and a flag for quitting. A duel is two sides of one player, a team game
two sides of n, and a free-for-all k sides of one.

Matches of the same shape that share no player form a *batch* and are rated at once. Every array of
a batch has the match as its first axis, so row ``i`` of a batch is computed exactly as in a batch
of match ``i`` alone. That is why live ratings and a replay agree bit for bit.

Letters in array shapes: ``n`` players, ``m`` matches of a batch, ``s`` sides, ``p`` participants of
one match (side by side).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Mapping

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]
Complexes = NDArray[np.complex128]

TermUnit = Literal["", "rating", "strength", "points", "deviation"]
"""The unit of a term of an explanation: nothing, a rating, the strength of a side, a difference of
ratings, or the uncertainty of one. It says how the term reads where other numbers than the ratings
are shown."""

MICROSECONDS_PER_SECOND = 1_000_000
NEVER = np.iinfo(np.int64).min
"""The ``last_played`` of a player without a rated match."""
WITHOUT_TIME = -(1 << 60)
"""The time of matches without one, in microseconds since 1970: some 36,000 years before."""


@dataclass
class States:
    """Rating states as parallel arrays, of players ``(n,)`` or a batch's participants ``(m, p)``.

    ``deviation`` and ``volatility`` are NaN for systems without them. ``memory`` holds anything
    else a system keeps: one row of floats per player, padded with NaN. Its width is 0 for most
    systems.
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
    def full(
        cls,
        shape: int | tuple[int, ...],
        *,
        rating: float = np.nan,
        deviation: float = np.nan,
        volatility: float = np.nan,
        width: int = 0,
    ) -> States:
        """Return identical newcomers' states with no games and an empty memory."""
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
        """Return the same states in new arrays."""
        return States(
            rating=self.rating.copy(),
            deviation=self.deviation.copy(),
            volatility=self.volatility.copy(),
            games=self.games.copy(),
            last_played=self.last_played.copy(),
            memory=self.memory.copy(),
        )

    def ravel(self) -> States:
        """Return the states of ``(m, p)`` participants as ``(m * p,)`` rows, match by match."""
        return States(
            rating=self.rating.ravel(),
            deviation=self.deviation.ravel(),
            volatility=self.volatility.ravel(),
            games=self.games.ravel(),
            last_played=self.last_played.ravel(),
            memory=self.memory.reshape(self.rating.size, self.memory.shape[-1]),
        )

    def joined_by(self, others: States) -> States:
        """Return these ``(n,)`` players followed by others, such as a later history's newcomers."""
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
        """Return the states at ``index``, in the shape of ``index``."""
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
        """Overwrite the rows at ``index`` with ``states`` (in the shape of ``index``)."""
        self.rating[index] = states.rating
        self.deviation[index] = states.deviation
        self.volatility[index] = states.volatility
        self.games[index] = states.games
        self.last_played[index] = states.last_played
        width = states.memory.shape[-1]
        if width == 0 == self.memory.shape[-1]:
            return
        if width > self.memory.shape[-1]:
            # A quarter extra: widening stays rare, and the extra memory small.
            self.memory = widen(self.memory, max(width, 5 * self.memory.shape[-1] // 4))
        self.memory[index, :width] = states.memory
        self.memory[index, width:] = np.nan


def widen(memory: Floats, width: int) -> Floats:
    """Return ``memory`` padded with NaN to ``width`` columns."""
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
    """``(m, s)``, NaN if there is none."""
    seconds: Floats
    """``(m, p)`` seconds played, NaN if unknown."""
    quits: Booleans
    """``(m, p)`` whether the participant quit."""
    professions: Integers
    """``(m, p)`` keys (``ratings.professions``), 0 for none."""
    times: Integers
    """``(m,)`` microseconds since 1970 (UTC)."""
    weights: Floats
    """``(m,)``, 1 by default."""
    perf_ceilings: Floats
    """``(m,)``, infinity by default."""
    played: Booleans | None = None
    """``(m,)`` as in ``History``, ``None`` if all matches were played."""
    first: Integers | None = None
    """``(m,)`` the first side as in ``History``, ``None`` if no match has one."""
    events: Mapping[int, Integers] | None = None
    """The events of matches by row, as in ``History``; ``None`` if none has any."""

    @property
    def side_of(self) -> Integers:
        """``(p,)`` side of each participant."""
        sides = np.arange(len(self.sizes))
        return sides if len(sides) == self.players.shape[-1] else np.repeat(sides, self.sizes)


class Matches(NamedTuple):
    """Matches of one shape, in the order in which compiled code rates them."""

    players: Integers
    """``(m, p)`` rows of the state table."""
    places: Integers
    """``(m, s)``."""
    seconds: Floats
    """``(m, p)`` seconds played, NaN if unknown."""
    times: Integers
    """``(m,)``."""
    weights: Floats
    """``(m,)``, including the factor for the margin of the score."""
    counts: Booleans
    """``(m,)`` whether the match has enough weight to change ratings."""
    leads: Floats
    """``(m,)`` what being first is worth to the side listed first, in rating points."""
    played: Booleans
    """``(m,)``."""
    ceilings: Floats
    """``(m,)``, infinity without a limit."""

    def part(self, start: int, stop: int) -> Matches:
        """Return the matches from ``start`` to before ``stop``."""
        rows = slice(start, stop)
        return Matches(
            self.players[rows],
            self.places[rows],
            self.seconds[rows],
            self.times[rows],
            self.weights[rows],
            self.counts[rows],
            self.leads[rows],
            self.played[rows],
            self.ceilings[rows],
        )


Loop = Callable[[Matches, States], None]
"""Rates matches in order into the table of all players."""


@dataclass(frozen=True)
class Outcome:
    """The result of rating a batch: the states after, and the terms of each change."""

    after: States
    """``(m, p)``. The replay updates ``games`` and ``last_played``, not the system."""
    terms: Mapping[str, Floats]
    """``(m, p)`` each, keyed by the names in the system's ``terms``."""
    ignored: Booleans | None = None
    """``(m,)`` whether the system ignores the match, so that no state changes, not even ``games``;
    ``None`` if no match is ignored. The replay fills it in, not the system."""


@dataclass(frozen=True)
class Term:
    """One number of an explanation, with the match page's wording."""

    name: str
    label: str
    help: str
    unit: TermUnit = ""
    optional: bool = False
    """Whether it is NaN where it says nothing, such as a limit that stops no change."""


@dataclass(frozen=True)
class Learnt:
    """The game as a system has learnt it from results; ``None`` for what it does not know yet."""

    first_side: float | None
    """The advantage of the first side, in rating points."""
    margin: float | None
    """The usual margin of a score for each rating point of a lead."""
    draws: float | None
    """The share of draws between equals."""
    pace: float | None
    """The speed at which ratings move, 1 as their deviations say."""


@dataclass(frozen=True)
class Forecast:
    """Chances of the outcomes of ``m`` matches of one shape."""

    win: Floats
    """``(m, s)`` chance that this side alone comes first. With ``draw`` it sums to 1."""
    draw: Floats
    """``(m,)``, 0 if the system does not model draws."""
