"""Check ladder points against the results of their season."""

from __future__ import annotations

import numpy as np
from django.db import transaction
from django.db.models import Count, Q, Sum

from league.models import PointEntry, PointTally, PointTotal, Season
from league.services.points import awarding
from league.services.points.correcting import differing
from league.services.points.entries import entries
from league.services.rating.tail import read_tail


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
    return [*found, *differing_totals(season), *differing_tallies(season)]


def differing_totals(season: Season) -> list[str]:
    ladder = season.season_rules().points.ladder
    totals = PointTotal.objects.filter(season=season)
    rows = totals.values_list("player", "points", "matches", "wins", "listed")
    stored = {player: tuple(values) for player, *values in rows}
    entered = PointEntry.objects.filter(season=season, superseded_by=None).order_by()
    sums = entered.values_list("player").annotate(
        Sum("points"),
        Count("pk"),
        won=Count("pk", filter=Q(victory=True, deserted=False)),
    )
    summed = {
        player: (
            points,
            matches,
            won,
            points >= ladder.leaderboard_points and matches >= ladder.leaderboard_matches,
        )
        for player, points, matches, won in sums
    }
    return [
        f"total of player {player}: {stored.get(player, 'no row')} stored, "
        f"{summed.get(player, 'no row')} added up"
        for player in sorted(stored.keys() | summed.keys())
        if stored.get(player) != summed.get(player)
    ]


def differing_tallies(season: Season) -> list[str]:
    tallies = PointTally.objects.filter(season_id=season.pk).order_by().values_list("points")
    stored = dict(tallies.annotate(Sum("players")))
    listed = PointTotal.objects.filter(season=season, listed=True).order_by().values_list("points")
    counted = dict(listed.annotate(Count("pk")))
    return [
        f"players listed with {points} points: {stored.get(points, 0)} stored, "
        f"{counted.get(points, 0)} counted"
        for points in sorted(stored.keys() | counted.keys())
        if stored.get(points, 0) != counted.get(points, 0)
    ]
