"""Read-only endpoints for competitions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from league.api.arenas.views import ArenaEndpoint
from league.api.competitions.serializers import (
    BoardSerializer,
    CompetitionSerializer,
    EntrantSerializer,
    FixtureSerializer,
)
from league.api.core.cursors import Cursors
from league.api.core.endpoint import Endpoint
from league.models import Competition, Entrant, Fixture
from league.services.competitions import pages

if TYPE_CHECKING:
    from rest_framework.request import Request


class CompetitionEndpoint(Endpoint):
    """A view of part of a published competition."""

    def competition(self, pk: int) -> Competition:
        rows = Competition.objects.published().select_related("season__arena")
        return self.get_or_404(rows, _("There is no such competition."), pk=pk)


class Competitions(ArenaEndpoint):
    queryset = Competition.objects.none()
    serializer_class = CompetitionSerializer
    pagination_class = Cursors

    @extend_schema(operation_id="competitions", responses=CompetitionSerializer(many=True))
    def get(self, _request: Request, slug: str) -> Response:
        """List the competitions of an arena, latest first."""
        rows = Competition.objects.published().filter(season__arena=self.arena(slug))
        return self.page_response(rows.select_related("season__arena"))


class CompetitionDetail(CompetitionEndpoint):
    queryset = Competition.objects.none()
    serializer_class = CompetitionSerializer

    @extend_schema(operation_id="competition")
    def get(self, _request: Request, pk: int) -> Response:
        """Show a competition and its rules."""
        return Response(self.serialize(self.competition(pk)))


class Entrants(CompetitionEndpoint):
    queryset = Entrant.objects.none()
    serializer_class = EntrantSerializer
    pagination_class = Cursors

    @extend_schema(operation_id="entrants", responses=EntrantSerializer(many=True))
    def get(self, _request: Request, pk: int) -> Response:
        """List the entrants of a competition by seed, those on the waiting list included."""
        rows = self.competition(pk).entrants.with_people().order_by("seed", "id")
        return self.page_response(rows)


class Fixtures(CompetitionEndpoint):
    queryset = Fixture.objects.none()
    serializer_class = FixtureSerializer
    pagination_class = Cursors

    @extend_schema(operation_id="fixtures", responses=FixtureSerializer(many=True))
    def get(self, _request: Request, pk: int) -> Response:
        """List the fixtures of a competition by number, those of a planned bracket included."""
        one = self.competition(pk)
        rows = one.fixtures.select_related("round", "home__player", "away__player").order_by(
            "number"
        )
        is_grouped = one.format == Competition.Format.GROUPS_KNOCKOUT
        plan = pages.load(one).bracket_plan if is_grouped else ()
        planned = [line.fixture for each in plan for line in each.fixtures]
        listed: Any = [*rows, *planned] if planned else rows
        lines = pages.lines_of(one, self.paginate_queryset(listed) or [])
        return self.get_paginated_response(self.serialize(lines, many=True))


class Table(CompetitionEndpoint):
    queryset = Competition.objects.none()
    serializer_class = BoardSerializer

    @extend_schema(operation_id="table", responses=BoardSerializer(many=True))
    def get(self, _request: Request, pk: int) -> Response:
        """Show the table of a competition, or that of each group. A bracket has none."""
        page = pages.load(self.competition(pk))
        return Response(self.serialize(page.tables, many=True))
