"""Results of two sides with ids, of which one is the winner's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ratings.files.problems import UnreadablePart
from ratings.files.results import Result, ResultSide

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime


def make_pair(
    line: int,
    at: datetime | None,
    names: Sequence[str],
    *,
    winner: int | str | None,
    ids: Sequence[int | str | None],
    scores: tuple[float, float] | None,
) -> Result:
    """Return a result of two sides. Without a winner it is a draw.

    Scores that name another winner are left out: sites count a decision, not the score before it.

    Raises:
        UnreadablePart: the winner is neither side.
    """
    if winner is not None and winner not in ids:
        raise UnreadablePart("The winner is neither of the two sides.")
    places = [0, 0] if winner is None else [int(winner != one) for one in ids]
    kept: Sequence[float | None] = (None, None)
    if scores and (scores[1] > scores[0]) - (scores[1] < scores[0]) == places[0] - places[1]:
        kept = scores
    sides = [
        ResultSide([name], place, score)
        for name, place, score in zip(names, places, kept, strict=True)
    ]
    return Result(line, sides, at)
