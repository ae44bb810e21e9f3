"""Leaving a match as a fill-in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.response import Response

from league.api.core.endpoint import Endpoint
from league.api.core.fields import NoFields
from league.models import Match, Scope
from league.services.core.clock import database_now
from league.services.queue import filling

if TYPE_CHECKING:
    from rest_framework.request import Request


class SeatLeaving(Endpoint):
    serializer_class: Any = None
    scopes = (Scope.QUEUE,)

    @extend_schema(operation_id="leave_seat", request=NoFields, responses={204: None})
    def post(self, _request: Request, pk: int) -> Response:
        """Leave a match in which you took the place of a player who left, without a penalty."""
        match = self.get_or_404(
            Match.objects.all(), _("There is no match %(id)d.") % {"id": pk}, pk=pk
        )
        self.body(NoFields)
        filling.leave_seat(match.pk, by=self.player(), now=database_now())
        return Response(status=status.HTTP_204_NO_CONTENT)
