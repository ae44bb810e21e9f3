"""Penalties by game servers, and captains' reports of conduct."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.response import Response

from league.api.core.fields import NoFields, Strict, Text, player_id
from league.api.dishonor.serializers import PenaltySerializer
from league.api.results.forms import LONGEST_REASON
from league.api.results.views import MatchEndpoint
from league.models import Scope
from league.models.dishonor import LONGEST_OFFENCE
from league.services.core.clock import database_now
from league.services.results.staff import conduct

if TYPE_CHECKING:
    from rest_framework.request import Request


class ConductForm(Strict):
    """An offence of a player in a match."""

    player = player_id(help_text="A player of the match.")
    reason = Text(
        max_length=LONGEST_OFFENCE,
        help_text="The name of a reason for penalties that the arena declares.",
    )
    note = Text(max_length=LONGEST_REASON, help_text="What happened, in words.")


class MatchPenalties(MatchEndpoint):
    serializer_class = PenaltySerializer
    scopes = (Scope.SERVER,)

    @extend_schema(
        operation_id="penalise",
        request=ConductForm,
        responses={
            201: PenaltySerializer,
            200: OpenApiResponse(
                PenaltySerializer,
                description="The penalty that this match gave the player for this reason earlier.",
            ),
        },
    )
    def post(self, _request: Request, pk: int) -> Response:
        """Penalise a player of a live match, as its game server.

        The reason is one that the arena declares, and a match gives one penalty for each. The
        player is told, and reads the note.
        """
        self.check_exists(pk)
        account, sent = self.account(), self.body(ConductForm)
        award, is_new = conduct.impose_as_server(
            pk, sent["player"], sent["reason"], by=account, note=sent["note"], now=database_now()
        )
        return Response(
            PenaltySerializer(award).data,
            status=status.HTTP_201_CREATED if is_new else status.HTTP_200_OK,
        )


class MatchConduct(MatchEndpoint):
    @extend_schema(operation_id="report_conduct", request=ConductForm, responses={202: NoFields})
    def post(self, _request: Request, pk: int) -> Response:
        """Report a player's conduct in a match to staff, as the captain of a side.

        It penalises nobody: staff decide.
        """
        self.check_exists(pk)
        me, sent = self.player(), self.body(ConductForm)
        conduct.report(
            pk, sent["player"], sent["reason"], by=me, note=sent["note"], now=database_now()
        )
        return Response({}, status=status.HTTP_202_ACCEPTED)
