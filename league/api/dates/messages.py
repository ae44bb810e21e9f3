"""Endpoints for messages about a date, a challenge or a match of a queue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response

from league.api.core.cursors import Cursors
from league.api.dates.serializers import DateMessageForm, DateMessageSerializer
from league.api.dates.views import DateEndpoint
from league.models import ArrangementMessage, Challenge, Match
from league.services.core.clock import database_now
from league.services.dates import threads
from league.services.ladder.lists import PEOPLE

if TYPE_CHECKING:
    from rest_framework.permissions import BasePermission
    from rest_framework.request import Request

    from league.models import Player
    from league.services.dates.people import Meeting


class Talk(DateEndpoint):
    """The messages about something that people meet for."""

    queryset: Any = ArrangementMessage.objects.none()
    serializer_class: Any = DateMessageSerializer
    pagination_class = Cursors

    def get_permissions(self) -> list[BasePermission]:
        return [IsAuthenticated()]

    def meeting(self, pk: int, me: Player | None) -> Meeting:
        """Return what the messages are about."""
        return self.date(pk, me)

    def list_all(self, pk: int) -> Response:
        account = self.account()
        me = getattr(account, "player", None)
        one = self.meeting(pk, me)
        threads.check_reader(one, account, me)
        found = ArrangementMessage.objects.filter(**{threads.kind_of(one): one})
        return self.page_response(found.select_related("player").order_by("id"))

    def write(self, pk: int) -> Response:
        account = self.account()
        me = getattr(account, "player", None)
        one = self.meeting(pk, me)
        threads.check_reader(one, account, me)
        text = self.body(DateMessageForm)["text"]
        message = threads.write(one, by=account, player=me, text=text, now=database_now())
        return Response(DateMessageSerializer(message).data, status=status.HTTP_201_CREATED)


class DateMessages(Talk):
    @extend_schema(operation_id="date_messages", responses=DateMessageSerializer(many=True))
    def get(self, _request: Request, pk: int) -> Response:
        """List the messages about a date, oldest first, for the players of both sides and staff."""
        return self.list_all(pk)

    @extend_schema(
        operation_id="write_date_message",
        request=DateMessageForm,
        responses={201: DateMessageSerializer},
    )
    def post(self, _request: Request, pk: int) -> Response:
        """Write about a date, as a player of one of its sides or as staff."""
        return self.write(pk)


class ChallengeMessages(Talk):
    def meeting(self, pk: int, me: Player | None) -> Meeting:
        del me
        missing = _("There is no challenge %(id)d.") % {"id": pk}
        return self.get_or_404(Challenge.objects.select_related(*PEOPLE), missing, pk=pk)

    @extend_schema(operation_id="challenge_messages", responses=DateMessageSerializer(many=True))
    def get(self, _request: Request, pk: int) -> Response:
        """List the messages about a challenge, oldest first, for its two players and staff."""
        return self.list_all(pk)

    @extend_schema(
        operation_id="write_challenge_message",
        request=DateMessageForm,
        responses={201: DateMessageSerializer},
    )
    def post(self, _request: Request, pk: int) -> Response:
        """Write about an accepted challenge, as one of its two players or as staff."""
        return self.write(pk)


class MatchTalk(Talk):
    def meeting(self, pk: int, me: Player | None) -> Meeting:
        del me
        missing = _("There is no match %(id)d.") % {"id": pk}
        return self.get_or_404(Match.objects.select_related("arena"), missing, pk=pk)

    @extend_schema(operation_id="match_talk", responses=DateMessageSerializer(many=True))
    def get(self, _request: Request, pk: int) -> Response:
        """List the messages of a match that was found in a queue, for its players and staff."""
        return self.list_all(pk)

    @extend_schema(
        operation_id="write_to_match",
        request=DateMessageForm,
        responses={201: DateMessageSerializer},
    )
    def post(self, _request: Request, pk: int) -> Response:
        """Write to the players of a match that was found in a queue."""
        return self.write(pk)
