"""Searching the league."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.decorators import method_decorator
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from league.api.core.endpoint import Endpoint
from league.api.search.serializers import FindForm, FoundSerializer
from league.replica import from_replica
from league.services.search.finding import find

if TYPE_CHECKING:
    from rest_framework.request import Request

MOST = 20
"""Of each kind, as on the page."""


class Search(Endpoint):
    serializer_class = FoundSerializer
    query_form = FindForm

    @method_decorator(from_replica)
    @extend_schema(operation_id="search")
    def get(self, _request: Request) -> Response:
        """Find players, teams, arenas and competitions by a part of their names."""
        found = find(self.query()["q"].strip(), count=MOST)
        return Response(self.serialize(found))
