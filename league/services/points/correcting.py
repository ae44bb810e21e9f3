"""Revise ladder points after a correction, and compare points with what they should be.

Points follow from a match and its forecast, or the ratings before it if it has none, and the ledger
of rating events has both. So they are computed again from there: after a correction for every match
since, and for a whole season to verify it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from django.db import connection

from league.models import PointEntry, Season
from league.services.points import awarding
from league.services.points.entries import TERMS, entries
from league.services.rating.tail import read_tail

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from numpy.typing import NDArray

    from league.models import Correction
    from league.services.rating.tail import Tail
    from ratings.points.history import EarnedPoints
    from ratings.types import Booleans

    Columns = Mapping[str, NDArray[Any]]

SUPERSEDE = "UPDATE league_pointentry SET superseded_by_id = %s WHERE id = ANY(%s)"


def follow(sender: Any, correction: Correction, **_signal: Any) -> None:
    """Award the points of a corrected match and of all matches rated after it again.

    Runs in the transaction of the correction, which holds the season's lock.
    """
    del sender
    season = correction.season
    if not season.season_rules().points.ladder.counts:
        return
    tail = read_tail(season, correction.rated_order - 1)
    stored = entries(season, correction.rated_order - 1, correction.match_id)
    given = awarding.earned_in(season, tail.history(), tail.before(), tail["forecast"])
    fresh, stale = differing(tail, given, stored)
    with connection.cursor() as cursor:
        cursor.execute(SUPERSEDE, [correction.pk, stored["id"][stale].tolist()])
    when = given_at(season, stored["match"][stale].tolist(), correction)
    matches = tail["match"].tolist()
    awarding.write(
        season,
        matches,
        tail["player"].tolist(),
        given,
        fresh,
        [when.get(match, correction.at) for match in matches],
    )
    moved = np.union1d(stored["player"][stale], tail["player"][fresh])
    awarding.add_up(season, moved.tolist())


def given_at(season: Season, matches: list[int], correction: Correction) -> dict[int, datetime]:
    """Return when the superseded points of these matches were awarded, by match."""
    rows = PointEntry.ever.filter(season=season, match__in=set(matches), superseded_by=correction)
    return dict(rows.values_list("match", "at"))


def differing(tail: Tail, given: EarnedPoints, stored: Columns) -> tuple[Booleans, Booleans]:
    """Return which participations ``(N,)`` lack an entry and which entries ``(n,)`` are wrong."""
    wanted = {name: values_of(given, name) for name in TERMS}
    there = {
        (match, player): row
        for row, (match, player) in enumerate(
            zip(stored["match"].tolist(), stored["player"].tolist(), strict=True)
        )
    }
    fresh = np.zeros(len(tail), np.bool_)
    stale = np.ones(len(stored["id"]), np.bool_)
    for row, (match, player) in enumerate(
        zip(tail["match"].tolist(), tail["player"].tolist(), strict=True)
    ):
        if not given.counts[row]:
            continue
        at = there.get((match, player))
        if at is None or any(wanted[name][row] != stored[name][at] for name in wanted):
            fresh[row] = True
        else:
            stale[at] = False
    return fresh, stale


def values_of(given: EarnedPoints, name: str) -> NDArray[Any]:
    values: NDArray[Any] = getattr(given, name)
    return values.astype(np.int64) if values.dtype == np.bool_ else values
