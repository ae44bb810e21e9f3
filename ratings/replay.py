"""Rating of histories, with the same code for one match and for a million.

Each match is assigned the level above its players' last matches. The matches of a level share no
player, so they can be rated together, and those of the same shape form a batch. A batch is rated
row by row, so the result is the same, bit for bit, as rating one match after another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from ratings import professions
from ratings.compiled import rate_all
from ratings.contests import first_side, margins
from ratings.contests.without_winner import all_tied, without_surprise
from ratings.history import NEGLIGIBLE_WEIGHT
from ratings.levels import levels, shape_codes
from ratings.places import best_first
from ratings.types import NEVER, Batch, Outcome, States, widen

if TYPE_CHECKING:
    from ratings.history import History
    from ratings.system import RatingSystem
    from ratings.types import Booleans, Floats, Integers

Entry = TypeVar("Entry", bound=np.generic)
Progress = Callable[[int], object]
"""Called with the number of matches just rated."""


@dataclass(frozen=True)
class Replay:
    """The result of rating a history of ``N`` participants and ``n`` players."""

    states: States
    """``(n,)`` states of all players after the last match, by the history's codes."""
    before: States
    """``(N,)`` stored state of each participant before their match, without memory."""
    after: States
    """``(N,)`` state of each participant after their match, without memory."""
    terms: Mapping[str, Floats]
    """``(N,)`` each: the terms of each change."""
    ignored: Booleans
    """``(N,)`` whether the match was none to the system, see ``Outcome``."""


def replay(
    system: RatingSystem,
    history: History,
    states: States | None = None,
    progress: Progress | None = None,
    cuts: Sequence[int] = (),
    at_cut: Callable[[int, States], object] | None = None,
) -> Replay:
    """Rate ``history`` with ``system``, from newcomers or from given ``states``.

    ``states`` has a row for each of ``history.players``, in that order, and is not changed.
    ``at_cut`` is called after each of the matches ``cuts``, with its index and the states then.
    Raises ``UnsupportedMatch`` before rating anything, and ``ValueError`` for states that do not
    fit.
    """
    table = _start(system, history, states)
    if cuts:
        check_shapes(system, history)
    record = _Record(system, len(history.player))
    edges = sorted({0, len(history), *(cut + 1 for cut in cuts)})
    for start, stop in pairwise(edges):
        part = history.part(start, stop) if cuts else history
        first = int(history.match_offsets[start])
        for step in steps(system, part, table, progress):
            record.write(first, step)
        if at_cut and stop - 1 in cuts:
            at_cut(stop - 1, table)
    return record.replay(table)


def final_states(
    system: RatingSystem,
    history: History,
    states: States | None = None,
    progress: Progress | None = None,
) -> States:
    """Return only the ``states`` of ``replay``, in less time and memory as it keeps no events.

    With Numba installed, some systems rate long histories of two sides in compiled code
    (``ratings.compiled``).
    """
    table = _start(system, history, states)
    if rate_all(system, history, table, progress):
        return table
    for _ in steps(system, history, table, progress):
        pass
    return table


@dataclass(frozen=True)
class Step:
    """One rated batch of a replay."""

    rows: Integers | slice
    """Indices of its participants in the history, match by match."""
    batch: Batch
    before: States
    """``(m, p)``."""
    outcome: Outcome


def steps(
    system: RatingSystem, history: History, table: States, progress: Progress | None = None
) -> Iterator[Step]:
    """Rate batch by batch into ``table``, the states ``(n,)`` of the history's players.

    A match comes after all earlier matches of its players. Raises ``UnsupportedMatch`` before
    rating anything.
    """
    plan = Plan.of(history)
    _check(system, plan.shapes, history)
    fixed = np.isin(history.players, list(system.anchors)) if system.anchors else None
    for rows, batch in plan.batches(history):
        before = table.take(batch.players)
        outcome = first_side.rate(
            system, before, _without_denormal_weights(margins.weigh(system, batch))
        )
        if batch.events and system.rates_events:
            outcome = _by_events(
                system, outcome, before, batch, None if fixed is None else fixed[batch.players]
            )
        if not system.shows.lowest_first:
            outcome = _without_negligible(outcome, before, batch)
        if fixed is not None:
            outcome = _keep_unmoved(outcome, before, fixed[batch.players])
        if system.ignores_all_tied:
            outcome = _without_ignored(outcome, before, all_tied(batch))
        _advance(outcome, before, batch)
        table.put(batch.players, outcome.after)
        yield Step(rows, batch, before, outcome)
        if progress:
            progress(len(batch.times))


def check_shapes(system: RatingSystem, history: History) -> None:
    """Raise ``UnsupportedMatch`` if ``system`` cannot rate a match of ``history``."""
    _check(system, shape_codes(history)[1], history)


def _check(system: RatingSystem, shapes: Sequence[tuple[int, ...]], history: History) -> None:
    limited = bool(np.isfinite(history.perf_ceilings).any())
    for shape in shapes:
        system.check_sizes(shape, perf_ceiling=limited)


def _start(system: RatingSystem, history: History, states: States | None) -> States:
    if states is None:
        return system.newcomers(len(history.players))
    if len(states) != len(history.players):
        raise ValueError(f"{len(states)} states for {len(history.players)} players")
    needed = {
        "rating": states.rating,
        **({"deviation": states.deviation} if system.shows.deviation else {}),
        **({"volatility": states.volatility} if system.shows.volatility else {}),
    }
    for name, values in needed.items():
        missing = np.flatnonzero(~np.isfinite(values))
        if len(missing):
            raise ValueError(f"{history.players[missing[0]]} has no {name} to start from")
    return states.copy()


def _by_events(
    system: RatingSystem, outcome: Outcome, before: States, batch: Batch, held: Booleans | None
) -> Outcome:
    """Return an outcome in which matches with events are rated by them, one after another."""
    rating = outcome.after.rating.copy()
    terms = {name: np.array(values) for name, values in outcome.terms.items()}
    for row, events in (batch.events or {}).items():
        ratings = before.rating[row].tolist()
        still = [False] * len(ratings) if held is None else held[row].tolist()
        explained = system.rate_events(ratings, events, float(batch.weights[row]), still)
        rating[row] = ratings
        for name, values in explained.items():
            terms[name][row] = values
        terms["change"][row] = rating[row] - before.rating[row]
    return Outcome(replace(outcome.after, rating=rating), terms)


def _without_denormal_weights(batch: Batch) -> Batch:
    """Return a batch whose smallest weights are negligible, but can be divided by."""
    if batch.weights.min(initial=NEGLIGIBLE_WEIGHT) >= NEGLIGIBLE_WEIGHT:
        return batch
    return replace(batch, weights=np.maximum(batch.weights, NEGLIGIBLE_WEIGHT))


def _without_negligible(outcome: Outcome, before: States, batch: Batch) -> Outcome:
    """Return an outcome in which matches of negligible weight change no rating.

    Otherwise they would still raise deviations, in systems where these grow with every match. A
    ladder has no weights.
    """
    nothing = batch.weights <= NEGLIGIBLE_WEIGHT
    return _keep_unmoved(outcome, before, np.broadcast_to(nothing[:, None], before.rating.shape))


def _keep_unmoved(outcome: Outcome, before: States, rows: Booleans) -> Outcome:
    """Return an outcome in which the participants ``rows`` ``(m, p)`` stay as they were before."""
    if not rows.any():
        return outcome
    after = outcome.after
    width = max(before.memory.shape[-1], after.memory.shape[-1])
    states = States(
        rating=np.where(rows, before.rating, after.rating),
        deviation=np.where(rows, before.deviation, after.deviation),
        volatility=np.where(rows, before.volatility, after.volatility),
        games=before.games,
        last_played=before.last_played,
        memory=np.where(rows[..., None], widen(before.memory, width), widen(after.memory, width)),
    )
    change = np.where(rows, 0.0, outcome.terms["change"])
    return Outcome(states, {**outcome.terms, "change": change})


def _without_ignored(outcome: Outcome, before: States, ignored: Booleans) -> Outcome:
    """Return an outcome in which the matches ``(m,)`` that the system ignores change nothing."""
    if not ignored.any():
        return outcome
    rows = np.broadcast_to(ignored[:, None], before.rating.shape)
    unmoved = _keep_unmoved(outcome, before, rows)
    return Outcome(unmoved.after, without_surprise(unmoved.terms, before, rows), ignored)


def _advance(outcome: Outcome, before: States, batch: Batch) -> None:
    """Update games and last played. A late report never moves ``last_played`` back."""
    after, counts = outcome.after, batch.played
    if outcome.ignored is not None:
        counts = ~outcome.ignored if counts is None else counts & ~outcome.ignored
    if counts is None:
        after.games = before.games + 1
        after.last_played = np.maximum(before.last_played, batch.times[:, None])
        return
    after.games = before.games + counts[:, None]
    times = np.where(counts, batch.times, NEVER)
    after.last_played = np.maximum(before.last_played, times[:, None])


@dataclass(frozen=True)
class Plan:
    """The order and batches in which to rate the matches of a history."""

    matches: Integers
    """``(M,)`` matches by level, then shape, then order."""
    bounds: Integers
    """``(batches + 1,)`` start of each batch in ``matches``."""
    shape_of_batch: Integers
    shapes: list[tuple[int, ...]]
    participants: Integers | None
    """``(N,)`` participants in that order, or ``None`` if it is the history's own order."""
    sides: Integers | None

    @classmethod
    def of(cls, history: History) -> Plan:
        if len(history) == 1:
            return cls.of_one(history)
        level = levels(history)
        shape, shapes = shape_codes(history)
        key = level * len(shapes) + shape
        matches = best_first(key)
        sorted_key = key[matches]
        starts = np.flatnonzero(np.diff(sorted_key, prepend=-1))
        in_order = bool((np.diff(matches) > 0).all())
        return cls(
            matches=matches,
            bounds=np.append(starts, len(matches)),
            shape_of_batch=shape[matches[starts]],
            shapes=shapes,
            sides=None if in_order else _members(history.side_offsets, matches),
            participants=None if in_order else _members(history.match_offsets, matches),
        )

    @classmethod
    def of_one(cls, history: History) -> Plan:
        """Return the plan of a single match, as results are rated one by one."""
        only = np.zeros(1, dtype=np.int64)
        return cls(
            matches=only,
            bounds=np.array([0, 1]),
            shape_of_batch=only,
            shapes=[tuple(history.sizes.tolist())],
            participants=None,
            sides=None,
        )

    def batches(self, history: History) -> Iterator[tuple[Integers | slice, Batch]]:
        """Yield each batch with the indices of its participants in the history."""
        times = history.times[self.matches]
        weights = history.weights[self.matches]
        ceilings = history.perf_ceilings[self.matches]
        played = None if history.played is None else history.played[self.matches]
        first = None if history.first is None else history.first[self.matches]
        places = _in_order(history.places, self.sides)
        scores = _in_order(history.scores, self.sides)
        player = _in_order(history.player, self.participants)
        seconds = _in_order(history.seconds, self.participants)
        quits = _in_order(history.quits, self.participants)
        profession = _in_order(profession_keys(history), self.participants)
        side = row = 0
        for start, stop, code in zip(
            self.bounds[:-1].tolist(), self.bounds[1:].tolist(), self.shape_of_batch, strict=True
        ):
            sizes = self.shapes[code]
            count = stop - start
            members = sum(sizes)
            sides = slice(side, side := side + count * len(sizes))
            rows = slice(row, row := row + count * members)
            by_side, by_row = (count, len(sizes)), (count, members)
            events = None if history.events is None else self._events(history, start, stop)
            yield (
                rows if self.participants is None else self.participants[rows],
                Batch(
                    sizes=sizes,
                    players=player[rows].reshape(by_row),
                    places=places[sides].reshape(by_side),
                    scores=scores[sides].reshape(by_side),
                    seconds=seconds[rows].reshape(by_row),
                    quits=quits[rows].reshape(by_row),
                    professions=profession[rows].reshape(by_row),
                    times=times[start:stop],
                    weights=weights[start:stop],
                    perf_ceilings=ceilings[start:stop],
                    played=None if played is None else played[start:stop],
                    first=None if first is None else first[start:stop],
                    events=events,
                ),
            )

    def _events(self, history: History, start: int, stop: int) -> dict[int, Integers] | None:
        """Return the events of a batch's matches by row."""
        known = history.events or {}
        found = {
            row: known[match]
            for row, match in enumerate(self.matches[start:stop].tolist())
            if match in known
        }
        return found or None


def profession_keys(history: History) -> Integers:
    """Return ``(N,)`` the history-independent key of each participant's profession."""
    if len(history.professions) == 1:
        return history.profession
    return professions.keys(history.professions)[history.profession]


def _members(starts: Integers, groups: Integers) -> Integers:
    """Return the members of ``groups`` in sequence. Group ``i`` is ``starts[i]:starts[i + 1]``."""
    first = starts[groups]
    counts = starts[groups + 1] - first
    ends = np.cumsum(counts)
    members: Integers = np.arange(ends[-1]) + np.repeat(first - (ends - counts), counts)
    return members


def _in_order(column: NDArray[Entry], order: Integers | None) -> NDArray[Entry]:
    return column if order is None else column[order]


class _Record:
    """Events in the order of the history.

    They omit memory, as a system that remembers every match would fill up the machine's RAM.
    """

    def __init__(self, system: RatingSystem, count: int) -> None:
        self._before = States.full(count)
        self._after = States.full(count)
        self._terms = {term.name: np.empty(count) for term in first_side.replayed_terms(system)}
        self._ignored = np.zeros(count, dtype=np.bool_)

    def write(self, first: int, step: Step) -> None:
        """Record a step of the part of the history that begins with participant ``first``."""
        rows, before, outcome = step.rows, step.before, step.outcome
        if isinstance(rows, slice):
            rows = slice(first + rows.start, first + rows.stop)
        else:
            rows = first + rows
        self._before.put(rows, without_memory(before).ravel())
        self._after.put(rows, without_memory(outcome.after).ravel())
        for name, values in self._terms.items():
            values[rows] = outcome.terms[name].ravel()
        if outcome.ignored is not None:
            self._ignored[rows] = np.repeat(outcome.ignored, before.rating.shape[-1])

    def replay(self, states: States) -> Replay:
        return Replay(states, self._before, self._after, self._terms, self._ignored)


def without_memory(states: States) -> States:
    """Return the states with a memory of width 0."""
    return replace(states, memory=states.memory[..., :0])
