"""The formats that are recognised by content, in the order in which they are tried.

To add one, write a module with a ``FORMAT`` and add it here; ``docs/importing.md`` lists it.
"""

from __future__ import annotations

from ratings.files.formats import (
    challonge,
    codeforces,
    debates,
    elo_mmr,
    lichess,
    pgn,
    startgg,
    toornament,
    trf,
)

MODULES = (
    pgn,
    trf,
    elo_mmr,
    codeforces,
    challonge,
    startgg,
    toornament,
    lichess,
    debates,
)
FORMATS = [module.FORMAT for module in MODULES]
