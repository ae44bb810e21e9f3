"""Corrections."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from league.api.core.fields import LARGEST_ID, Strict, Text, Whole
from league.api.people.serializers import PlayerLinkSerializer
from league.api.results.forms import LONGEST_REASON, PlacingForm, rows
from league.models import Correction, CorrectionRequest
from league.models.arena import MAX_SIDES


class CorrectionPreviewForm(Strict):
    """What staff would make of a rated result."""

    placings = rows(
        PlacingForm,
        MAX_SIDES,
        required=False,
        allow_null=True,
        default=None,
        help_text="The true result: a place and a score for each side, in order. Left out, the "
        "match becomes void.",
    )


class CorrectionForm(CorrectionPreviewForm):
    """The same, once its difference has been looked at."""

    reason = Text(max_length=LONGEST_REASON, help_text="Everyone can read it.")
    digest = Text(max_length=64, help_text="From the preview.")
    horizon = Whole(min_value=0, max_value=LARGEST_ID, help_text="From the preview.")


class MovementSerializer(serializers.Serializer[Any]):
    """A player whom a correction moves; nulls for who has no result left."""

    player = PlayerLinkSerializer()
    rating_before = serializers.FloatField()
    rating_after = serializers.FloatField(allow_null=True)
    rank_before = serializers.IntegerField(help_text="By rating alone, ties alike.")
    rank_after = serializers.IntegerField(allow_null=True)


class PointChangeSerializer(serializers.Serializer[Any]):
    """What becomes of a player's ladder points."""

    player = PlayerLinkSerializer()
    before = serializers.IntegerField()
    after = serializers.IntegerField(
        allow_null=True, help_text="Null for who has no match left that gave points."
    )


class PointChangesSerializer(serializers.Serializer[Any]):
    """Whose ladder points a correction changes."""

    players = serializers.IntegerField(help_text="Players whose points change.")
    shown = PointChangeSerializer(many=True, help_text="Those in the match; 20 at most.")


class CorrectionPreviewSerializer(serializers.Serializer[Any]):
    """What a correction would do; nothing is changed yet."""

    matches = serializers.IntegerField(help_text="Later matches that are rated again.")
    events = serializers.IntegerField(help_text="Rating events that are replaced.")
    players = serializers.IntegerField(help_text="Players who move.")
    largest_change = serializers.FloatField(help_text="The most that a rating moves.")
    movements = MovementSerializer(
        many=True, help_text="Those in the match, then those who move furthest; 20 at most."
    )
    points = PointChangesSerializer(
        allow_null=True, help_text="Ladder points; null where the season gives none."
    )
    digest = serializers.CharField(help_text="Send it back to have this made.")
    horizon = serializers.IntegerField(help_text="Send it back to have this made.")


class MadeCorrectionSerializer(serializers.ModelSerializer[Correction]):
    """A correction that was made."""

    class Meta:
        model = Correction
        fields = ["kind", "reason", "at", "matches", "events", "players", "largest_change"]


class CorrectionRequestSerializer(serializers.ModelSerializer[CorrectionRequest]):
    """A correction that was asked for: waiting, done, or refused with the reason."""

    correction = MadeCorrectionSerializer(allow_null=True)

    class Meta:
        model = CorrectionRequest
        fields = ["id", "state", "refusal", "correction"]
