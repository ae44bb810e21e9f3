"""Leaderboards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from league.api.core.fields import LARGEST_ID, AttributeSerializer, Text
from league.api.core.references import (
    SHOWN,
    PlayedSeasonSerializer,
    PlayerLinkSerializer,
    SearchForm,
)

if TYPE_CHECKING:
    from league.services.standings.distributions import Bar
    from league.services.standings.leaderboard_rows import LeaderboardRow
    from ratings.system import Shows


class DivisionSerializer(AttributeSerializer):
    """A named range of the leaderboard."""

    name = serializers.CharField()
    colour = serializers.CharField(help_text=_("A CSS colour, such as #b87333; may be empty."))


class StandingSerializer(AttributeSerializer):
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
        return shows.show(row.rating)


class InactiveSerializer(AttributeSerializer):
    """A player who is not ranked because they have not played lately."""

    rank = serializers.IntegerField(
        help_text=_("About the rank to which they return with their next rated match.")
    )
    player = PlayerLinkSerializer()
    rating = serializers.FloatField()
    shown = serializers.SerializerMethodField(help_text=SHOWN)
    games = serializers.IntegerField()
    last_played_at = serializers.DateTimeField(allow_null=True)

    @extend_schema_field(float)
    def get_shown(self, row: LeaderboardRow) -> float:
        shows: Shows = self.context["shows"]
        return shows.show(row.rating)


class BarSerializer(serializers.Serializer[Any]):
    """The ranked players in a range of ratings."""

    low = serializers.FloatField()
    high = serializers.FloatField(
        help_text=_("Ratings are below this, or equal to it in the last range.")
    )
    shown_low = serializers.SerializerMethodField(help_text=_("`low` as the arena shows it."))
    shown_high = serializers.SerializerMethodField(help_text=_("`high` as the arena shows it."))
    players = serializers.IntegerField(help_text=_("How many players have such a rating."))
    normal = serializers.FloatField(
        help_text=_("How many it would be under the normal curve of the same width.")
    )

    @extend_schema_field(float)
    def get_shown_low(self, bar: Bar) -> float:
        shows: Shows = self.context["shows"]
        return shows.show(bar.low)

    @extend_schema_field(float)
    def get_shown_high(self, bar: Bar) -> float:
        shows: Shows = self.context["shows"]
        return shows.show(bar.high)


class DiscriminationSerializer(serializers.Serializer[Any]):
    """The influence of skill on results."""

    widths = serializers.FloatField(
        help_text=_("The standard deviation, in leads with which 73 of 100 matches are won.")
    )
    chance = serializers.FloatField(
        help_text=_("The expected share of matches won one standard deviation above the average.")
    )


class DriftMonthSerializer(serializers.Serializer[Any]):
    """The results of all others against the anchors in a month."""

    begins = serializers.DateField(help_text=_("The first day of the month."))
    matches = serializers.IntegerField(help_text=_("Their rated matches against anchors."))
    change = serializers.FloatField(help_text=_("The mean change of a rating in such a match."))


class DriftSerializer(serializers.Serializer[Any]):
    """The drift of a rating's meaning, measured against players whose ratings are fixed."""

    anchors = PlayerLinkSerializer(many=True, help_text=_("The players with fixed ratings."))
    matches = serializers.IntegerField(help_text=_("Rated matches against anchors."))
    change = serializers.FloatField(help_text=_("The mean change of a rating in all of them."))
    months = DriftMonthSerializer(many=True, help_text=_("The same by month, oldest first."))


class DistributionSerializer(serializers.Serializer[Any]):
    """The distribution of the ranked players' ratings."""

    season = PlayedSeasonSerializer()
    players = serializers.IntegerField(source="count", help_text=_("How many players are ranked."))
    mean = serializers.FloatField(
        allow_null=True, help_text=_("The mean rating; null while nobody is ranked.")
    )
    width = serializers.FloatField(
        allow_null=True, help_text=_("The standard deviation of their ratings; null as above.")
    )
    within = serializers.ListField(
        child=serializers.FloatField(),
        help_text=_(
            "The shares of players within one, two and three standard deviations of the mean."
        ),
    )
    bars = BarSerializer(many=True, help_text=_("The players by rating, lowest first."))
    discrimination = DiscriminationSerializer(
        allow_null=True, help_text=_("How much skill decides; null if it cannot be told.")
    )
    drift = DriftSerializer(
        allow_null=True, help_text=_("Measured against anchors; null without any.")
    )


class SeasonForm(serializers.Serializer[Any]):
    """A choice of one season of an arena."""

    season = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST_ID,
        help_text=_("The id of a season of the arena, by default the running or last one."),
    )


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
