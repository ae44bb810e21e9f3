"""The stream of a match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import extend_schema

from league.api.core.watched import SINCE, StreamEndpoint, events, for_everybody, line_of
from league.api.results.queries import whole_matches
from league.api.results.serializers import MatchDetailSerializer
from league.api.results.views import MatchEndpoint
from league.event_streams import Source
from league.services.core.row_versions import versions_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from rest_framework.request import Request

    from league.event_streams import EventStream

OF_MATCH = "t.match_id = one.id"
IN_FORCE = f"{OF_MATCH} AND t.superseded_by_id IS NULL"
PARTS = {
    "league_side": OF_MATCH,
    "league_participant": OF_MATCH,
    "league_confirmation": OF_MATCH,
    "league_counterreport": OF_MATCH,
    "league_objection": f"{OF_MATCH} AND NOT t.state = 'withdrawn'",
    "league_staffaction": OF_MATCH,
    "league_ratingevent": IN_FORCE,
    "league_pointentry": IN_FORCE,
    "league_arrangement": OF_MATCH,
}
"""The tables of which the API shows something in a match, with conditions that have an index."""


class MatchSource(Source):
    """Matches by their id."""

    event = "match"

    def versions(self, keys: Collection[int]) -> Mapping[int, str]:
        return versions_of("league_match", keys, PARTS)

    def told(self, keys: Collection[int]) -> Mapping[int, bytes]:
        """Return matches as everybody may read them."""
        with for_everybody():
            found = whole_matches(keys)
            return {match.pk: line_of(MatchDetailSerializer(match).data) for match in found}


MATCHES = MatchSource()


class MatchStream(StreamEndpoint, MatchEndpoint):
    @extend_schema(
        operation_id="match_stream", parameters=[SINCE], responses=events(MatchSource.event)
    )
    def get(self, _request: Request, pk: int) -> Any:
        """Follow a match as server-sent events.

        The first event is the match as it is now, and another follows each time it changes, with
        the data that `GET /api/v1/matches/{id}/` returns.
        """
        self.check_exists(pk)
        stream: EventStream = self.stream((MATCHES, pk))
        return stream
