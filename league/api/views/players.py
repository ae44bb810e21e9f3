"""Players, their ratings and how these came about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from league.api.endpoint import Endpoint
from league.api.serializers.arenas import SearchForm
from league.api.serializers.players import (
    HistoryForm,
    HistorySerializer,
    PlayerRatingSerializer,
    PlayerSerializer,
)
from league.models import Player, Rating, RatingEvent
from league.services.core.clock import database_now
from league.services.standings.leaderboards import standings

if TYPE_CHECKING:
    from rest_framework.request import Request


class PlayerEndpoint(Endpoint):
    """An address of one player or below it."""

    def player_shown(self, pk: int) -> Player:
        missing = _("There is no player %(id)d.") % {"id": pk}
        return self.found(Player.objects.all(), missing, pk=pk)


class Players(Endpoint):
    queryset = Player.objects.none()
    serializer_class = PlayerSerializer

    @extend_schema(
        operation_id="players", parameters=[SearchForm], responses=PlayerSerializer(many=True)
    )
    def get(self, _request: Request) -> Response:
        """List players by name."""
        players = Player.objects.order_by("name", "id")
        if search := self.query(SearchForm)["search"]:
            players = players.search(search)
        return self.listed(players)


class PlayerDetail(PlayerEndpoint):
    serializer_class = PlayerSerializer

    @extend_schema(operation_id="player")
    def get(self, _request: Request, pk: int) -> Response:
        """Show a player."""
        return Response(PlayerSerializer(self.player_shown(pk)).data)


class PlayerRatings(PlayerEndpoint):
    queryset = Rating.objects.none()
    serializer_class = PlayerRatingSerializer

    @extend_schema(operation_id="player_ratings", responses=PlayerRatingSerializer(many=True))
    def get(self, _request: Request, pk: int) -> Response:
        """List a player's standing in each season, the last played first."""
        player, now = self.player_shown(pk), database_now()
        ratings = (
            Rating.objects.filter(player=player, games__gt=0)
            .select_related("season__arena", "player")
            .order_by("-last_played_at", "-id")
        )
        page = self.paginate_queryset(ratings) or []
        seasons = [rating.season for rating in page]
        rows = standings(player, seasons, now=now)
        listed = [
            {**vars(rows[season.pk]), "season": season, "arena": season.arena} for season in seasons
        ]
        return self.get_paginated_response(PlayerRatingSerializer(listed, many=True).data)


class RatingHistory(PlayerEndpoint):
    queryset = RatingEvent.objects.none()
    serializer_class = HistorySerializer

    @extend_schema(
        operation_id="rating_history",
        parameters=[HistoryForm],
        responses=HistorySerializer(many=True),
    )
    def get(self, _request: Request, pk: int) -> Response:
        """List what each match did to a player's rating, in the order of rating."""
        events = (
            RatingEvent.objects.filter(player=self.player_shown(pk))
            .select_related("match", "season__arena")
            .order_by("match__rated_order")
        )
        wanted = self.query(HistoryForm)
        if "arena" in wanted:
            events = events.filter(season__arena__slug=wanted["arena"])
        return self.listed(events)
