"""The endpoint for figures of a match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from league.api.core.fields import Strict, player_id
from league.api.results.queries import whole_match
from league.api.results.serializers import MatchDetailSerializer
from league.api.results.views import MatchEndpoint
from league.models import Scope
from league.models.name_lists import FIGURES
from league.services.core.clock import database_now
from league.services.results.playing import figures

if TYPE_CHECKING:
    from rest_framework.request import Request

MOST_PLAYERS = 1_000


class PlayersFiguresForm(Strict):
    player = player_id(help_text="A player of the match.")
    figures = serializers.DictField(
        child=serializers.FloatField(
            allow_null=True, min_value=-figures.LARGEST, max_value=figures.LARGEST
        ),
        allow_empty=False,
        help_text=f"Numbers by the arena's columns, each at most {FIGURES.longest} characters. "
        "Null removes one, and columns that are not named stay.",
    )


class FiguresForm(Strict):
    """Figures of a match by player. They never change a rating."""

    players = serializers.ListField(
        child=PlayersFiguresForm(), allow_empty=False, max_length=MOST_PLAYERS
    )


class Figures(MatchEndpoint):
    scopes = (Scope.REPORT, Scope.SERVER, Scope.STAFF)

    @extend_schema(
        operation_id="enter_figures", request=FiguresForm, responses={200: MatchDetailSerializer}
    )
    def post(self, _request: Request, pk: int) -> Response:
        """Enter figures of a match, such as hits or laps: shown and summed, never rated.

        Captains enter those of their own side until the result counts. The game server that started
        the match, and staff, enter anybody's until the season is archived.
        """
        self.check_exists(pk)
        account, sent = self.account(), self.body(FiguresForm)["players"]
        given: dict[int, dict[str, float | None]] = {}
        for one in sent:
            given.setdefault(one["player"], {}).update(one["figures"])
        match = figures.enter(pk, given, by=account, now=database_now())
        return Response(MatchDetailSerializer(whole_match(match.pk)).data)
