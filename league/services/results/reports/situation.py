"""Facts that the checks of a report need, read by one statement."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.db import connection

from league.models import Offence, Season
from league.services.core.statements import columns, instance

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from league.models import Arena

SITUATION = f"""
    SELECT {columns(Season, "season")}, EXISTS (
        SELECT FROM league_dishonoraward AS award
        WHERE award.player_id = ANY(%(players)s) AND award.offence = '{Offence.BANNED}'
            AND (award.ends_at IS NULL OR award.ends_at > %(now)s)
    )
    FROM (SELECT) AS one_row
    LEFT JOIN league_season AS season ON season.arena_id = %(arena)s
        AND season.opened_at IS NOT NULL AND season.starts_at <= %(now)s
        AND (season.ends_at IS NULL OR season.ends_at > %(now)s)
"""  # noqa: S608 - parts of ours


class Situation(NamedTuple):
    """The season that is running, and whether any of the players may be banned."""

    running: Season | None
    may_be_banned: bool
    """False only if no ban has to be looked at."""


def situation_of(arena: Arena, players: Collection[int], now: datetime) -> Situation:
    """Return the situation of a report by or with these players."""
    with connection.cursor() as cursor:
        cursor.execute(SITUATION, {"arena": arena.pk, "players": list(players), "now": now})
        row = cursor.fetchone()
    running = instance(Season, row) if row[0] else None
    if running:
        running.arena = arena
    return Situation(running, row[-1])
