"""Revise ladder points after a correction, and compare points with what they should be.

Points follow from a match and its forecast, or the ratings before it if it has none, and the ledger
of rating events has both. So they are computed again from there: after a correction for every match
since, and for a whole season to verify it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from django.db import connection

from league.models import PointEntry
from league.services.points import awarding
from league.services.points.entries import TERMS, entries

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from numpy.typing import NDArray

    from league.models import Correction, Season
    from league.services.rating.tail import Tail
    from ratings.points.history import EarnedPoints
    from ratings.types import Booleans, States

    Columns = Mapping[str, NDArray[Any]]

SUPERSEDE = "UPDATE league_pointentry SET superseded_by_id = %s WHERE id = ANY(%s)"


def revise(
    season: Season,
    tail: Tail,
    before: States,
    *,
    since: int,
    changed: Sequence[int],
    anew: bool,
    correction: Correction | None,
    now: datetime,
) -> None:
    """Award the points again of matches from a place in the order of rating on.

    ``tail`` is the season's history by now, and ``before`` ``(N,)`` the states before each match.
    ``changed`` are ids of matches that may be void, and ``anew`` says whether the season's rules
    may have changed. ``correction`` supersedes the entries that are wrong; there are none without
    it. The caller holds the season's lock.
    """
    if not season.season_rules().points.ladder.counts:
        if anew and correction is not None:
            take_back(season, correction)
        return
    rows = np.flatnonzero(tail["rated_order"] >= since)
    tail, before = tail.only(rows), before.take(rows)
    stored = entries(season, since - 1, changed)
    given = awarding.earned_in(season, tail.history(), before, tail["forecast"], tail.orders)
    fresh, stale = differing(tail, given, stored)
    if correction is not None:
        with connection.cursor() as cursor:
            cursor.execute(SUPERSEDE, [correction.pk, stored["id"][stale].tolist()])
    when = given_at(season, np.unique(tail["match"][fresh]).tolist())
    matches = tail["match"].tolist()
    awarding.write(
        season,
        matches,
        tail["player"].tolist(),
        given,
        fresh,
        [when.get(match, now) for match in matches],
    )
    moved = np.union1d(stored["player"][stale], tail["player"][fresh])
    awarding.add_up(season, None if anew else moved.tolist())


def take_back(season: Season, correction: Correction) -> None:
    """Take back all points of a season whose rules give none any more."""
    PointEntry.objects.filter(season=season).update(superseded_by=correction)
    awarding.add_up(season)


def given_at(season: Season, matches: list[int]) -> dict[int, datetime]:
    """Return when points of these matches were first awarded, by match, where they ever were."""
    rows = PointEntry.ever.filter(season=season, match__in=matches).order_by("-id")
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
