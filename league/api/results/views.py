"""Endpoints for matches: list, report, confirm, dispute and decide."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from league.api.arenas.views import ArenaEndpoint
from league.api.core.cursors import Cursors
from league.api.core.endpoint import Endpoint
from league.api.core.fields import NoFields
from league.api.core.references import players_of
from league.api.core.streams import Lines
from league.api.results.forms import (
    ConfirmForm,
    DecisionForm,
    DisputeForm,
    EntryForm,
    LiveReportForm,
    ReopeningForm,
    ReportForm,
    played_by,
    settle_places,
)
from league.api.results.queries import (
    chosen_matches,
    listed_matches,
    whole_match,
)
from league.api.results.serializers import MatchDetailSerializer, MatchesForm, MatchSerializer
from league.clients import sent_from
from league.models import Arena, Match, Participant, Player, Scope, StaffAction
from league.replica import from_replica
from league.services.competitions import counting, counting_live
from league.services.core.clock import database_now
from league.services.core.errors import Forbidden
from league.services.core.types import ReportedSide
from league.services.dishonor import abandons
from league.services.privacy.reading import check_reads_history
from league.services.results.playing import servers
from league.services.results.reports import answers, live
from league.services.results.rules import own_matches
from league.services.results.staff import decisions, entering, reopening

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from rest_framework.request import Request

    from league.services.privacy.reading import Reader


class Reports(ArenaEndpoint):
    serializer_class = ReportForm
    scopes: tuple[Scope, ...] = (Scope.REPORT,)

    @extend_schema(
        operation_id="report",
        request=ReportForm,
        responses={
            201: MatchDetailSerializer,
            200: OpenApiResponse(
                MatchDetailSerializer,
                description="The match of an earlier report: with this client token, the same "
                "report within ten minutes, or another side’s report of this game, which this one "
                "confirms or disputes.",
            ),
        },
    )
    def post(self, request: Request, slug: str) -> Response:
        """Report a result, as the captain of a side."""
        arena, reporter, report = self.arena(slug), self.player(), self.body(ReportForm)
        now = database_now()
        match = counting.report_by_program(
            arena,
            reported_sides(arena, report),
            reporter=reporter,
            played_at=report["played_at"],
            now=now,
            client_token=report["client_token"],
            sent_from=sent_from(request),
            mode=report["mode"],
            for_fixture=report["for_fixture"],
            same_game=report["same_game"],
        )
        return new_or_earlier(match, now)


class Entries(ArenaEndpoint):
    serializer_class = EntryForm
    scopes: tuple[Scope, ...] = (Scope.STAFF,)

    @extend_schema(
        operation_id="enter_result",
        request=EntryForm,
        responses={
            201: MatchDetailSerializer,
            200: OpenApiResponse(
                MatchDetailSerializer,
                description="The match of an earlier request with this client token.",
            ),
        },
    )
    def post(self, request: Request, slug: str) -> Response:
        """Enter a result of any players, as staff who may decide results. It counts at once."""
        arena = self.arena(slug)
        if not request.user.has_perm(own_matches.ENTER, arena):
            raise Forbidden("not_staff", _("Only organisers can enter results."))
        entry = self.body(EntryForm)
        now, by, sides = database_now(), self.account(), reported_sides(arena, entry)
        date = None
        if entry["for_fixture"]:
            date = counting.open_date(arena, counting.parties_of(sides, led=False), now, by=by)
        match = entering.enter(
            arena,
            sides,
            by=by,
            reason=entry["reason"],
            played_at=entry["played_at"],
            now=now,
            client_token=entry["client_token"],
            weight=entry["weight"],
            mode=entry["mode"],
            link=counting.linking(date),
            first_side=entry["first_side"],
        )
        return new_or_earlier(match, now)


def new_or_earlier(match: Match, now: datetime) -> Response:
    """Return a reported match, with the status that says whether this request created it."""
    return Response(
        MatchDetailSerializer(whole_match(match.pk)).data,
        status=status.HTTP_201_CREATED if match.reported_at == now else status.HTTP_200_OK,
    )


def reported_sides(arena: Arena, report: dict[str, Any]) -> list[ReportedSide]:
    """Return the sides of a report.

    Raises:
        ValidationError: a player is unknown, or neither places nor scores say who won.
    """
    settle_places(report["sides"], lambda: arena)
    players = players_of(
        named
        for number, side in enumerate(report["sides"])
        for named in players_in(f"sides.{number}", side)
    )
    return [
        ReportedSide(
            players[side["captain"]],
            played_by(side["participants"], players),
            side["place"],
            side["score"],
        )
        for side in report["sides"]
    ]


def players_in(path: str, side: dict[str, Any]) -> list[tuple[str, int]]:
    """Return the paths and ids of the players in a reported side."""
    return [
        (f"{path}.captain", side["captain"]),
        *(
            (f"{path}.participants.{number}.player", part["player"])
            for number, part in enumerate(side["participants"])
        ),
    ]


class Matches(Endpoint):
    queryset = Match.objects.none()
    serializer_class = MatchSerializer
    pagination_class = Cursors
    renderer_classes = [JSONRenderer, Lines]
    query_form = MatchesForm

    @method_decorator(from_replica)
    @extend_schema(operation_id="matches", responses=MatchSerializer(many=True))
    def get(self, request: Request) -> Response:
        """List matches, latest first, each with its best 16 sides.

        The matches of a player who hides their match history from you are refused as a list.
        """
        asked = self.query()
        if "player" in asked:
            check_may_list(asked["player"], request.user)
        return self.page_response(listed_matches(chosen_matches(asked)))


def check_may_list(player_id: int, reader: Reader) -> None:
    """Refuse to list the matches of a player who hides them. One query."""
    player = Player.ever.select_related("merged_into").filter(pk=player_id).first()
    if player is not None:
        check_reads_history(player, reader, field="player")


class MatchEndpoint(Endpoint):
    """An endpoint about one match."""

    serializer_class: Any = MatchDetailSerializer
    scopes: tuple[Scope, ...] = (Scope.REPORT,)

    def check_exists(self, pk: int) -> None:
        """Raise ``NotFound`` unless the match exists."""
        if not Match.objects.filter(pk=pk).exists():
            raise NotFound(_("There is no match %(id)d.") % {"id": pk})

    def arena_at(self, **at: Any) -> int | None:
        self.check_exists(at["pk"])
        return Match.objects.values_list("arena_id", flat=True).get(pk=at["pk"])

    def settle_places(
        self, pk: int, sides: Sequence[dict[str, Any]], *, path: str = "sides"
    ) -> None:
        """Fill in the places of a result by its scores, where the arena of the match says so."""
        settle_places(sides, lambda: Arena.objects.get(matches=pk), path=path)

    def match_response(self, pk: int) -> Response:
        return Response(MatchDetailSerializer(whole_match(pk)).data)


class MatchDetail(MatchEndpoint):
    @extend_schema(operation_id="match")
    def get(self, _request: Request, pk: int) -> Response:
        """Return a match with all of its sides and the reasons for its rating changes."""
        return Response(self.serialize(whole_match(pk)))


class Confirm(MatchEndpoint):
    @extend_schema(operation_id="confirm", request=ConfirmForm)
    def post(self, request: Request, pk: int) -> Response:
        """Confirm a report, as the captain of another side.

        This rates a match of two sides. With more, it is rated once enough of them have confirmed.
        """
        self.check_exists(pk)
        revision = self.body(ConfirmForm)["revision"]
        answers.confirm(
            pk,
            by=self.player(),
            now=database_now(),
            revision=revision,
            sent_from=sent_from(request),
        )
        return self.match_response(pk)


class Dispute(MatchEndpoint):
    @extend_schema(operation_id="dispute", request=DisputeForm)
    def post(self, _request: Request, pk: int) -> Response:
        """Dispute a report, as anybody who played but the reporter. Staff will decide."""
        self.check_exists(pk)
        body = self.body(DisputeForm)
        answers.dispute(
            pk,
            by=self.player(),
            reason=body["reason"],
            now=database_now(),
            revision=body["revision"],
        )
        return self.match_response(pk)


class Decision(MatchEndpoint):
    scopes: tuple[Scope, ...] = (Scope.STAFF,)

    @extend_schema(operation_id="decide", request=DecisionForm)
    def post(self, request: Request, pk: int) -> Response:
        """Uphold, correct or void a match, as staff."""
        self.check_exists(pk)
        text = _("Only staff can decide a result.")
        own_matches.check_permission(request.user, own_matches.DECIDE, pk, text)
        decision = self.body(DecisionForm)
        placings = decision["placings"]
        self.settle_places(pk, placings or (), path="placings")
        decisions.decide(
            pk,
            verdict=StaffAction.Kind(decision["verdict"]),
            by=self.account(),
            reason=decision["reason"],
            now=database_now(),
            placings=[(row["place"], row["score"]) for row in placings] if placings else None,
            leavers=decision["leavers"],
            mode=decision["mode"],
        )
        return self.match_response(pk)


class Reopening(MatchEndpoint):
    scopes: tuple[Scope, ...] = (Scope.STAFF,)

    @extend_schema(operation_id="reopen_match", request=ReopeningForm)
    def post(self, request: Request, pk: int) -> Response:
        """Undo the void of a match that was never rated, as staff.

        It waits for its sides or for staff again, as it did before.
        """
        self.check_exists(pk)
        text = _("Only staff can decide a result.")
        own_matches.check_permission(request.user, own_matches.DECIDE, pk, text)
        reason = self.body(ReopeningForm)["reason"]
        reopening.reopen(pk, by=self.account(), reason=reason, now=database_now())
        return self.match_response(pk)


class Leave(MatchEndpoint):
    @extend_schema(operation_id="leave_match", request=NoFields)
    def post(self, _request: Request, pk: int) -> Response:
        """Leave a live match for good, as one of its players. This gives you dishonor."""
        self.check_exists(pk)
        self.body(NoFields)
        abandons.leave(pk, by=self.player(), now=database_now())
        return self.match_response(pk)


class Report(MatchEndpoint):
    scopes: tuple[Scope, ...] = (Scope.REPORT, Scope.SERVER)

    @extend_schema(operation_id="finish_match", request=LiveReportForm)
    def post(self, request: Request, pk: int) -> Response:
        """Report the result of a live match, as the captain of a side.

        The game server of the match can report it, too. That rates it at once. If its
        sides have an open fixture whose date is due, this is its result. Matches of challenges
        never count for a fixture. What a captain reports does not either if the match began
        well before the date, or if the other side was at home.
        """
        self.check_exists(pk)
        account = self.account()
        reporter = None if servers.has_started(pk, account) else self.player()
        result = self.body(LiveReportForm)
        sides, mode = result["sides"], result["mode"]
        self.settle_places(pk, sides)
        players = players_of(
            (f"sides.{number}.participants.{index}.player", part["player"])
            for number, side in enumerate(sides)
            for index, part in enumerate(side["participants"])
        )
        check_parts(pk, sides)
        finishes = [
            live.Finish(side["place"], side["score"], played_by(side["participants"], players))
            for side in sides
        ]
        now = database_now()
        if reporter is None:
            link = counting_live.linking_by_server(now) if result["for_fixture"] else None
            servers.finish(pk, finishes, by=account, now=now, mode=mode, link=link)
        else:
            links = counting_live.linking_by_captain(reporter, now)
            live.finish(
                pk,
                finishes,
                reporter=reporter,
                now=now,
                sent_from=sent_from(request),
                mode=mode,
                link=links if result["for_fixture"] else None,
            )
        return self.match_response(pk)


def check_parts(pk: int, sides: Sequence[dict[str, Any]]) -> None:
    """Refuse parts of players who do not play on that side."""
    playing = set(Participant.objects.filter(match=pk).values_list("side__index", "player_id"))
    strangers = {
        f"sides.{number}.participants.{index}.player": [
            _("Player %(id)d does not play on this side.") % {"id": part["player"]}
        ]
        for number, side in enumerate(sides)
        for index, part in enumerate(side["participants"])
        if (number, part["player"]) not in playing
    }
    if strangers:
        raise ValidationError(strangers)
