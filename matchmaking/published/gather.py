"""The filter phase: which waiting rosters are potentials for a target.

Source: the configuration and ``gatherPotentials`` of the GW2 matchmaker, new (7 February 2017) and
old. The filter looks only at ratings, the target's wait, modes, rank filters and blocks; the
scoring phase decides how well rosters fit together.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from matchmaking.apart import Apart
from matchmaking.line import tickets
from matchmaking.rank_ranges import RankRanges
from matchmaking.shared import Shared

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matchmaking.line import Line, Section
    from matchmaking.published.scorer import Candidates
    from matchmaking.rules.arena import Choices, QueueRules, Rules
    from matchmaking.ticket import Queue
    from matchmaking.types import Booleans, Floats, Integers

_NOBODY: Integers = np.empty(0, dtype=np.int64)


def filter_rating(queue: Queue, rules: QueueRules, choices: Choices) -> Floats:
    """Return each roster's rating in the filter, (T,): its mean, raised by the power of its size.

    ``rating * (1 + percent / 100 * (size - 1) ** curve)``. The page has no formula; its percent is
    read as a percentage.
    """
    mean = queue.effective_mean if choices.filter_rating == "effective" else queue.rating_mean
    partners = 1 if choices.power_base == "size-1" else 0
    largest = int(queue.sizes.max(initial=0))
    power = [
        1.0 + rules.power_percent / 100.0 * max(size - partners, 0) ** rules.power_curve
        for size in range(largest + 1)
    ]
    powers: Floats = np.array(power, dtype=np.float64)[queue.sizes]
    return mean * powers


def padding(waits: Floats, rules: QueueRules) -> Floats:
    """Return the reach of each target's rating window, (T,). It grows evenly from start to end."""
    grown = _progress(waits, rules.rating_start, rules.rating_end)
    return rules.rating_min + (rules.rating_max - rules.rating_min) * grown


def _progress(waits: Floats, start: float, end: float) -> Floats:
    """Return the share of the time from ``start`` to ``end`` that has passed, 0 to 1."""
    if start == end:
        return (waits >= end).astype(np.float64)
    with np.errstate(over="ignore"):  # the shortest time that a number can hold has passed
        return np.clip((waits - start) / (end - start), 0.0, 1.0)


def fewest_and_most(
    waits: Floats, rules: QueueRules, choices: Choices
) -> tuple[list[float], list[float]]:
    """Return the potentials that each target needs, and the number at which gathering stops."""
    fallen = rules.potentials_falloff * np.clip(
        waits - rules.potentials_start, 0.0, rules.potentials_end - rules.potentials_start
    )
    least = np.full(len(waits), float(rules.potentials_min))
    most = np.full(len(waits), float(rules.potentials_max))
    if choices.falloff == "min":
        least -= fallen
    else:
        most -= fallen
    return least.tolist(), most.tolist()


class Filter:
    """The filter phase for one queue at one time.

    ``rating``, ``low`` and ``high`` (T,) are each roster's filter rating and the edges of its
    window.
    """

    def __init__(self, queue: Queue, rules: Rules, now: float) -> None:
        waits = queue.waits(now)
        reach = padding(waits, rules.queue)
        self.rating = filter_rating(queue, rules.queue, rules.choices)
        self.low = self.rating - reach
        self.high = self.rating + reach
        self._least, self._most = fewest_and_most(waits, rules.queue, rules.choices)
        self._mode_codes = queue.mode_codes
        several_modes = len(queue.mode_sets) > 1
        self._equal_modes = several_modes and rules.choices.modes == "equal"
        modes = Shared.modes(queue) if several_modes and not self._equal_modes else None
        regions = Shared.regions(queue, now, rules.region)
        self._shared = [each for each in (modes, regions) if each is not None]
        self._ranks = RankRanges.of(queue, now, rules.rank_filter)
        self._apart = Apart.of(queue, now, rules.block)

    def remove_excluded(self, candidates: Candidates, selected: Sequence[int]) -> None:
        """Remove candidates that may not meet the selected tickets; the last of these is new."""
        if self._ranks is not None:
            candidates.remove(~self._ranks.may_meet(selected[-1], candidates.tickets))
        if self._apart is not None:
            candidates.remove(~self._apart.may_meet(selected[-1], candidates.tickets))
        for shared in self._shared:
            candidates.remove(~shared.fits(selected, candidates.tickets))

    def inside(self, target: int, line: Line) -> Integers | None:
        """Return potentials rated inside the target's window (new matcher), ``None`` if too few."""
        low, high = self.low[target], self.high[target]

        def meets(section: Section) -> Booleans:
            rating = self.rating[section]
            between: Booleans = (rating >= low) & (rating <= high)
            return between

        return self._gather(target, line, meets)

    def overlapping(self, target: int, line: Line) -> Integers | None:
        """Return potentials whose window overlaps the target's (old matcher), or ``None``."""
        low, high = self.low[target], self.high[target]

        def meets(section: Section) -> Booleans:
            overlap: Booleans = (self.high[section] >= low) & (self.low[section] <= high)
            return overlap

        return self._gather(target, line, meets)

    def _gather(
        self, target: int, line: Line, meets: Callable[[Section], Booleans]
    ) -> Integers | None:
        # The limit is checked after a roster is gathered, so one is always admitted.
        room = max(math.ceil(self._most[target]), 1)
        parts = []
        for section in line.sections():
            fit = meets(section) & line.waiting[section]
            if self._equal_modes:
                fit &= self._mode_codes[section] == self._mode_codes[target]
            for shared in self._shared:
                fit &= shared.fits([target], section)
            if self._ranks is not None:
                fit &= self._ranks.may_meet(target, section)
            if self._apart is not None:
                fit &= self._apart.may_meet(target, section)
            parts.append(tickets(section, fit)[:room])
            room -= len(parts[-1])
            if not room:
                break
        potentials = parts[0] if len(parts) == 1 else np.concatenate([_NOBODY, *parts])
        return potentials if len(potentials) >= self._least[target] else None
