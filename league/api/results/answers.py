"""Endpoints for changing, withdrawing and countering reports, and for objections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema

from league.api.core.fields import NoFields
from league.api.core.references import players_of
from league.api.results.forms import (
    ChangeForm,
    ClaimAnswerForm,
    CounterAnswerForm,
    CounterForm,
    ObjectionForm,
    RejectionForm,
    WithdrawForm,
    played_by,
)
from league.api.results.views import MatchEndpoint, check_parts
from league.clients import sent_from
from league.models import Scope
from league.services.core.clock import database_now
from league.services.results.reports import answers, changing, countering, live
from league.services.results.rules import own_matches
from league.services.results.staff import objections

if TYPE_CHECKING:
    from rest_framework.request import Request
    from rest_framework.response import Response


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
        self.settle_places(pk, body["sides"])
        changing.change(
            pk,
            [
                live.Finish(side["place"], side["score"], played_by(side["participants"], players))
                for side in body["sides"]
            ],
            by=reporter,
            now=database_now(),
            revision=body["revision"],
            mode=body["mode"],
        )
        return self.match_response(pk)


class ClaimAnswer(MatchEndpoint):
    @extend_schema(operation_id="answer_claim", request=ClaimAnswerForm)
    def post(self, _request: Request, pk: int) -> Response:
        """Say whether you left a match early, as its open report claims.

        If you did, this gives you dishonor. If not, the report no longer says so. In a match from a
        queue nobody is asked: players leave it themselves, or its game server or staff say so.
        """
        self.check_exists(pk)
        left = self.body(ClaimAnswerForm)["left"]
        answers.answer_claim(pk, by=self.player(), left=left, now=database_now())
        return self.match_response(pk)


class Counter(MatchEndpoint):
    @extend_schema(operation_id="counter_report", request=CounterForm)
    def post(self, request: Request, pk: int) -> Response:
        """Answer a report with another result, as the captain of another side."""
        self.check_exists(pk)
        body = self.body(CounterForm)
        self.settle_places(pk, body["sides"])
        countering.counter(
            pk,
            [(side["place"], side["score"]) for side in body["sides"]],
            by=self.player(),
            now=database_now(),
            comment=body["comment"],
            revision=body["revision"],
            mode=body["mode"],
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


class Objections(MatchEndpoint):
    @extend_schema(operation_id="object", request=ObjectionForm)
    def post(self, _request: Request, pk: int) -> Response:
        """Object to a rated result, as anybody who played. It counts until staff decide."""
        self.check_exists(pk)
        reason = self.body(ObjectionForm)["reason"]
        objections.object_to(pk, by=self.player(), reason=reason, now=database_now())
        return self.match_response(pk)


class ObjectionWithdrawal(MatchEndpoint):
    @extend_schema(operation_id="withdraw_objection", request=NoFields)
    def post(self, _request: Request, pk: int) -> Response:
        """Withdraw your own objection while it waits for staff. The result stays as it is."""
        self.check_exists(pk)
        self.body(NoFields)
        objections.withdraw(pk, by=self.player(), now=database_now())
        return self.match_response(pk)


class Rejection(MatchEndpoint):
    scopes = (Scope.STAFF,)

    @extend_schema(operation_id="reject_objection", request=RejectionForm)
    def post(self, request: Request, pk: int) -> Response:
        """Reject the objection to a result, as staff. A correction grants it."""
        self.check_exists(pk)
        text = _("Only staff can decide a result.")
        own_matches.check_permission(request.user, own_matches.DECIDE, pk, text)
        reason = self.body(RejectionForm)["reason"]
        objections.reject(pk, by=self.account(), reason=reason, now=database_now())
        return self.match_response(pk)
