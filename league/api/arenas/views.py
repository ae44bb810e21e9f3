"""Arenas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from league.api.arenas.serializers import ArenaDetailSerializer, ArenaSerializer
from league.api.core.cursors import Cursors
from league.api.core.endpoint import Endpoint
from league.models import Arena
from league.services.core.clock import database_now

if TYPE_CHECKING:
    from rest_framework.request import Request


class ArenaEndpoint(Endpoint):
    """A view of part of an arena."""

    def arena(self, slug: str) -> Arena:
        missing = _("There is no arena “%(slug)s”.") % {"slug": slug}
        return self.get_or_404(Arena.objects.published(), missing, slug=slug)

    def arena_at(self, **at: Any) -> int | None:
        return self.arena(at["slug"]).pk if "slug" in at else None


class Arenas(Endpoint):
    queryset = Arena.objects.published().order_by("sort_name", "id")
    serializer_class = ArenaSerializer
    pagination_class = Cursors

    @extend_schema(operation_id="arenas", responses=ArenaSerializer(many=True))
    def get(self, _request: Request) -> Response:
        """List the arenas."""
        return self.page_response(self.get_queryset())


class ArenaDetail(ArenaEndpoint):
    serializer_class = ArenaDetailSerializer

    @extend_schema(operation_id="arena")
    def get(self, _request: Request, slug: str) -> Response:
        """Show an arena: format, policy, rating system and its parameters, current season."""
        return Response(self.serialize(self.arena(slug), now=database_now()))
