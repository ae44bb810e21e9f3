"""Endpoints for changing, withdrawing and countering reports, and for messages about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response

from league.api.results.forms import (
    ChangeForm,
    CounterAnswerForm,
    CounterForm,
    MessageForm,
    WithdrawForm,
    played_by,
    players_of,
)
from league.api.results.serializers import MessageSerializer
from league.api.results.views import MatchEndpoint, check_parts
from league.clients import sent_from
from league.models import Match, MatchMessage
from league.services.core.clock import database_now
from league.services.results import changing, countering, live, threads

if TYPE_CHECKING:
    from rest_framework.permissions import BasePermission
    from rest_framework.request import Request


class Withdraw(MatchEndpoint):
    @extend_schema(operation_id="withdraw", request=WithdrawForm)
    def post(self, _request: Request, pk: int) -> Response:
        """Withdraw your own report, until somebody answers it. The match is void."""
        self.check_exists(pk)
        revision = self.body(WithdrawForm)["revision"]
        changing.withdraw(pk, by=self.player(), now=database_now(), revision=revision)
        return self.match_response(pk)


class Change(MatchEndpoint):
    @extend_schema(operation_id="change_report", request=ChangeForm)
    def post(self, _request: Request, pk: int) -> Response:
        """Change your own report, until somebody answers it. The deadline starts again."""
        self.check_exists(pk)
        reporter = self.player()
        body = self.body(ChangeForm)
        players = players_of(
            (f"sides.{number}.participants.{index}.player", part["player"])
            for number, side in enumerate(body["sides"])
            for index, part in enumerate(side["participants"])
        )
        check_parts(pk, body["sides"])
        changing.change(
            pk,
            [
                live.Finish(side["place"], side["score"], played_by(side["participants"], players))
                for side in body["sides"]
            ],
            by=reporter,
            now=database_now(),
            revision=body["revision"],
        )
        return self.match_response(pk)


class Counter(MatchEndpoint):
    @extend_schema(operation_id="counter_report", request=CounterForm)
    def post(self, request: Request, pk: int) -> Response:
        """Answer a report with another result, as the captain of another side."""
        self.check_exists(pk)
        body = self.body(CounterForm)
        countering.counter(
            pk,
            [(side["place"], side["score"]) for side in body["sides"]],
            by=self.player(),
            now=database_now(),
            comment=body["comment"],
            revision=body["revision"],
            sent_from=sent_from(request),
        )
        return self.match_response(pk)


class CounterAnswer(MatchEndpoint):
    @extend_schema(operation_id="answer_counter_report", request=CounterAnswerForm)
    def post(self, request: Request, pk: int) -> Response:
        """Accept or reject another side's result, as the captain of the side that reported."""
        self.check_exists(pk)
        accepts = self.body(CounterAnswerForm)["accept"]
        me, now = self.player(), database_now()
        if accepts:
            countering.accept(pk, by=me, now=now, sent_from=sent_from(request))
        else:
            countering.reject(pk, by=me, now=now)
        return self.match_response(pk)


class Messages(MatchEndpoint):
    queryset = MatchMessage.objects.none()
    serializer_class = MessageSerializer

    def get_permissions(self) -> list[BasePermission]:
        return [IsAuthenticated()]

    @extend_schema(operation_id="match_messages", responses=MessageSerializer(many=True))
    def get(self, _request: Request, pk: int) -> Response:
        """List the messages about a dispute, oldest first, for its captains and staff."""
        self.check_exists(pk)
        account = self.account()
        threads.check_author(Match.objects.get(pk=pk), account, getattr(account, "player", None))
        found = MatchMessage.objects.filter(match=pk).select_related("player").order_by("id")
        return self.page_response(found)

    @extend_schema(
        operation_id="write_message", request=MessageForm, responses={201: MessageSerializer}
    )
    def post(self, _request: Request, pk: int) -> Response:
        """Write about a dispute, as a captain of its sides or as staff."""
        self.check_exists(pk)
        account = self.account()
        body = self.body(MessageForm)
        message = threads.write(
            pk,
            by=account,
            player=getattr(account, "player", None),
            text=body["text"],
            link=body["link"],
            now=database_now(),
        )
        return Response(MessageSerializer(message).data, status=status.HTTP_201_CREATED)
