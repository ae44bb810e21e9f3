"""The streams of the boards of live matches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import connection
from drf_spectacular.utils import extend_schema

from league.api.arenas.views import ArenaEndpoint
from league.api.core.watched import SINCE, StreamEndpoint, events, for_everybody, line_of
from league.api.results.watching import WatchedMatchSerializer
from league.event_streams import Source
from league.models import Arena
from league.services.core.clock import database_now
from league.services.results.playing.watching import live_matches

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from rest_framework.request import Request

EVERYWHERE = 0
"""The key of the board of all arenas."""
VERSIONS = """
    SELECT m.arena_id, count(*), sum(m.xmin::text::bigint), sum(parts.version), sum(map.version)
    FROM league_match AS m
    JOIN league_arena AS a ON a.id = m.arena_id AND NOT a.is_draft
    CROSS JOIN LATERAL (
        SELECT sum(p.xmin::text::bigint) AS version FROM league_participant AS p
        WHERE p.match_id = m.id
    ) AS parts
    CROSS JOIN LATERAL (
        SELECT sum(c.xmin::text::bigint) AS version FROM league_matchmap AS c
        WHERE c.match_id = m.id
    ) AS map
    WHERE m.status = 'live'
    GROUP BY m.arena_id ORDER BY m.arena_id
"""


class LiveSource(Source):
    """The boards of live matches, by the ids of their arenas."""

    event = "live-matches"

    def versions(self, keys: Collection[int]) -> Mapping[int, Any]:
        with connection.cursor() as cursor:
            cursor.execute(VERSIONS)
            rows = cursor.fetchall()
        of_arena = {row[0]: row for row in rows}
        known = set(Arena.objects.published().filter(pk__in=keys).values_list("pk", flat=True))
        versions: dict[int, Any] = {key: of_arena.get(key, ()) for key in known}
        return versions | {EVERYWHERE: rows}

    def told(self, keys: Collection[int]) -> Mapping[int, bytes]:
        now = database_now()
        arenas: dict[int, Arena | None] = {**Arena.objects.published().in_bulk(keys)}
        if EVERYWHERE in keys:
            arenas[EVERYWHERE] = None
        with for_everybody():
            return {
                key: line_of(WatchedMatchSerializer(live_matches(arena, now), many=True).data)
                for key, arena in arenas.items()
            }


LIVE = LiveSource()


class LiveStream(StreamEndpoint):
    @extend_schema(
        operation_id="live_matches_stream", parameters=[SINCE], responses=events(LiveSource.event)
    )
    def get(self, _request: Request) -> Any:
        """Follow the matches that are being played now in all arenas as server-sent events.

        Each event lists the latest 50 of them. Another follows each time something of them changes.
        """
        return self.stream((LIVE, EVERYWHERE))


class ArenaLiveStream(StreamEndpoint, ArenaEndpoint):
    @extend_schema(
        operation_id="live_matches_of_arena_stream",
        parameters=[SINCE],
        responses=events(LiveSource.event),
    )
    def get(self, _request: Request, slug: str) -> Any:
        """Follow the matches that are being played now in an arena as server-sent events."""
        return self.stream((LIVE, self.arena(slug).pk))
