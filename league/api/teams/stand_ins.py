"""Offering to stand in for members of rosters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.response import Response

from league.api.arenas.views import ArenaEndpoint
from league.api.core.fields import NoFields
from league.models import Scope
from league.services.core.clock import database_now
from league.services.teams import stand_ins

if TYPE_CHECKING:
    from rest_framework.request import Request


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
