"""Check the queue tables against the rules, and collect figures of a queue."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db import connection
from django.db.models import Count, Exists, F, OuterRef, Q
from django.db.models.functions import Coalesce

from league.models import (
    DishonorAward,
    Match,
    Offence,
    Participant,
    Proposal,
    RatingEvent,
    Settlement,
    Status,
    Ticket,
    TicketArena,
    TicketMember,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from django.db.models import QuerySet

    from league.models import Arena

SWEPT_WITHIN = timedelta(minutes=1)
"""The time for which a ready check may stay open after its end before it counts as abandoned."""

SEATS = """
    SELECT p.id AS proposal, team.number AS team, seat.ticket::bigint AS ticket
    FROM league_proposal AS p
    CROSS JOIN LATERAL jsonb_array_elements(p.seats) WITH ORDINALITY AS team(tickets, number)
    CROSS JOIN LATERAL jsonb_array_elements_text(team.tickets) AS seat(ticket)
"""

# Merged players count as those that they were merged into.
PEOPLE = "SELECT id, coalesce(merged_into_id, id) AS player_id FROM league_player"

LAWS_OF_SEATS = {
    "is open without its rosters": """
        SELECT DISTINCT p.id
        FROM league_proposal AS p JOIN seats AS s ON s.proposal = p.id
        LEFT JOIN league_ticket AS t
            ON t.id = s.ticket AND t.proposal_id = p.id AND t.team = s.team
        WHERE p.state = 'open' AND coalesce(t.state, '') <> 'proposed'
    """,
    "became a match of different players": """
        WITH asked AS (
            SELECT s.proposal, s.team, one.player_id
            FROM seats AS s
            JOIN league_proposal AS p ON p.id = s.proposal AND p.state = 'accepted'
            JOIN league_ticketmember AS m ON m.ticket_id = s.ticket
            JOIN people AS one ON one.id = m.player_id
        ), played AS (
            SELECT p.id AS proposal, s.index + 1 AS team, one.player_id
            FROM league_proposal AS p
            JOIN league_side AS s ON s.match_id = p.match_id
            JOIN league_participant AS part ON part.side_id = s.id
            JOIN people AS one ON one.id = part.player_id
        )
        SELECT DISTINCT coalesce(a.proposal, p.proposal)
        FROM asked AS a FULL JOIN played AS p USING (proposal, team, player_id)
        WHERE a.proposal IS NULL OR p.proposal IS NULL
    """,
    "has a game mode that one of its rosters does not want": """
        SELECT DISTINCT p.id
        FROM league_proposal AS p JOIN seats AS s ON s.proposal = p.id
        JOIN league_ticket AS t ON t.id = s.ticket
        LEFT JOIN league_ticketarena AS also
            ON also.ticket_id = t.id AND also.arena_id = p.arena_id
        WHERE p.state <> 'cancelled' AND p.mode <> ''
            AND p.mode <> ALL(coalesce(also.modes, t.modes))
    """,
    "is matched in an arena where one of its rosters does not wait": """
        SELECT DISTINCT p.id
        FROM league_proposal AS p JOIN seats AS s ON s.proposal = p.id
        JOIN league_ticket AS t ON t.id = s.ticket AND t.proposal_id = p.id
        WHERE p.state <> 'cancelled' AND t.arena_id <> p.arena_id AND NOT EXISTS (
            SELECT FROM league_ticketarena AS also
            WHERE also.ticket_id = t.id AND also.arena_id = p.arena_id)
    """,
    "has penalties that do not match the players who missed it": """
        WITH missed AS (
            SELECT p.id AS proposal_id, one.player_id
            FROM league_proposal AS p CROSS JOIN unnest(p.missed) AS absent(id)
            JOIN people AS one ON one.id = absent.id
        ), paid AS (
            SELECT a.proposal_id, one.player_id
            FROM league_dishonoraward AS a JOIN people AS one ON one.id = a.player_id
            WHERE a.offence = 'QueueDodge' AND a.proposal_id IS NOT NULL
        )
        SELECT DISTINCT coalesce(m.proposal_id, p.proposal_id)
        FROM missed AS m FULL JOIN paid AS p USING (proposal_id, player_id)
        WHERE m.proposal_id IS NULL OR p.proposal_id IS NULL
    """,
}
"""Rules about the lists of ids in ready checks, as queries for the ready checks that break them."""


def laws(now: datetime) -> dict[str, tuple[str, QuerySet[Any, Any]]]:
    """Return the rules that must never be broken, each with what breaks it and where to find it."""
    open_ticket = Q(ticket__state__in=Ticket.OPEN)
    tickets, checks = Ticket.objects.order_by(), Proposal.objects.order_by()
    members, parts = TicketMember.objects.order_by(), Participant.objects.order_by()
    playing = parts.filter(match__status=Status.LIVE, quit=False)
    queued = Match.objects.order_by().rated().filter(proposal__isnull=False)
    possible = (
        Q(state=Ticket.State.WAITING, proposal=None, team=None, closed_at=None)
        | Q(state=Ticket.State.PROPOSED, proposal__state=Proposal.State.OPEN, closed_at=None)
        | Q(
            state=Ticket.State.PLAYED,
            proposal__state=Proposal.State.ACCEPTED,
            closed_at__isnull=False,
        )
        | Q(
            Q(proposal=None) | Q(proposal__state=Proposal.State.CANCELLED),
            state__in=[Ticket.State.LEFT, Ticket.State.DROPPED],
            closed_at__isnull=False,
        )
    )
    is_open = Q(state=Proposal.State.OPEN)
    same_player = {"match": OuterRef("match"), "player": OuterRef("player")}
    # Merged players count as those that they were merged into.
    person = Coalesce("player__merged_into", "player")
    people = parts.alias(person=person)
    awards = DishonorAward.objects.order_by().alias(person=person)
    same_person = {"match": OuterRef("match"), "person": OuterRef("person")}
    for_leaving = awards.filter(**same_person, offence=Offence.ABANDON)
    not_for_playing = [Offence.ABANDON, Offence.QUEUE_DODGE, Offence.BANNED]
    return {
        "is queued in more than one roster": ("player", find_repeated(members.filter(open_ticket))),
        "is in more than one live match": ("player", find_repeated(playing)),
        "is in a queue and in a live match at the same time": (
            "player",
            members.filter(open_ticket, Exists(playing.filter(player=OuterRef("player")))),
        ),
        "is marked as waiting but is not, or vice versa": (
            "ticket",
            members.filter(Q(open=True) & ~open_ticket | Q(open=False) & open_ticket),
        ),
        "has players marked as playing who are not, or vice versa": (
            "match",
            parts.filter(live=True).exclude(match__status=Status.LIVE) | playing.filter(live=False),
        ),
        "is in an impossible state": ("ticket", tickets.exclude(possible)),
        "has no members": ("ticket", tickets.filter(members=None)),
        "is neither open before its deadline nor closed": (
            "ready check",
            checks.exclude(is_open, closed_at=None, deadline__gte=now - SWEPT_WITHIN).exclude(
                ~is_open, closed_at__isnull=False
            ),
        ),
        "is closed but still waits in another arena": (
            "ticket",
            TicketArena.objects.exclude(open_ticket),
        ),
        "became a match in another game mode or region": (
            "ready check",
            checks.filter(match__isnull=False).exclude(
                Q(mode="") | Q(mode=F("match__mode")), region=F("match__region")
            ),
        ),
        "has penalties that do not match the players who left it": (
            "match",
            people.exclude(match__settlement=Settlement.IMPORT).filter(
                Q(~Exists(for_leaving), match__status=Status.RATED, quit=True)
                | Q(Exists(for_leaving.standing()), quit=False)
            ),
        ),
        "has penalties for players who did not play in it": (
            "match",
            awards.filter(~Exists(people.filter(**same_person)), match__isnull=False).exclude(
                offence__in=not_for_playing
            ),
        ),
        "was rated without one of its players": (
            "match",
            parts.filter(~Exists(RatingEvent.objects.filter(**same_player)), match__in=queued),
        ),
        "was rated for players who did not play in it": (
            "match",
            RatingEvent.objects.filter(~Exists(parts.filter(**same_player)), match__in=queued),
        ),
    }


def find_repeated(rows: QuerySet[Any]) -> QuerySet[Any, Any]:
    """Return the players of several of these rows."""
    players: QuerySet[Any, Any] = rows.values("player").annotate(rows=Count("pk"))
    return players.filter(rows__gt=1)


@dataclass(frozen=True)
class Breach:
    """A broken rule."""

    rule: str
    offenders: list[str]
    """The rows that break it: ``player 17``, ``ticket 4``."""

    def __str__(self) -> str:
        listed = ", ".join(self.offenders[:10]) + (", ..." if len(self.offenders) > 10 else "")
        return f"{listed}: {self.rule}"


@dataclass(frozen=True)
class QueueSummary:
    """Figures of a queue.

    Waits are seconds from joining to the proposed match, gaps are seconds between two ticks.
    They are ``None`` without any data.
    """

    matches: Mapping[str, int]
    """Matches from the queue, by status."""
    checks: Mapping[str, int]
    """Ready checks by state."""
    let_down: int
    """The number of times that a player declined or did not answer."""
    waiting: int
    """Rosters in the queue now."""
    served: int
    """Rosters that found a match."""
    wait_median: float | None
    wait_p95: float | None
    wait_longest: float | None
    ticks: int
    slowest_tick: float | None
    longest_gap: float | None


def breaches(now: datetime) -> list[Breach]:
    """Return every rule that the database breaks at ``now``.

    Each rule is checked in one statement, so that concurrent changes break none.
    """
    found: list[tuple[str, str, set[tuple[int]]]] = []
    for rule, (what, rows) in laws(now).items():
        key = "pk" if rows.model in (Ticket, Proposal) else what
        found.append((rule, what, set(rows.values_list(key))))
    with connection.cursor() as cursor:
        for rule, query in LAWS_OF_SEATS.items():
            parts = f"WITH seats AS ({SEATS}), people AS ({PEOPLE})"
            cursor.execute(f"{parts} SELECT * FROM ({query}) AS broken")  # noqa: S608 - of this file
            found.append((rule, "ready check", set(cursor.fetchall())))
    return [
        Breach(rule, [f"{what} {key}" for (key,) in sorted(broken)])
        for rule, what, broken in found
        if broken
    ]


def summarize_queue(arena: Arena) -> QueueSummary:
    """Return the figures of an arena's queue, as far as its tickets and ticks are kept."""
    played = Ticket.objects.filter(arena=arena, state=Ticket.State.PLAYED, proposal__isnull=False)
    waits = [
        max((proposed - queued).total_seconds(), 0.0)
        for queued, proposed in played.values_list("queued_at", "proposal__proposed_at")
    ]
    checks = list(Proposal.objects.filter(arena=arena).values_list("state", "missed"))
    matches = Match.objects.filter(arena=arena, proposal__isnull=False)
    ticks = list(arena.ticks.order_by("at").values_list("at", "seconds"))
    gaps = [(later - earlier).total_seconds() for (earlier, _), (later, _) in pairwise(ticks)]
    return QueueSummary(
        matches=Counter(matches.values_list("status", flat=True)),
        checks=Counter(state for state, _missed in checks),
        let_down=sum(len(missed) for _state, missed in checks),
        waiting=Ticket.objects.waiting().in_arena(arena).count(),
        served=len(waits),
        wait_median=median(waits) if waits else None,
        wait_p95=float(np.percentile(waits, 95)) if waits else None,
        wait_longest=max(waits, default=None),
        ticks=len(ticks),
        slowest_tick=max((seconds for _at, seconds in ticks), default=None),
        longest_gap=max(gaps, default=None),
    )
