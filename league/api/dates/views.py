"""Endpoints for arranging matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response

from league.api.arenas.views import ArenaEndpoint
from league.api.core.cursors import Cursors
from league.api.core.endpoint import Endpoint
from league.api.core.fields import NoFields
from league.api.core.references import players_of
from league.api.dates.serializers import (
    DateAnswerForm,
    DateForm,
    DateSerializer,
)
from league.api.results.forms import AgreedReportForm, agreed_sides
from league.api.results.queries import whole_match
from league.api.results.serializers import MatchDetailSerializer
from league.clients import sent_from
from league.models import Arrangement, Player, Roster, Scope
from league.services.core.clock import database_now
from league.services.dates import answers, playing, proposals
from league.services.dates.people import seen_as_staff

if TYPE_CHECKING:
    from rest_framework.request import Request

    from league.models import Arena


class Dates(ArenaEndpoint):
    queryset = Arrangement.objects.none()
    serializer_class = DateSerializer
    pagination_class = Cursors
    scopes: tuple[Scope, ...] = (Scope.REPORT,)

    @extend_schema(operation_id="dates", responses=DateSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the agreed dates and your own proposals, latest first."""
        me = Player.objects.filter(user=request.user.pk).first() if request.user.pk else None
        shown = self.arena(slug).arrangements.visible_to(me, in_arenas=seen_as_staff(request.user))
        dates = shown.with_people().select_related("request")
        return self.page_response(dates.order_by("-play_at", "-id"))

    @extend_schema(operation_id="propose_date", request=DateForm, responses={201: DateSerializer})
    def post(self, _request: Request, slug: str) -> Response:
        """Propose a match to another captain."""
        arena, me, sent = self.arena(slug), self.player(), self.body(DateForm)
        opponent = players_of([("opponent", sent["opponent"])])[sent["opponent"]]
        made = proposals.propose(
            arena,
            opponent,
            sent["play_at"],
            by=me,
            now=database_now(),
            roster=roster_of(arena, sent, "roster"),
            opponent_roster=roster_of(arena, sent, "opponent_roster"),
        )
        return Response(DateSerializer(made).data, status=status.HTTP_201_CREATED)


def roster_of(arena: Arena, sent: dict[str, int | None], field: str) -> Roster | None:
    """Return the roster with the id in a field, if there is one."""
    number = sent[field]
    if number is None:
        return None
    roster = arena.rosters.filter(pk=number).first()
    if roster is None:
        raise ValidationError({field: [_("There is no roster %(id)d.") % {"id": number}]})
    return roster


class DateEndpoint(Endpoint):
    queryset = Arrangement.objects.none()
    serializer_class = DateSerializer
    scopes: tuple[Scope, ...] = (Scope.REPORT,)

    def date(self, pk: int, me: Player | None) -> Arrangement:
        """Return a date that ``me``, or the account as staff, may see, or raise ``NotFound``."""
        missing = _("There is no date %(id)d.") % {"id": pk}
        rows = Arrangement.objects.visible_to(me, in_arenas=seen_as_staff(self.request.user))
        return self.get_or_404(rows.with_people(), missing, pk=pk)


class DateAnswer(DateEndpoint):
    @extend_schema(
        operation_id="answer_date", request=DateAnswerForm, responses={200: DateSerializer}
    )
    def post(self, _request: Request, pk: int) -> Response:
        """Accept or decline a proposed time, or propose another one."""
        me = self.player()
        self.date(pk, me)
        sent, now = self.body(DateAnswerForm), database_now()
        seen = sent["revision"]
        if sent["answer"] == "accept":
            answered = answers.accept(pk, by=me, seen=seen, now=now)
        elif sent["answer"] == "decline":
            answered = answers.decline(pk, by=me, seen=seen, now=now)
        else:
            answered = proposals.move(pk, sent["play_at"], by=me, seen=seen, now=now)
        return Response(DateSerializer(answered).data)


class DateWithdrawal(DateEndpoint):
    @extend_schema(operation_id="withdraw_date", request=NoFields, responses={200: DateSerializer})
    def post(self, _request: Request, pk: int) -> Response:
        """Withdraw a time that you proposed and that has no answer."""
        me = self.player()
        self.date(pk, me)
        self.body(NoFields)
        withdrawn = answers.withdraw(pk, by=me, now=database_now())
        return Response(DateSerializer(withdrawn).data)


class DateReport(DateEndpoint):
    @extend_schema(
        operation_id="report_date",
        request=AgreedReportForm,
        responses={201: MatchDetailSerializer},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Report the result of a date, from 15 minutes before its time."""
        me = self.player()
        one = self.date(pk, me)
        playing.check_captain(one, me)
        sent = self.body(AgreedReportForm)
        match = playing.report(
            pk,
            agreed_sides(one.arena, one.captains, sent["sides"]),
            reporter=me,
            played_at=sent["played_at"],
            now=database_now(),
            client_token=sent["client_token"],
            sent_from=sent_from(request),
            mode=sent["mode"],
        )
        return Response(
            MatchDetailSerializer(whole_match(match.pk)).data, status=status.HTTP_201_CREATED
        )
