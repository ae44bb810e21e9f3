"""Players, rosters and personal tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError as ModelError
from django.db.models import F, Q
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.permissions import IsAuthenticated
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from league.api.arenas.views import ArenaEndpoint
from league.api.core.cursors import Cursors
from league.api.core.endpoint import Endpoint
from league.api.core.references import (
    PlayerLinkSerializer,
    PlayerSerializer,
    SearchForm,
    players_of,
)
from league.api.core.streams import Lines
from league.api.people.serializers import (
    AnswerForm,
    HistoryForm,
    HistorySerializer,
    InvitationSerializer,
    InviteForm,
    LevelForm,
    LevelSerializer,
    PlayerRatingSerializer,
    RosterForm,
    RosterQuery,
    RosterSerializer,
)
from league.models import Player, Rating, RatingEvent, Roster, RosterInvitation, Scope
from league.replica_reads import from_replica
from league.services.core.clock import database_now
from league.services.core.errors import Forbidden, Refused
from league.services.people import invitations, levels
from league.services.people.players import save_roster
from league.services.privacy.reading import check_reads_history
from league.services.results.records.profiles import ratings_of
from league.services.standings.leaderboards import player_rows

if TYPE_CHECKING:
    from rest_framework.permissions import BasePermission
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
        players = Player.objects.listed().order_by("name", "id")
        if search := self.query()["search"]:
            players = players.search(search)
        return self.page_response(players)


class PlayerDetail(PlayerEndpoint):
    serializer_class = PlayerSerializer

    @method_decorator(from_replica)
    @extend_schema(operation_id="player")
    def get(self, _request: Request, pk: int) -> Response:
        """Return a player."""
        return Response(self.shown(self.player_or_404(pk)))


class PlayerLevel(PlayerEndpoint):
    serializer_class = LevelSerializer
    scopes = (Scope.STAFF, Scope.SERVER)

    @extend_schema(operation_id="set_level", request=LevelForm, responses={200: LevelSerializer})
    def put(self, _request: Request, pk: int) -> Response:
        """Set a player's level. Needs the permission to change players or to add matches."""
        player, by = self.player_or_404(pk), self.account()
        levels.check_may_set(by)
        levels.set_level(player, self.body(LevelForm)["level"], by=by)
        return Response(LevelSerializer(player).data)


class PlayerRatings(PlayerEndpoint):
    queryset = Rating.objects.none()
    serializer_class = PlayerRatingSerializer
    pagination_class = Cursors

    @method_decorator(from_replica)
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
                "shown": rating.season.shows.shown(rows[rating.player][rating.season_id].rating),
                "arena": rating.season.arena,
            }
            for rating in page
        ]
        return self.get_paginated_response(self.shown(listed, many=True))


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


def roster_data(pk: int) -> dict[str, object]:
    rosters = Roster.objects.select_related("arena", "captain").prefetch_related("members")
    return dict(RosterSerializer(rosters.get(pk=pk)).data)


class Rosters(ArenaEndpoint):
    queryset = Roster.objects.none()
    serializer_class = RosterSerializer
    pagination_class = Cursors
    query_form = RosterQuery
    scopes = (Scope.ACCOUNT,)

    @extend_schema(operation_id="rosters", responses=RosterSerializer(many=True))
    def get(self, _request: Request, slug: str) -> Response:
        """List an arena's rosters by name, each with its members."""
        rosters = self.arena(slug).rosters.select_related("arena", "captain")
        if search := self.query()["search"]:
            rosters = rosters.search(search)
        return self.page_response(rosters.prefetch_related("members").order_by("name", "id"))

    @extend_schema(
        operation_id="make_roster", request=RosterForm, responses={201: RosterSerializer}
    )
    def post(self, _request: Request, slug: str) -> Response:
        """Create a roster that you lead. The named players join when they accept."""
        arena, captain, form = self.arena(slug), self.player(), self.body(RosterForm)
        if arena.team_size_max == 1:
            raise Refused("no_rosters", _("Everyone plays alone in %(arena)s.") % {"arena": arena})
        known = players_of((f"players.{at}", number) for at, number in enumerate(form["players"]))
        named = [known[number] for number in form["players"]]
        try:
            roster = save_roster(arena, captain, form["name"], named, now=database_now())
        except ModelError as error:  # a model only validates the name
            raise ValidationError({"name": error.messages}) from error
        return Response(roster_data(roster.pk), status=status.HTTP_201_CREATED)


class Invite(ArenaEndpoint):
    serializer_class = PlayerLinkSerializer
    scopes = (Scope.ACCOUNT,)

    @extend_schema(operation_id="invite", request=InviteForm, responses={200: PlayerLinkSerializer})
    def post(self, _request: Request, slug: str, pk: int) -> Response:
        """Invite a player to a roster that you lead. Inviting again changes nothing."""
        missing = _("There is no roster %(id)d in this arena.") % {"id": pk}
        roster = self.get_or_404(self.arena(slug).rosters.all(), missing, pk=pk)
        if roster.captain_id != self.player().pk:
            raise Forbidden("not_the_captain", _("Only the captain can change a roster."))
        number = self.body(InviteForm)["player"]
        player = players_of([("player", number)])[number]
        invitations.invite(roster, [player], database_now())
        return Response(PlayerLinkSerializer(player).data)


class InvitationEndpoint(ArenaEndpoint):
    """Invitations are only visible to the invited player."""

    queryset = RosterInvitation.objects.none()
    serializer_class: Any = InvitationSerializer

    def get_permissions(self) -> list[BasePermission]:
        return [IsAuthenticated()]


class Invitations(InvitationEndpoint):
    pagination_class = Cursors

    @extend_schema(operation_id="invitations", responses=InvitationSerializer(many=True))
    def get(self, _request: Request) -> Response:
        """List your open invitations, oldest first."""
        mine = invitations.invitations_of(self.player()).select_related("roster__captain")
        return self.page_response(mine.prefetch_related("roster__members").order_by("id"))


class Answer(InvitationEndpoint):
    serializer_class: Any = RosterSerializer
    scopes = (Scope.ACCOUNT,)

    @extend_schema(
        operation_id="answer_invitation", request=AnswerForm, responses={200: RosterSerializer}
    )
    def post(self, _request: Request, pk: int) -> Response:
        """Accept or decline an invitation. Giving the same answer again changes nothing."""
        me = self.player()
        get_object_or_404(RosterInvitation, pk=pk, player=me)
        accept = self.body(AnswerForm)["accept"]
        roster = invitations.answer(pk, by=me, accept=accept, now=database_now())
        return Response(roster_data(roster.pk))
