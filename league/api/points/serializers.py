"""Ladder points."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from league.api.core.fields import Text
from league.api.core.pagination import LARGEST_PAGE
from league.api.people.serializers import PlayedSeasonSerializer, PlayerLinkSerializer
from league.models import PointEntry
from league.services.points.board import PointsCursor, PointsRow


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


class PointsBoardSerializer(serializers.Serializer[Any]):
    """A page of the points leaderboard: more points, then fewer matches, then earlier players."""

    count = serializers.IntegerField(help_text=_("The number of listed players."))
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = PointsRowSerializer(many=True)


class PointsForm(serializers.Serializer[Any]):
    """Where a page of the points leaderboard starts or ends."""

    after = Text(
        required=False, max_length=60, help_text=_("Start after this cursor, from `next`.")
    )
    before = Text(
        required=False, max_length=60, help_text=_("End before this cursor, from `previous`.")
    )

    page_size = serializers.IntegerField(
        required=False, min_value=1, max_value=LARGEST_PAGE, help_text=_("Results per page.")
    )

    def validate_after(self, text: str) -> PointsCursor:
        return parse_cursor(text)

    def validate_before(self, text: str) -> PointsCursor:
        return parse_cursor(text)


def parse_cursor(text: str) -> PointsCursor:
    """Return the cursor in an address. Raises ``ValidationError`` if it is not one."""
    found = PointsCursor.parse(text)
    if found is None:
        raise serializers.ValidationError(
            _("This is not a valid cursor. Use the addresses in `next` and `previous`.")
        )
    return found


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
