"""Possible opponents of a player."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response

from league.api.arenas.views import ArenaEndpoint
from league.api.core.fields import Text
from league.api.core.throttles import COSTLY
from league.models.names import NAME_MAX_LENGTH
from league.services.results.reports import suggestions
from league.services.results.rules.formats import plays_in_rosters

if TYPE_CHECKING:
    from rest_framework.permissions import BasePermission
    from rest_framework.request import Request


KINDS = ["player", "roster"]


class OpponentForm(serializers.Serializer[Any]):
    """A search for opponents."""

    search = Text(
        max_length=NAME_MAX_LENGTH, help_text=_("Part of a name. Case and accents are ignored.")
    )


class OpponentSerializer(serializers.Serializer[Any]):
    """A player or a roster that can be named as an opponent."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    kind = serializers.SerializerMethodField(help_text=_("A player or a roster."))

    @extend_schema_field(serializers.ChoiceField(choices=KINDS))
    def get_kind(self, _opponent: object) -> str:
        kind: str = self.context["kind"]
        return kind


class Opponents(ArenaEndpoint):
    serializer_class = OpponentSerializer
    query_form = OpponentForm
    throttle_classes = COSTLY

    def get_permissions(self) -> list[BasePermission]:
        return [IsAuthenticated()]

    @extend_schema(operation_id="opponents", responses=OpponentSerializer(many=True))
    def get(self, _request: Request, slug: str) -> Response:
        """Suggest opponents in an arena: up to 10 rosters, or players where it has none, by name.

        Unlisted players are not suggested.
        """
        arena = self.arena(slug)
        found = suggestions.opponents(arena, self.query()["search"])
        kind = "roster" if plays_in_rosters(arena) else "player"
        return Response(self.serialize(found, many=True, kind=kind))
