"""The seasons of an arena, and the archives of those that are over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.response import Response

from league.api.arenas.views import ArenaEndpoint
from league.api.core.cursors import Cursors
from league.api.core.endpoint import Endpoint
from league.api.seasons.serializers import (
    FinalPointsSerializer,
    FinalStandingSerializer,
    SeasonDetailSerializer,
    SeasonRowSerializer,
)
from league.models import Arena, FinalPoints, FinalStanding, Season
from league.replica import from_replica
from league.services.core.clock import database_now

if TYPE_CHECKING:
    from rest_framework.request import Request


class SeasonEndpoint(Endpoint):
    """A view of a season of a published arena."""

    def season(self, pk: int) -> Season:
        rows = Season.objects.filter(arena__in=Arena.objects.published()).select_related("arena")
        return self.get_or_404(rows, _("There is no season %(id)d.") % {"id": pk}, pk=pk)

    def find_archived(self, pk: int) -> Season:
        """Return a season that has an archive. Raises ``NotFound``."""
        season = self.season(pk)
        if season.archived_at is None:
            text = _("%(season)s has no archive yet. Its leaderboard is that of the arena.")
            raise NotFound(text % {"season": season})
        return season


class Seasons(ArenaEndpoint):
    queryset = Season.objects.none()
    serializer_class = SeasonRowSerializer
    pagination_class = Cursors

    @extend_schema(operation_id="seasons", responses=SeasonRowSerializer(many=True))
    def get(self, _request: Request, slug: str) -> Response:
        """List the seasons of an arena, latest first, past and planned ones included."""
        rows = self.arena(slug).seasons.select_related("arena").order_by("-starts_at", "-id")
        page = self.paginate_queryset(self.load_related(rows))
        return self.get_paginated_response(self.serialize(page, many=True, now=database_now()))


class SeasonDetail(SeasonEndpoint):
    serializer_class = SeasonDetailSerializer

    @extend_schema(operation_id="season")
    def get(self, _request: Request, pk: int) -> Response:
        """Show a season with its rating system, divisions and awards."""
        return Response(self.serialize(self.season(pk), now=database_now()))


class FinalStandings(SeasonEndpoint):
    queryset = FinalStanding.objects.none()
    serializer_class = FinalStandingSerializer
    pagination_class = Cursors

    @method_decorator(from_replica)
    @extend_schema(operation_id="final_standings", responses=FinalStandingSerializer(many=True))
    def get(self, _request: Request, pk: int) -> Response:
        """List the final standings of an archived season, best first."""
        season = self.find_archived(pk)
        page = self.paginate_queryset(
            self.load_related(season.final_standings.order_by("position"))
        )
        return self.get_paginated_response(self.serialize(page, many=True, shows=season.shows))


class SeasonPoints(SeasonEndpoint):
    queryset = FinalPoints.objects.none()
    serializer_class = FinalPointsSerializer
    pagination_class = Cursors

    @method_decorator(from_replica)
    @extend_schema(operation_id="final_points", responses=FinalPointsSerializer(many=True))
    def get(self, _request: Request, pk: int) -> Response:
        """List the final ladder points of an archived season, most first."""
        return self.page_response(self.find_archived(pk).final_points.order_by("position"))
