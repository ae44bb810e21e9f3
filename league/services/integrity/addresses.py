"""Hashed addresses of reports and answers: who shared one, until no detector reads them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db import connection

from league.models import Confirmation, CounterReport, Match, Player
from league.services.integrity.detectors import DAYS

if TYPE_CHECKING:
    from datetime import datetime

KEPT = timedelta(days=DAYS + 2)
"""How long hashes of addresses are kept, from the report or the answer on."""


def forget_old(now: datetime) -> int:
    """Clear old hashes and return of how many reports and answers."""
    before = now - KEPT
    reports = Match.objects.filter(reported_from__isnull=False, reported_at__lt=before)
    confirmations = Confirmation.objects.filter(sent_from__isnull=False, at__lt=before)
    counter_reports = CounterReport.objects.filter(sent_from__isnull=False, at__lt=before)
    return (
        reports.update(reported_from=None, confirmed_from=None)
        + confirmations.update(sent_from=None)
        + counter_reports.update(sent_from=None)
    )


@dataclass(frozen=True)
class Shared:
    """Another player who reported or answered from the same address on the same day."""

    player: Player
    times: int
    latest: datetime


SHARED = """
    WITH mine AS MATERIALIZED (
        SELECT m.id, m.reported_by_id, m.reported_from, m.reported_at,
            m.confirmed_by_id, m.confirmed_from, m.settled_at
        FROM league_side AS s JOIN league_match AS m ON m.id = s.match_id
        WHERE s.captain_id = %(player)s AND m.reported_from IS NOT NULL
            AND m.reported_at > %(since)s
    ), sent AS MATERIALIZED (
        SELECT id AS match, reported_by_id AS by, reported_from AS hash, reported_at AS at
        FROM mine
        UNION ALL SELECT id, confirmed_by_id, confirmed_from, settled_at
        FROM mine WHERE confirmed_from IS NOT NULL
        UNION ALL SELECT c.match_id, c.player_id, c.sent_from, c.at
        FROM mine JOIN league_confirmation AS c ON c.match_id = mine.id
        WHERE c.sent_from IS NOT NULL
        UNION ALL SELECT r.match_id, r.reporter_id, r.sent_from, r.at
        FROM mine JOIN league_counterreport AS r ON r.match_id = mine.id
        WHERE r.sent_from IS NOT NULL
    ), own AS MATERIALIZED (
        SELECT DISTINCT hash FROM sent WHERE by = %(player)s
    ), others AS (
        SELECT match, by, at FROM sent JOIN own USING (hash)
        UNION
        SELECT m.id, m.reported_by_id, m.reported_at
        FROM own JOIN league_match AS m ON m.reported_from = own.hash
    )
    SELECT by, count(*), max(at) FROM others WHERE by <> %(player)s
    GROUP BY by ORDER BY max(at) DESC, by LIMIT %(most)s
"""
"""Counts reports and answers of others with a hash of the player's, in any match."""


def shared_by(player: Player, now: datetime, most: int) -> list[Shared]:
    """Return the players who shared an address with a player lately, latest first."""
    asked: dict[str, Any] = {"player": player.pk, "since": now - KEPT, "most": most}
    with connection.cursor() as cursor:
        cursor.execute(SHARED, asked)
        rows = cursor.fetchall()
    named = Player.ever.in_bulk([row[0] for row in rows]) if rows else {}
    return [Shared(named[by], times, latest) for by, times, latest in rows]
