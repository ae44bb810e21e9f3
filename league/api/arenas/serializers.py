"""Arenas and their seasons."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

import ratings.registry
from league.api.rating.serializers import (
    RatingParameters,
    SetParameterSerializer,
    SystemNameSerializer,
)
from league.models import Arena, Format, PenaltyReason, Season
from ratings.tunables import durations
from ratings.tunables.declarations import declarations
from ratings.tunables.parameters import Parameters


class FormatSerializer(serializers.Serializer[Arena]):
    """The number of sides and players, and whether sides may tie."""

    kind = serializers.ChoiceField(choices=Format.choices, source="format")
    sides_min = serializers.IntegerField()
    sides_max = serializers.IntegerField()
    team_size_min = serializers.IntegerField()
    team_size_max = serializers.IntegerField()
    draws_allowed = serializers.BooleanField()


class PolicySerializer(serializers.Serializer[Arena]):
    """Rules by which results are settled."""

    confirmation_window = serializers.SerializerMethodField(
        help_text=_("How long the other side has to answer a report, such as 2d.")
    )

    def get_confirmation_window(self, arena: Arena) -> str:
        return durations.format_duration(arena.confirmation_window.total_seconds())


class ArenaSerializer(serializers.ModelSerializer[Arena]):
    format = FormatSerializer(source="*")

    class Meta:
        model = Arena
        fields = [
            "slug",
            "name",
            "description",
            "is_open",
            "format",
            "modes",
            "regions",
            "maps",
            "rating_system",
        ]


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


class SeasonDivisionSerializer(serializers.Serializer[Any]):
    """A division of a season."""

    name = serializers.CharField(help_text=_("Unique in the season."))
    first = serializers.FloatField(
        help_text=_("Its lowest percentile, rating or rank, by the season's rules.")
    )
    colour = serializers.CharField(help_text=_("A CSS colour, such as #b87333; may be empty."))


def set_parameters(parameters: Parameters) -> list[dict[str, Any]]:
    """Return parameters with their declarations and values."""
    values = parameters.to_json()
    return [
        {**declared.as_json(), "value": values[declared.name]}
        for declared in declarations(type(parameters))
    ]


class PenaltyReasonSerializer(serializers.ModelSerializer[PenaltyReason]):
    """A reason for which staff and game servers can penalise players."""

    class Meta:
        model = PenaltyReason
        fields = ["name", "stacks"]


class ArenaDetailSerializer(ArenaSerializer):
    policy = PolicySerializer(source="*")
    rating_system = serializers.SerializerMethodField()
    parameters = serializers.SerializerMethodField(
        help_text=_("The parameters of the arena's next season. Those in force are in `season`.")
    )
    season = serializers.SerializerMethodField(help_text=_("The running season."))
    result_rules = serializers.SerializerMethodField(
        help_text=_("Who reports, and what makes a report count.")
    )

    limits = serializers.SerializerMethodField(help_text=_("How much one account may send."))
    figures = serializers.ListField(
        child=serializers.CharField(),
        help_text=_("The columns of match figures, such as hits or laps, which are never rated."),
    )
    display = serializers.SerializerMethodField(help_text=_("How ratings are shown."))
    calendar = serializers.SerializerMethodField(
        help_text=_(
            "When its next seasons end and follow each other. Months, such as `3 months`, are "
            "those of the calendar in its time zone."
        )
    )
    penalty_reasons = PenaltyReasonSerializer(many=True)

    class Meta(ArenaSerializer.Meta):
        fields = [
            *ArenaSerializer.Meta.fields,
            "policy",
            "result_rules",
            "limits",
            "display",
            "figures",
            "penalty_reasons",
            "time_zone",
            "calendar",
            "parameters",
            "season",
        ]

    @extend_schema_field(SystemNameSerializer)
    def get_rating_system(self, arena: Arena) -> Any:
        return SystemNameSerializer(ratings.registry.find(arena.rating_system)).data

    @extend_schema_field(SetParameterSerializer(many=True))
    def get_parameters(self, arena: Arena) -> Any:
        return set_parameters(arena.system().parameters)

    @extend_schema_field(SetParameterSerializer(many=True))
    def get_result_rules(self, arena: Arena) -> Any:
        return set_parameters(arena.result_settings())

    @extend_schema_field(SetParameterSerializer(many=True))
    def get_limits(self, arena: Arena) -> Any:
        return set_parameters(arena.limit_settings())

    @extend_schema_field(SetParameterSerializer(many=True))
    def get_display(self, arena: Arena) -> Any:
        return set_parameters(arena.display_settings())

    @extend_schema_field(SetParameterSerializer(many=True))
    def get_calendar(self, arena: Arena) -> Any:
        return set_parameters(arena.rules().calendar)

    @extend_schema_field(SeasonSerializer(allow_null=True))
    def get_season(self, arena: Arena) -> Any:
        season = arena.current_season(self.context["now"])
        return SeasonSerializer(season).data if season else None
