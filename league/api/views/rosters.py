"""Rosters: made by a captain, joined by those who accept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError as ModelError
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response

from league.api.serializers.players import PlayerLinkSerializer
from league.api.serializers.reports import players_of
from league.api.serializers.rosters import (
    AnswerForm,
    InvitationSerializer,
    InviteForm,
    RosterForm,
    RosterQuery,
    RosterSerializer,
)
from league.api.views.arenas import ArenaEndpoint
from league.models import Roster, RosterInvitation
from league.models.names import fold
from league.services.core.clock import database_now
from league.services.core.errors import Forbidden, Refused
from league.services.people import invitations
from league.services.people.players import save_roster

if TYPE_CHECKING:
    from rest_framework.permissions import BasePermission
    from rest_framework.request import Request


def shown(pk: int) -> dict[str, object]:
    rosters = Roster.objects.select_related("arena", "captain").prefetch_related("members")
    return dict(RosterSerializer(rosters.get(pk=pk)).data)


class Rosters(ArenaEndpoint):
    queryset = Roster.objects.none()
    serializer_class = RosterSerializer

    @extend_schema(
        operation_id="rosters", parameters=[RosterQuery], responses=RosterSerializer(many=True)
    )
    def get(self, _request: Request, slug: str) -> Response:
        """List an arena's rosters by name, each with its members."""
        rosters = self.arena(slug).rosters.select_related("arena", "captain")
        if search := self.query(RosterQuery)["search"]:
            rosters = rosters.filter(folded_name__contains=fold(search))
        return self.listed(rosters.prefetch_related("members").order_by("name", "id"))

    @extend_schema(
        operation_id="make_roster", request=RosterForm, responses={201: RosterSerializer}
    )
    def post(self, _request: Request, slug: str) -> Response:
        """Make a roster that you lead. The players that you name are in it once they accept."""
        arena, captain, form = self.arena(slug), self.player(), self.body(RosterForm)
        if arena.team_size_max == 1:
            raise Refused("no_rosters", _("In %(arena)s everyone plays alone.") % {"arena": arena})
        known = players_of((f"players.{at}", number) for at, number in enumerate(form["players"]))
        named = [known[number] for number in form["players"]]
        try:
            roster = save_roster(arena, captain, form["name"], named, now=database_now())
        except ModelError as error:  # the name is all that a model can object to
            raise ValidationError({"name": error.messages}) from error
        return Response(shown(roster.pk), status=status.HTTP_201_CREATED)


class Invite(ArenaEndpoint):
    serializer_class = PlayerLinkSerializer

    @extend_schema(operation_id="invite", request=InviteForm, responses={200: PlayerLinkSerializer})
    def post(self, _request: Request, slug: str, pk: int) -> Response:
        """Invite a player to a roster that you lead. Asking twice is asking once."""
        missing = _("There is no roster %(id)d in this arena.") % {"id": pk}
        roster = self.found(self.arena(slug).rosters.all(), missing, pk=pk)
        if roster.captain_id != self.player().pk:
            raise Forbidden("not_the_captain", _("Only its captain can change a roster."))
        number = self.body(InviteForm)["player"]
        player = players_of([("player", number)])[number]
        invitations.invite(roster, [player], database_now())
        return Response(PlayerLinkSerializer(player).data)


class InvitationEndpoint(ArenaEndpoint):
    """Invitations are the invited player's alone, to read as well."""

    queryset = RosterInvitation.objects.none()
    serializer_class: Any = InvitationSerializer

    def get_permissions(self) -> list[BasePermission]:
        return [IsAuthenticated()]


class Invitations(InvitationEndpoint):
    @extend_schema(operation_id="invitations", responses=InvitationSerializer(many=True))
    def get(self, _request: Request) -> Response:
        """List the invitations that wait for your answer, the oldest first."""
        mine = invitations.invitations_of(self.player()).select_related("roster__captain")
        return self.listed(mine.prefetch_related("roster__members").order_by("id"))


class Answer(InvitationEndpoint):
    serializer_class: Any = RosterSerializer

    @extend_schema(
        operation_id="answer_invitation", request=AnswerForm, responses={200: RosterSerializer}
    )
    def post(self, _request: Request, pk: int) -> Response:
        """Join the roster that you were invited to, or decline. The same answer again is fine."""
        me = self.player()
        get_object_or_404(RosterInvitation, pk=pk, player=me)
        accept = self.body(AnswerForm)["accept"]
        roster = invitations.answer(pk, by=me, accept=accept, now=database_now())
        return Response(shown(roster.pk))
