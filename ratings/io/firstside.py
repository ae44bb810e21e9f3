"""The side of a match that is first, from a column of a CSV file.

A column called ``neutral`` says yes for matches on neutral ground. In all others the side listed
first is first. Any other column, such as ``first`` or ``home``, says yes on the rows of the side
that is first, or names that side on every row. If it says yes on all rows of a match, the side
listed first is first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ratings.history import NEITHER
from ratings.tunables.sentences import Explained

if TYPE_CHECKING:
    from collections.abc import Sequence

NEUTRAL = "neutral"
COLUMNS = ("first", NEUTRAL)
"""The columns that are read without being asked for."""
YES = {"1", "1.0", "true", "t", "yes", "y", "first", "home", "white"}
NO = {"0", "0.0", "false", "f", "no", "n", "second", "away", "black", "neutral", "none", ""}


class NotASide(Explained):
    """Cells that do not say which side is first. The message says what to write."""


def find(column: str, cells: Sequence[tuple[str, str]], sides: Sequence[str]) -> int:
    """Return the index of the first of ``sides``, or -1 if neither is.

    ``cells`` are the side and the cell of ``column`` of each row of a match. Raises ``NotASide``.
    """
    texts = [text.strip().casefold() for _, text in cells]
    if column.casefold() == NEUTRAL:
        found = _unless_neutral(texts)
    elif set(texts) <= YES | NO:
        found = _find_marked([side for side, _ in cells], texts, sides)
    else:
        found = _find_named(texts, sides)
    if found != NEITHER and len(sides) != 2:
        raise NotASide("only matches of two sides have a first side; leave the cell empty")
    return found


def _unless_neutral(texts: Sequence[str]) -> int:
    if set(texts) <= YES:
        return NEITHER
    if set(texts) <= NO:
        return 0
    raise NotASide("must be 1 on neutral ground and 0 elsewhere, on all rows of a match")


def _find_marked(rows: Sequence[str], texts: Sequence[str], sides: Sequence[str]) -> int:
    marked = {side for side, text in zip(rows, texts, strict=True) if text in YES}
    unmarked = {side for side, text in zip(rows, texts, strict=True) if text in NO}
    if not marked:
        return NEITHER
    if not unmarked:
        return 0
    if marked & unmarked:
        raise NotASide("must be the same on all rows of a side")
    if len(marked) > 1:
        raise NotASide("must be 1 for one side only")
    return list(sides).index(marked.pop())


def _find_named(texts: Sequence[str], sides: Sequence[str]) -> int:
    names = [side.casefold() for side in sides]
    if len(set(texts)) == 1 and texts[0] in names:
        return names.index(texts[0])
    raise NotASide("must be 1 for the side that is first and 0 for the other, or name that side")
