"""Serializers for challenges on a ladder."""

from __future__ import annotations

from rest_framework import serializers

from league.api.arenas.serializers import ArenaSerializer
from league.api.core.fields import Choice, Strict, player_id
from league.api.core.references import PlayerLinkSerializer, PlayerSerializer
from league.api.core.sparse import Expansion
from league.models import Challenge

ANSWERS = ("accept", "decline", "withdraw")


class ChallengeSerializer(serializers.ModelSerializer[Challenge]):
    """A challenge and its outcome."""

    expands = {
        "arena": Expansion(ArenaSerializer, "season.arena", "season__arena"),
        "challenger": Expansion(PlayerSerializer),
        "challenged": Expansion(PlayerSerializer),
    }
    arena = serializers.SlugField(source="season.arena.slug")
    challenger = PlayerLinkSerializer()
    challenged = PlayerLinkSerializer()

    class Meta:
        model = Challenge
        fields = [
            "id",
            "arena",
            "challenger",
            "challenged",
            "state",
            "made_at",
            "answer_by",
            "accepted_at",
            "play_by",
            "closed_at",
            "match",
            "drawn_from",
        ]
        extra_kwargs = {
            "drawn_from": {
                "help_text": "How many players the challenged one was drawn from; null if they "
                "were chosen."
            },
            "match": {
                "help_text": "The match that was played. For an ignored or declined challenge, "
                "the ranks it cost, as a match with `played` false."
            },
        }


class ChallengeForm(Strict):
    player = player_id(help_text="The player to challenge.")


class ChallengeAnswerForm(Strict):
    answer = Choice(
        choices=ANSWERS,
        help_text="The challenged player accepts or declines. The challenger withdraws.",
    )
