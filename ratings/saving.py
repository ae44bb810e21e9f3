"""Saved ratings: one JSON file with a version, from which every number comes back to the bit."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ratings.io.csvwriter import atomic_write
from ratings.registry import build
from ratings.types import NEVER, WITHOUT_TIME, States

if TYPE_CHECKING:
    from pathlib import Path

    from ratings.system import RatingSystem
    from ratings.types import Floats

FORMAT = "laurel-ratings"
VERSION = 2
"""Version 1 had a ``latest`` of 0 for matches without times, which is a time of 1970."""
_READABLE = (1, VERSION)
_IN_FILES = {NEVER: None, WITHOUT_TIME: 0}
_COLUMNS = ("rating", "deviation", "volatility")


class SavedError(ValueError):
    """A file that holds no ratings, or those of a later version. The message says which."""


@dataclass(frozen=True)
class Saved:
    """Everything that is needed to rate further matches."""

    system: RatingSystem
    players: list[str]
    states: States
    latest: int | None
    """Microseconds since 1970 of the last match, ``WITHOUT_TIME`` if matches have no times."""
    matches: int


def document_of(saved: Saved) -> dict[str, Any]:
    """Return saved ratings as JSON has them."""
    states = saved.states
    return {
        "format": FORMAT,
        "version": VERSION,
        "system": saved.system.name,
        "parameters": saved.system.parameters.to_json(),
        "matches": saved.matches,
        "latest": None if saved.latest == WITHOUT_TIME else saved.latest,
        "players": saved.players,
        "games": states.games.tolist(),
        "last_played": [_IN_FILES.get(time, time) for time in states.last_played.tolist()],
        **{name: _numbers(getattr(states, name)) for name in _COLUMNS},
        "memory_width": states.memory.shape[-1],
        "memory": [_numbers(_without_padding(row)) for row in states.memory],
    }


def write(path: Path, saved: Saved) -> None:
    """Write the file completely or not at all. Raises ``OSError``."""
    document = document_of(saved)
    with atomic_write(path) as file:
        json.dump(document, file, allow_nan=False, ensure_ascii=False)


def read(path: Path) -> Saved:
    """Read a file of ``write``. Raises ``SavedError``, or ``OSError``."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        raise SavedError(f"{path} is not a file of saved ratings") from None
    return saved_in(document, str(path))


def saved_in(document: object, name: str) -> Saved:
    """Return the saved ratings in a document of ``document_of``, which errors call ``name``.

    Raises ``SavedError``.
    """
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise SavedError(f"{name} is not a file of saved ratings")
    if document.get("version") not in _READABLE:
        raise SavedError(
            f"{name} has version {document.get('version')} of the format, and this library reads "
            f"versions up to {VERSION}; install a newer one"
        )
    try:
        return _read_saved(document)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise SavedError(f"{name} is damaged: {error}") from None


def _read_saved(document: dict[str, Any]) -> Saved:
    players = [str(name) for name in document["players"]]
    count = len(players)
    columns = {name: _floats(document[name]) for name in _COLUMNS}
    matches, latest = document["matches"], document["latest"]
    if matches and latest in (None, 0) and (latest is None or document["version"] == 1):
        latest = WITHOUT_TIME
    played = {None: NEVER} | ({0: WITHOUT_TIME} if latest == WITHOUT_TIME else {})
    times = [played.get(time, time) for time in document["last_played"]]
    memory = np.full((count, document["memory_width"]), np.nan)
    for row, kept in zip(memory, document["memory"], strict=True):
        row[: len(kept)] = _floats(kept)
    states = States(
        **columns,
        games=np.array(document["games"], dtype=np.int64),
        last_played=np.array(times, dtype=np.int64),
        memory=memory,
    )
    lengths = {len(column) for column in (states.games, states.last_played, *columns.values())}
    if lengths != {count} or len(set(players)) < count:
        raise ValueError("its columns do not fit together")
    return Saved(
        system=build(document["system"], document["parameters"]),
        players=players,
        states=states,
        latest=latest,
        matches=matches,
    )


def _numbers(column: Floats) -> list[float | str | None]:
    """Return floats as JSON has them: ``repr`` is exact, NaN is null, infinities are text."""
    return [
        None if math.isnan(each) else each if math.isfinite(each) else str(each)
        for each in column.tolist()
    ]


def _floats(column: list[float | str | None]) -> Floats:
    return np.array(
        [math.nan if each is None else float(each) for each in column], dtype=np.float64
    )


def _without_padding(row: Floats) -> Floats:
    known = np.flatnonzero(~np.isnan(row))
    return row[: known[-1] + 1] if len(known) else row[:0]
