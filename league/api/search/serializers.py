"""The search in the API."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from league.api.core.fields import Text
from league.api.core.references import PlayerLinkSerializer
from league.models import Arena, Competition, Team
from league.services.search.finding import MOST_TYPED


class FindForm(serializers.Serializer[Any]):
    """A search."""

    q = Text(
        max_length=MOST_TYPED,
        help_text=_(
            "Part of a name, whatever its case and accents. "
            "One or two letters only find the start of a word in the names of players."
        ),
    )


class FoundTeamSerializer(serializers.ModelSerializer[Team]):
    class Meta:
        model = Team
        fields = ["id", "name", "tag"]


class FoundArenaSerializer(serializers.ModelSerializer[Arena]):
    class Meta:
        model = Arena
        fields = ["slug", "name", "is_open"]


class FoundCompetitionSerializer(serializers.ModelSerializer[Competition]):
    arena = serializers.SlugField(source="season.arena.slug")

    class Meta:
        model = Competition
        fields = ["id", "name", "arena"]


class FoundSerializer(serializers.Serializer[Any]):
    """The first players, teams, arenas and competitions whose name contains the text."""

    players = PlayerLinkSerializer(many=True, source="plain_players")
    teams = FoundTeamSerializer(many=True)
    arenas = FoundArenaSerializer(many=True)
    competitions = FoundCompetitionSerializer(many=True)
    may_be_more = serializers.BooleanField(
        help_text=_("Whether there may be more of a kind than the 20 that are returned.")
    )
