"""A player's memory in Laurel besides rating and deviation.

A row of ``States.memory`` starts with the draws played and how many of them were to be expected
(``ratings.systems.laurel.duel.exposure``), the beliefs and their evidence, and the sensitivities of
the rating (``ratings.systems.laurel.beliefs``). A block follows for each context played so far: its
key, how much stronger the player is in it than as a whole, and the variance of that. All are in
units of luck.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ratings.systems.laurel.beliefs import COUNT
from ratings.types import widen

if TYPE_CHECKING:
    from ratings.types import Floats, Integers

DRAWS = slice(0, 2)
BELIEFS = slice(2, 2 + COUNT)
EVIDENCE = slice(2 + COUNT, 2 + 2 * COUNT)
SENSITIVITIES = slice(2 + 2 * COUNT, 4 + 2 * COUNT)
HEAD = 4 + 2 * COUNT
BLOCK = 3


class Memory(NamedTuple):
    """The columns of a batch's participants ``(m, p)``."""

    draws: Floats
    """``(m, p, 2)`` played and expected."""
    beliefs: Floats
    """``(m, p, COUNT)``."""
    evidence: Floats
    sensitivities: Floats
    """``(m, p, 2)`` of the rating, by trust and by pace."""
    blocks: Floats
    """``(m, p, b, BLOCK)``."""

    @classmethod
    def read(cls, memory: Floats, newcomer: Floats) -> Memory:
        """Read ``memory`` ``(m, p, width)``. ``newcomer`` ``(HEAD,)`` is that of newcomers."""
        rows = memory if memory.shape[-1] >= HEAD else widen(memory, HEAD)
        head = np.where(np.isnan(rows[..., :1]), newcomer, rows[..., :HEAD])
        count = (rows.shape[-1] - HEAD) // BLOCK
        blocks = rows[..., HEAD : HEAD + count * BLOCK]
        return cls(
            head[..., DRAWS],
            head[..., BELIEFS],
            head[..., EVIDENCE],
            head[..., SENSITIVITIES],
            blocks.reshape(*rows.shape[:-1], count, BLOCK),
        )

    def context(self, keys: Integers, variance: float) -> tuple[Floats, Floats]:
        """Return the ``(m, p)`` offset and its variance in contexts, 0 and 0 where none is."""
        mine = self.blocks[..., 0] == keys[..., None]
        offset = np.where(mine, self.blocks[..., 1], 0.0).sum(axis=-1)
        spread = np.where(mine, self.blocks[..., 2], 0.0).sum(axis=-1)
        spread = np.where(mine.any(axis=-1), spread, variance)
        known = keys != 0
        return np.where(known, offset, 0.0), np.where(known, spread, 0.0)

    def with_context(self, keys: Integers, offset: Floats, variance: Floats) -> Memory:
        """Return the memory with these offsets, in new blocks for contexts played first."""
        room = np.full((*self.blocks.shape[:-2], 1, BLOCK), np.nan)
        blocks = np.concatenate([self.blocks, room], axis=-2)
        mine = blocks[..., 0] == keys[..., None]
        free = (~np.isnan(blocks[..., 0])).sum(axis=-1)
        slot = np.where(mine.any(axis=-1), mine.argmax(axis=-1), free)
        values = np.stack([keys.astype(np.float64), offset, variance], axis=-1)
        values[keys == 0] = np.nan
        np.put_along_axis(blocks, slot[..., None, None], values[..., None, :], axis=-2)
        needed = int((~np.isnan(blocks[..., 0])).sum(axis=-1).max(initial=0))
        return self._replace(blocks=blocks[..., :needed, :])

    def to_columns(self) -> Floats:
        """Return the columns ``(m, p, width)``."""
        flat = self.blocks.reshape(*self.draws.shape[:-1], -1)
        return np.concatenate(
            [self.draws, self.beliefs, self.evidence, self.sensitivities, flat], axis=-1
        )
