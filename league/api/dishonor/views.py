"""The dishonor of the requesting account."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response

from league.api.core.cursors import Cursors
from league.api.core.endpoint import Endpoint
from league.api.dishonor.serializers import DishonorSerializer, PenaltySerializer
from league.models import DishonorAward
from league.services.core.clock import database_now
from league.services.dishonor import discipline

if TYPE_CHECKING:
    from rest_framework.permissions import BasePermission
    from rest_framework.request import Request


class OwnEndpoint(Endpoint):
    """An endpoint that only shows the requesting account's own data."""

    queryset = DishonorAward.objects.none()

    def get_permissions(self) -> list[BasePermission]:
        return [IsAuthenticated()]


class Dishonor(OwnEndpoint):
    serializer_class = DishonorSerializer

    @extend_schema(operation_id="dishonor")
    def get(self, _request: Request) -> Response:
        """Return your stacks, your timeout and what the next offence would cost."""
        me, now = self.player(), database_now()
        status = {**vars(discipline.status_of(me, now)), "costs": discipline.costs_of(me, now)}
        return Response(self.serialize(status))


class Penalties(OwnEndpoint):
    serializer_class = PenaltySerializer
    pagination_class = Cursors

    @extend_schema(operation_id="penalties", responses=PenaltySerializer(many=True))
    def get(self, _request: Request) -> Response:
        """List your penalties, latest first."""
        return self.page_response(discipline.history_of(self.player()))
