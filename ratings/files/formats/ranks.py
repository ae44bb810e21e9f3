"""Places from the ranks or scores that a file has."""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def places_of(ranks: Sequence[float]) -> list[int]:
    """Return the places, from 0, of numbers of which the lowest is best. Equal ones tie.

    Ranks have gaps where entrants were left out; places have none above them.
    """
    ordered = sorted(ranks)
    return [bisect_left(ordered, rank) for rank in ranks]


def scores_that_fit(
    places: Sequence[int], scores: Sequence[float | None]
) -> Sequence[float | None]:
    """Return scores, or none of them if one is unknown or they contradict the places."""
    known = [score for score in scores if score is not None]
    if len(known) < len(scores):
        return [None] * len(scores)
    ordered = sorted(zip(places, known, strict=True), key=lambda pair: (pair[0], -pair[1]))
    fits = all(
        one == other or (one > other and place < worse)
        for (place, one), (worse, other) in pairwise(ordered)
    )
    return known if fits else [None] * len(scores)
