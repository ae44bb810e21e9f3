"""Queues and ready checks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import NotFound
from rest_framework.response import Response

from league.api.arenas.views import ArenaEndpoint
from league.api.core.endpoint import Endpoint
from league.api.core.fields import NoFields
from league.api.queue.serializers import (
    JoinForm,
    QueueSerializer,
    RankFilterForm,
    ReadyCheckSerializer,
    ReadyForm,
    RegionsForm,
)
from league.models import Match, Player, Proposal, Scope, Ticket
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.queue import filling, rank_filters, ready_checks, regions, statistics
from league.services.queue.queueing import join, leave, mark_seen, queue_of

if TYPE_CHECKING:
    from datetime import datetime

    from rest_framework.request import Request

    from league.models import Arena, ArenaQueue
    from matchmaking.rank_filter import RankFilter


class QueueEndpoint(ArenaEndpoint):
    """An endpoint about an arena's queue."""

    serializer_class = QueueSerializer
    scopes: tuple[Scope, ...] = (Scope.QUEUE,)

    def queue(self, slug: str) -> ArenaQueue:
        queue = queue_of(self.arena(slug))
        if queue is None:
            raise NotFound(_("%(arena)s has no queue.") % {"arena": slug})
        return queue

    def payload(self, queue: ArenaQueue, now: datetime) -> dict[str, Any]:
        """Return the queue with the reader's own ticket, and mark that as seen."""
        arena, me = queue.arena, self.own_player()
        current = {
            **common(queue, now),
            "my_regions": self.own_regions(arena),
            "my_filter": self.own_filter(arena),
            "ticket": ticket_of(arena, me, now) if me else None,
        }
        return dict(self.serialize(current))

    def arenas(self, slugs: list[str]) -> list[Arena]:
        """Return the published arenas with these slugs."""
        return [self.arena(slug) for slug in slugs]

    def own_player(self) -> Player | None:
        if not self.request.user.is_authenticated:
            return None
        return Player.objects.filter(user=self.account()).first()

    def own_regions(self, arena: Arena) -> regions.Wishes | None:
        """Return where the reader would play, ``None`` in an arena without regions."""
        me = self.own_player() if arena.regions else None
        return regions.wishes_of(arena, [me.pk]).get(me.pk, regions.Wishes()) if me else None

    def own_filter(self, arena: Arena) -> RankFilter | None:
        """Return the reader's rank filter, ``None`` for everyone."""
        me = self.own_player()
        return rank_filters.filters_of(arena, [me.pk]).get(me.pk) if me else None


def common(queue: ArenaQueue, now: datetime) -> dict[str, Any]:
    """Return what everybody may read of a queue."""
    arena = queue.arena
    season = arena.current_season(now)
    return {
        "is_open": queue.is_open and arena.is_open and season is not None,
        "team_size": arena.team_size_max,
        "modes": arena.modes,
        "regions": arena.regions,
        "ready_window": queue.ready_window,
        "bars_timeouts": queue.bars_timeouts,
        "bands": statistics.bands(season) if season else [],
        "usual_wait": statistics.estimated_wait(arena, now),
    }


def ticket_of(arena: Arena, player: Player, now: datetime) -> Ticket | None:
    """Return a player's ticket in a queue, and mark it as seen by them."""
    tickets = Ticket.objects.of(player).in_arena(arena)
    ticket = tickets.select_related("captain", "proposal").first()
    if ticket:
        mark_seen(ticket, player, now)
    return ticket


class ArenaQueues(QueueEndpoint):
    @extend_schema(operation_id="queue")
    def get(self, _request: Request, slug: str) -> Response:
        """Show an arena's queue, and your place in it."""
        return Response(self.payload(self.queue(slug), database_now()))

    @extend_schema(operation_id="join_queue", request=JoinForm, responses={201: QueueSerializer})
    def post(self, _request: Request, slug: str) -> Response:
        """Join an arena's queue, alone or with all members of a roster that you lead."""
        queue, me, form = self.queue(slug), self.player(), self.body(JoinForm)
        arena, now = queue.arena, database_now()
        roster = None
        if form["roster"] is not None:
            roster = arena.rosters.led_by(me).filter(pk=form["roster"]).first()
            if roster is None:
                raise Refused(
                    "no_roster", _("You lead no roster with this number here."), field="roster"
                )
        members = list(roster.members.all()) if roster else []
        join(
            arena,
            me,
            members,
            now=now,
            roster=roster,
            modes=form["modes"],
            profession=form["profession"],
            also=self.arenas(form["also"]),
        )
        return Response(self.payload(queue, now), status=status.HTTP_201_CREATED)

    @extend_schema(operation_id="leave_queue", responses={204: None})
    def delete(self, _request: Request, slug: str) -> Response:
        """Leave an arena's queue with your roster. Leaving twice changes nothing."""
        queue, me = self.queue(slug), self.player()
        ticket = Ticket.objects.of(me).in_arena(queue.arena).first()
        if ticket:
            leave(ticket.pk, by=me, now=database_now())
        return Response(status=status.HTTP_204_NO_CONTENT)


class QueueRegions(QueueEndpoint):
    @extend_schema(operation_id="set_regions", request=RegionsForm, responses=QueueSerializer)
    def post(self, _request: Request, slug: str) -> Response:
        """Choose the regions in which you would play, or send your latency to each.

        Both are kept for your next queues, and hold from the next run of the matcher.
        """
        queue, me, form = self.queue(slug), self.player(), self.body(RegionsForm)
        arena, now = queue.arena, database_now()
        with transaction.atomic():
            if form["latencies"]:
                regions.set_latencies(arena, me, form["latencies"], now)
            if form["regions"] is not None:
                regions.set_regions(arena, me, form["regions"], strict=form["strict"])
        return Response(self.payload(queue, now))


class QueueFilter(QueueEndpoint):
    @extend_schema(operation_id="set_filter", request=RankFilterForm, responses=QueueSerializer)
    def put(self, _request: Request, slug: str) -> Response:
        """Choose how close in percentile others must be to be matched with you.

        It is kept for your next queues, and holds from the next run of the matcher.
        """
        queue, me, form = self.queue(slug), self.player(), self.body(RankFilterForm)
        rank_filters.set_filter(queue.arena, me, form["percentiles"], strict=form["strict"])
        return Response(self.payload(queue, database_now()))


class ReadyCheckAnswer(Endpoint):
    queryset = Proposal.objects.none()
    serializer_class = ReadyCheckSerializer
    scopes: tuple[Scope, ...] = (Scope.QUEUE,)

    @extend_schema(
        operation_id="answer_ready_check",
        request=ReadyForm,
        responses={200: ReadyCheckSerializer},
    )
    def post(self, _request: Request, pk: int) -> Response:
        """Accept or decline a match that was found for you."""
        missing = _("There is no ready check %(id)d.") % {"id": pk}
        proposal = self.get_or_404(Proposal.objects.all(), missing, pk=pk)
        me, accept = self.player(), self.body(ReadyForm)["accept"]
        answer = ready_checks.accept if accept else ready_checks.decline
        answered = answer(proposal.pk, by=me, now=database_now())
        return Response(ReadyCheckSerializer(answered).data)


class SeatLeaving(Endpoint):
    serializer_class: Any = None
    scopes = (Scope.QUEUE,)

    @extend_schema(operation_id="leave_seat", request=NoFields, responses={204: None})
    def post(self, _request: Request, pk: int) -> Response:
        """Leave a match in which you took the place of a player who left, without a penalty."""
        match = self.get_or_404(
            Match.objects.all(), _("There is no match %(id)d.") % {"id": pk}, pk=pk
        )
        self.body(NoFields)
        filling.leave_seat(match.pk, by=self.player(), now=database_now())
        return Response(status=status.HTTP_204_NO_CONTENT)
