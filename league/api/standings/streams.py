"""The stream of a leaderboard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import connection
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound

from league.api.arenas.views import ArenaEndpoint
from league.api.core.watched import SINCE, StreamEndpoint, events, for_everybody, line_of
from league.api.standings.serializers import StandingSerializer
from league.api.standings.views import season_shown
from league.event_streams import Source
from league.models import Arena
from league.services.core.clock import database_now
from league.services.standings import leaderboards

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from datetime import datetime

    from rest_framework.request import Request

SHOWN = 50
"""The rows of an event."""
VERSIONS = """
    SELECT DISTINCT ON (arena.id) arena.id, concat_ws('.', season.id, board.version)
    FROM league_arena AS arena
    JOIN league_season AS season ON season.arena_id = arena.id AND season.starts_at <= now()
    LEFT JOIN league_standinghistogram AS board ON board.season_id = season.id
    WHERE arena.id = ANY(%s) AND NOT arena.is_draft
    ORDER BY arena.id, season.starts_at DESC, season.id DESC
"""


class BoardSource(Source):
    """The tops of leaderboards, by the ids of their arenas."""

    event = "leaderboard"

    def versions(self, keys: Collection[int]) -> Mapping[int, str]:
        with connection.cursor() as cursor:
            cursor.execute(VERSIONS, [list(keys)])
            return dict(cursor.fetchall())

    def told(self, keys: Collection[int]) -> Mapping[int, bytes]:
        told, now = {}, database_now()
        with for_everybody():
            for arena in Arena.objects.published().filter(pk__in=keys):
                try:
                    told[arena.pk] = line_of(top_of(arena, now))
                except NotFound:  # it has no season any more
                    continue
        return told


BOARDS = BoardSource()


def top_of(arena: Arena, now: datetime) -> dict[str, Any]:
    """Return the first rows of a leaderboard. Raises ``NotFound`` without a season."""
    season = season_shown(arena, now)
    page = leaderboards.leaderboard(season, now=now, per_page=SHOWN, past_ranks=True)
    rows = StandingSerializer(page.rows, many=True, context={"shows": season.shows}).data
    return {
        "season": {"id": season.pk, "name": season.name},
        "count": page.total,
        "results": rows,
    }


class BoardStream(StreamEndpoint, ArenaEndpoint):
    @extend_schema(
        operation_id="leaderboard_stream", parameters=[SINCE], responses=events(BoardSource.event)
    )
    def get(self, _request: Request, slug: str) -> Any:
        """Follow the top of a leaderboard as server-sent events.

        Each event has the season, how many players are ranked, and the first 50 of them, as in the
        leaderboard. Another follows each time the standings change.
        """
        arena = self.arena(slug)
        season_shown(arena, database_now())
        return self.stream((BOARDS, arena.pk))
