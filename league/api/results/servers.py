"""Live matches: read them, start or take one over as a game server, and void it after a crash."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.response import Response

from league.api.arenas.views import ArenaEndpoint
from league.api.core.fields import NoFields
from league.api.core.references import players_of
from league.api.results.forms import LiveMatchForm, VoidForm
from league.api.results.queries import whole_match
from league.api.results.serializers import MatchDetailSerializer
from league.api.results.views import MatchEndpoint
from league.api.results.watching import WatchedMatchSerializer
from league.models import Scope
from league.services.core.clock import database_now
from league.services.core.errors import Forbidden
from league.services.results.playing import servers
from league.services.results.playing.watching import live_matches
from league.services.results.reports import live
from league.services.results.staff import decisions

if TYPE_CHECKING:
    from rest_framework.request import Request


class LiveMatches(ArenaEndpoint):
    serializer_class = WatchedMatchSerializer
    scopes: tuple[Scope, ...] = (Scope.SERVER,)

    @extend_schema(
        operation_id="live_matches_of_arena", responses=WatchedMatchSerializer(many=True)
    )
    def get(self, _request: Request, slug: str) -> Response:
        """List the latest 50 matches that are being played now in an arena, latest first."""
        matches = live_matches(self.arena(slug), database_now())
        return Response(self.serialize(matches, many=True))

    @extend_schema(
        operation_id="start_match",
        request=LiveMatchForm,
        responses={201: MatchDetailSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Start a match. For game servers, whose account needs the permission to add matches.

        Its sides count as having agreed to it, and the same account can report the result, unless
        its own player takes part.
        """
        arena = self.arena(slug)
        if not request.user.has_perm(servers.PERMISSION):
            raise Forbidden(
                "not_a_game_server",
                _("You need the permission to add matches."),
            )
        asked = self.body(LiveMatchForm)
        sides = asked["sides"]
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
        match = servers.start(
            arena,
            [
                live.StartingSide(
                    players[side["captain"]], [players[number] for number in side["players"]]
                )
                for side in sides
            ],
            by=self.account(),
            now=database_now(),
            weight=asked["weight"],
            mode=asked["mode"],
            first_side=asked["first_side"],
        )
        return Response(
            MatchDetailSerializer(whole_match(match.pk)).data, status=status.HTTP_201_CREATED
        )


class Claim(MatchEndpoint):
    scopes = (Scope.SERVER,)

    @extend_schema(operation_id="claim_match", request=NoFields)
    def post(self, _request: Request, pk: int) -> Response:
        """Take over a live match that the queue made, as the game server that runs it.

        You can then report its result, send its events and void it, as in matches that you start.
        """
        self.check_exists(pk)
        self.body(NoFields)
        servers.claim(pk, by=self.account(), now=database_now())
        return self.match_response(pk)


class Void(MatchEndpoint):
    scopes = (Scope.SERVER,)

    @extend_schema(operation_id="void_match", request=VoidForm)
    def post(self, _request: Request, pk: int) -> Response:
        """Void a live match as its game server, such as after a crash."""
        self.check_exists(pk)
        account, reason = self.account(), self.body(VoidForm)["reason"]
        decisions.void_of_server(pk, by=account, reason=reason, now=database_now())
        return self.match_response(pk)
