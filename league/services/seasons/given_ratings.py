"""The starting ratings that organisers gave, as a season has them.

``Season.starting_ratings`` keeps them. From there they are written to ``Rating.opening``, so that
ratings stay the replay of the season’s results.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from league.models import Rating

if TYPE_CHECKING:
    from collections.abc import Container

    from league.models import Player, Season


def given_to(season: Season) -> dict[int, tuple[float, float | None]]:
    """Return the starting ratings and deviations by player, from a list for the present system.

    Deviations are ``None`` where the list has none. Ranks are the numbers from 1.
    """
    listed = season.starting_ratings.get(season.rating_system, {})
    given = {int(player): (rating, deviation) for player, (rating, deviation) in listed.items()}
    if not season.system().ranks_population:
        return {player: start for player, start in given.items() if player not in season.anchors}
    order = sorted(given, key=lambda player: given[player][0])
    return {player: (float(rank), None) for rank, player in enumerate(order, start=1)}


def place(season: Season, players: Container[int] | None = None) -> None:
    """Write the starting ratings of a list, or those of some players without results.

    The caller holds the season. Who had a rating in the season before keeps its deviation, unless
    the list has another. Players carried over to a ladder who are not on its list come below.
    """
    listed = given_to(season).items()
    given = {player: start for player, start in listed if players is None or player in players}
    if not given:
        return
    system = season.system()
    rows_now = season.ratings.order_by("rating")
    if not system.ranks_population:
        rows_now = rows_now.filter(player__in=list(given))
    held = {row.player_id: row for row in rows_now}
    if system.ranks_population:
        below = [player for player in held if player not in given]
        given |= {player: (float(rank), None) for rank, player in enumerate(below, len(given) + 1)}
    newcomer = system.newcomers(1)
    usual, volatility = (
        None if math.isnan(value) else value
        for value in (newcomer.deviation[0].item(), newcomer.volatility[0].item())
    )
    rows = []
    for player, (rating, deviation) in given.items():
        row = held.get(player) or Rating(
            season=season, player_id=player, deviation=usual, volatility=volatility
        )
        row.rating, row.memory = rating, []
        if deviation is not None:
            row.deviation = deviation
        row.opening = [row.rating, row.deviation, row.volatility]
        rows.append(row)
    Rating.objects.bulk_create(row for row in rows if row.pk is None)
    Rating.objects.filter(season=season).bulk_update(
        [row for row in rows if row.player_id in held],
        ["rating", "deviation", "memory", "opening"],
    )


def pass_on(season: Season, kept: Player, gone: Player) -> None:
    """Let the player who stays after a merge have the starting rating of the other one.

    A starting rating of their own stays, also one carried over from the season before.
    """
    rows = Rating.objects.filter(season=season, player=kept, opening__isnull=False)
    has_own = rows.exists()
    for system, given in season.starting_ratings.items():
        theirs = given.pop(str(gone.pk), None)
        if theirs and not (has_own and system == season.rating_system):
            given.setdefault(str(kept.pk), theirs)
    season.save(update_fields=["starting_ratings"])
