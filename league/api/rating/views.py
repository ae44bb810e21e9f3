"""Rating systems."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drf_spectacular.utils import extend_schema

import ratings.registry
from league.api.core.cursors import Cursors
from league.api.core.endpoint import Endpoint
from league.api.rating.serializers import SystemSerializer

if TYPE_CHECKING:
    from rest_framework.request import Request
    from rest_framework.response import Response


class RatingSystems(Endpoint):
    serializer_class = SystemSerializer
    pagination_class = Cursors

    @extend_schema(operation_id="rating_systems", responses=SystemSerializer(many=True))
    def get(self, _request: Request) -> Response:
        """List the rating systems and their declared parameters."""
        return self.page_response(list(ratings.registry.SYSTEMS.values()))
