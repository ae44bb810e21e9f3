"""The several Glicko-2 ratings of one player: the core rating, and one for each profession.

The state's rating is the core. The rest is in memory. With rating periods, it starts with the
core's running period. Then each profession played so far has a block of its key, rating, deviation,
volatility and last match, and with rating periods its running period. A running period is its
number, the rating, deviation and volatility from before it, and its sums of surprise and
information.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ratings.systems.glicko.periods import first_columns
from ratings.systems.glicko2.update import Evidence

if TYPE_CHECKING:
    from ratings.types import Booleans, Floats, Integers, States

RUNNING = 6
"""Columns of a running period."""
PROFESSION = 5
"""Columns of a profession's block without a running period."""


class Track(NamedTuple):
    """One rating for each of a batch's participants, ``(m, p)``."""

    rating: Floats
    deviation: Floats
    volatility: Floats
    last_played: Integers
    running: Floats
    """``(m, p, RUNNING)``, NaN before the first period. ``(m, p, 0)`` without rating periods."""

    def played_at(self, times: Integers) -> Track:
        """Return it with ``last_played`` advanced. A late report never moves it back."""
        return self._replace(last_played=np.maximum(self.last_played, times))

    def where(self, condition: Booleans, other: Track) -> Track:
        """Return this rating where ``condition`` ``(m, p)`` holds, the ``other`` elsewhere."""
        return Track(
            np.where(condition, self.rating, other.rating),
            np.where(condition, self.deviation, other.deviation),
            np.where(condition, self.volatility, other.volatility),
            np.where(condition, self.last_played, other.last_played),
            np.where(condition[..., None], self.running, other.running),
        )


@dataclass(frozen=True)
class Layout:
    """Column layout of the memory."""

    by_period: bool

    @property
    def core(self) -> int:
        """Number of columns of the core."""
        return RUNNING if self.by_period else 0

    @property
    def block(self) -> int:
        """Number of columns per profession."""
        return PROFESSION + self.core

    def core_track(self, states: States) -> Track:
        """Return the core rating."""
        return Track(
            states.rating,
            states.deviation,
            states.volatility,
            states.last_played,
            first_columns(states.memory, self.core),
        )

    def profession_track(self, memory: Floats, keys: Integers, newcomer: Track) -> Track:
        """Return the rating for each profession key, or ``newcomer`` if it was never played."""
        _blocks, _slots, mine = self._find_slots(memory, keys)
        new = np.isnan(mine[..., 0])
        played = np.where(new, 0.0, mine[..., 4]).astype(np.int64)
        return Track(
            np.where(new, newcomer.rating, mine[..., 1]),
            np.where(new, newcomer.deviation, mine[..., 2]),
            np.where(new, newcomer.volatility, mine[..., 3]),
            np.where(new, newcomer.last_played, played),
            mine[..., PROFESSION:],
        )

    def memory(self, before: Floats, keys: Integers, core: Track, profession: Track) -> Floats:
        """Return the memory updated with these ratings, no wider than its fullest row needs.

        A key of 0 means that no profession was played, so none is written.
        """
        blocks, slots, mine = self._find_slots(before, keys)
        values = [keys, profession.rating, profession.deviation, profession.volatility]
        values += [profession.last_played]
        columns = np.stack([np.asarray(column, dtype=np.float64) for column in values], axis=-1)
        played = np.concatenate([columns, profession.running], axis=-1)
        updated = np.where((keys == 0)[..., None], mine, played)
        np.put_along_axis(blocks, slots[..., None, None], updated[..., None, :], axis=-2)
        needed = int((~np.isnan(blocks[..., 0])).sum(axis=-1).max())
        flat = blocks[..., :needed, :].reshape(*before.shape[:-1], needed * self.block)
        return np.concatenate([core.running, flat], axis=-1)

    def raise_by(self, memory: Floats, points: Floats) -> Floats:
        """Return the memory of players who are stronger by ``points``, in all their ratings."""
        result = memory.copy()
        width = memory.shape[-1]
        ratings = [1] if self.by_period and width else []
        for start in range(self.core, width, self.block):
            ratings += [start + 1, *([start + PROFESSION + 1] if self.by_period else [])]
        for column in ratings:
            if column < width:
                result[..., column] += points
        return result

    def blocks(self, memory: Floats) -> Floats:
        """Return ``(..., b, block)`` the professions' blocks, NaN if unused."""
        count = -(-max(0, memory.shape[-1] - self.core) // self.block)
        whole = first_columns(memory, self.core + count * self.block)
        return whole[..., self.core :].reshape(*memory.shape[:-1], count, self.block)

    def _find_slots(self, memory: Floats, keys: Integers) -> tuple[Floats, Integers, Floats]:
        """Return the blocks with room for one more, and each profession's slot and content."""
        blocks = self.blocks(memory)
        room = np.full((*blocks.shape[:-2], 1, self.block), np.nan)
        blocks = np.concatenate([blocks, room], axis=-2)
        held = blocks[..., 0]
        mine = held == keys[..., None]
        used = (~np.isnan(held)).sum(axis=-1)
        slots = np.where(mine.any(axis=-1), mine.argmax(axis=-1), used)
        inside = np.take_along_axis(blocks, slots[..., None, None], axis=-2)[..., 0, :]
        return blocks, slots, inside


class PeriodState(NamedTuple):
    """A rating's state before a period, and the sums of the period so far, ``(m, p)``.

    Without rating periods, every match is a period.
    """

    rating: Floats
    deviation: Floats
    volatility: Floats
    surprise: Floats | float = 0.0
    information: Floats | float = 0.0
    period: Floats | float = 0.0

    @classmethod
    def of(cls, track: Track, deviation: Floats) -> PeriodState:
        """Start a new period with the deviation after inactivity."""
        return cls(track.rating, deviation, track.volatility)

    @classmethod
    def of_period(
        cls, track: Track, deviation: Floats, period: Integers, running: Booleans
    ) -> PeriodState:
        """Continue the ``running`` period if it is current, else start a new one."""
        number, rating, start_deviation, volatility, surprise, information = np.moveaxis(
            track.running, -1, 0
        )
        return cls(
            np.where(running, rating, track.rating),
            np.where(running, start_deviation, deviation),
            np.where(running, volatility, track.volatility),
            np.where(running, surprise, 0.0),
            np.where(running, information, 0.0),
            np.where(running, number, period),
        )

    def with_games(self, surprise: Floats, information: Floats) -> Evidence:
        """Return the period's evidence including these games."""
        return Evidence(self.surprise + surprise, self.information + information)

    def running(self, evidence: Evidence) -> Floats:
        """Return the ``(m, p, RUNNING)`` columns of the period with this evidence."""
        start = (self.period, self.rating, self.deviation, self.volatility)
        columns = np.broadcast_arrays(*start, evidence.surprise, evidence.information)
        return np.stack(columns, axis=-1)


@dataclass(frozen=True)
class ProfessionRating:
    """A player's rating with one profession."""

    rating: float
    deviation: float
    volatility: float
