"""Arenas and their leaderboards."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

import ratings.registry
from league.api.fields import Text
from league.api.serializers.players import PlayerLinkSerializer
from league.api.serializers.systems import (
    RatingParameters,
    SetParameterSerializer,
    SystemNameSerializer,
)
from league.models import Arena, Format, Season
from ratings import durations
from ratings.parameters import declarations


class FormatSerializer(serializers.Serializer[Arena]):
    """How many play, and whether sides may tie."""

    kind = serializers.ChoiceField(choices=Format.choices, source="format")
    sides_min = serializers.IntegerField()
    sides_max = serializers.IntegerField()
    team_size_min = serializers.IntegerField()
    team_size_max = serializers.IntegerField()
    draws_allowed = serializers.BooleanField()


class PolicySerializer(serializers.Serializer[Arena]):
    """How results are settled."""

    confirmation_window = serializers.SerializerMethodField(
        help_text="How long the other side has to answer a report, such as 2d."
    )

    def get_confirmation_window(self, arena: Arena) -> str:
        return durations.written(arena.confirmation_window.total_seconds())


class ArenaSerializer(serializers.ModelSerializer[Arena]):
    format = FormatSerializer(source="*")

    class Meta:
        model = Arena
        fields = ["slug", "name", "description", "is_open", "format", "rating_system"]


class SeasonLinkSerializer(serializers.ModelSerializer[Season]):
    class Meta:
        model = Season
        fields = ["id", "name"]


class SeasonSerializer(serializers.ModelSerializer[Season]):
    """A season keeps the rating system and the parameters that it began with."""

    rating_parameters = RatingParameters()

    class Meta:
        model = Season
        fields = ["id", "name", "starts_at", "ends_at", "rating_system", "rating_parameters"]


class ArenaDetailSerializer(ArenaSerializer):
    policy = PolicySerializer(source="*")
    rating_system = serializers.SerializerMethodField()
    parameters = serializers.SerializerMethodField(
        help_text="The parameters of the arena's next season; `season` has those in force."
    )
    season = serializers.SerializerMethodField(help_text="The season that runs now.")

    class Meta(ArenaSerializer.Meta):
        fields = [*ArenaSerializer.Meta.fields, "policy", "parameters", "season"]

    @extend_schema_field(SystemNameSerializer)
    def get_rating_system(self, arena: Arena) -> Any:
        return SystemNameSerializer(ratings.registry.find(arena.rating_system)).data

    @extend_schema_field(SetParameterSerializer(many=True))
    def get_parameters(self, arena: Arena) -> Any:
        system = arena.system()
        values = system.parameters.written()
        return [
            {**declared.as_json(), "value": values[declared.name]}
            for declared in declarations(type(system.parameters))
        ]

    @extend_schema_field(SeasonSerializer(allow_null=True))
    def get_season(self, arena: Arena) -> Any:
        season = arena.current_season(self.context["now"])
        return SeasonSerializer(season).data if season else None


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
