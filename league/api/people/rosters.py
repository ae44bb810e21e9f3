"""Rosters and the invitations to them."""

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

from league.api.arenas.views import ArenaEndpoint
from league.api.core.cursors import Cursors
from league.api.core.fields import NoFields
from league.api.core.references import PlayerLinkSerializer, players_of
from league.api.people.serializers import (
    AnswerForm,
    InvitationSerializer,
    InviteForm,
    RosterChangeForm,
    RosterForm,
    RosterQuery,
    RosterSerializer,
)
from league.models import Roster, RosterInvitation, Scope
from league.services.core.clock import database_now
from league.services.core.errors import Forbidden, Refused
from league.services.people import invitations
from league.services.people.players import save_roster

if TYPE_CHECKING:
    from rest_framework.permissions import BasePermission
    from rest_framework.request import Request


def roster_data(pk: int) -> dict[str, object]:
    rosters = Roster.objects.select_related("arena", "captain").prefetch_related("members")
    return dict(RosterSerializer(rosters.get(pk=pk)).data)


class Rosters(ArenaEndpoint):
    queryset = Roster.objects.none()
    serializer_class = RosterSerializer
    pagination_class = Cursors
    query_form = RosterQuery
    scopes = (Scope.ACCOUNT,)

    @extend_schema(operation_id="rosters", responses=RosterSerializer(many=True))
    def get(self, _request: Request, slug: str) -> Response:
        """List an arena's rosters by name, each with its members."""
        rosters = self.arena(slug).rosters.select_related("arena", "captain")
        if search := self.query()["search"]:
            rosters = rosters.search(search)
        return self.page_response(rosters.prefetch_related("members").order_by("sort_name", "id"))

    @extend_schema(
        operation_id="make_roster", request=RosterForm, responses={201: RosterSerializer}
    )
    def post(self, _request: Request, slug: str) -> Response:
        """Create a roster that you lead. The named players join when they accept."""
        arena, captain, form = self.arena(slug), self.player(), self.body(RosterForm)
        if arena.team_size_max == 1:
            raise Refused("no_rosters", _("Everyone plays alone in %(arena)s.") % {"arena": arena})
        known = players_of((f"players.{at}", number) for at, number in enumerate(form["players"]))
        named = [known[number] for number in form["players"]]
        try:
            roster = save_roster(arena, captain, form["name"], named, now=database_now())
        except ModelError as error:  # a model only validates the name
            raise ValidationError({"name": error.messages}) from error
        return Response(roster_data(roster.pk), status=status.HTTP_201_CREATED)


class RosterEndpoint(ArenaEndpoint):
    """A view of one roster of an arena."""

    serializer_class: Any = RosterSerializer
    scopes = (Scope.ACCOUNT,)

    def roster(self, slug: str, pk: int) -> Roster:
        missing = _("There is no roster %(id)d in this arena.") % {"id": pk}
        return self.get_or_404(self.arena(slug).rosters.all(), missing, pk=pk)

    def led_roster(self, slug: str, pk: int) -> Roster:
        """Return a roster that the player leads. Raises ``Forbidden`` for all others."""
        roster = self.roster(slug, pk)
        if roster.captain_id != self.player().pk:
            raise Forbidden("not_the_captain", _("Only the captain can change a roster."))
        return roster


class RosterDetail(RosterEndpoint):
    @extend_schema(
        operation_id="change_roster", request=RosterChangeForm, responses={200: RosterSerializer}
    )
    def patch(self, _request: Request, slug: str, pk: int) -> Response:
        """Change the name or the players of a roster that you lead. Fields left out stay.

        New players join when they accept, and members who are not named leave.
        """
        roster = self.led_roster(slug, pk)
        if roster.team_id is not None:
            text = _("This roster belongs to a team. Change its line-up there.")
            raise Refused("has_a_team", text)
        form = self.body(RosterChangeForm)
        players = [
            *roster.members.all(),
            *(one.player for one in roster.invitations.open().select_related("player")),
        ]
        if "players" in form:
            numbered = ((f"players.{at}", number) for at, number in enumerate(form["players"]))
            players = list(players_of(numbered).values())
        name = form.get("name", roster.name)
        saved = save_roster(
            roster.arena, self.player(), name, players, now=database_now(), roster=roster
        )
        return Response(roster_data(saved.pk))


class RosterLeaving(RosterEndpoint):
    @extend_schema(operation_id="leave_roster", request=NoFields, responses={200: RosterSerializer})
    def post(self, _request: Request, slug: str, pk: int) -> Response:
        """Leave a roster that somebody else leads."""
        roster, me = self.roster(slug, pk), self.player()
        self.body(NoFields)
        invitations.leave(roster, by=me)
        return Response(roster_data(roster.pk))


class Invite(RosterEndpoint):
    serializer_class = PlayerLinkSerializer

    @extend_schema(operation_id="invite", request=InviteForm, responses={200: PlayerLinkSerializer})
    def post(self, _request: Request, slug: str, pk: int) -> Response:
        """Invite a player to a roster that you lead. Inviting again changes nothing."""
        roster = self.led_roster(slug, pk)
        number = self.body(InviteForm)["player"]
        player = players_of([("player", number)])[number]
        invitations.invite(roster, [player], database_now())
        return Response(PlayerLinkSerializer(player).data)


class InvitationEndpoint(ArenaEndpoint):
    """Invitations are only visible to the invited player."""

    queryset = RosterInvitation.objects.none()
    serializer_class: Any = InvitationSerializer

    def get_permissions(self) -> list[BasePermission]:
        return [IsAuthenticated()]


class Invitations(InvitationEndpoint):
    pagination_class = Cursors

    @extend_schema(operation_id="invitations", responses=InvitationSerializer(many=True))
    def get(self, _request: Request) -> Response:
        """List your open invitations, oldest first."""
        mine = invitations.invitations_of(self.player()).select_related("roster__captain")
        return self.page_response(mine.prefetch_related("roster__members").order_by("id"))


class Answer(InvitationEndpoint):
    serializer_class: Any = RosterSerializer
    scopes = (Scope.ACCOUNT,)

    @extend_schema(
        operation_id="answer_invitation", request=AnswerForm, responses={200: RosterSerializer}
    )
    def post(self, _request: Request, pk: int) -> Response:
        """Accept or decline an invitation. Giving the same answer again changes nothing."""
        me = self.player()
        get_object_or_404(RosterInvitation, pk=pk, player=me)
        accept = self.body(AnswerForm)["accept"]
        roster = invitations.answer(pk, by=me, accept=accept, now=database_now())
        return Response(roster_data(roster.pk))
