"""Ladder points."""

from __future__ import annotations

from dataclasses import astuple
from typing import TYPE_CHECKING, Any, cast

from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.response import Response

from league.api.arenas.views import ArenaEndpoint
from league.api.core.cursors import Cursors, cursor_of, page_size
from league.api.people.serializers import HistoryForm
from league.api.people.views import PlayerEndpoint, of_person
from league.api.points.serializers import PointEntrySerializer, PointsRowSerializer
from league.models import PointEntry
from league.replica import from_replica
from league.services.core.clock import database_now
from league.services.points import points_leaderboard

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rest_framework.request import Request
    from rest_framework.views import APIView

    from league.api.core.deprecation import Deprecated
    from league.models import Season


class PointsCursors(Cursors):
    """Parts of the points leaderboard, which is counted: more points, then fewer matches."""

    deprecated: Mapping[str, Deprecated] = {}
    count = 0

    def read(
        self, season: Season, request: Request, view: PointsBoard
    ) -> list[points_leaderboard.PointsRow]:
        """Return the rows of a season at the cursor of a request."""
        self.request, self.view = request, view
        start = cursor_of(request, view)
        places = {start[0]: points_leaderboard.PointsCursor(*start[1])} if start else {}
        page = points_leaderboard.page(season, count=page_size(request), **places)
        self.count = page.total
        self.link(
            ["before", astuple(page.previous)] if page.previous else None,
            ["after", astuple(page.next)] if page.next else None,
        )
        return page.rows

    def get_paginated_response(self, data: Any) -> Response:
        response = super().get_paginated_response(data)
        response.data["count"] = self.count
        return response

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        described = super().get_paginated_response_schema(schema)
        described["properties"]["count"] = {
            "type": "integer",
            "description": _("The number of listed players."),
        }
        described["required"].append("count")
        return described

    def get_schema_operation_parameters(self, view: APIView) -> list[dict[str, Any]]:
        known = super().get_schema_operation_parameters(view)
        return [one for one in known if one["name"] != "page"]  # it has never had numbers


class PointsBoard(ArenaEndpoint):
    serializer_class = PointsRowSerializer
    pagination_class = PointsCursors

    @extend_schema(operation_id="points", responses=PointsRowSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List players by ladder points, in the running season or else the last one."""
        now = database_now()
        arena = self.arena(slug)
        season = arena.current_season(now) or arena.seasons.filter(starts_at__lte=now).first()
        if season is None or not season.season_rules().points.ladder.counts:
            raise NotFound(_("%(arena)s has no ladder points.") % {"arena": arena})
        rows = cast("PointsCursors", self.paginator).read(season, request, self)
        return self.get_paginated_response(self.serialize(rows, many=True))


class PlayerPoints(PlayerEndpoint):
    queryset = PointEntry.objects.none()
    serializer_class = PointEntrySerializer
    pagination_class = Cursors
    query_form = HistoryForm

    @method_decorator(from_replica)
    @extend_schema(
        operation_id="player_points",
        responses=PointEntrySerializer(many=True),
    )
    def get(self, _request: Request, pk: int) -> Response:
        """List a player's ladder points match by match, latest first.

        Refused if the player hides their match history from you.
        """
        entries = (
            PointEntry.objects.filter(of_person(self.readable_or_refused(pk)))
            .select_related("season__arena")
            .order_by("-match_id")
        )
        wanted = self.query()
        if "arena" in wanted:
            entries = entries.filter(season__arena__slug=wanted["arena"])
        return self.page_response(entries)
