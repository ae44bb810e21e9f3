"""Serializers for corrections."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from league.api.core.fields import LARGEST_ID, Strict, Text, Whole
from league.api.core.references import PlayerLinkSerializer
from league.api.results.forms import LONGEST_REASON, PlacingForm, mode, rows
from league.models import Correction, CorrectionRequest
from league.models.arena import MAX_SIDES


class CorrectionPreviewForm(Strict):
    """A correction to preview."""

    placings = rows(
        PlacingForm,
        MAX_SIDES,
        required=False,
        allow_null=True,
        default=None,
        help_text="The correct result, as a place and a score for each side in order. Without "
        "it, the match is voided.",
    )
    mode = mode("The game mode of that result, by default the one that the match has.")

    def validate(self, attrs: Any) -> Any:
        if attrs["mode"] and not attrs["placings"]:
            raise serializers.ValidationError(
                {"mode": [_("A match that is voided has no game mode. Give its result, too.")]}
            )
        return attrs


class CorrectionForm(CorrectionPreviewForm):
    """A previewed correction to make."""

    reason = Text(max_length=LONGEST_REASON, help_text="Everyone can read it.")
    digest = Text(max_length=64, help_text="From the preview.")
    horizon = Whole(min_value=0, max_value=LARGEST_ID, help_text="From the preview.")


class MovementSerializer(serializers.Serializer[Any]):
    """A player whose rating changes, with nulls if they have no result left."""

    player = PlayerLinkSerializer()
    rating_before = serializers.FloatField()
    rating_after = serializers.FloatField(allow_null=True)
    rank_before = serializers.IntegerField(help_text="By rating only. Equal ratings share a rank.")
    rank_after = serializers.IntegerField(allow_null=True)


class PointChangeSerializer(serializers.Serializer[Any]):
    """A player's ladder points before and after."""

    player = PlayerLinkSerializer()
    before = serializers.IntegerField()
    after = serializers.IntegerField(
        allow_null=True, help_text="Null without a match left that gave points."
    )


class PointChangesSerializer(serializers.Serializer[Any]):
    """The players whose ladder points change."""

    players = serializers.IntegerField(help_text="Players whose points change.")
    shown = PointChangeSerializer(many=True, help_text="Players in the match, at most 20.")


class CorrectionPreviewSerializer(serializers.Serializer[Any]):
    """The changes that a correction would make."""

    matches = serializers.IntegerField(help_text="Later matches that would be rated again.")
    events = serializers.IntegerField(help_text="Rating events that would be replaced.")
    players = serializers.IntegerField(help_text="Players whose rating would change.")
    largest_change = serializers.FloatField(help_text="The largest change of a rating.")
    movements = MovementSerializer(
        many=True, help_text="Players in the match, then those who move furthest, at most 20."
    )
    points = PointChangesSerializer(
        allow_null=True, help_text="Ladder points, null if the season does not count them."
    )
    digest = serializers.CharField(help_text="Send it back to make this correction.")
    horizon = serializers.IntegerField(help_text="Send it back to make this correction.")


class MadeCorrectionSerializer(serializers.ModelSerializer[Correction]):
    """A correction that was made."""

    class Meta:
        model = Correction
        fields = ["kind", "reason", "at", "matches", "events", "players", "largest_change"]


class CorrectionRequestSerializer(serializers.ModelSerializer[CorrectionRequest]):
    """A requested correction: waiting, done, or refused with a reason."""

    correction = MadeCorrectionSerializer(allow_null=True)

    class Meta:
        model = CorrectionRequest
        fields = ["id", "state", "refusal", "correction"]
