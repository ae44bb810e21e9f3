"""Invitations to teams, by name or by a link."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response

from league.api.core.cursors import Cursors
from league.api.core.references import players_of
from league.api.people.serializers import AnswerForm
from league.api.teams.forms import TeamInviteForm, TeamJoinForm
from league.api.teams.serializers import (
    OpenInvitationSerializer,
    TeamDetailSerializer,
    TeamInvitationSerializer,
)
from league.api.teams.views import TeamEndpoint
from league.models import TeamInvitation
from league.services.core.clock import database_now
from league.services.teams import inviting, pages
from league.services.teams.access import check_leads

if TYPE_CHECKING:
    from rest_framework.permissions import BasePermission
    from rest_framework.request import Request


class OpenInvitations(TeamEndpoint):
    """Invitations are only visible to those who lead the team."""

    queryset = TeamInvitation.objects.none()
    serializer_class = OpenInvitationSerializer
    pagination_class = Cursors

    def get_permissions(self) -> list[BasePermission]:
        return [IsAuthenticated()]

    @extend_schema(operation_id="team_invitations", responses=OpenInvitationSerializer(many=True))
    def get(self, _request: Request, pk: int) -> Response:
        """List the open invitations and links of a team that you lead, oldest first."""
        team = self.team(pk)
        check_leads(team, self.player())
        found = pages.open_links(team, database_now()).select_related("team", "invited_by")
        return self.page_response(found.order_by("id"))

    @extend_schema(
        operation_id="invite_to_team",
        request=TeamInviteForm,
        responses={201: OpenInvitationSerializer},
    )
    def post(self, _request: Request, pk: int) -> Response:
        """Invite a player to a team that you lead, or make a link for several.

        Inviting a player again changes nothing.
        """
        team, me, sent, now = (
            self.team(pk),
            self.player(),
            self.body(TeamInviteForm),
            database_now(),
        )
        if "player" in sent:
            player = players_of([("player", sent["player"])])[sent["player"]]
            made = inviting.invite(team, player, by=me, now=now)
        else:
            made = inviting.make_link(team, sent["places"], by=me, now=now)
        return Response(OpenInvitationSerializer(made).data, status=status.HTTP_201_CREATED)


class OpenInvitation(TeamEndpoint):
    @extend_schema(operation_id="withdraw_team_invitation", responses={204: None})
    def delete(self, _request: Request, pk: int, invitation: int) -> Response:
        """Withdraw an invitation or a link. Withdrawing again changes nothing."""
        inviting.withdraw(self.team(pk), invitation, by=self.player(), now=database_now())
        return Response(status=status.HTTP_204_NO_CONTENT)


class MyInvitations(TeamEndpoint):
    queryset = TeamInvitation.objects.none()
    serializer_class = TeamInvitationSerializer
    pagination_class = Cursors

    def get_permissions(self) -> list[BasePermission]:
        return [IsAuthenticated()]

    @extend_schema(
        operation_id="my_team_invitations", responses=TeamInvitationSerializer(many=True)
    )
    def get(self, _request: Request) -> Response:
        """List your open invitations to teams, oldest first."""
        mine = inviting.invitations_of(self.player(), database_now())
        return self.page_response(mine.select_related("player").order_by("id"))


class InvitationAnswer(TeamEndpoint):
    @extend_schema(
        operation_id="answer_team_invitation",
        request=AnswerForm,
        responses={200: TeamDetailSerializer},
    )
    def post(self, _request: Request, pk: int) -> Response:
        """Accept or decline an invitation to a team."""
        me = self.player()
        missing = _("You have no invitation %(id)d.") % {"id": pk}
        self.get_or_404(TeamInvitation.objects.filter(player=me), missing, pk=pk)
        accepts = self.body(AnswerForm)["accept"]
        return self.detail(inviting.answer(pk, by=me, accepts=accepts, now=database_now()))


class Joining(TeamEndpoint):
    @extend_schema(
        operation_id="join_team", request=TeamJoinForm, responses={200: TeamDetailSerializer}
    )
    def post(self, _request: Request) -> Response:
        """Join a team with the token of a link."""
        me, token = self.player(), self.body(TeamJoinForm)["token"]
        return self.detail(inviting.join(token, by=me, now=database_now()))
