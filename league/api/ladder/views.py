"""Endpoints for challenges on a ladder."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import NotFound
from rest_framework.response import Response

from league.api.arenas.views import ArenaEndpoint
from league.api.core.cursors import Cursors
from league.api.core.endpoint import Endpoint
from league.api.core.fields import NoFields
from league.api.core.references import players_of
from league.api.ladder.serializers import ChallengeAnswerForm, ChallengeForm, ChallengeSerializer
from league.api.results.forms import AgreedReportForm, agreed_sides
from league.api.results.queries import whole_match
from league.api.results.serializers import MatchDetailSerializer
from league.clients import sent_from
from league.models import Challenge, Scope
from league.services.core.clock import database_now
from league.services.ladder import challenges, draws, playing
from league.services.ladder.lists import PEOPLE, challenges_of

if TYPE_CHECKING:
    from rest_framework.request import Request


class Challenges(ArenaEndpoint):
    queryset = Challenge.objects.none()
    serializer_class = ChallengeSerializer
    pagination_class = Cursors
    scopes: tuple[Scope, ...] = (Scope.REPORT,)

    @extend_schema(operation_id="challenges", responses=ChallengeSerializer(many=True))
    def get(self, _request: Request, slug: str) -> Response:
        """List the challenges of the running or last season, latest first."""
        arena, now = self.arena(slug), database_now()
        season = arena.current_season(now) or arena.seasons.filter(starts_at__lte=now).first()
        if season is None:
            raise NotFound(_("%(arena)s has had no season yet.") % {"arena": arena})
        return self.page_response(challenges_of(season))

    @extend_schema(
        operation_id="challenge", request=ChallengeForm, responses={201: ChallengeSerializer}
    )
    def post(self, _request: Request, slug: str) -> Response:
        """Challenge a player ranked above you, within the ladder's range."""
        arena, me, number = self.arena(slug), self.player(), self.body(ChallengeForm)["player"]
        challenged = players_of([("player", number)])[number]
        created = challenges.challenge(arena, challenged, by=me, now=database_now())
        return Response(ChallengeSerializer(created).data, status=status.HTTP_201_CREATED)


class ChallengeDraw(ArenaEndpoint):
    queryset = Challenge.objects.none()
    serializer_class = ChallengeSerializer
    scopes: tuple[Scope, ...] = (Scope.REPORT,)

    @extend_schema(
        operation_id="draw_challenge", request=NoFields, responses={201: ChallengeSerializer}
    )
    def post(self, _request: Request, slug: str) -> Response:
        """Challenge somebody at random among the players above you within reach, once a day.

        It does not count as one of the open challenges that you may send.
        """
        arena, me = self.arena(slug), self.player()
        self.body(NoFields)
        sent = draws.draw(arena, by=me, now=database_now(), seed=secrets.randbits(63))
        return Response(ChallengeSerializer(sent).data, status=status.HTTP_201_CREATED)


class ChallengeAnswer(Endpoint):
    queryset = Challenge.objects.none()
    serializer_class = ChallengeSerializer
    scopes: tuple[Scope, ...] = (Scope.REPORT,)

    @extend_schema(
        operation_id="answer_challenge",
        request=ChallengeAnswerForm,
        responses={200: ChallengeSerializer},
    )
    def post(self, _request: Request, pk: int) -> Response:
        """Accept, decline or withdraw a challenge. Both have until `play_by` to play."""
        missing = _("There is no challenge %(id)d.") % {"id": pk}
        self.get_or_404(Challenge.objects.all(), missing, pk=pk)
        me, wanted = self.player(), self.body(ChallengeAnswerForm)["answer"]
        services = {
            "accept": challenges.accept,
            "decline": challenges.decline,
            "withdraw": challenges.withdraw,
        }
        answered = services[wanted](pk, by=me, now=database_now())
        return Response(ChallengeSerializer(answered).data)


class ChallengePlay(Endpoint):
    queryset = Challenge.objects.none()
    serializer_class = MatchDetailSerializer
    scopes: tuple[Scope, ...] = (Scope.REPORT,)

    def challenge(self, pk: int) -> Challenge:
        missing = _("There is no challenge %(id)d.") % {"id": pk}
        return self.get_or_404(Challenge.objects.select_related(*PEOPLE), missing, pk=pk)


class ChallengeStart(ChallengePlay):
    @extend_schema(
        operation_id="start_challenge",
        request=NoFields,
        responses={201: MatchDetailSerializer},
    )
    def post(self, _request: Request, pk: int) -> Response:
        """Start the match of an accepted challenge."""
        self.challenge(pk)
        me = self.player()
        self.body(NoFields)
        match = playing.start(pk, by=me, now=database_now())
        shown = MatchDetailSerializer(whole_match(match.pk)).data
        return Response(shown, status=status.HTTP_201_CREATED)


class ChallengeReport(ChallengePlay):
    @extend_schema(
        operation_id="report_challenge",
        request=AgreedReportForm,
        responses={201: MatchDetailSerializer},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Report the result of an accepted challenge, the challenger's side first."""
        one, me = self.challenge(pk), self.player()
        playing.check_player(one, me)
        sent = self.body(AgreedReportForm)
        match = playing.report(
            pk,
            agreed_sides(
                one.season.arena,
                [(player, None) for player in playing.players_of(one)],
                sent["sides"],
            ),
            reporter=me,
            played_at=sent["played_at"],
            now=database_now(),
            client_token=sent["client_token"],
            sent_from=sent_from(request),
            mode=sent["mode"],
        )
        shown = MatchDetailSerializer(whole_match(match.pk)).data
        return Response(shown, status=status.HTTP_201_CREATED)
