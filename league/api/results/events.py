"""The feed of single events of a match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from league.api.core.fields import Strict, Whole, player_id
from league.api.results.views import MatchEndpoint
from league.models import Scope
from league.models.match_event import MOST_EVENTS, MOST_KINDS
from league.services.results.playing import events

if TYPE_CHECKING:
    from rest_framework.request import Request


class EventForm(Strict):
    """An event of a match, such as a frag."""

    number = Whole(
        min_value=1,
        max_value=MOST_EVENTS,
        help_text="Its place in the order of the match's events, from 1.",
    )
    winner = player_id(help_text="The player who beat the other.")
    loser = player_id(help_text="The player who was beaten.")
    kind = Whole(
        min_value=1,
        max_value=MOST_KINDS,
        default=1,
        help_text="The kind of event, which rating parameters can weight: 1 for a frag, say, and 2 "
        "for a hit.",
    )


class EventsForm(Strict):
    events = serializers.ListField(
        child=EventForm(), allow_empty=False, max_length=events.MOST_AT_ONCE
    )


class StoredSerializer(serializers.Serializer[Any]):
    """The fate of a batch of events."""

    new = serializers.IntegerField(help_text="How many were not there before.")
    total = serializers.IntegerField(help_text="How many events the match has now.")


class Events(MatchEndpoint):
    serializer_class = StoredSerializer
    scopes = (Scope.SERVER,)

    @extend_schema(operation_id="add_events", request=EventsForm, responses=StoredSerializer)
    def post(self, _request: Request, pk: int) -> Response:
        """Add single events to a live match, as its game server.

        The season must rate each event, and single players play. An event has its number in the
        order of the match, so batches can come twice and in any order. They are rated with the
        result, once none is missing.
        """
        self.check_exists(pk)
        account, sent = self.account(), self.body(EventsForm)["events"]
        stored = events.add(pk, [events.Event(**one) for one in sent], by=account)
        return Response(StoredSerializer(stored).data)
