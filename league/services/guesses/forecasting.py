"""The forecasts of agreed matches, as their pages show them."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from league.models import RosterMember
from league.services.core.shown_ratings import decayed_ratings
from league.services.dates.playing import first_side
from league.services.rating.forecasts import forecasts
from league.services.results.forecasts.stakes import games_of, line_ups_of, ratings_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Arrangement, Player, Season


def forecasts_of(dates: Sequence[Arrangement], now: datetime) -> dict[int, float]:
    """Return the expected result of each proposer's side, from 0 to 1, by the id of the date.

    Matches without a forecast are missing. The number of statements grows with the arenas, and
    with the matches only where the published prediction is used.
    """
    by_arena: dict[int, list[Arrangement]] = defaultdict(list)
    for one in dates:
        by_arena[one.arena_id].append(one)
    found: dict[int, float] = {}
    for rows in by_arena.values():
        season = rows[0].arena.current_season(now)
        if season:
            found |= forecasts_in(season, rows, now)
    return found


def forecasts_in(season: Season, dates: Sequence[Arrangement], now: datetime) -> dict[int, float]:
    """Return the forecasts of matches in one season."""
    line_ups = expected_line_ups(season, dates)
    rows = [one for one in dates if one.pk in line_ups]
    matches = [line_ups[one.pk] for one in rows]
    held, _flags, newcomers = ratings_of(season, matches)
    shown = decayed_ratings(season, {p for sides in matches for side in sides for p in side})
    queue = getattr(season.arena, "queue", None)
    prediction = queue.prediction_rules() if queue else None
    found = {}
    for one, sides, own in zip(rows, matches, newcomers, strict=True):
        at, first = max(one.play_at, now), first_side(one)
        [chances] = forecasts(season, [sides], {**held, **own}, at, prediction, [first], shown)
        if chances:
            found[one.pk] = min(1.0, max(0.0, chances[0]))
    return found


def expected_line_ups(season: Season, dates: Sequence[Arrangement]) -> dict[int, list[list[int]]]:
    """Return the ids of the players who will probably play, by the id of the date."""
    rosters = {roster.pk for one in dates for _captain, roster in one.captains if roster}
    members: dict[int, list[Player]] = defaultdict(list)
    games: dict[int, int] = {}
    if rosters:
        seats = RosterMember.objects.filter(roster__in=rosters).select_related("player")
        for seat in seats.order_by("pk"):
            members[seat.roster_id].append(seat.player)
        games = games_of(season, [one.pk for side in members.values() for one in side])
    found = {}
    for one in dates:
        if sides := line_ups_of(season.arena, one.captains, members, games):
            found[one.pk] = [[player.pk for player in side] for side in sides]
    return found
