"""Orders of finish as organisers write them: by signs or commas, with those who did not finish."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from league.models.lists import COMMAS
from league.models.names import fold
from ratings.files.participants import NOT_FINISHED, NOT_STARTED

if TYPE_CHECKING:
    from collections.abc import Callable

SIGNS = re.compile(r"(\s+[>=]\s+|\s*\n\s*)")
BETWEEN = re.compile(rf"(\s*[{COMMAS};]\s*)")
MARK = re.compile(r"\s*(?:\(\s*(\w{1,3})\s*\)|\s(DNF|DNS|DSQ|DNQ))\s*$")
MARKS = NOT_FINISHED | NOT_STARTED
"""The word after the name of somebody who did not finish or start, or was disqualified."""


def split_order(order: str) -> list[str]:
    """Return the names of an order of finish, with the separators between them."""
    by = SIGNS if SIGNS.search(order) else BETWEEN
    return by.split(order)


def split_mark(name: str) -> tuple[str, str]:
    """Return a name, and the mark after it, which is empty for most."""
    found = MARK.search(name)
    if found is None or fold(found[1] or found[2]) not in MARKS:
        return name, ""
    return name[: found.start()], found[0]


def read_order(order: str) -> str:
    """Return an order of finish with signs between plain names.

    As in files of results, those marked as in “Ann (DNF)” share the last place, and those who did
    not start are left out.
    """
    parts = split_order(order.strip())
    finished, last = "", []
    for sign, marked in zip(["", *parts[1::2]], parts[::2], strict=True):
        name, mark = split_mark(marked)
        if not mark:
            between = " > " if BETWEEN.fullmatch(sign) else sign
            finished += f"{between if finished else ''}{name}"
        elif fold(mark.strip(" ()")) in NOT_FINISHED:
            last.append(name)
    return " > ".join(filter(None, [finished, " = ".join(last)]))


def change_names(order: str, change: Callable[[str], str]) -> str:
    """Return an order of finish with its names changed, and all else as it is written."""
    parts = split_order(order)
    for at in range(0, len(parts), 2):
        name, mark = split_mark(parts[at])
        parts[at] = f"{change(name)}{mark}"
    return "".join(parts)
