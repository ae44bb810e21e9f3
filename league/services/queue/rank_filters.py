"""Rank filters: how close in percentile a player's opponents and partners must be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import connection
from django.utils.translation import gettext as _

from league.models import RankPreference
from league.models.preference import EVERYBODY
from league.services.core.errors import Refused
from league.services.core.id_lists import any_of
from matchmaking.rank_filter import RankFilter
from ratings.percentile import GROUPS, Activity

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from league.models import Arena, Player, Season

ACTIVITY = Activity()
"""The conditions for having a percentile: see :func:`ratings.percentile.is_ranked`."""

# The groups of ratings.percentile.percentiles, for some players of many.
PERCENTILES = """
    WITH ranked AS (
        SELECT player_id, rank() OVER (ORDER BY rating {order}) - 1 AS worse,
            count(*) OVER () AS everybody
        FROM league_rating
        WHERE season_id = %(season)s AND games >= %(games)s
            AND last_played_at >= %(now)s::timestamptz - %(window)s * interval '1 second'
    )
    SELECT player_id, 1 + CASE WHEN everybody >= %(groups)s THEN %(groups)s * worse / everybody
        ELSE (%(groups)s - 1) * worse / greatest(everybody - 1, 1) END
    FROM ranked WHERE player_id = ANY(%(players)s)
"""


def percentiles_of(season: Season, players: Iterable[int], now: datetime) -> dict[int, int]:
    """Return percentiles (1 to 100) among a season's active players, by player id.

    Players with too few matches, or none lately, are left out.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            PERCENTILES.format(order="DESC" if season.lowest_first else "ASC"),
            {
                "season": season.pk,
                "now": now,
                "games": ACTIVITY.placement_matches,
                "window": ACTIVITY.window,
                "groups": GROUPS,
                "players": list(players),
            },
        )
        return dict(cursor.fetchall())


def filters_of(arena: Arena, players: Iterable[int]) -> dict[int, RankFilter]:
    """Return the filters that players have set in an arena, by player id."""
    chosen = RankPreference.objects.filter(arena=arena, player__in=any_of(players))
    return {
        player: RankFilter(percentiles, strict)
        for player, percentiles, strict in chosen.values_list("player", "percentiles", "strict")
    }


def set_filter(arena: Arena, player: Player, percentiles: float | None, *, strict: bool) -> None:
    """Set a player's rank filter in an arena; ``None`` removes it.

    Raises:
        Refused: ``percentiles`` is out of range.
    """
    mine = RankPreference.objects.filter(arena=arena, player=player)
    if percentiles is None or percentiles == EVERYBODY:
        mine.delete()
        return
    if not 0 < percentiles < EVERYBODY:
        raise Refused(
            "percentiles",
            _("Choose from 1 to %(most)d percentiles. With %(most)d you can meet anyone.")
            % {"most": EVERYBODY},
            field="percentiles",
        )
    RankPreference.objects.update_or_create(
        arena=arena, player=player, defaults={"percentiles": percentiles, "strict": strict}
    )
