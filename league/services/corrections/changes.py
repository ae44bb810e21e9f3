"""Changes to rated matches, and a season's history with them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from league.services.rating.tail import read_unrated

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from league.models import Season
    from league.services.rating.tail import Placings, Tail
    from ratings.types import Integers


@dataclass(frozen=True)
class Change:
    """The change to a match: a new result, or void (no ``placings``)."""

    match: int
    rated_order: int
    """Its place in the order of rating, which it keeps or gets back."""
    placings: Placings | None = None
    weight: float | None = None
    """The new weight, if it changes."""
    mode: str | None = None
    """The new game mode, if it changes."""
    returns: bool = False
    """Whether the match is void now, and counts again."""

    @property
    def voids(self) -> bool:
        return self.placings is None


def first_order(changes: Iterable[Change]) -> int:
    """Return the place in the order of rating of the first match that changes."""
    return min(change.rated_order for change in changes)


def returning_matches(changes: Iterable[Change]) -> dict[int, int]:
    """Return the void matches that count again, each with its place in the order of rating."""
    return {one.match: one.rated_order for one in changes if one.returns}


def with_changes(season: Season, was: Tail, changes: Sequence[Change]) -> Tail:
    """Return the history of a season with changes to its matches."""
    now = was.only(~np.isin(was["match"], [one.match for one in changes if one.voids]))
    if returning := returning_matches(changes):
        now = now.with_more(read_unrated(season, returning))
    for one in changes:
        if one.placings is not None:
            now = now.with_result(one.match, one.placings, one.weight, one.mode)
    return now


def players_of(tail: Tail, matches: Iterable[int]) -> Integers:
    """Return the ids of the players of some matches of a history."""
    return np.unique(tail["player"][np.isin(tail["match"], list(matches))])
