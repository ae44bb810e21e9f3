"""Players, their levels, ratings and histories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import F, Q
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from league.api.core.cursors import Cursors
from league.api.core.endpoint import Endpoint
from league.api.core.references import (
    PlayerSerializer,
    SearchForm,
)
from league.api.core.streams import Lines
from league.api.people.serializers import (
    HistoryForm,
    HistorySerializer,
    LevelForm,
    LevelSerializer,
    PlayerRatingSerializer,
)
from league.models import Player, Rating, RatingEvent, Scope
from league.replica import from_replica
from league.services.core.clock import database_now
from league.services.people.players import check_may_set_levels, set_level
from league.services.privacy.reading import check_reads_history
from league.services.results.records.profiles import ratings_of
from league.services.standings.leaderboards import player_rows

if TYPE_CHECKING:
    from rest_framework.request import Request


class PlayerEndpoint(Endpoint):
    """An endpoint about one player. Addresses of merged players lead to the one who stays."""

    def player_or_404(self, pk: int) -> Player:
        missing = _("There is no player %(id)d.") % {"id": pk}
        player = self.get_or_404(Player.ever.all(), missing, pk=pk)
        if player.merged_into_id is not None:
            raise MergedPlayer(player.merged_into_id)
        return player

    def readable_or_refused(self, pk: int) -> Player:
        """Return a player whose matches the reader may list. Raises ``Forbidden``."""
        player = self.player_or_404(pk)
        check_reads_history(player, self.request.user)
        return player

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, MergedPlayer):
            return self.moved_to(exc.kept)
        return super().handle_exception(exc)

    def moved_to(self, pk: int) -> Response:
        """Redirect to the same address of another player."""
        match = self.request.resolver_match
        assert match, "a request that reached a view was resolved"  # noqa: S101 - for the types
        address = reverse(match.view_name, kwargs={**match.kwargs, "pk": pk})
        if query := self.request.META.get("QUERY_STRING"):
            address = f"{address}?{query}"
        moved = status.HTTP_301_MOVED_PERMANENTLY
        return Response(status=moved, headers={"Location": address})


def of_person(player: Player) -> Q:
    """Return the condition for a player's rows, and those in archives of players merged into it."""
    return Q(player=player) | Q(player__merged_into=player)


class MergedPlayer(Exception):
    """The address of a player who was merged into ``kept``."""

    def __init__(self, kept: int) -> None:
        super().__init__()
        self.kept = kept


class Players(Endpoint):
    queryset = Player.objects.none()
    serializer_class = PlayerSerializer
    pagination_class = Cursors
    query_form = SearchForm

    @method_decorator(from_replica)
    @extend_schema(operation_id="players", responses=PlayerSerializer(many=True))
    def get(self, _request: Request) -> Response:
        """List players by name, without those who are unlisted."""
        players = Player.objects.listed().order_by("sort_name", "id")
        if search := self.query()["search"]:
            players = players.search(search)
        return self.page_response(players)


class PlayerDetail(PlayerEndpoint):
    serializer_class = PlayerSerializer

    @method_decorator(from_replica)
    @extend_schema(operation_id="player")
    def get(self, _request: Request, pk: int) -> Response:
        """Return a player."""
        return Response(self.serialize(self.player_or_404(pk)))


class PlayerLevel(PlayerEndpoint):
    serializer_class = LevelSerializer
    scopes = (Scope.STAFF, Scope.SERVER)

    @extend_schema(operation_id="set_level", request=LevelForm, responses={200: LevelSerializer})
    def put(self, _request: Request, pk: int) -> Response:
        """Set a player's level. Needs the permission to change players or to add matches."""
        player, by = self.player_or_404(pk), self.account()
        check_may_set_levels(by)
        set_level(player, self.body(LevelForm)["level"], by=by)
        return Response(LevelSerializer(player).data)


class PlayerRatings(PlayerEndpoint):
    queryset = Rating.objects.none()
    serializer_class = PlayerRatingSerializer
    pagination_class = Cursors

    @extend_schema(operation_id="player_ratings", responses=PlayerRatingSerializer(many=True))
    def get(self, _request: Request, pk: int) -> Response:
        """List a player's standings, one per season, most recently played first."""
        player, now = self.player_or_404(pk), database_now()
        page = self.paginate_queryset(ratings_of(player)) or []
        rows = {
            one: player_rows(one, [row.season for row in page if row.player == one], now=now)
            for one in {rating.player for rating in page}
        }
        listed = [
            {
                **vars(rows[rating.player][rating.season_id]),
                "season": rating.season,
                "shown": rating.season.shows.show(rows[rating.player][rating.season_id].rating),
                "arena": rating.season.arena,
            }
            for rating in page
        ]
        return self.get_paginated_response(self.serialize(listed, many=True))


class RatingHistory(PlayerEndpoint):
    queryset = RatingEvent.objects.none()
    serializer_class = HistorySerializer
    pagination_class = Cursors
    renderer_classes = [JSONRenderer, Lines]
    query_form = HistoryForm

    @method_decorator(from_replica)
    @extend_schema(
        operation_id="rating_history",
        responses=HistorySerializer(many=True),
    )
    def get(self, _request: Request, pk: int) -> Response:
        """List a player's rating events in the order in which they were rated.

        Refused if the player hides their match history from you.
        """
        events = (
            RatingEvent.objects.filter(of_person(self.readable_or_refused(pk)))
            .select_related("match", "season__arena")
            .annotate(order=F("match__rated_order"))
            .order_by("order")
        )
        wanted = self.query()
        if "arena" in wanted:
            events = events.filter(season__arena__slug=wanted["arena"])
        return self.page_response(events)
