"""Arenas, their leaderboards, and matches that start in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.response import Response

from league.api.endpoint import Endpoint
from league.api.pagination import Counted, check_exists, page_number, page_of, stretch_of
from league.api.queries import whole_match
from league.api.serializers.arenas import (
    ArenaDetailSerializer,
    ArenaSerializer,
    LeaderboardForm,
    StandingSerializer,
)
from league.api.serializers.matches import MatchDetailSerializer
from league.api.serializers.reports import LiveMatchForm, ReportForm, played_by, players_of
from league.models import Arena
from league.services.core.clock import database_now
from league.services.core.errors import Forbidden
from league.services.core.types import ReportedSide
from league.services.results import live, results
from league.services.standings import filters
from league.services.standings.leaderboards import leaderboard

if TYPE_CHECKING:
    from datetime import datetime

    from rest_framework.request import Request

    from league.models import Season


class ArenaEndpoint(Endpoint):
    """An address below an arena's."""

    def arena(self, slug: str) -> Arena:
        missing = _("There is no arena “%(slug)s”.") % {"slug": slug}
        return self.found(Arena.objects.all(), missing, slug=slug)


class Arenas(Endpoint):
    queryset = Arena.objects.order_by("name", "id")
    serializer_class = ArenaSerializer

    @extend_schema(operation_id="arenas", responses=ArenaSerializer(many=True))
    def get(self, _request: Request) -> Response:
        """List the arenas."""
        return self.listed(self.get_queryset())


class ArenaDetail(ArenaEndpoint):
    serializer_class = ArenaDetailSerializer

    @extend_schema(operation_id="arena")
    def get(self, _request: Request, slug: str) -> Response:
        """Show an arena: format, policy, rating system and its parameters, current season."""
        return Response(
            ArenaDetailSerializer(self.arena(slug), context={"now": database_now()}).data
        )


class Leaderboard(ArenaEndpoint):
    serializer_class = StandingSerializer
    pagination_class = Counted

    @extend_schema(
        operation_id="leaderboard",
        parameters=[LeaderboardForm],
        responses=StandingSerializer(many=True),
    )
    def get(self, request: Request, slug: str) -> Response:
        """List who stands where: the running season, or else the last.

        By division or deviation without a search, the list has no numbered pages and no `count`:
        follow `next`. A page may then have few results, or none, and a `next` all the same: each
        looks at 2,000 players at most. A search that more than 5,000 names begin like says so in
        `caution`.
        """
        now = database_now()
        arena = self.arena(slug)
        season = arena.current_season(now) or arena.seasons.filter(starts_at__lte=now).first()
        if season is None:
            raise NotFound(_("%(arena)s has had no season yet.") % {"arena": arena})
        asked = self.query(LeaderboardForm)
        choice = filters.chosen(season, division=asked["division"], sure=asked["sure"])
        number = page_number(request)
        if choice and not asked["search"].strip():
            return self.picked(request, season, choice, asked, now)
        page = leaderboard(
            season,
            now=now,
            search=asked["search"],
            choice=choice,
            page=number,
            per_page=self.page_size(),
            moves=True,
        )
        check_exists(number, page.pages)
        rows = StandingSerializer(page.rows, many=True).data
        return page_of(
            request,
            rows,
            count=page.total,
            previous=page.previous,
            following=page.next,
            caution=page.caution or None,
        )

    def picked(
        self, request: Request, season: Season, choice: filters.Choice, asked: Any, now: datetime
    ) -> Response:
        """A stretch of a choice, from the edge that is asked for."""
        edges = {name: edge_in(name, asked[name]) for name in ("after", "before")}
        found = filters.pick(season, choice, now=now, count=self.page_size(), moves=True, **edges)
        return stretch_of(
            request,
            StandingSerializer(found.rows, many=True).data,
            before=filters.text_of(found.better) if found.better else None,
            after=filters.text_of(found.further) if found.further else None,
        )


def edge_in(name: str, text: str) -> filters.Edge | None:
    """Where a stretch begins. Raises ``ValidationError`` for what no address of a list has."""
    edge = filters.edge_of(text)
    if text and edge is None:
        raise ValidationError({name: [_("Take this from “next” or “previous” of a list.")]})
    return edge


class Reports(ArenaEndpoint):
    serializer_class = ReportForm

    @extend_schema(
        operation_id="report",
        request=ReportForm,
        responses={
            201: MatchDetailSerializer,
            200: OpenApiResponse(
                MatchDetailSerializer, description="The match that this client token made before."
            ),
        },
    )
    def post(self, _request: Request, slug: str) -> Response:
        """Report how a match ended, as captain of one of its sides."""
        arena, reporter, report = self.arena(slug), self.player(), self.body(ReportForm)
        players = players_of(
            named
            for number, side in enumerate(report["sides"])
            for named in named_in(f"sides.{number}", side)
        )
        now = database_now()
        match = results.report(
            arena,
            [
                ReportedSide(
                    players[side["captain"]],
                    played_by(side["participants"], players),
                    side["place"],
                    side["score"],
                )
                for side in report["sides"]
            ],
            reporter=reporter,
            played_at=report["played_at"],
            now=now,
            client_token=report["client_token"],
        )
        made = match.reported_at == now
        return Response(
            MatchDetailSerializer(whole_match(match.pk)).data,
            status=status.HTTP_201_CREATED if made else status.HTTP_200_OK,
        )


def named_in(path: str, side: dict[str, Any]) -> list[tuple[str, int]]:
    """The players that a reported side names, with the path of each."""
    return [
        (f"{path}.captain", side["captain"]),
        *(
            (f"{path}.participants.{number}.player", part["player"])
            for number, part in enumerate(side["participants"])
        ),
    ]


class LiveMatches(ArenaEndpoint):
    serializer_class = LiveMatchForm

    @extend_schema(
        operation_id="start_match",
        request=LiveMatchForm,
        responses={201: MatchDetailSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Start a match: for game servers, whose account has the permission to add matches."""
        arena = self.arena(slug)
        if not request.user.has_perm("league.add_match"):
            raise Forbidden(
                "not_a_game_server",
                _("Only an account with the permission to add matches can start one."),
            )
        sides = self.body(LiveMatchForm)["sides"]
        players = players_of(
            named
            for number, side in enumerate(sides)
            for named in [
                (f"sides.{number}.captain", side["captain"]),
                *(
                    (f"sides.{number}.players.{index}", player)
                    for index, player in enumerate(side["players"])
                ),
            ]
        )
        match = live.start(
            arena,
            [
                live.StartingSide(
                    players[side["captain"]], [players[number] for number in side["players"]]
                )
                for side in sides
            ],
            now=database_now(),
        )
        return Response(
            MatchDetailSerializer(whole_match(match.pk)).data, status=status.HTTP_201_CREATED
        )
