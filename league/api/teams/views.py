"""Teams: reading, founding, changing and disbanding them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import NotFound
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response

from league.api.arenas.views import ArenaEndpoint
from league.api.core.cursors import Cursors
from league.api.core.endpoint import Endpoint
from league.api.core.fields import NoFields
from league.api.core.pictures import PictureForm
from league.api.core.throttles import COSTLY
from league.api.teams.forms import DisbandForm, TeamChangeForm, TeamForm, TeamsQuery
from league.api.teams.serializers import TeamDetailSerializer, TeamRankSerializer, TeamSerializer
from league.models import Player, Scope, Season, Team
from league.models.names import fold
from league.replica import from_replica
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.teams import founding, membership, pages, pictures
from league.services.teams.access import check_captain
from league.services.teams.rating import rates_teams

if TYPE_CHECKING:
    from rest_framework.request import Request


class TeamEndpoint(Endpoint):
    """A view of one team, or of all."""

    queryset: Any = Team.objects.none()
    serializer_class: Any = TeamDetailSerializer
    scopes: tuple[Scope, ...] = (Scope.ACCOUNT,)

    def team(self, pk: int) -> Team:
        missing = _("There is no team %(id)d.") % {"id": pk}
        return self.get_or_404(Team.objects.prefetch_related("ratings"), missing, pk=pk)

    def detail(self, team: Team, http_status: int = status.HTTP_200_OK) -> Response:
        """Return a team as it is now."""
        return Response(TeamDetailSerializer(self.team(team.pk)).data, status=http_status)


class Teams(TeamEndpoint):
    serializer_class = TeamSerializer
    pagination_class = Cursors
    query_form = TeamsQuery

    @method_decorator(from_replica)
    @extend_schema(operation_id="teams", responses=TeamSerializer(many=True))
    def get(self, _request: Request) -> Response:
        """List teams by name. Those that were disbanded are not listed."""
        teams, wanted = Team.objects.existing().order_by("sort_name", "id"), self.query()
        if search := wanted["search"]:
            teams = teams.search(search)
        if "player" in wanted:
            missing = _("There is no player %(id)d.") % {"id": wanted["player"]}
            teams = teams.of(self.get_or_404(Player.objects.all(), missing, pk=wanted["player"]))
        return self.page_response(teams)

    @extend_schema(
        operation_id="found_team", request=TeamForm, responses={201: TeamDetailSerializer}
    )
    def post(self, _request: Request) -> Response:
        """Found a team and become its captain."""
        me, sent = self.player(), self.body(TeamForm)
        colours = sent["colour"], sent["second_colour"]
        made = founding.found(sent["name"], sent["tag"], colours, by=me, now=database_now())
        return self.detail(made, status.HTTP_201_CREATED)


class TeamDetail(TeamEndpoint):
    @method_decorator(from_replica)
    @extend_schema(operation_id="team")
    def get(self, _request: Request, pk: int) -> Response:
        """Return a team with its members, rosters and ratings."""
        return Response(self.serialize(self.team(pk)))

    @extend_schema(
        operation_id="change_team",
        request=TeamChangeForm,
        responses={200: TeamDetailSerializer},
    )
    def patch(self, _request: Request, pk: int) -> Response:
        """Change the name, tag or colours of a team, as its captain."""
        team, me = self.team(pk), self.player()
        fields = ("name", "tag", "colour", "second_colour")
        new = {name: getattr(team, name) for name in fields} | self.body(TeamChangeForm)
        colours = new["colour"], new["second_colour"]
        changed = founding.change(team, new["name"], new["tag"], colours, by=me, now=database_now())
        return self.detail(changed)


class Picture(TeamEndpoint):
    parser_classes = [MultiPartParser]
    throttle_classes = COSTLY

    @extend_schema(
        operation_id="upload_team_picture",
        request={"multipart/form-data": PictureForm},
        responses={200: TeamDetailSerializer},
    )
    def put(self, _request: Request, pk: int) -> Response:
        """Upload the picture of a team, as its captain. Only its pixels are kept."""
        team, me = self.team(pk), self.player()
        check_captain(team, me)
        image = self.body(PictureForm)["image"]
        return self.detail(pictures.upload(team, image, by=me, now=database_now()))

    @extend_schema(operation_id="remove_team_picture", responses={204: None})
    def delete(self, _request: Request, pk: int) -> Response:
        """Remove the picture of a team, as its captain."""
        pictures.take_down(self.team(pk), by=self.player())
        return Response(status=status.HTTP_204_NO_CONTENT)


class Disbanding(TeamEndpoint):
    @extend_schema(
        operation_id="disband_team", request=DisbandForm, responses={200: TeamDetailSerializer}
    )
    def post(self, _request: Request, pk: int) -> Response:
        """Disband a team, as its captain. All members leave, and its rosters are emptied."""
        team, me, sent = self.team(pk), self.player(), self.body(DisbandForm)
        if fold(sent["tag"]) != team.folded_tag:
            text = _("Give the tag of the team, %(tag)s, to disband it.")
            raise Refused("tag", text % {"tag": team.tag}, field="tag")
        return self.detail(founding.disband(team, by=me, now=database_now()))


class Leaving(TeamEndpoint):
    @extend_schema(
        operation_id="leave_team", request=NoFields, responses={200: TeamDetailSerializer}
    )
    def post(self, _request: Request, pk: int) -> Response:
        """Leave a team and its rosters. A captain hands over the captaincy first."""
        team, me = self.team(pk), self.player()
        self.body(NoFields)
        membership.leave(team, by=me, now=database_now())
        return self.detail(team)


class TeamBoard(ArenaEndpoint):
    serializer_class = TeamRankSerializer

    @method_decorator(from_replica)
    @extend_schema(operation_id="team_board", responses=TeamRankSerializer(many=True))
    def get(self, _request: Request, slug: str) -> Response:
        """List the teams of the running or last season of an arena that rates teams, best first."""
        season: Season | None = self.arena(slug).seasons.opened().first()
        if season is None or not rates_teams(season):
            raise NotFound(_("Teams are not rated here."))
        return Response(self.serialize(pages.board(season), many=True))
