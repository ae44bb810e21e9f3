"""Dishonor: stacks, timeouts and penalties."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from league.models import DishonorAward, Offence


class CostSerializer(serializers.Serializer[Any]):
    """What an offence would earn you now."""

    offence = serializers.ChoiceField(choices=Offence.choices)
    stacks = serializers.IntegerField(help_text="Stacks that you would then have.")
    until = serializers.DateTimeField(
        allow_null=True, help_text="The end of the timeout; none if it is not in sight."
    )


class DishonorSerializer(serializers.Serializer[Any]):
    """What you hold, and what is next."""

    stacks = serializers.IntegerField()
    in_timeout = serializers.BooleanField()
    until = serializers.DateTimeField(
        allow_null=True, help_text="The end of the timeout; none if there is none, or no end."
    )
    costs = CostSerializer(many=True)


class PenaltySerializer(serializers.ModelSerializer[DishonorAward]):
    """Something that you were penalised for."""

    arena = serializers.SlugField(source="arena.slug")
    ends_at = serializers.DateTimeField(
        allow_null=True, help_text="When a ban ends that staff gave an end; none otherwise."
    )
    reason = serializers.SerializerMethodField(
        help_text="Why staff gave a ban; none for other penalties."
    )
    void_because = serializers.SerializerMethodField(
        help_text="Why staff made it void; none if it stands."
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
