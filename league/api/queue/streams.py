"""The stream of a queue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import connection
from drf_spectacular.utils import extend_schema
from rest_framework import serializers

from league.api.core.watched import SINCE, StreamEndpoint, events, for_everybody, line_of
from league.api.queue.serializers import QueueSerializer, TicketSerializer
from league.api.queue.views import QueueEndpoint, common, ticket_of
from league.event_streams import Source
from league.models import Arena, ArenaQueue, Player
from league.services.core.clock import database_now

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from rest_framework.request import Request

FIGURES_EVERY = 10
"""Seconds after which the figures of a queue are read again, as on its page."""
OWN = {"my_regions", "my_filter", "ticket"}
"""The fields of a queue that are about its reader."""
TICKETS = """
    SELECT m.player_id, concat_ws('.', t.id, t.xmin, check_.xmin,
        (SELECT sum(o.xmin::text::bigint) FROM league_ticketmember AS o WHERE o.ticket_id = t.id),
        (SELECT sum(o.xmin::text::bigint) FROM league_ticketarena AS o WHERE o.ticket_id = t.id),
        (SELECT sum(o.xmin::text::bigint) FROM league_ticket AS other
            JOIN league_ticketmember AS o ON o.ticket_id = other.id
            WHERE other.proposal_id = t.proposal_id))
    FROM league_ticketmember AS m
    JOIN league_ticket AS t ON t.id = m.ticket_id
    LEFT JOIN league_proposal AS check_ ON check_.id = t.proposal_id
    WHERE m.open AND m.player_id = ANY(%s)
"""


class CommonSerializer(QueueSerializer):
    """What everybody may read of a queue."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {name: field for name, field in super().get_fields().items() if name not in OWN}


class QueueSource(Source):
    """Queues as everybody may read them, by the ids of their arenas."""

    event = "queue"

    def versions(self, keys: Collection[int]) -> Mapping[int, int]:
        now = int(database_now().timestamp()) // FIGURES_EVERY
        return dict.fromkeys(open_arenas(keys), now)

    def told(self, keys: Collection[int]) -> Mapping[int, bytes]:
        now = database_now()
        queues = ArenaQueue.objects.select_related("arena").filter(
            arena__in=keys, arena__is_draft=False
        )
        with for_everybody():
            return {
                queue.arena_id: line_of(CommonSerializer(common(queue, now)).data)
                for queue in queues
            }


class TicketSource(Source):
    """The tickets of players, by the ids of the arena and the player. Nobody else watches them."""

    event = "ticket"

    def versions(self, keys: Collection[tuple[int, int]]) -> Mapping[tuple[int, int], str]:
        with connection.cursor() as cursor:
            cursor.execute(TICKETS, [[player for _arena, player in keys]])
            tickets = dict(cursor.fetchall())
        known = open_arenas({arena for arena, _player in keys})
        return {(arena, one): tickets.get(one, "") for arena, one in keys if arena in known}

    def told(self, keys: Collection[tuple[int, int]]) -> Mapping[tuple[int, int], bytes]:
        """Return the tickets, and mark them as seen by their players, who are connected."""
        now = database_now()
        arenas = Arena.objects.published().in_bulk({arena for arena, _player in keys})
        players = Player.objects.in_bulk({player for _arena, player in keys})
        told = {}
        with for_everybody():
            for arena, player in keys:
                if arena in arenas and player in players:
                    ticket = ticket_of(arenas[arena], players[player], now)
                    shown = TicketSerializer(ticket).data if ticket else None
                    told[arena, player] = line_of(shown)
        return told


QUEUES, TICKETS_OF = QueueSource(), TicketSource()


def open_arenas(keys: Collection[int]) -> set[int]:
    """Return the published arenas that have a queue."""
    found = ArenaQueue.objects.filter(arena__in=keys, arena__is_draft=False)
    return set(found.values_list("arena_id", flat=True))


class QueueStream(StreamEndpoint, QueueEndpoint):
    @extend_schema(
        operation_id="queue_stream",
        parameters=[SINCE],
        responses=events(QueueSource.event, TicketSource.event),
    )
    def get(self, _request: Request, slug: str) -> Any:
        """Follow a queue as server-sent events.

        Events `queue` have what everybody may read of it, at most every ten seconds. With a login,
        events `ticket` have your own ticket, or null without one, each time it changes. A ticket
        that is sent to you counts as read.
        """
        arena, me = self.queue(slug).arena, self.own_player()
        own = [(TICKETS_OF, (arena.pk, me.pk))] if me else []
        return self.stream((QUEUES, arena.pk), *own)
