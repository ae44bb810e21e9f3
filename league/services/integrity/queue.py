"""Check the queue tables against the rules, and collect figures of a queue."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

import numpy as np
from django.db import connection

from league.models import Match, Proposal, Ticket

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

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

LAWS = {
    "is queued in more than one roster": """
        SELECT 'player ' || m.player_id
        FROM league_ticketmember AS m JOIN league_ticket AS t ON t.id = m.ticket_id
        WHERE t.state IN ('waiting', 'proposed') GROUP BY m.player_id HAVING count(*) > 1
    """,
    "is in more than one live match": """
        SELECT 'player ' || p.player_id
        FROM league_participant AS p JOIN league_match AS m ON m.id = p.match_id
        WHERE m.status = 'live' AND NOT p.quit GROUP BY p.player_id HAVING count(*) > 1
    """,
    "is in a queue and in a live match at the same time": """
        SELECT 'player ' || w.player_id
        FROM league_ticketmember AS w
        JOIN league_ticket AS t ON t.id = w.ticket_id AND t.state IN ('waiting', 'proposed')
        JOIN league_participant AS p ON p.player_id = w.player_id AND NOT p.quit
        JOIN league_match AS m ON m.id = p.match_id AND m.status = 'live'
    """,
    "is marked as waiting but is not, or vice versa": """
        SELECT DISTINCT 'ticket ' || t.id
        FROM league_ticketmember AS m JOIN league_ticket AS t ON t.id = m.ticket_id
        WHERE m.open <> (t.state IN ('waiting', 'proposed'))
    """,
    "has players marked as playing who are not, or vice versa": """
        SELECT DISTINCT 'match ' || m.id
        FROM league_participant AS p JOIN league_match AS m ON m.id = p.match_id
        WHERE p.live AND m.status <> 'live' OR NOT p.live AND m.status = 'live' AND NOT p.quit
    """,
    "is in an impossible state": """
        SELECT 'ticket ' || t.id
        FROM league_ticket AS t LEFT JOIN league_proposal AS p ON p.id = t.proposal_id
        WHERE NOT CASE t.state
            WHEN 'waiting' THEN t.proposal_id IS NULL AND t.team IS NULL AND t.closed_at IS NULL
            WHEN 'proposed' THEN p.state = 'open' AND t.closed_at IS NULL
            WHEN 'played' THEN p.state = 'accepted' AND t.closed_at IS NOT NULL
            ELSE t.closed_at IS NOT NULL AND coalesce(p.state, 'cancelled') = 'cancelled'
        END
    """,
    "has no members": """
        SELECT 'ticket ' || t.id FROM league_ticket AS t
        WHERE NOT EXISTS (SELECT FROM league_ticketmember AS m WHERE m.ticket_id = t.id)
    """,
    "is neither open before its deadline nor closed": """
        SELECT 'ready check ' || p.id FROM league_proposal AS p
        WHERE (p.state = 'open') <> (p.closed_at IS NULL)
            OR p.state = 'open' AND p.deadline < %(swept)s
    """,
    "is open without its rosters": """
        SELECT DISTINCT 'ready check ' || p.id
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
        SELECT DISTINCT 'ready check ' || coalesce(a.proposal, p.proposal)
        FROM asked AS a FULL JOIN played AS p USING (proposal, team, player_id)
        WHERE a.proposal IS NULL OR p.proposal IS NULL
    """,
    "has a game mode that one of its rosters does not want": """
        SELECT DISTINCT 'ready check ' || p.id
        FROM league_proposal AS p JOIN seats AS s ON s.proposal = p.id
        JOIN league_ticket AS t ON t.id = s.ticket
        LEFT JOIN league_ticketarena AS also
            ON also.ticket_id = t.id AND also.arena_id = p.arena_id
        WHERE p.state <> 'cancelled' AND p.mode <> ''
            AND p.mode <> ALL(coalesce(also.modes, t.modes))
    """,
    "is matched in an arena where one of its rosters does not wait": """
        SELECT DISTINCT 'ready check ' || p.id
        FROM league_proposal AS p JOIN seats AS s ON s.proposal = p.id
        JOIN league_ticket AS t ON t.id = s.ticket AND t.proposal_id = p.id
        WHERE p.state <> 'cancelled' AND t.arena_id <> p.arena_id AND NOT EXISTS (
            SELECT FROM league_ticketarena AS also
            WHERE also.ticket_id = t.id AND also.arena_id = p.arena_id)
    """,
    "is closed but still waits in another arena": """
        SELECT DISTINCT 'ticket ' || t.id
        FROM league_ticketarena AS also JOIN league_ticket AS t ON t.id = also.ticket_id
        WHERE t.state NOT IN ('waiting', 'proposed')
    """,
    "became a match in another game mode or region": """
        SELECT 'ready check ' || p.id
        FROM league_proposal AS p JOIN league_match AS m ON m.id = p.match_id
        WHERE p.mode <> '' AND m.mode <> p.mode OR m.region <> p.region
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
        SELECT DISTINCT 'ready check ' || coalesce(m.proposal_id, p.proposal_id)
        FROM missed AS m FULL JOIN paid AS p USING (proposal_id, player_id)
        WHERE m.proposal_id IS NULL OR p.proposal_id IS NULL
    """,
    "has penalties that do not match the players who left it": """
        WITH paid AS (
            SELECT a.match_id, one.player_id, void.id IS NOT NULL AS void
            FROM league_dishonoraward AS a JOIN people AS one ON one.id = a.player_id
            LEFT JOIN league_amnesty AS void
                ON void.award_id = a.id AND void.ended_by_id IS NULL
            WHERE a.offence = 'Abandon' AND a.match_id IS NOT NULL
        )
        SELECT DISTINCT 'match ' || part.match_id
        FROM league_participant AS part
        JOIN people AS one ON one.id = part.player_id
        JOIN league_match AS m ON m.id = part.match_id AND m.settlement <> 'import'
        LEFT JOIN paid AS p ON p.match_id = part.match_id AND p.player_id = one.player_id
        WHERE m.status = 'rated' AND part.quit AND p.match_id IS NULL
            OR p.match_id IS NOT NULL AND NOT part.quit AND NOT p.void
    """,
    "has penalties for players who did not play in it": """
        SELECT DISTINCT 'match ' || a.match_id
        FROM league_dishonoraward AS a JOIN people AS one ON one.id = a.player_id
        WHERE a.match_id IS NOT NULL AND a.offence NOT IN ('Abandon', 'QueueDodge', 'Banned')
            AND NOT EXISTS (
                SELECT FROM league_participant AS part JOIN people AS who ON who.id = part.player_id
                WHERE part.match_id = a.match_id AND who.player_id = one.player_id)
    """,
    "was rated for players who did not play in it": """
        WITH queued AS (
            SELECT m.id FROM league_match AS m JOIN league_proposal AS p ON p.match_id = m.id
            WHERE m.status = 'rated'
        ), played AS (
            SELECT match_id, player_id FROM league_participant
            WHERE match_id IN (SELECT id FROM queued)
        ), rated AS (
            SELECT match_id, player_id FROM league_ratingevent
            WHERE match_id IN (SELECT id FROM queued) AND superseded_by_id IS NULL
        )
        SELECT DISTINCT 'match ' || match_id
        FROM played FULL JOIN rated USING (match_id, player_id)
        WHERE played.match_id IS NULL OR rated.match_id IS NULL
    """,
}
"""Rules that must never be broken, as queries that return the offenders."""

ALL_LAWS = f"WITH seats AS ({SEATS}), people AS ({PEOPLE})" + " UNION ALL ".join(  # noqa: S608 - literals of this file
    f" SELECT {number} AS law, broken.offender FROM ({query}) AS broken(offender)"  # noqa: S608 - likewise
    for number, query in enumerate(LAWS.values())
)


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

    All rules are checked in one statement, so that concurrent changes break none.
    """
    with connection.cursor() as cursor:
        cursor.execute(ALL_LAWS, {"swept": now - SWEPT_WITHIN})
        rows = cursor.fetchall()
    found: dict[int, list[str]] = {}
    for law, offender in sorted(rows):
        found.setdefault(law, []).append(offender)
    return [Breach(list(LAWS)[law], offenders) for law, offenders in found.items()]


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
