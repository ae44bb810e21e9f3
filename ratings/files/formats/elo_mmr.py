"""Contests in the JSON form of the Elo-MMR paper's own program, one or a list.

Source: EbTech/Elo-MMR, ``data_processing``. The program has Codeforces and Topcoder in this form::

    {"name": "Round 1", "time_seconds": 1262304000, "weight": 1.0, "perf_ceiling": 2400,
     "standings": [["Ann", 0, 0], ["Bob", 1, 2], ["Cem", 1, 2]]}

A standing has the player and the range of places that they share with those who tie, from 0.
"""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Any

from ratings.files.documents import Document, Format, Found, LeftOut, read_entries
from ratings.files.formats.ranks import places_of
from ratings.files.results import Result, ResultSide
from ratings.io.contestfiles import LARGEST, Contest
from ratings.tunables.sentences import Sentence


def recognises(document: Document) -> bool:
    """Return whether the first contest has standings, which are lists and not objects."""
    contests = document.entries("standings")
    standings = contests[0]["standings"] if contests else None
    return contests is not None and not (
        isinstance(standings, list) and standings and isinstance(standings[0], dict)
    )


def read(document: Document, found: Found) -> None:
    read_entries(document.entries("standings") or [], read_contest, found)


def read_contest(line: int, entry: dict[str, Any]) -> Result:
    """Return a contest. One of fewer than two players says nothing, nor does a null."""
    contest = Contest.model_validate({key: one for key, one in entry.items() if one is not None})
    if len(contest.standings) < 2:
        raise LeftOut
    places = places_of([low for _name, low, _high in contest.standings])
    ceiling = contest.perf_ceiling
    return Result(
        line,
        [ResultSide([one[0]], at) for one, at in zip(contest.standings, places, strict=True)],
        datetime.fromtimestamp(contest.time_seconds, UTC),
        event=str(entry.get("name") or ""),
        weight=contest.weight,
        ceiling=math.inf if ceiling >= LARGEST else ceiling,
    )


FORMAT = Format(
    "elo-mmr",
    Sentence("It has contests in the form of the Elo-MMR program."),
    recognises,
    read,
    programs="JSON of the Elo-MMR program: contests of Codeforces and Topcoder",
    reads="contests as orders of finish, with weights; one contest, a list, or one on each line",
    leaves_out="contests of one player",
)
