"""Following players and teams, and blocking players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response

from league.api.core.cursors import Cursors
from league.api.core.endpoint import Endpoint
from league.api.core.fields import NoFields
from league.api.following.serializers import BlockSerializer, FollowSerializer
from league.models import Block, Follow, Player, Scope, Team
from league.services.core.clock import database_now
from league.services.following import blocks, follows

if TYPE_CHECKING:
    from rest_framework.permissions import BasePermission
    from rest_framework.request import Request


class OwnList(Endpoint):
    """A list that is only visible to the player whose it is."""

    pagination_class = Cursors

    def get_permissions(self) -> list[BasePermission]:
        return [IsAuthenticated()]


class Following(OwnList):
    queryset = Follow.objects.none()
    serializer_class = FollowSerializer

    @extend_schema(operation_id="following", responses=FollowSerializer(many=True))
    def get(self, _request: Request) -> Response:
        """List the players and teams that you follow, the latest first."""
        mine = self.player().follows.select_related("followed", "team")
        return self.page_response(mine.order_by("-since", "-id"))


class Blocked(OwnList):
    queryset = Block.objects.none()
    serializer_class = BlockSerializer

    @extend_schema(operation_id="blocks", responses=BlockSerializer(many=True))
    def get(self, _request: Request) -> Response:
        """List the players whom you block, the latest first."""
        mine = self.player().blocks.select_related("blocked")
        return self.page_response(mine.order_by("-since", "-id"))


class OneOf(Endpoint):
    """Turned on and off: PUT and DELETE, as often as one likes."""

    serializer_class: Any = None
    scopes = (Scope.ACCOUNT,)

    def find_player(self, pk: int) -> Player:
        missing = _("There is no player %(id)d.") % {"id": pk}
        return self.get_or_404(Player.objects.all(), missing, pk=pk)

    def answer_done(self) -> Response:
        return Response(status=status.HTTP_204_NO_CONTENT)


class FollowPlayer(OneOf):
    @extend_schema(operation_id="follow_player", request=NoFields, responses={204: None})
    def put(self, _request: Request, pk: int) -> Response:
        """Follow a player. Their results appear on your home page."""
        self.body(NoFields)
        follows.follow(self.player(), self.find_player(pk), now=database_now())
        return self.answer_done()

    @extend_schema(operation_id="unfollow_player", responses={204: None})
    def delete(self, _request: Request, pk: int) -> Response:
        """Stop following a player."""
        follows.unfollow(self.player(), self.find_player(pk))
        return self.answer_done()


class FollowTeam(OneOf):
    def team(self, pk: int) -> Team:
        missing = _("There is no team %(id)d.") % {"id": pk}
        return self.get_or_404(Team.objects.all(), missing, pk=pk)

    @extend_schema(operation_id="follow_team", request=NoFields, responses={204: None})
    def put(self, _request: Request, pk: int) -> Response:
        """Follow a team. Its results appear on your home page."""
        self.body(NoFields)
        follows.follow(self.player(), self.team(pk), now=database_now())
        return self.answer_done()

    @extend_schema(operation_id="unfollow_team", responses={204: None})
    def delete(self, _request: Request, pk: int) -> Response:
        """Stop following a team."""
        follows.unfollow(self.player(), self.team(pk))
        return self.answer_done()


class BlockPlayer(OneOf):
    @extend_schema(operation_id="block_player", request=NoFields, responses={204: None})
    def put(self, _request: Request, pk: int) -> Response:
        """Block a player: they can no longer invite you, propose dates or write to you."""
        self.body(NoFields)
        blocks.block(self.player(), self.find_player(pk), now=database_now())
        return self.answer_done()

    @extend_schema(operation_id="unblock_player", responses={204: None})
    def delete(self, _request: Request, pk: int) -> Response:
        """Let a player reach you again."""
        blocks.unblock(self.player(), self.find_player(pk))
        return self.answer_done()
