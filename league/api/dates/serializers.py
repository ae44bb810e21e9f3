"""Serializers for dates."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from league.api.arenas.serializers import ArenaSerializer
from league.api.core.fields import (
    LARGEST_ID,
    Choice,
    Moment,
    Strict,
    Text,
    Whole,
    player_id,
)
from league.api.core.references import PlayerLinkSerializer, PlayerSerializer
from league.api.core.sparse import Expansion
from league.api.results.forms import LONGEST_REASON as LONGEST_REASON_OF_RESULTS
from league.models import Arrangement, ArrangementMessage, ArrangementStep
from league.models.arena import MAX_TEAM_SIZE
from league.models.arrangement import LONGEST_REASON
from league.models.arrangement_parts import LONGEST_DATE_MESSAGE

ANSWERS = ("accept", "decline", "another-time")
REQUEST_ANSWERS = ("agree", "refuse", "withdraw")
NO_SHOW_ANSWERS = ("concede", "deny")


class RequestSerializer(serializers.ModelSerializer[ArrangementStep]):
    """A captain's request to move an agreed date, or to call it off if it has no other time."""

    class Meta:
        model = ArrangementStep
        fields = ["id", "by", "at", "play_at"]
        extra_kwargs = {"id": {"help_text": "Send it with your answer."}}


class DateSerializer(serializers.ModelSerializer[Arrangement]):
    """A date of two captains, from its proposal to its match."""

    expands = {
        "arena": Expansion(ArenaSerializer),
        "proposer": Expansion(PlayerSerializer),
        "opponent": Expansion(PlayerSerializer),
    }
    arena = serializers.SlugField(source="arena.slug")
    proposer = PlayerLinkSerializer()
    opponent = PlayerLinkSerializer()
    request = RequestSerializer(allow_null=True, help_text="The request that waits for an answer.")

    class Meta:
        model = Arrangement
        fields = [
            "id",
            "arena",
            "proposer",
            "opponent",
            "proposer_roster",
            "opponent_roster",
            "play_at",
            "revision",
            "asked",
            "state",
            "created_at",
            "answered_at",
            "accepted_at",
            "changed_at",
            "request",
            "request_until",
            "claimed_by",
            "claimed_at",
            "match",
        ]
        extra_kwargs = {
            "revision": {"help_text": "Counts the times proposed. Send it with your answer."},
            "asked": {
                "help_text": "The id of the captain who answers the proposed time or the request."
            },
            "claimed_by": {"help_text": "The id of the captain who claimed a no-show."},
        }


def roster_id(**options: Any) -> Whole:
    return Whole(
        min_value=1, max_value=LARGEST_ID, required=False, allow_null=True, default=None, **options
    )


class DateForm(Strict):
    """A match to propose."""

    opponent = player_id(help_text="The captain of the other side.")
    play_at = Moment(help_text="When to play, with its time zone: 2026-03-01T20:00:00Z.")
    roster = roster_id(help_text="The id of your roster, in an arena for teams.")
    opponent_roster = roster_id(help_text="The id of their roster.")


class DateAnswerForm(Strict):
    """An answer to a proposed time."""

    answer = Choice(choices=ANSWERS)
    revision = Whole(
        min_value=1,
        max_value=10**6,
        help_text="The revision that you answer. If the time has changed, you get a conflict.",
    )
    play_at = Moment(
        required=False,
        allow_null=True,
        default=None,
        help_text="Only with the answer “another-time”: that time.",
    )

    def validate(self, attrs: Any) -> Any:
        moves = attrs["answer"] == "another-time"
        if moves != (attrs["play_at"] is not None):
            raise serializers.ValidationError(
                {
                    "play_at": [
                        _("Give the other time.")
                        if moves
                        else _("Only the answer “another-time” can have a time.")
                    ]
                }
            )
        return attrs


def revision_seen() -> Whole:
    return Whole(
        min_value=1,
        max_value=10**6,
        help_text="The revision that you read. If the date has changed, you get a conflict.",
    )


class DateMoveForm(Strict):
    """Another time for an agreed date."""

    play_at = Moment(help_text="When to play instead, with its time zone.")
    revision = revision_seen()


class DateCallOffForm(Strict):
    """The reason to call an agreed date off."""

    reason = Text(max_length=LONGEST_REASON, help_text="Both sides and staff can read it.")
    revision = revision_seen()


class RequestAnswerForm(Strict):
    """An answer to a request, or its withdrawal."""

    answer = Choice(choices=REQUEST_ANSWERS)
    request = Whole(min_value=1, max_value=LARGEST_ID, help_text="The id of the request.")


def named_players(help_text: str) -> serializers.ListField:
    return serializers.ListField(
        child=player_id(),
        required=False,
        allow_empty=False,
        max_length=MAX_TEAM_SIZE,
        default=list,
        help_text=help_text,
    )


class NoShowForm(Strict):
    """The players who waited, and those who did not come."""

    came = named_players("The ids of your players who came. By default you alone.")
    absent = named_players("The ids of their players who did not. By default their captain alone.")


class NoShowAnswerForm(Strict):
    """An answer to a claimed no-show."""

    answer = Choice(choices=NO_SHOW_ANSWERS)
    reason = Text(
        required=False,
        allow_blank=True,
        default="",
        max_length=LONGEST_REASON_OF_RESULTS,
        help_text="What happened. Needed to deny a no-show.",
    )


class DateMessageForm(Strict):
    text = Text(max_length=LONGEST_DATE_MESSAGE)


class DateMessageSerializer(serializers.ModelSerializer[ArrangementMessage]):
    """A message about a date. It is from staff if it has no player."""

    player = PlayerLinkSerializer(allow_null=True)

    class Meta:
        model = ArrangementMessage
        fields = ["id", "player", "at", "text"]
