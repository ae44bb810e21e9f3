"""Players, arenas and seasons as other objects refer to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from league.api.core.fields import AttributeSerializer, Text
from league.models import Player

if TYPE_CHECKING:
    from collections.abc import Iterable

SHOWN = "The rating as the arena shows it."


class PlayerLinkSerializer(AttributeSerializer, serializers.ModelSerializer[Player]):
    class Meta:
        model = Player
        fields = ["id", "name"]


class PlayerSerializer(serializers.ModelSerializer[Player]):
    class Meta:
        model = Player
        fields = ["id", "name", "created_at"]


class ArenaLinkSerializer(serializers.Serializer[Any]):
    slug = serializers.CharField()
    name = serializers.CharField()


class PlayedSeasonSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    name = serializers.CharField()


class SearchForm(serializers.Serializer[Any]):
    """A search for players."""

    search = Text(
        required=False,
        allow_blank=True,
        max_length=60,
        default="",
        help_text=_(
            "Part of a name, whatever its case and accents. "
            "One or two letters only find the start of a word."
        ),
    )


def players_of(ids: Iterable[tuple[str, int]]) -> dict[int, Player]:
    """Return the players of ``(path, id)`` pairs by id, with one query.

    Raises:
        ValidationError: with the path of each unknown id.
    """
    wanted = list(ids)
    players = Player.objects.in_bulk({number for _path, number in wanted})
    unknown = {
        path: [_("There is no player %(id)d.") % {"id": number}]
        for path, number in wanted
        if number not in players
    }
    if unknown:
        raise serializers.ValidationError(unknown)
    return players
