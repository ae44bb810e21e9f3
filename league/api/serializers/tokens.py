"""Personal tokens: shown once, kept as a digest."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from league.api.fields import Strict


class TokenSerializer(serializers.Serializer[Any]):
    id = serializers.CharField(source="token_key", help_text="The beginning of the token.")
    created = serializers.DateTimeField()


class NewTokenSerializer(TokenSerializer):
    token = serializers.CharField(help_text="Keep it: it is shown this once.")


class NoFields(Strict):
    """An empty body."""
