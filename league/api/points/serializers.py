"""Points."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from league.api.core.fields import Text
from league.api.people.serializers import PlayedSeasonSerializer, PlayerLinkSerializer
from league.models import PointEntry
from league.services.points.board import Place, Row


class PointsRowSerializer(serializers.Serializer[Any]):
    """A row of a board of points: equal points share a rank."""

    rank = serializers.IntegerField()
    player = serializers.SerializerMethodField()
    points = serializers.IntegerField()
    matches = serializers.IntegerField(help_text="Matches that gave points, below 0 too.")
    wins = serializers.IntegerField()

    @extend_schema_field(PlayerLinkSerializer)
    def get_player(self, row: Row) -> dict[str, object]:
        return {"id": row.player_id, "name": row.name}


class PointsBoardSerializer(serializers.Serializer[Any]):
    """A stretch of a board, more points first, then fewer matches, then who joined earlier."""

    count = serializers.IntegerField(help_text="How many are listed.")
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = PointsRowSerializer(many=True)


class PointsForm(serializers.Serializer[Any]):
    """Which stretch of a board to list."""

    after = Text(required=False, max_length=60, help_text="Only behind this place.")
    before = Text(required=False, max_length=60, help_text="Only before this place.")

    def validate_after(self, text: str) -> Place:
        return place(text)

    def validate_before(self, text: str) -> Place:
        return place(text)


def place(text: str) -> Place:
    """A place of the order, as the addresses of the neighbouring pages have it."""
    found = Place.read(text)
    if found is None:
        raise serializers.ValidationError(
            _("This is no place on a board. Take the addresses from `next` and `previous`.")
        )
    return found


class MatchPointsSerializer(serializers.ModelSerializer[PointEntry]):
    """The ladder points that a match gave to a player, and what they follow from."""

    player = PlayerLinkSerializer()
    odds = serializers.FloatField(help_text="Of victory, before the match: from 0 to 1.")
    score_ratio = serializers.FloatField(help_text="The side's share of the winning score.")

    class Meta:
        model = PointEntry
        fields = ["player", "odds", "score_ratio", "victory", "deserted", "points"]


class PointEntrySerializer(serializers.ModelSerializer[PointEntry]):
    """The same where the player is known."""

    arena = serializers.SlugField(source="season.arena.slug")
    season = PlayedSeasonSerializer()
    match = serializers.IntegerField(source="match_id")
    odds = serializers.FloatField(help_text="Of victory, before the match: from 0 to 1.")
    score_ratio = serializers.FloatField(help_text="The side's share of the winning score.")

    class Meta:
        model = PointEntry
        fields = [
            "arena", "season", "match", "odds", "score_ratio", "victory", "deserted", "points",
        ]  # fmt: skip
