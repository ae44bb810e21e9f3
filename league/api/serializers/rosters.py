"""Rosters, and the invitations to them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from league.api.fields import Flag, Strict, Text, player_id
from league.api.serializers.players import PlayerLinkSerializer
from league.models import Roster, RosterInvitation
from league.models.arena import MAX_TEAM_SIZE
from league.models.names import NAME_MAX_LENGTH


class RosterSerializer(serializers.ModelSerializer[Roster]):
    """A roster with those who are in it."""

    arena = serializers.SlugField(source="arena.slug")
    captain = PlayerLinkSerializer()
    members = PlayerLinkSerializer(many=True)

    class Meta:
        model = Roster
        fields = ["id", "arena", "name", "captain", "members"]


class InvitationSerializer(serializers.ModelSerializer[RosterInvitation]):
    """An invitation that waits for an answer."""

    roster = RosterSerializer()

    class Meta:
        model = RosterInvitation
        fields = ["id", "roster", "invited_at"]


class RosterForm(Strict):
    """A new roster. Its captain is who asks; the players are invited."""

    name = Text(max_length=NAME_MAX_LENGTH)
    players = serializers.ListField(
        child=player_id(),
        required=False,
        default=list,
        max_length=MAX_TEAM_SIZE,
        help_text="Whom to invite.",
    )


class InviteForm(Strict):
    player = player_id(help_text="Whom to invite.")


class AnswerForm(Strict):
    accept = Flag(help_text="Whether you join.")


class RosterQuery(serializers.Serializer[Any]):
    """Which rosters to list."""

    search = Text(required=False, allow_blank=True, default="", max_length=NAME_MAX_LENGTH)
