"""Check ladder points against the results of their season."""

from __future__ import annotations

import numpy as np
from django.db import connection, transaction

from league.models import Season
from league.services.points import awarding
from league.services.points.correcting import differing
from league.services.points.entries import entries
from league.services.rating.tail import read_tail

TOTALS = """
    WITH summed AS (
        SELECT player_id, sum(points) AS points, count(*) AS matches,
            count(*) FILTER (WHERE victory AND NOT deserted) AS wins
        FROM league_pointentry WHERE season_id = %(season)s AND superseded_by_id IS NULL
        GROUP BY player_id
    )
    SELECT player_id,
        coalesce((t.points, t.matches, t.wins, t.listed)::text, 'no row'),
        coalesce((s.points, s.matches, s.wins,
            s.points >= %(least)s AND s.matches >= %(least_matches)s)::text, 'no row')
    FROM summed AS s FULL JOIN (
        SELECT * FROM league_pointtotal WHERE season_id = %(season)s
    ) AS t USING (player_id)
    WHERE (t.points, t.matches, t.wins, t.listed) IS DISTINCT FROM (s.points, s.matches, s.wins,
        s.points >= %(least)s AND s.matches >= %(least_matches)s)
    ORDER BY player_id
"""
TALLIES = """
    WITH counted AS (
        SELECT points, count(*) AS players FROM league_pointtotal
        WHERE season_id = %(season)s AND listed GROUP BY points
    ), kept AS (
        SELECT points, sum(players) AS players FROM league_pointtally
        WHERE season_id = %(season)s GROUP BY points HAVING sum(players) <> 0
    )
    SELECT points, coalesce(kept.players, 0), coalesce(counted.players, 0)
    FROM counted FULL JOIN kept USING (points)
    WHERE counted.players IS DISTINCT FROM kept.players
    ORDER BY points
"""


def differences(season: Season) -> list[str]:
    """Return the differences between stored ladder points and those computed from the results.

    Results of the season wait until this is done.
    """
    if not season.season_rules().points.ladder.counts:
        return []
    with transaction.atomic():
        Season.objects.select_for_update().get(pk=season.pk)
        return differences_of_locked(season)


def differences_of_locked(season: Season) -> list[str]:
    ladder = season.season_rules().points.ladder
    tail = read_tail(season, -1)
    stored = entries(season, -1)
    given = awarding.earned_in(season, tail.history(), tail.before(), tail["forecast"], tail.orders)
    fresh, stale = differing(tail, given, stored)
    found = [
        f"points of player {tail['player'][row]} in match {tail['match'][row]}: "
        f"{given.points[row]} computed, another entry or none stored"
        for row in np.flatnonzero(fresh).tolist()
    ]
    found += [
        f"points of player {stored['player'][row]} in match {stored['match'][row]}: "
        f"{stored['points'][row]} stored, not computed"
        for row in np.flatnonzero(stale).tolist()
    ]
    parameters = {
        "season": season.pk,
        "least": ladder.leaderboard_points,
        "least_matches": ladder.leaderboard_matches,
    }
    with connection.cursor() as cursor:
        cursor.execute(TOTALS, parameters)
        found += [
            f"total of player {player}: {stored} stored, {summed} added up"
            for player, stored, summed in cursor.fetchall()
        ]
        cursor.execute(TALLIES, parameters)
        found += [
            f"players listed with {points} points: {stored} stored, {counted} counted"
            for points, stored, counted in cursor.fetchall()
        ]
    return found
