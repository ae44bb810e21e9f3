"""Endpoints for messages about a date."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response

from league.api.core.cursors import Cursors
from league.api.dates.serializers import DateMessageForm, DateMessageSerializer
from league.api.dates.views import DateEndpoint
from league.models import ArrangementMessage
from league.services.core.clock import database_now
from league.services.dates import threads

if TYPE_CHECKING:
    from rest_framework.permissions import BasePermission
    from rest_framework.request import Request


class DateMessages(DateEndpoint):
    queryset: Any = ArrangementMessage.objects.none()
    serializer_class: Any = DateMessageSerializer
    pagination_class = Cursors

    def get_permissions(self) -> list[BasePermission]:
        return [IsAuthenticated()]

    @extend_schema(operation_id="date_messages", responses=DateMessageSerializer(many=True))
    def get(self, _request: Request, pk: int) -> Response:
        """List the messages about a date, oldest first, for the players of both sides and staff."""
        account = self.account()
        me = getattr(account, "player", None)
        one = self.date(pk, me)
        threads.check_reader(one, account, me)
        return self.page_response(one.messages.select_related("player").order_by("id"))

    @extend_schema(
        operation_id="write_date_message",
        request=DateMessageForm,
        responses={201: DateMessageSerializer},
    )
    def post(self, _request: Request, pk: int) -> Response:
        """Write about a date, as a player of one of its sides or as staff."""
        account = self.account()
        me = getattr(account, "player", None)
        threads.check_reader(self.date(pk, me), account, me)
        text = self.body(DateMessageForm)["text"]
        message = threads.write(pk, by=account, player=me, text=text, now=database_now())
        return Response(DateMessageSerializer(message).data, status=status.HTTP_201_CREATED)
