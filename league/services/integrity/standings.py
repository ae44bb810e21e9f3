"""Check the stored standings against those that the ratings give."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from django.db import connection, transaction

from league.models import Season
from league.services.core import binary
from league.services.core.clock import microseconds
from league.services.standings import connections, divisions
from league.services.standings.histogram import Histogram
from league.services.standings.rebuilding import ROW, STANDING, active_of, histogram_of, in_order
from league.services.standings.updating import LOCK, load_histogram, update_all
from ratings.types import NEVER

if TYPE_CHECKING:
    from datetime import datetime

    from numpy.typing import NDArray

STANDINGS = """
    SELECT player_id, key, active, decaying, coalesce(due, {never}),
        coalesce(division, -1::smallint)
    FROM league_standing WHERE season_id = {season} ORDER BY player_id
"""


def differences(season: Season, now: datetime) -> list[str]:
    """Return the differences between stored standings and those that the ratings give.

    Results of the season wait until this is done.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        # In the order of an update: season, connections, standings.
        Season.objects.select_for_update().get(pk=season.pk)
        connections.lock(season.pk)
        cursor.execute(LOCK, [season.pk])
        update_all(season, now)
        if connections.refresh(season, now):
            update_all(season, now)
        computed = in_order(season, now)
        computed["division"], untold, _cuts = divisions.rebuilt(season, computed)
        stored = stored_standings(season)
        found = [
            f"standing of player {row['player_id']}: {side}"
            for side, rows in (
                ("stored, but not given by the ratings", np.setdiff1d(stored, computed)),
                ("given by the ratings, but not stored", np.setdiff1d(computed, stored)),
            )
            for row in rows
        ]
        found += differing_connections(season)
        found += [
            f"division of player {player}: differs from the ledger" for player in untold.players
        ]
        histogram, right = load_histogram(season.pk) or Histogram.empty(), histogram_of(computed)
        counted = np.bincount(histogram.buckets_of(*active_of(computed)), minlength=len(histogram))
        if histogram.total != right.total or (counted != histogram.counts).any():
            found.append(
                f"histogram: {histogram.total} ranked players, {right.total} expected, or in "
                "other buckets"
            )
    return found


def differing_connections(season: Season) -> list[str]:
    """Return the players whose stored connection is not the one that the games give."""
    if season.archived_at is not None or not connections.opponents_needed(season):
        return []
    found = connections.compute(season)
    return [
        f"connection of player {player}: differs from the games"
        for player in found.players[found.differing].tolist()
    ]


def stored_standings(season: Season) -> NDArray[Any]:
    """Return the stored standings. Updates due after the end of the season never happen."""
    parts = [np.zeros(0, ROW)]
    for part in binary.read(STANDINGS.format(season=season.pk, never=NEVER), STANDING):
        rows = np.zeros(len(part), ROW)
        for name in STANDING:
            rows[name] = part[name]
        parts.append(rows)
    stored = np.concatenate(parts)
    if season.ends_at is not None:
        stored["due"][stored["due"] > microseconds(season.ends_at)] = NEVER
    return stored
