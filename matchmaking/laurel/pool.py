"""The tickets of one game mode as arrays for the matcher ``laurel``, in order of rating."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from matchmaking.apart import Apart
from matchmaking.rank_ranges import RankRanges

if TYPE_CHECKING:
    from matchmaking.rules.arena import Rules
    from matchmaking.ticket import Queue
    from matchmaking.types import Booleans, Floats, Integers


@dataclass(frozen=True, eq=False)
class Pool:
    """T tickets in rising order of rating; every array has T rows.

    ``tickets`` are indices in the queue. For each roster:

    - ``middle`` is half-way between its lowest and its highest rating: its place among the others,
      as no matcher can bring its members closer together;
    - ``rating``, ``variance`` and ``effective`` are the sums of its ratings, of its squared
      deviations, and of its effective ratings;
    - ``dishonored`` is its number of members with stacks;
    - ``price`` is what its wait adds to the score of a match;
    - ``overdue`` is whether it has waited longer than the bound;
    - ``professions`` (T, P) is its members of each profession, and ``mixture`` a number that is
      equal for equal rows of ``professions``;
    - ``met`` is whether it was an opponent of another ticket in the queue in its last match;
    - its rank filter spans ``low_rank`` to ``high_rank``, and its members' percentiles span
      ``lowest_rank`` to ``highest_rank``.
    """

    tickets: Integers
    sizes: Integers
    middle: Floats
    rating: Floats
    variance: Floats
    effective: Floats
    stacks: Floats
    dishonored: Floats
    games: Floats
    rank: Floats
    waits: Floats
    price: Floats
    overdue: Booleans
    guild_team: Booleans
    professions: Floats
    mixture: Integers
    met: Booleans
    low_rank: Floats
    high_rank: Floats
    lowest_rank: Floats
    highest_rank: Floats
    apart: Apart | None = None
    """The tickets of the queue that may not share a match. Not by rows."""

    @classmethod
    def of(cls, queue: Queue, rules: Rules, now: float) -> Pool:
        """Return the whole queue as a pool."""
        starts, waits = queue.starts[:-1], queue.waits(now)
        low = np.minimum.reduceat(queue.rating, starts)
        high = np.maximum.reduceat(queue.rating, starts)
        order = np.lexsort((np.arange(len(queue)), high - low, low + high))
        met = np.zeros(len(queue), dtype=np.bool_)
        met[queue.met.ravel()] = True
        counts = queue.profession_counts
        # Encode each mixture as one number in base (largest roster + 1), with overflow.
        base = np.power(np.int64(queue.sizes.max() + 1), np.arange(counts.shape[1]))
        everywhere = np.full(len(queue), np.inf)
        ranks = RankRanges.of(queue, now, rules.rank_filter) or RankRanges(
            -everywhere, everywhere, np.zeros(len(queue)), np.zeros(len(queue))
        )
        has_stacks = (queue.dishonor > 0).astype(np.float64)
        return cls(
            tickets=order,
            sizes=queue.sizes[order],
            middle=((low + high) / 2)[order],
            rating=np.add.reduceat(queue.rating, starts)[order],
            variance=np.add.reduceat(queue.deviation**2, starts)[order],
            effective=queue.effective_total[order],
            stacks=queue.dishonor_total[order],
            dishonored=np.add.reduceat(has_stacks, starts)[order],
            games=queue.games_mean[order],
            rank=queue.rank_mean[order],
            waits=waits[order],
            price=(rules.matcher.age_seconds * waits * queue.sizes)[order],
            overdue=(waits > rules.laurel.bound)[order],
            guild_team=queue.guild_team[order],
            professions=counts[order].astype(np.float64),
            mixture=(counts * base).sum(axis=1)[order],
            met=met[order],
            low_rank=ranks.low[order],
            high_rank=ranks.high[order],
            lowest_rank=ranks.lowest[order],
            highest_rank=ranks.highest[order],
            apart=Apart.of(queue, now, rules.block),
        )

    def __len__(self) -> int:
        return len(self.tickets)

    def take(self, rows: Integers) -> Pool:
        """Return the pool of these rows, which must be in rising order."""
        columns = [name for name in self.__dataclass_fields__ if name != "apart"]
        return Pool(**{name: getattr(self, name)[rows] for name in columns}, apart=self.apart)

    @cached_property
    def has_rank_filters(self) -> bool:
        """Whether any rank filter excludes anybody."""
        return bool((np.isfinite(self.low_rank) | np.isfinite(self.high_rank)).any())
