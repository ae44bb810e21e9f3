"""Places from the ranks or scores that a file has."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def places_of(ranks: Sequence[float]) -> list[int]:
    """Return the places, from 0, of numbers of which the lowest is best. Equal ones tie.

    Ranks have gaps where entrants were left out; places have none above them.
    """
    ordered = sorted(ranks)
    return [bisect_left(ordered, rank) for rank in ranks]
