"""Serializers for competitions, their entrants, fixtures and tables."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from league.api.arenas.serializers import ArenaSerializer, SeasonSerializer
from league.api.core.references import PlayerLinkSerializer, PlayerSerializer
from league.api.core.sparse import Expansion
from league.models import Competition, Entrant, Fixture
from league.services.competitions.running.bracket_names import name_of_side
from league.services.competitions.standings.competition_tables import line_as_json


class CompetitionSerializer(serializers.ModelSerializer[Competition]):
    """A competition."""

    expands = {
        "arena": Expansion(ArenaSerializer, "season.arena", "season__arena"),
        "season": Expansion(SeasonSerializer),
    }
    arena = serializers.SlugField(source="season.arena.slug")
    season = serializers.CharField(source="season.name")
    rules = serializers.SerializerMethodField(help_text="All rules, with defaults.")

    class Meta:
        model = Competition
        fields = [
            "id",
            "arena",
            "season",
            "name",
            "format",
            "state",
            "level",
            "starts_at",
            "drawn_at",
            "seed",
            "over_at",
            "rules",
        ]

    def get_rules(self, one: Competition) -> dict[str, Any]:
        return one.ruled_by().to_json()


class EntrantSerializer(serializers.ModelSerializer[Entrant]):
    """A player or a roster in a competition."""

    expands = {"player": Expansion(PlayerSerializer)}
    player = PlayerLinkSerializer()

    class Meta:
        model = Entrant
        fields = [
            "id",
            "name",
            "player",
            "roster",
            "state",
            "entered_at",
            "seed",
            "rating",
            "group",
            "withdrawn_at",
            "annulled",
            "place",
        ]
        extra_kwargs = {
            "group": {"help_text": "The number of the group, from 0."},
            "place": {"help_text": "The final place. Some may share it."},
        }


class FixtureSerializer(serializers.Serializer[Any]):
    """A fixture with its outcome, by its games or a decision."""

    expands = {
        "home": Expansion(EntrantSerializer, "fixture.home"),
        "away": Expansion(EntrantSerializer, "fixture.away"),
    }
    number = serializers.IntegerField(source="fixture.number")
    stage = serializers.CharField(source="fixture.round.stage")
    round = serializers.IntegerField(source="fixture.round.number")
    home = serializers.IntegerField(
        source="fixture.home_id", allow_null=True, help_text="An entrant, null if not known yet."
    )
    away = serializers.IntegerField(source="fixture.away_id", allow_null=True)
    home_name = serializers.SerializerMethodField(
        help_text="The entrant, or where they come from, such as “winner of 3”."
    )
    away_name = serializers.SerializerMethodField(help_text="As `home_name`.")
    play_at = serializers.DateTimeField(allow_null=True)
    planned_at = serializers.DateTimeField(
        source="fixture.round.play_at", help_text="When its round is played by default."
    )
    is_drawn = serializers.SerializerMethodField(
        help_text="False for a bracket that is drawn after the groups: its entrants are unknown."
    )
    result = serializers.ChoiceField(
        source="outcome.result",
        choices=Fixture.Result.choices,
        help_text="Empty before the end.",
    )
    decided_by = serializers.ChoiceField(
        source="outcome.by", choices=Fixture.DecidedBy.choices, help_text="Empty for its games."
    )
    home_score = serializers.FloatField(source="outcome.home", allow_null=True)
    away_score = serializers.FloatField(source="outcome.away", allow_null=True)
    matches = serializers.SerializerMethodField(help_text="The matches of its games.")

    def get_home_name(self, line: Any) -> str:
        return name_of_side(line.fixture, home=True)

    def get_away_name(self, line: Any) -> str:
        return name_of_side(line.fixture, home=False)

    def get_is_drawn(self, line: Any) -> bool:
        return line.fixture.pk is not None

    def get_matches(self, line: Any) -> list[int]:
        return [game.match_id for game in line.outcome.games if game.match_id is not None]

    def to_representation(self, line: Any) -> dict[str, Any]:
        if line.fixture.pk is None:  # its sides are places in groups
            nobody = {"home": None, "away": None}
            return {**super().to_representation(line), **nobody}
        return super().to_representation(line)


class LineSerializer(serializers.Serializer[Any]):
    """A line of a table."""

    place = serializers.IntegerField()
    entrant = serializers.IntegerField()
    name = serializers.CharField()
    played = serializers.IntegerField()
    won = serializers.IntegerField()
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()
    scored = serializers.FloatField(source="for")
    conceded = serializers.FloatField(source="against")
    points = serializers.CharField(help_text="A decimal number.")
    tie_breaks = serializers.ListField(
        child=serializers.CharField(allow_blank=True),
        help_text="In the order of the table's `tie_breaks`. Empty where one says nothing.",
    )

    def to_representation(self, line: Any) -> dict[str, Any]:
        return super().to_representation(line_as_json(line))


class BoardSerializer(serializers.Serializer[Any]):
    """The table of a league, a group or a Swiss."""

    group = serializers.IntegerField(allow_null=True)
    tie_breaks = serializers.SerializerMethodField(help_text="The most important first.")
    lines = LineSerializer(many=True)

    def get_tie_breaks(self, table: Any) -> list[str]:
        return [tie_break.name for tie_break in table.tie_breaks]
