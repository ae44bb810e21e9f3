"""Members of teams: their roles, the captaincy and removing them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.response import Response

from league.api.teams.forms import OfferAnswerForm, RoleForm, SuccessorForm
from league.api.teams.serializers import TeamDetailSerializer
from league.api.teams.views import TeamEndpoint
from league.models import TeamMember
from league.services.core.clock import database_now
from league.services.teams import membership

if TYPE_CHECKING:
    from rest_framework.request import Request

    from league.models import Team


class MemberEndpoint(TeamEndpoint):
    def member(self, team: Team, player: int) -> int:
        """Return the row of a present member. Raises ``NotFound`` for everybody else."""
        missing = _("Player %(id)d is not in this team.") % {"id": player}
        present = TeamMember.objects.current().filter(team=team)
        return self.get_or_404(present, missing, player=player).pk


class Member(MemberEndpoint):
    @extend_schema(
        operation_id="change_team_member",
        request=RoleForm,
        responses={200: TeamDetailSerializer},
    )
    def patch(self, _request: Request, pk: int, player: int) -> Response:
        """Change a member's role, as the captain of the team."""
        team, me = self.team(pk), self.player()
        one, role = self.member(team, player), self.body(RoleForm)["role"]
        membership.give_role(team, one, role, by=me, now=database_now())
        return self.detail(team)

    @extend_schema(operation_id="remove_team_member", responses={204: None})
    def delete(self, _request: Request, pk: int, player: int) -> Response:
        """Remove a member from a team that you lead, and from its rosters."""
        team, me = self.team(pk), self.player()
        membership.remove(team, self.member(team, player), by=me, now=database_now())
        return Response(status=status.HTTP_204_NO_CONTENT)


class Captaincy(MemberEndpoint):
    @extend_schema(
        operation_id="offer_captaincy",
        request=SuccessorForm,
        responses={200: TeamDetailSerializer},
    )
    def post(self, _request: Request, pk: int) -> Response:
        """Offer the captaincy of your team to a member. It passes to them when they accept."""
        team, me = self.team(pk), self.player()
        one = self.member(team, self.body(SuccessorForm)["player"])
        membership.offer_captaincy(team, one, by=me, now=database_now())
        return self.detail(team)

    @extend_schema(operation_id="withdraw_captaincy", responses={204: None})
    def delete(self, _request: Request, pk: int) -> Response:
        """Withdraw the offer of the captaincy of your team."""
        membership.withdraw_offer(self.team(pk), by=self.player())
        return Response(status=status.HTTP_204_NO_CONTENT)


class CaptaincyAnswer(TeamEndpoint):
    @extend_schema(
        operation_id="answer_captaincy",
        request=OfferAnswerForm,
        responses={200: TeamDetailSerializer},
    )
    def post(self, _request: Request, pk: int) -> Response:
        """Accept or decline the captaincy of a team."""
        team, me = self.team(pk), self.player()
        accept = self.body(OfferAnswerForm)["accept"]
        membership.answer_offer(team, by=me, accept=accept, now=database_now())
        return self.detail(team)
