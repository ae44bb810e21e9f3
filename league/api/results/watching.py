"""Matches that are being played now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.response import Response

from league.api.core.endpoint import Endpoint
from league.api.core.references import SHOWN, PlayerLinkSerializer
from league.caching import cached_briefly
from league.services.core.clock import database_now
from league.services.results.playing.watching import live_matches

if TYPE_CHECKING:
    from rest_framework.request import Request

    from league.services.results.playing.watching import WatchedMatch, WatchedSide


class WatchedPlayerSerializer(serializers.Serializer[Any]):
    """A player of a live match."""

    player = serializers.SerializerMethodField()
    rating = serializers.FloatField(help_text=_("The rating before the match."))
    shown = serializers.SerializerMethodField(help_text=SHOWN)
    provisional = serializers.BooleanField(
        help_text=_("Whether placement matches are still to be played.")
    )

    @extend_schema_field(PlayerLinkSerializer)
    def get_player(self, watched: Any) -> dict[str, Any]:
        return {"id": watched["player_id"], "name": watched["name"]}

    def get_shown(self, watched: Any) -> float:
        shown: float = watched["shows"].show(watched["rating"])
        return shown


class WatchedSideSerializer(serializers.Serializer[Any]):
    """A side of a live match."""

    index = serializers.IntegerField()
    roster = serializers.CharField(help_text=_("The name of its roster; empty without one."))
    captain = serializers.IntegerField(
        source="captain_id", help_text=_("The id of the player who acts for the side.")
    )
    chance = serializers.FloatField(
        allow_null=True, help_text=_("The predicted chance to win; null if there is none.")
    )
    points = serializers.IntegerField(
        help_text=_("What the events of its game server have brought so far.")
    )
    score = serializers.FloatField(
        allow_null=True,
        help_text=_("The last live score that somebody there entered; null before the first."),
    )
    players = WatchedPlayerSerializer(many=True, help_text=_("Who plays for it now."))


class WatchedMatchSerializer(serializers.Serializer[Any]):
    """A match that is being played now."""

    id = serializers.IntegerField(source="match_id")
    arena = serializers.SlugField(source="arena.slug")
    began = serializers.DateTimeField(help_text=_("When it began."))
    mode = serializers.CharField()
    region = serializers.CharField()
    map = serializers.CharField(help_text=_("The map that was chosen; empty without one."))
    event_count = serializers.IntegerField(
        source="events", help_text=_("How many events its game server has sent.")
    )
    more_sides = serializers.IntegerField(
        source="more",
        help_text=_("How many further sides it has. Those with most points come first."),
    )
    sides = serializers.SerializerMethodField()

    @extend_schema_field(WatchedSideSerializer(many=True))
    def get_sides(self, match: WatchedMatch) -> Any:
        sides = [side_of(match, side) for side in match.sides]
        return WatchedSideSerializer(sides, many=True).data


def side_of(match: WatchedMatch, side: WatchedSide) -> dict[str, Any]:
    """Return a side whose players know how their arena shows ratings."""
    players = [{**vars(player), "shows": match.shows} for player in side.players]
    return {**vars(side), "players": players}


class Watching(Endpoint):
    serializer_class = WatchedMatchSerializer

    @extend_schema(operation_id="live_matches", responses=WatchedMatchSerializer(many=True))
    def get(self, _request: Request) -> Response:
        """List the latest 50 matches that are being played now in all arenas, latest first."""
        return Response(self.serialize(live_matches(None, database_now()), many=True))


live = cached_briefly(Watching.as_view())
