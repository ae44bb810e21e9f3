"""Previews: a diff as people see it, with the players who move, and how far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from django.db import connection

from league.models import Player
from league.services.replay.point_changes import PointChanges, point_changes

if TYPE_CHECKING:
    from league.models import Season
    from league.services.replay.diff import Diff
    from ratings.types import Booleans, Floats, Integers, States

MOST_SHOWN = 20

ABOVE = """
    SELECT width_bucket(rating, %s::float8[]), count(*)
    FROM league_rating WHERE season_id = %s AND games > 0 GROUP BY 1
"""


@dataclass(frozen=True)
class Movement:
    """A player's rating and rank before and after, ``None`` without a result."""

    player: Player
    rating_before: float | None
    rating_after: float | None
    rank_before: int | None
    """By rating only, among all rated players."""
    rank_after: int | None

    @property
    def change(self) -> float | None:
        if self.rating_after is None or self.rating_before is None:
            return None
        return self.rating_after - self.rating_before


@dataclass(frozen=True)
class Preview:
    """The changes that an edit would make."""

    matches: int
    """Later matches, which would be rated again."""
    participations: int
    events: int
    """Rating events that would be replaced or void."""
    players: int
    """Players whose rating would change."""
    largest_change: float
    """The largest change of a rating, in the unit of the season's system."""
    movements: list[Movement]
    """The players in the match, then those who move most, at most ``MOST_SHOWN``."""
    points: PointChanges | None
    """Changes of ladder points, ``None`` if the season does not count them."""
    digest: str
    """A fingerprint of the history behind this preview. Pass it to ``ask`` with ``horizon``."""
    horizon: int
    corrected: int = 1
    """Matches that would be void, count again or have another result."""


def preview_of(diff: Diff) -> Preview:
    """Return what people see of a diff."""
    horizon = diff.was.horizon
    return Preview(
        matches=diff.later_matches,
        participations=len(diff.was),
        events=diff.events,
        players=diff.movers,
        largest_change=diff.largest_change,
        movements=movements(diff),
        points=point_changes(diff),
        digest=diff.digest(horizon),
        horizon=horizon,
        corrected=len(diff.edit.changes),
    )


def movements(diff: Diff) -> list[Movement]:
    """Return the most interesting moved players with their ranks."""
    was, now = diff.changed
    playing = np.union1d(diff.was["player"][was], diff.now["player"][now])
    size = np.abs(diff.after.rating - diff.before.rating)
    order = np.lexsort((diff.players, -size, ~np.isin(diff.players, playing)))
    listed = order[diff.moved[order]][:MOST_SHOWN]
    before, after = diff.before.rating[listed], diff.after.rating[listed]
    gone, entered = diff.gone[listed], diff.entered[listed]
    ranks_before, ranks_after = ranks(diff, before, after)
    players = Player.ever.in_bulk(diff.players[listed].tolist())
    return [
        Movement(
            player=players[int(diff.players[row])],
            rating_before=None if entered[at] else float(before[at]),
            rating_after=None if gone[at] else float(after[at]),
            rank_before=None if entered[at] else int(ranks_before[at]),
            rank_after=None if gone[at] else int(ranks_after[at]),
        )
        for at, row in enumerate(listed.tolist())
    ]


def ranks(diff: Diff, before: Floats, after: Floats) -> tuple[Integers, Integers]:
    """Return the ranks of these ratings among all, before and after the change."""
    if diff.season.lowest_first:  # ratings are ranks, also of those who have not played yet
        return before.astype(np.int64), after.astype(np.int64)
    better = [np.nextafter(rating, np.inf) for rating in (before, after)]
    limits = np.unique(np.concatenate(better))
    above = count_from(diff.season, limits)
    was = diff.before.rating[diff.moved & are_rated(diff.before)]
    will_be = diff.after.rating[diff.moved & are_rated(diff.after)]
    moved = np.array([np.count_nonzero(will_be >= x) - np.count_nonzero(was >= x) for x in limits])
    at_before, at_after = (np.searchsorted(limits, rating) for rating in better)
    return 1 + above[at_before], 1 + (above + moved)[at_after]


def are_rated(states: States) -> Booleans:
    return np.asarray(states.games > 0)


def count_from(season: Season, limits: Floats) -> Integers:
    """Count the season's ratings at or above each of the ascending limits."""
    above = np.zeros(len(limits) + 1, dtype=np.int64)
    if not len(limits):
        return above[1:]
    with connection.cursor() as cursor:
        cursor.execute(ABOVE, [limits.tolist(), season.pk])
        for bucket, count in cursor.fetchall():
            above[bucket] = count
    total: Integers = np.cumsum(above[::-1])[::-1]
    return total[1:]
