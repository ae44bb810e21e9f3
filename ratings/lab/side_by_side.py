"""One history, replayed by many candidates of a system at once.

The order of the matches and everything that does not depend on parameters is computed once. Then
all candidates advance together (``ratings.candidates``), each bit for bit as in a replay of its
own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ratings.candidates import column
from ratings.contests.margins import clarity
from ratings.history import NEGLIGIBLE_WEIGHT, NEITHER
from ratings.lab.evaluation import LEAST_CHANCE
from ratings.numerics import encounter_results
from ratings.replay import Plan
from ratings.types import NEVER, States

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ratings.candidates import Candidates
    from ratings.contests.margins import Margin
    from ratings.history import History
    from ratings.system import RatingSystem
    from ratings.types import Booleans, Floats, Integers

NUMBERS_AT_ONCE = 1 << 15
"""Numbers computed at a time, per number of a player, so that they fit the processor's cache."""
NUMBERS_IN_TABLE = 1 << 22
"""Numbers kept, per number of a player. With more players, fewer candidates advance together."""
MOST_TOGETHER = 256


@dataclass(frozen=True)
class Duels:
    """The duels of a history in the order of its plan, for one class of systems."""

    players: Integers
    """``(2, M)`` codes."""
    times: Integers
    """``(M,)``."""
    starts: Integers
    """``(M,)`` when they count as last played: ``NEVER`` if they were not played."""
    results: Floats
    """``(2, M, 1)`` 1 for a win, ½ for a draw, 0 for a loss."""
    weights: Floats
    """``(M, 1)``."""
    negligible: Booleans
    """``(M, 1)`` whether they move nobody."""
    first: Floats | None
    """``(M, 1)`` 1 if the side listed first is first, -1 if the other is, 0 if neither is."""
    counted: Floats
    """``(M, 1)`` 1 for forecasts that are judged, else 0."""
    bounds: Integers
    """Starts of the batches, and the end of the last."""
    count: int
    """Number of players."""

    @classmethod
    def of(cls, system: RatingSystem, history: History, warm_up: int = 0) -> Duels | None:
        """Return the duels of a history, as candidates of ``system`` rate them.

        The first ``warm_up`` matches are not judged, nor are those that were not played. ``None``
        if the system cannot, or the history is empty, has other matches, or has facts that are
        rated one match at a time.
        """
        duels = len(history.player) == len(history.places) == 2 * len(history)
        limited = bool(np.isfinite(history.perf_ceilings).any())
        events = bool(history.events) and system.rates_events
        if not len(history) or not duels or limited or events:
            return None
        if system.anchors or system.ignores_all_tied:
            return None
        candidates = type(system).side_by_side([system])
        unplayed = history.played is not None and not history.played.all()
        if candidates is None or (unplayed and not candidates.rates_unplayed):
            return None
        plan = Plan.of(history)
        order = plan.matches
        places = history.places.reshape(-1, 2)[order]
        weights = history.weights[order]
        how: Margin = getattr(system.parameters, "margin", "none")
        if how != "none":
            weights = weights * clarity(history.scores.reshape(-1, 2)[order], places, how)
        played = None if history.played is None else history.played[order]
        times = history.times[order]
        counted = order >= warm_up if played is None else (order >= warm_up) & played
        first = None
        if history.first is not None:
            sides = history.first[order]
            first = np.where(sides == NEITHER, 0.0, np.where(sides == 0, 1.0, -1.0))[:, None]
        return cls(
            players=np.ascontiguousarray(history.player.reshape(-1, 2)[order].T),
            times=times,
            starts=times if played is None else np.where(played, times, NEVER),
            results=np.ascontiguousarray(encounter_results(places, places[:, ::-1]).T)[..., None],
            weights=np.maximum(weights, NEGLIGIBLE_WEIGHT)[:, None],
            negligible=(history.weights[order] <= NEGLIGIBLE_WEIGHT)[:, None],
            first=first,
            counted=counted.astype(np.float64)[:, None],
            bounds=plan.bounds,
            count=len(history.players),
        )

    def together(self) -> int:
        """Return how many candidates advance together."""
        return max(1, min(MOST_TOGETHER, NUMBERS_IN_TABLE // max(1, self.count)))

    def blocks(self, candidates: int) -> Iterator[slice]:
        """Yield the batches in parts that are small enough."""
        most = max(1, NUMBERS_AT_ONCE // (2 * candidates))
        for start, stop in zip(self.bounds[:-1].tolist(), self.bounds[1:].tolist(), strict=True):
            for at in range(start, stop, most):
                yield slice(at, min(at + most, stop))


def losses(duels: Duels, systems: Sequence[RatingSystem]) -> Floats | None:
    """Return ``(c,)`` the logarithmic loss of each system's forecasts of the judged matches.

    It is the ``log_loss`` of ``ratings.lab.evaluation`` up to the order of adding. ``None`` if
    these systems cannot be rated side by side. NaN if there was nothing to judge, or a candidate
    had no chances.
    """
    found = []
    step = duels.together()
    for at in range(0, len(systems), step):
        some = systems[at : at + step]
        run = _Run.of(duels, some)
        if run is None:
            return None
        total = np.zeros(len(some))
        run.advance(total)
        found.append(total)
    with np.errstate(invalid="ignore"):
        mean: Floats = np.concatenate(found) / duels.counted.sum()
    return mean


def states_after(duels: Duels, systems: Sequence[RatingSystem]) -> list[States] | None:
    """Return the states of each system after the last match, bit for bit as of a replay."""
    run = _Run.of(duels, systems)
    if run is None:
        return None
    run.advance(None)
    played = (duels.starts != NEVER).astype(np.int64)
    games = np.zeros(duels.count, dtype=np.int64)
    for side in duels.players:
        np.add.at(games, side, played)
    return [
        run.candidates.states(run.table, games, run.last_played, which)
        for which in range(len(systems))
    ]


class _Run:
    """One pass of some candidates over the duels."""

    def __init__(
        self, duels: Duels, candidates: Candidates, advantages: float | Floats, count: int
    ) -> None:
        self.duels, self.candidates, self.count = duels, candidates, count
        self.table = candidates.newcomers(duels.count)
        self.last_played = np.full(duels.count, NEVER, dtype=np.int64)
        self._advantages = advantages

    @classmethod
    def of(cls, duels: Duels, systems: Sequence[RatingSystem]) -> _Run | None:
        candidates = type(systems[0]).side_by_side(systems)
        if candidates is None:
            return None
        advantages = column(getattr(one.parameters, "first_side", 0.0) for one in systems)
        return cls(duels, candidates, advantages, len(systems))

    def advance(self, loss: Floats | None) -> None:
        """Rate block by block, and add up the ``loss`` ``(c,)`` of judged matches."""
        duels, counts = self.duels, bool(np.any(self._advantages))
        for block in duels.blocks(self.count):
            players, times = duels.players[:, block], duels.times[block]
            results, last = duels.results[:, block], self.last_played[players]
            before = self.table[:, players]
            idle = times - np.where(last == NEVER, times, last)
            unmoved = before.copy() if duels.negligible[block].any() else None
            now = self.candidates.at(before, idle[..., None])
            lead: Floats | float = 0.0
            if duels.first is not None and counts:
                lead = duels.first[block] * self._advantages
            if loss is not None and duels.counted[block].any():
                _add_loss(loss, self.candidates.chances(now, lead), results, duels.counted[block])
            after = self.candidates.rate(now, lead, results, duels.weights[block])
            if unmoved is not None:
                after = np.where(duels.negligible[block], unmoved, after)
            self.table[:, players] = after
            self.last_played[players] = np.maximum(last, duels.starts[block])


def _add_loss(loss: Floats, chances: Floats, results: Floats, counted: Floats) -> None:
    """Add ``-ln`` of the chance of the first side. A draw counts half for each."""
    each = results * np.log(np.maximum(chances, LEAST_CHANCE))
    loss -= ((each[0] + each[1]) * counted).sum(axis=0)
