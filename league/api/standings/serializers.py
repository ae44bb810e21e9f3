"""Leaderboards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from league.api.core.fields import Text
from league.api.core.references import SHOWN, PlayerLinkSerializer, SearchForm

if TYPE_CHECKING:
    from league.services.standings.leaderboard_rows import LeaderboardRow
    from ratings.system import Shows


class DivisionSerializer(serializers.Serializer[Any]):
    """A named range of the leaderboard."""

    name = serializers.CharField()
    colour = serializers.CharField(help_text=_("A CSS colour, such as #b87333; may be empty."))


class StandingSerializer(serializers.Serializer[Any]):
    """A row of a leaderboard. Equal ratings share a rank."""

    rank = serializers.IntegerField()
    percentile = serializers.IntegerField(help_text=_("From 1, the lowest, to 100."))
    player = PlayerLinkSerializer()
    rating = serializers.FloatField()
    shown = serializers.SerializerMethodField(help_text=SHOWN)
    deviation = serializers.FloatField(
        allow_null=True, help_text=_("Including what inactivity has added since the last match.")
    )
    volatility = serializers.FloatField(allow_null=True)
    games = serializers.IntegerField(
        help_text=_("Rated matches, without draws that the rating system ignores.")
    )
    last_played_at = serializers.DateTimeField(allow_null=True)
    provisional = serializers.BooleanField(
        help_text=_("Whether placement matches are still to be played.")
    )
    division = DivisionSerializer(allow_null=True)
    wins = serializers.IntegerField(help_text=_("Rated matches won: an unshared first place."))
    draws = serializers.IntegerField(help_text=_("Rated matches drawn: a shared first place."))
    losses = serializers.IntegerField(help_text=_("All other rated matches."))
    streak = serializers.IntegerField(
        help_text=_("Consecutive matches, up to the latest, with the same outcome.")
    )
    outcome = serializers.IntegerField(
        allow_null=True,
        help_text=_("Of the latest match: 1 for a win, 0 for a draw, -1 for a loss."),
    )
    rank_yesterday = serializers.IntegerField(
        allow_null=True,
        help_text=_("The rank at the end of yesterday; 0: unranked; null: not known."),
    )
    rank_last_week = serializers.IntegerField(
        allow_null=True, help_text=_("The rank a week earlier.")
    )

    @extend_schema_field(float)
    def get_shown(self, row: LeaderboardRow) -> float:
        shows: Shows = self.context["shows"]
        return shows.shown(row.rating)


class LeaderboardForm(SearchForm):
    """A search for ranked players, with filters."""

    division = Text(
        required=False,
        allow_blank=True,
        max_length=60,
        default="",
        help_text=_("The name of one of the season's divisions, in any case."),
    )
    sure = Text(
        required=False,
        allow_blank=True,
        max_length=20,
        default="",
        help_text=_("Only ratings with at most this deviation, a number from 0."),
    )
    games = Text(
        required=False,
        allow_blank=True,
        max_length=20,
        default="",
        help_text=_("Only players with at least this many rated matches."),
    )
