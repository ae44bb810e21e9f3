"""The newest data dump in the API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.response import Response

from league.api.core.endpoint import Endpoint
from league.api.dumps.serializers import DumpSerializer
from league.services.dumps import files

if TYPE_CHECKING:
    from rest_framework.request import Request


class LastDump(Endpoint):
    serializer_class = DumpSerializer

    @extend_schema(operation_id="data")
    def get(self, _request: Request) -> Response:
        """Show the newest data dump. A new one with all public data is made every night."""
        dump = files.latest()
        if dump is None:
            raise NotFound(_("No dump has been made yet."))
        return Response(self.shown(dump))
