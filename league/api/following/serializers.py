"""The players that a player follows and blocks."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from league.api.core.references import PlayerLinkSerializer
from league.models import Block, Follow, Team


class TeamLinkSerializer(serializers.ModelSerializer[Team]):
    class Meta:
        model = Team
        fields = ["id", "name"]


class FollowSerializer(serializers.ModelSerializer[Follow]):
    """A player or a team whose results you follow."""

    player = PlayerLinkSerializer(
        source="followed", allow_null=True, help_text=_("The player; null if it is a team.")
    )
    team = TeamLinkSerializer(allow_null=True, help_text=_("The team; null if it is a player."))

    class Meta:
        model = Follow
        fields = ["player", "team", "since"]


class BlockSerializer(serializers.ModelSerializer[Block]):
    """A player whom you block."""

    player = PlayerLinkSerializer(source="blocked")

    class Meta:
        model = Block
        fields = ["player", "since"]
