"""Rank filters: how near others must stand to a player to be matched with her."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import connection
from django.utils.translation import gettext as _

from league.models import RankPreference
from league.models.preference import EVERYBODY
from league.services.core.errors import Refused
from league.services.core.many import any_of
from matchmaking.rank_filter import RankFilter
from ratings.percentile import GROUPS, Activity

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from league.models import Arena, Player, Season

ACTIVITY = Activity()
"""Who has a percentile: see :func:`ratings.percentile.is_ranked`."""

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
    """Where players stand among a season's active, from 1 to 100, by player id. Who has not played
    enough, or not lately, is left out."""
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
    """The filters that players have chosen in an arena, by player id."""
    chosen = RankPreference.objects.filter(arena=arena, player__in=any_of(players))
    return {
        player: RankFilter(percentiles, strict)
        for player, percentiles, strict in chosen.values_list("player", "percentiles", "strict")
    }


def choose(arena: Arena, player: Player, percentiles: float | None, *, strict: bool) -> None:
    """A player says how near others must stand to her in an arena; ``None`` for anywhere.

    Raises:
        Refused: it is no number of percentiles.
    """
    mine = RankPreference.objects.filter(arena=arena, player=player)
    if percentiles is None or percentiles == EVERYBODY:
        mine.delete()
        return
    if not 0 < percentiles < EVERYBODY:
        raise Refused(
            "percentiles",
            _("Choose from 1 to %(most)d percentiles; with %(most)d you meet everybody.")
            % {"most": EVERYBODY},
            field="percentiles",
        )
    RankPreference.objects.update_or_create(
        arena=arena, player=player, defaults={"percentiles": percentiles, "strict": strict}
    )
