"""Reading teams."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from league.api.core.cursors import Cursors
from league.api.core.endpoint import Endpoint
from league.api.core.references import SearchForm
from league.api.teams.serializers import TeamDetailSerializer, TeamSerializer
from league.models import Team
from league.replica_reads import from_replica

if TYPE_CHECKING:
    from rest_framework.request import Request


class Teams(Endpoint):
    queryset = Team.objects.none()
    serializer_class = TeamSerializer
    pagination_class = Cursors
    query_form = SearchForm

    @method_decorator(from_replica)
    @extend_schema(operation_id="teams", responses=TeamSerializer(many=True))
    def get(self, _request: Request) -> Response:
        """List teams by name. Those that were disbanded are not listed."""
        teams = Team.objects.existing().order_by("name", "id")
        if search := self.query()["search"]:
            teams = teams.search(search)
        return self.page_response(teams)


class TeamDetail(Endpoint):
    serializer_class = TeamDetailSerializer

    @method_decorator(from_replica)
    @extend_schema(operation_id="team")
    def get(self, _request: Request, pk: int) -> Response:
        """Return a team with its members, rosters and ratings."""
        missing = _("There is no team %(id)d.") % {"id": pk}
        team = self.get_or_404(Team.objects.prefetch_related("ratings"), missing, pk=pk)
        return Response(self.shown(team))
