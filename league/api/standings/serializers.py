"""Leaderboards."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from league.api.core.fields import Text
from league.api.people.serializers import PlayerLinkSerializer


class DivisionSerializer(serializers.Serializer[Any]):
    """A named stretch of the standings."""

    name = serializers.CharField()
    colour = serializers.CharField(help_text="As CSS writes it, like #b87333; may be empty.")


class StandingSerializer(serializers.Serializer[Any]):
    """A row of a leaderboard: equal ratings share a rank."""

    rank = serializers.IntegerField()
    percentile = serializers.IntegerField(help_text="From 1, the lowest, to 100.")
    player = PlayerLinkSerializer()
    rating = serializers.FloatField()
    deviation = serializers.FloatField(
        allow_null=True, help_text="With what inactivity has added since the last match."
    )
    volatility = serializers.FloatField(allow_null=True)
    games = serializers.IntegerField()
    last_played_at = serializers.DateTimeField(allow_null=True)
    provisional = serializers.BooleanField(
        help_text="Whether too few matches are rated for the rating to have settled."
    )
    division = DivisionSerializer(allow_null=True)
    wins = serializers.IntegerField(help_text="Rated matches that ended in a first place.")
    draws = serializers.IntegerField(help_text="Those that ended in a shared first place.")
    losses = serializers.IntegerField(help_text="All others.")
    streak = serializers.IntegerField(
        help_text="How many of the latest matches in a row ended like the latest."
    )
    outcome = serializers.IntegerField(
        allow_null=True, help_text="Of the latest match: 1 for a win, 0 for a draw, -1 for a loss."
    )
    rank_yesterday = serializers.IntegerField(
        allow_null=True,
        help_text="The rank as yesterday ended; 0: not ranked then; null: not known.",
    )
    rank_last_week = serializers.IntegerField(
        allow_null=True, help_text="The same a week before that."
    )


class SearchForm(serializers.Serializer[Any]):
    """Which players to list."""

    search = Text(
        required=False,
        allow_blank=True,
        max_length=60,
        default="",
        help_text="How a name, or a word of it, begins, in any case.",
    )


class LeaderboardForm(SearchForm):
    """Which of the ranked to list."""

    division = Text(
        required=False,
        allow_blank=True,
        max_length=60,
        default="",
        help_text="The name of one of the season's divisions, in any case.",
    )
    sure = Text(
        required=False,
        allow_blank=True,
        max_length=20,
        default="",
        help_text="A number from 0 on: only ratings with at most this deviation.",
    )
    after = Text(
        required=False,
        allow_blank=True,
        max_length=60,
        default="",
        help_text="Where a list by division or deviation goes on: `next` has it.",
    )
    before = Text(
        required=False,
        allow_blank=True,
        max_length=60,
        default="",
        help_text="Where it goes on upwards: `previous` has it.",
    )
