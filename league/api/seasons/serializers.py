"""Seasons, their archives and awards."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from league.api.arenas.serializers import (
    ArenaSerializer,
    SeasonDivisionSerializer,
    SeasonSerializer,
)
from league.api.core.references import ArenaLinkSerializer, PlayerSerializer
from league.api.core.sparse import Expansion
from league.models import Award, FinalPoints, FinalStanding, Season

STATES = ["planned", "running", "over", "archived"]
NAME_THEN = _("The player's name when the season was archived.")


class SeasonRowSerializer(serializers.ModelSerializer[Season]):
    """A season of an arena."""

    expands = {"arena": Expansion(ArenaSerializer)}
    arena = ArenaLinkSerializer(help_text=_("The arena that it is a season of."))
    state = serializers.SerializerMethodField(
        help_text=_("Planned until it opens, over until its archive.")
    )

    class Meta:
        model = Season
        fields = [
            "id",
            "arena",
            "name",
            "state",
            "starts_at",
            "ends_at",
            "opened_at",
            "archived_at",
        ]
        extra_kwargs = {
            "name": {"help_text": _("Unique among the seasons of the arena.")},
            "starts_at": {"help_text": _("When its first match can be played.")},
            "ends_at": {"help_text": _("When its last match can be played; null: open.")},
            "opened_at": {"help_text": _("When its ratings were carried over; null: not yet.")},
            "archived_at": {"help_text": _("When its standings became final; null: not yet.")},
        }

    @extend_schema_field(serializers.ChoiceField(choices=STATES))
    def get_state(self, season: Season) -> str:
        if season.archived_at is not None:
            return "archived"
        if season.opened_at is None:
            return "planned"
        ended = season.ends_at is not None and season.ends_at <= self.context["now"]
        return "over" if ended else "running"


class PlayerThenSerializer(serializers.Serializer[Any]):
    """A player, by the name of that time."""

    id = serializers.IntegerField(source="player_id", help_text=_("The player's id."))
    name = serializers.CharField(help_text=NAME_THEN)


class AwardSerializer(serializers.ModelSerializer[Award]):
    """An award of a season."""

    player = PlayerThenSerializer(source="*", help_text=_("Who has the award."))

    class Meta:
        model = Award
        fields = ["kind", "player", "value"]
        extra_kwargs = {
            "kind": {"help_text": _("What the award is for.")},
            "value": {
                "help_text": _(
                    "The rank, the rating gained, the matches won in a row, or the matches played."
                )
            },
        }


class SeasonDetailSerializer(SeasonRowSerializer):
    """A season with its rating system, divisions and awards."""

    rating_parameters = SeasonSerializer().fields["rating_parameters"]
    divisions = serializers.SerializerMethodField(help_text=_("From the lowest to the highest."))
    awards = AwardSerializer(many=True, help_text=_("Empty until the archive."))

    class Meta(SeasonRowSerializer.Meta):
        fields = [
            *SeasonRowSerializer.Meta.fields,
            "rating_system",
            "rating_parameters",
            "divisions",
            "awards",
        ]
        extra_kwargs = {
            **SeasonRowSerializer.Meta.extra_kwargs,
            "rating_system": {"help_text": _("The name of the rating system in force.")},
        }

    @extend_schema_field(SeasonDivisionSerializer(many=True))
    def get_divisions(self, season: Season) -> Any:
        return SeasonDivisionSerializer(season.season_rules().divisions.divisions, many=True).data


class FinalStandingSerializer(serializers.ModelSerializer[FinalStanding]):
    """A player's place in the archive of a season."""

    expands = {"player": Expansion(PlayerSerializer)}
    player = PlayerThenSerializer(source="*", help_text=_("Who has the place."))
    shown = serializers.SerializerMethodField(help_text=_("The rating as the arena shows it."))

    class Meta:
        model = FinalStanding
        fields = [
            "position",
            "rank",
            "percentile",
            "division",
            "player",
            "rating",
            "shown",
            "deviation",
            "games",
            "wins",
            "draws",
            "losses",
            "streak",
            "gain",
        ]
        extra_kwargs = {
            "position": {"help_text": _("From 1, in the order of the archive.")},
            "rank": {"help_text": _("Null for players with too few matches, or none lately.")},
            "percentile": {"help_text": _("From 1, the lowest, to 100; null if not ranked.")},
            "division": {"help_text": _("The name of the division; empty without one.")},
            "rating": {"help_text": _("After decay.")},
            "deviation": {"help_text": _("Null if the rating system has none.")},
            "games": {"help_text": _("Rated matches.")},
            "wins": {"help_text": _("Matches won.")},
            "draws": {"help_text": _("Matches drawn.")},
            "losses": {"help_text": _("Matches lost.")},
            "streak": {"help_text": _("The longest run of matches won.")},
            "gain": {"help_text": _("Rating gained since placement; null if never placed.")},
        }

    @extend_schema_field(float)
    def get_shown(self, row: FinalStanding) -> float:
        shown: float = self.context["shows"].show(row.rating)
        return shown


class FinalPointsSerializer(serializers.ModelSerializer[FinalPoints]):
    """A player's final ladder points."""

    player = PlayerThenSerializer(source="*", help_text=_("Whose points they are."))

    class Meta:
        model = FinalPoints
        fields = ["position", "rank", "player", "points", "matches", "wins"]
        extra_kwargs = {
            "position": {"help_text": _("From 1, in the order of the archive.")},
            "rank": {"help_text": _("Null for players who were not listed.")},
            "points": {"help_text": _("The sum of the season.")},
            "matches": {"help_text": _("Matches that gave points.")},
            "wins": {"help_text": _("Of these, matches won.")},
        }
