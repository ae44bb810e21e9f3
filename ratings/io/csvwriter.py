"""Writers of ratings and events as CSV files. Floats are written with full precision."""

from __future__ import annotations

import csv
import math
import os
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Protocol

import numpy as np

from ratings.contests.first_side import replayed_terms
from ratings.io.csvfile import EPOCH
from ratings.types import NEVER, WITHOUT_TIME

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import TextIO

    from ratings.history import History
    from ratings.replay import Replay
    from ratings.system import RatingSystem
    from ratings.types import Floats, Integers, States


class Writable(Protocol):
    """Anything that accepts text: a file, or a command's output."""

    def write(self, text: str, /) -> object: ...


@contextmanager
def atomic_write(path: Path) -> Iterator[TextIO]:
    """Write a file completely or not at all.

    An existing file at ``path`` stays until the new one is complete. Devices and pipes are written
    to directly. Raises ``OSError``.
    """
    if path.exists() and not path.is_file():
        with path.open("w", encoding="utf-8", newline="") as device:
            yield device
        return
    target = path.resolve()
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with draft.open("x", encoding="utf-8", newline="") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def write_ratings(output: Writable, system: RatingSystem, history: History, states: States) -> None:
    """Write one line per player, best first, with everything that the system keeps for them."""
    writer = csv.writer(output, lineterminator="\n")
    memory = _memory_columns(system, states)
    writer.writerow(
        ["player", "rating", "deviation", "volatility", "games", "last_played", *memory]
    )
    rank = states.rating if system.shows.lowest_first else -states.rating
    order = np.lexsort((np.array(history.players, dtype=object).argsort().argsort(), rank))
    best = states.take(order)
    writer.writerows(
        zip(
            [history.players[code] for code in order],
            _numbers(best.rating),
            _numbers(best.deviation),
            _numbers(best.volatility),
            best.games.tolist(),
            _moments(best.last_played),
            *(_numbers(column) for column in best.memory.T),
            strict=True,
        )
    )


def write_events(
    output: Writable, system: RatingSystem, history: History, replayed: Replay
) -> None:
    """Write one line per participant: their state before and after, and the terms of the change."""
    writer = csv.writer(output, lineterminator="\n")
    kept = [
        name
        for name, is_kept in (
            ("rating", True),
            ("deviation", system.shows.deviation),
            ("volatility", system.shows.volatility),
        )
        if is_kept
    ]
    columns = [
        (f"{name}_{when}", _numbers(getattr(states, name)))
        for name in kept
        for when, states in (("before", replayed.before), ("after", replayed.after))
    ]
    terms = replayed_terms(system)
    columns += [(term.name, _numbers(replayed.terms[term.name])) for term in terms]
    members = np.diff(history.match_offsets)
    side_places = np.repeat(history.places, history.sizes)
    writer.writerow(["match_id", "played_at", "place", "player", *(name for name, _ in columns)])
    writer.writerows(
        zip(
            np.repeat(np.array(history.match_ids, dtype=object), members),
            _moments(np.repeat(history.times, members)),
            side_places.tolist(),
            [history.players[code] for code in history.player],
            *(values for _, values in columns),
            strict=True,
        )
    )


def _memory_columns(system: RatingSystem, states: States) -> list[str]:
    width = states.memory.shape[-1]
    names = list(system.shows.memory)[:width]
    return names + [f"memory_{number + 1}" for number in range(len(names), width)]


def _numbers(column: Floats) -> list[float | str]:
    """Return floats as ``csv`` writes them, by ``repr``, and NaN as an empty cell."""
    return ["" if math.isnan(number) else number for number in column.tolist()]


def _moments(times: Integers) -> list[str]:
    return [
        "" if time in {NEVER, WITHOUT_TIME} else (EPOCH + timedelta(microseconds=time)).isoformat()
        for time in times.tolist()
    ]
