"""Endpoints for changing an agreed date: moving it and calling it off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from league.api.dates.serializers import (
    DateCallOffForm,
    DateMoveForm,
    DateSerializer,
    RequestAnswerForm,
)
from league.api.dates.views import DateEndpoint
from league.services.core.clock import database_now
from league.services.dates import changing

if TYPE_CHECKING:
    from rest_framework.request import Request


class DateMove(DateEndpoint):
    @extend_schema(operation_id="move_date", request=DateMoveForm, responses={200: DateSerializer})
    def post(self, _request: Request, pk: int) -> Response:
        """Ask the other captain to move an agreed date. It stands until they agree."""
        me = self.player()
        self.date(pk, me)
        sent = self.body(DateMoveForm)
        asked = changing.ask_to_move(
            pk, sent["play_at"], by=me, seen=sent["revision"], now=database_now()
        )
        return Response(DateSerializer(asked).data)


class DateCallOff(DateEndpoint):
    @extend_schema(
        operation_id="call_off_date",
        request=DateCallOffForm,
        responses={200: DateSerializer},
    )
    def post(self, _request: Request, pk: int) -> Response:
        """Call an agreed date off. Less than 6 hours before it, the other captain has to agree."""
        me = self.player()
        self.date(pk, me)
        sent = self.body(DateCallOffForm)
        called_off = changing.call_off(
            pk, by=me, seen=sent["revision"], reason=sent["reason"], now=database_now()
        )
        return Response(DateSerializer(called_off).data)


class DateRequestAnswer(DateEndpoint):
    @extend_schema(
        operation_id="answer_date_request",
        request=RequestAnswerForm,
        responses={200: DateSerializer},
    )
    def post(self, _request: Request, pk: int) -> Response:
        """Agree to a request to change a date or refuse it, or withdraw your own."""
        me = self.player()
        self.date(pk, me)
        sent = self.body(RequestAnswerForm)
        act = {"agree": changing.agree, "refuse": changing.refuse, "withdraw": changing.drop}
        answered = act[sent["answer"]](pk, by=me, request=sent["request"], now=database_now())
        return Response(DateSerializer(answered).data)
