"""Dishonor: stacks, timeouts and penalties."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from league.models import DishonorAward, Offence


class CostSerializer(serializers.Serializer[Any]):
    """The penalty that an offence would earn you now."""

    offence = serializers.ChoiceField(choices=Offence.choices)
    stacks = serializers.IntegerField(help_text="The stacks that you would have then.")
    until = serializers.DateTimeField(
        allow_null=True, help_text="The end of the timeout, null if it does not end."
    )


class DishonorSerializer(serializers.Serializer[Any]):
    """Your stacks and timeout, and what offences would cost."""

    stacks = serializers.IntegerField()
    in_timeout = serializers.BooleanField()
    until = serializers.DateTimeField(
        allow_null=True,
        help_text="The end of the timeout, null without a timeout or if it does not end.",
    )
    costs = CostSerializer(many=True)


class PenaltySerializer(serializers.ModelSerializer[DishonorAward]):
    """A penalty of yours."""

    arena = serializers.SlugField(source="arena.slug")
    ends_at = serializers.DateTimeField(
        allow_null=True, help_text="The end of a ban with an end date, null otherwise."
    )
    offence = serializers.CharField(
        help_text="Abandon, QueueDodge, Banned, or the name of a reason that the arena declared."
    )
    reason = serializers.SerializerMethodField(
        help_text="Why staff gave a ban, or what happened according to staff or the game server "
        "that gave a penalty. Null for other penalties."
    )
    void_because = serializers.SerializerMethodField(
        help_text="Why staff made it void, null if it counts."
    )

    class Meta:
        model = DishonorAward
        fields = [
            "id",
            "at",
            "arena",
            "offence",
            "stacks",
            "match",
            "ends_at",
            "reason",
            "void_because",
        ]

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_reason(self, award: DishonorAward) -> str | None:
        return award.action.reason if award.action else None

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_void_because(self, award: DishonorAward) -> str | None:
        return next((amnesty.action.reason for amnesty in award.amnesties.all()), None)
