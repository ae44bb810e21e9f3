"""Contests in the JSON form of the Elo-MMR paper's own program.

Source: EbTech/Elo-MMR, ``data_processing``. A folder has a file for each contest, called
``0.json``, ``1.json`` and so on::

    {"name": "Round 1", "time_seconds": 1262304000, "weight": 1.0, "perf_ceiling": 2400,
     "standings": [["Ann", 0, 0], ["Bob", 1, 2], ["Cem", 1, 2]]}

A standing has the player and the range of places that they share with those who tie, from 0. The
program has Codeforces and Topcoder in this form. Weights are 1 and ceilings infinite by default.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, Field, ValidationError

from ratings.history import History, HistoryError, Match, Participant, Side
from ratings.types import MICROSECONDS_PER_SECOND

if TYPE_CHECKING:
    from pathlib import Path

Place = Annotated[int, Field(ge=0, strict=True)]
LARGEST = 1.7976931348623157e308
"""The program's text for no ceiling."""
LATEST = 9_000_000_000
"""Seconds until the year 2255."""


class Contest(BaseModel):
    """One file. Other fields, such as the address of its source, are ignored."""

    time_seconds: int = Field(ge=0, le=LATEST)
    weight: float = Field(1.0, gt=0, allow_inf_nan=False)
    perf_ceiling: float = Field(LARGEST, allow_inf_nan=False)
    standings: list[tuple[str, Place, Place]]


class ContestError(ValueError):
    """Files that are no contests. The message names the file and says why."""


def read_folder(folder: Path) -> History:
    """Return the contests of a folder as a history, in order of time and then of their numbers.

    Contests of fewer than two players say nothing and are left out. Raises ``ContestError``.
    """
    files = sorted(folder.glob("*.json"), key=_number)
    if not files:
        raise ContestError(f"{folder} has no contests, which are files such as 0.json")
    contests = [(file.stem, _read(file)) for file in files]
    contests.sort(key=lambda named: named[1].time_seconds)
    matches = [_match(name, one) for name, one in contests if len(one.standings) > 1]
    try:
        return History.build(matches)
    except HistoryError as error:
        raise ContestError(f"{folder}: {error}") from None


def _number(file: Path) -> tuple[int, str]:
    digits = file.stem.isascii() and file.stem.isdigit() and len(file.stem) < 10
    return (int(file.stem) if digits else LATEST, file.stem)


def _read(file: Path) -> Contest:
    try:
        return Contest.model_validate(json.loads(file.read_text(encoding="utf-8")))
    except OSError as error:
        raise ContestError(f"cannot read {file}: {error.strerror}") from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise ContestError(f"{file}: {place}: {first['msg']}") from None
    except (ValueError, RecursionError) as error:
        raise ContestError(f"{file} is not JSON: {error}") from None


def _match(name: str, contest: Contest) -> Match:
    ceiling = contest.perf_ceiling
    return Match(
        match_id=name,
        played_at_us=contest.time_seconds * MICROSECONDS_PER_SECOND,
        sides=[Side(low, [Participant(player)]) for player, low, _high in contest.standings],
        weight=contest.weight,
        perf_ceiling=math.inf if ceiling >= LARGEST else ceiling,
    )
