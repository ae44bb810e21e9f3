"""Ladder points."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from league.api.core.references import PlayedSeasonSerializer, PlayerLinkSerializer
from league.models import PointEntry
from league.services.points.points_leaderboard import PointsRow


class PointsRowSerializer(serializers.Serializer[Any]):
    """A row of the points leaderboard. Equal points share a rank."""

    rank = serializers.IntegerField()
    player = serializers.SerializerMethodField()
    points = serializers.IntegerField()
    matches = serializers.IntegerField(
        help_text=_("Matches that gave points, negative ones included.")
    )
    wins = serializers.IntegerField()

    @extend_schema_field(PlayerLinkSerializer)
    def get_player(self, row: PointsRow) -> dict[str, object]:
        return {"id": row.player_id, "name": row.name}


class MatchPointsSerializer(serializers.ModelSerializer[PointEntry]):
    """A player's ladder points from a match, with what they follow from."""

    player = PlayerLinkSerializer()
    odds = serializers.FloatField(help_text=_("Win chance before the match, from 0 to 1."))
    score_ratio = serializers.FloatField(
        help_text=_("The side's share of the winning score, from 0 to 1.")
    )

    class Meta:
        model = PointEntry
        fields = ["player", "odds", "score_ratio", "victory", "deserted", "points"]


class PointEntrySerializer(serializers.ModelSerializer[PointEntry]):
    """Ladder points from a match of a known player."""

    arena = serializers.SlugField(source="season.arena.slug")
    season = PlayedSeasonSerializer()
    match = serializers.IntegerField(source="match_id")
    odds = serializers.FloatField(help_text=_("Win chance before the match, from 0 to 1."))
    score_ratio = serializers.FloatField(
        help_text=_("The side's share of the winning score, from 0 to 1.")
    )

    class Meta:
        model = PointEntry
        fields = [
            "arena", "season", "match", "odds", "score_ratio", "victory", "deserted", "points",
        ]  # fmt: skip
