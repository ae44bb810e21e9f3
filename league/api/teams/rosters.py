"""Rosters of teams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response

from league.api.arenas.views import ArenaEndpoint
from league.api.core.fields import NoFields
from league.api.core.references import players_of
from league.api.people.rosters import roster_data
from league.api.people.serializers import RosterSerializer
from league.api.teams.forms import AdoptForm, LineUpForm, NewLineUpForm
from league.api.teams.views import TeamEndpoint
from league.models import Arena, Roster, Scope
from league.services.core.clock import database_now
from league.services.teams import rosters, stand_ins
from league.services.teams.access import check_leads

if TYPE_CHECKING:
    from rest_framework.request import Request

    from league.models import Team


class LineUpEndpoint(TeamEndpoint):
    serializer_class: Any = RosterSerializer

    def line_up(
        self, team: Team, arena: Arena, sent: dict[str, Any], roster: Roster | None
    ) -> Roster:
        numbers = [(f"members.{at}", number) for at, number in enumerate(sent["members"])]
        known = players_of([*numbers, ("captain", sent["captain"])])
        return rosters.line_up(
            team,
            arena,
            sent["name"],
            [known[number] for number in sent["members"]],
            known[sent["captain"]],
            by=self.player(),
            now=database_now(),
            roster=roster,
        )


class TeamRosters(LineUpEndpoint):
    @extend_schema(operation_id="line_up", request=NewLineUpForm, responses={201: RosterSerializer})
    def post(self, _request: Request, pk: int) -> Response:
        """Create a roster of a team that you lead, from its members."""
        team = self.team(pk)
        check_leads(team, self.player())
        sent = self.body(NewLineUpForm)
        arena = Arena.objects.published().filter(slug=sent["arena"]).first()
        if arena is None:
            missing = _("There is no arena “%(slug)s”.") % {"slug": sent["arena"]}
            raise ValidationError({"arena": [missing]})
        made = self.line_up(team, arena, sent, None)
        return Response(roster_data(made.pk), status=status.HTTP_201_CREATED)


class TeamRoster(LineUpEndpoint):
    @extend_schema(
        operation_id="change_line_up", request=LineUpForm, responses={200: RosterSerializer}
    )
    def put(self, _request: Request, pk: int, roster: int) -> Response:
        """Change the name, members and captain of a roster of a team that you lead."""
        team = self.team(pk)
        check_leads(team, self.player())
        missing = _("The team has no roster %(id)d.") % {"id": roster}
        own = self.get_or_404(team.rosters.select_related("arena"), missing, pk=roster)
        changed = self.line_up(team, own.arena, self.body(LineUpForm), own)
        return Response(roster_data(changed.pk))


class Adopting(TeamEndpoint):
    serializer_class: Any = RosterSerializer

    @extend_schema(
        operation_id="adopt_roster", request=AdoptForm, responses={200: RosterSerializer}
    )
    def post(self, _request: Request, pk: int) -> Response:
        """Bring a roster that you lead into your team, for which its matches then count."""
        team, me, number = self.team(pk), self.player(), self.body(AdoptForm)["roster"]
        roster = Roster.objects.filter(pk=number).first()
        if roster is None:
            raise ValidationError({"roster": [_("There is no roster %(id)d.") % {"id": number}]})
        return Response(roster_data(rosters.adopt(team, roster, by=me, now=database_now()).pk))


class StandingIn(ArenaEndpoint):
    serializer_class: Any = None
    scopes = (Scope.ACCOUNT,)

    @extend_schema(operation_id="offer_to_stand_in", request=NoFields, responses={204: None})
    def put(self, _request: Request, slug: str) -> Response:
        """Offer to stand in for members of rosters: captains can then name you in this arena."""
        arena, me = self.arena(slug), self.player()
        self.body(NoFields)
        stand_ins.offer(arena, me, now=database_now())
        return Response(status=status.HTTP_204_NO_CONTENT)

    @extend_schema(operation_id="withdraw_stand_in", responses={204: None})
    def delete(self, _request: Request, slug: str) -> Response:
        """Withdraw your offer to stand in."""
        arena, me = self.arena(slug), self.player()
        stand_ins.withdraw(arena, me)
        return Response(status=status.HTTP_204_NO_CONTENT)
