"""Ladder points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.response import Response
from rest_framework.utils.urls import remove_query_param, replace_query_param

from league.api.arenas.views import ArenaEndpoint
from league.api.core.cursors import Cursors
from league.api.people.serializers import HistoryForm
from league.api.people.views import PlayerEndpoint, of_person
from league.api.points.serializers import PointEntrySerializer, PointsBoardSerializer, PointsForm
from league.models import PointEntry
from league.replica_reads import from_replica
from league.services.core.clock import database_now
from league.services.points import board

if TYPE_CHECKING:
    from rest_framework.request import Request


class PointsBoard(ArenaEndpoint):
    serializer_class = PointsBoardSerializer
    query_form = PointsForm

    @method_decorator(from_replica)
    @extend_schema(operation_id="points", responses=PointsBoardSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """List players by ladder points, in the running season or else the last one."""
        now = database_now()
        arena = self.arena(slug)
        season = arena.current_season(now) or arena.seasons.filter(starts_at__lte=now).first()
        if season is None or not season.season_rules().points.ladder.counts:
            raise NotFound(_("%(arena)s has no ladder points.") % {"arena": arena})
        asked = self.query()
        page = board.page(
            season,
            after=asked.get("after"),
            before=asked.get("before"),
            count=self.page_size(),
        )
        here = request.build_absolute_uri()
        plain = remove_query_param(remove_query_param(here, "before"), "after")
        payload = {
            "count": page.total,
            "next": replace_query_param(plain, "after", page.next) if page.next else None,
            "previous": replace_query_param(plain, "before", page.previous)
            if page.previous
            else None,
            "results": page.rows,
        }
        return Response(PointsBoardSerializer(payload).data)


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
