"""Endpoints for no-shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.response import Response

from league.api.core.references import players_of
from league.api.dates.serializers import (
    DateSerializer,
    NoShowAnswerForm,
    NoShowForm,
)
from league.api.dates.views import DateEndpoint
from league.api.results.queries import whole_match
from league.api.results.serializers import MatchDetailSerializer
from league.services.core.clock import database_now
from league.services.dates import no_shows, playing

if TYPE_CHECKING:
    from rest_framework.request import Request


class NoShow(DateEndpoint):
    @extend_schema(
        operation_id="claim_no_show", request=NoShowForm, responses={200: DateSerializer}
    )
    def post(self, _request: Request, pk: int) -> Response:
        """Claim that the other side did not come, from 15 minutes after the agreed time."""
        me = self.player()
        playing.check_captain(self.date(pk, me), me)
        sent = self.body(NoShowForm)
        named = {
            field: list(players_of([(field, number) for number in sent[field]]).values())
            for field in ("came", "absent")
        }
        claimed = no_shows.claim(
            pk, by=me, now=database_now(), came=named["came"], absent=named["absent"]
        )
        return Response(DateSerializer(claimed).data)


class NoShowAnswer(DateEndpoint):
    @extend_schema(
        operation_id="answer_no_show",
        request=NoShowAnswerForm,
        responses={200: DateSerializer, 201: MatchDetailSerializer},
    )
    def post(self, _request: Request, pk: int) -> Response:
        """Agree to a claimed no-show, which confirms it, or deny it, so that staff decide.

        If the date belongs to a fixture, agreeing forfeits it without a match and returns the date.
        """
        me = self.player()
        playing.check_captain(self.date(pk, me), me)
        sent, now = self.body(NoShowAnswerForm), database_now()
        if sent["answer"] == "concede":
            agreed = no_shows.concede(pk, by=me, now=now)
            if agreed is None:
                return Response(DateSerializer(self.date(pk, me)).data)
            match = agreed
        else:
            match = no_shows.deny(pk, by=me, reason=sent["reason"], now=now)
        return Response(
            MatchDetailSerializer(whole_match(match.pk)).data, status=status.HTTP_201_CREATED
        )
