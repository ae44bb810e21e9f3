"""The several Glicko-2 ratings of one player: the core rating, and one for each profession.

The state's rating is the core. The rest is in memory: with rating periods, the core's running
period; then for each profession played so far a block of its key, rating, deviation, volatility and
last match, and with rating periods its running period. A running period is its number, the rating,
deviation and volatility from before it, and the sums of surprise and information in it.
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
"""Columns of a profession's block without one."""


class Track(NamedTuple):
    """One rating each of a batch's participants, ``(m, p)``."""

    rating: Floats
    deviation: Floats
    volatility: Floats
    last_played: Integers
    running: Floats
    """``(m, p, RUNNING)``, NaN before the first period; ``(m, p, 0)`` without rating periods."""

    def played_at(self, times: Integers) -> Track:
        """The same with the clock advanced; a match told late does not set it back."""
        return self._replace(last_played=np.maximum(self.last_played, times))

    def where(self, condition: Booleans, other: Track) -> Track:
        """This rating where ``condition`` ``(m, p)`` holds, the ``other`` elsewhere."""
        return Track(
            np.where(condition, self.rating, other.rating),
            np.where(condition, self.deviation, other.deviation),
            np.where(condition, self.volatility, other.volatility),
            np.where(condition, self.last_played, other.last_played),
            np.where(condition[..., None], self.running, other.running),
        )


@dataclass(frozen=True)
class Layout:
    """Where in memory things are."""

    by_period: bool

    @property
    def core(self) -> int:
        """Columns of the core."""
        return RUNNING if self.by_period else 0

    @property
    def block(self) -> int:
        """Columns of a profession."""
        return PROFESSION + self.core

    def core_track(self, states: States) -> Track:
        """The core rating."""
        return Track(
            states.rating,
            states.deviation,
            states.volatility,
            states.last_played,
            first_columns(states.memory, self.core),
        )

    def profession_track(self, memory: Floats, keys: Integers, newcomer: Track) -> Track:
        """The rating for the profession of each key, ``newcomer``'s for one never played."""
        _blocks, _slots, mine = self._opened(memory, keys)
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
        """Memory with these ratings in it, no wider than its fullest row needs.

        Where the key is 0 no profession was played, and none is written.
        """
        blocks, slots, mine = self._opened(before, keys)
        told = [keys, profession.rating, profession.deviation, profession.volatility]
        told += [profession.last_played]
        columns = np.stack([np.asarray(column, dtype=np.float64) for column in told], axis=-1)
        played = np.concatenate([columns, profession.running], axis=-1)
        written = np.where((keys == 0)[..., None], mine, played)
        np.put_along_axis(blocks, slots[..., None, None], written[..., None, :], axis=-2)
        needed = int((~np.isnan(blocks[..., 0])).sum(axis=-1).max())
        flat = blocks[..., :needed, :].reshape(*before.shape[:-1], needed * self.block)
        return np.concatenate([core.running, flat], axis=-1)

    def blocks(self, memory: Floats) -> Floats:
        """``(..., b, block)`` the professions' blocks, NaN where there is none."""
        count = -(-max(0, memory.shape[-1] - self.core) // self.block)
        whole = first_columns(memory, self.core + count * self.block)
        return whole[..., self.core :].reshape(*memory.shape[:-1], count, self.block)

    def _opened(self, memory: Floats, keys: Integers) -> tuple[Floats, Integers, Floats]:
        """The blocks with room for one more, the slot of each profession, and what is in it."""
        blocks = self.blocks(memory)
        room = np.full((*blocks.shape[:-2], 1, self.block), np.nan)
        blocks = np.concatenate([blocks, room], axis=-2)
        held = blocks[..., 0]
        mine = held == keys[..., None]
        used = (~np.isnan(held)).sum(axis=-1)
        slots = np.where(mine.any(axis=-1), mine.argmax(axis=-1), used)
        inside = np.take_along_axis(blocks, slots[..., None, None], axis=-2)[..., 0, :]
        return blocks, slots, inside


class Opened(NamedTuple):
    """What a rating brings into a period, and the sums of the period so far, ``(m, p)``.

    Without rating periods every match is one.
    """

    rating: Floats
    deviation: Floats
    volatility: Floats
    surprise: Floats | float = 0.0
    information: Floats | float = 0.0
    period: Floats | float = 0.0

    @classmethod
    def of(cls, track: Track, deviation: Floats) -> Opened:
        """A period of its own, begun with what inactivity made of the deviation."""
        return cls(track.rating, deviation, track.volatility)

    @classmethod
    def of_period(
        cls, track: Track, deviation: Floats, period: Integers, running: Booleans
    ) -> Opened:
        """The ``running`` period where it is the one to count in, else a new one."""
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
        """What the period says with these games added."""
        return Evidence(self.surprise + surprise, self.information + information)

    def running(self, evidence: Evidence) -> Floats:
        """``(m, p, RUNNING)`` of the period with this evidence."""
        brought = (self.period, self.rating, self.deviation, self.volatility)
        columns = np.broadcast_arrays(*brought, evidence.surprise, evidence.information)
        return np.stack(columns, axis=-1)


@dataclass(frozen=True)
class ProfessionRating:
    """What a player is rated at with one profession."""

    rating: float
    deviation: float
    volatility: float
