"""Serializers for arranged matches."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from league.api.core.fields import (
    LARGEST_ID,
    Choice,
    Moment,
    Strict,
    Whole,
    player_id,
)
from league.api.people.serializers import PlayerLinkSerializer
from league.models import Arrangement

ANSWERS = ("accept", "decline", "another-time")


class ArrangementSerializer(serializers.ModelSerializer[Arrangement]):
    """A date of two captains, from its proposal to its match."""

    arena = serializers.SlugField(source="arena.slug")
    proposer = PlayerLinkSerializer()
    opponent = PlayerLinkSerializer()

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
            "claimed_by",
            "claimed_at",
            "match",
        ]
        extra_kwargs = {
            "revision": {"help_text": "Counts the times proposed. Send it with your answer."},
            "asked": {"help_text": "The id of the captain who answers the proposed time."},
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
