"""Endpoints for your notices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response

from league.api.core.cursors import Cursors
from league.api.core.endpoint import Endpoint
from league.api.notices.serializers import NoticeSerializer, ReadForm, ReadSerializer
from league.models import Notice, Scope
from league.services.core.clock import database_now
from league.services.notices import reading

if TYPE_CHECKING:
    from rest_framework.permissions import BasePermission
    from rest_framework.request import Request


class NoticeEndpoint(Endpoint):
    """Notices are only visible to the player they are for."""

    queryset = Notice.objects.none()
    serializer_class = NoticeSerializer

    def get_permissions(self) -> list[BasePermission]:
        return [IsAuthenticated()]


class Notices(NoticeEndpoint):
    pagination_class = Cursors

    @extend_schema(operation_id="notices", responses=NoticeSerializer(many=True))
    def get(self, _request: Request) -> Response:
        """List your notices, newest first."""
        return self.page_response(reading.inbox(self.player()))


class ReadNotices(NoticeEndpoint):
    scopes = (Scope.ACCOUNT,)

    @extend_schema(operation_id="read_notices", request=ReadForm, responses={200: ReadSerializer})
    def post(self, _request: Request) -> Response:
        """Mark some or all of your notices as read. Doing so twice changes nothing."""
        me, chosen = self.player(), self.body(ReadForm)["notices"]
        marked = reading.mark_read(me, database_now(), chosen)
        return Response(ReadSerializer({"marked": marked}).data)
