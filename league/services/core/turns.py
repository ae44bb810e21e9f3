"""Turns of players and other things: reports of the same player come one after the other.

A turn lasts until the transaction ends. Later statements see everything that was committed in
earlier turns. The statement that waits may not see it, but a volatile function that it calls after
the wait does: each of its queries sees what has been committed by then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import connection

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

LARGEST = 50
"""Matches of more players are contests. They take no turns."""

TAKE_TURNS = """
    SELECT pg_advisory_xact_lock(key), set_config('plan_cache_mode', 'force_generic_plan', true)
    FROM (
        SELECT DISTINCT hashtextextended('matches of a player', player) AS key
        FROM unnest(%(turns)s::bigint[]) AS player ORDER BY key
    ) AS keys
"""
"""Waits for the turns of some players, as a part of a statement.

What follows in its transaction is planned once for each connection: it reads a few rows by an index
whatever the players. The planner would rather plan it for each of them while the tables grow, which
takes longer than running it.
"""

LATEST = 500
"""The most matches read of each player that count or may count, latest first: more than a week has
time for. Withdrawn reports must not push them out."""

MEETINGS = """
    CASE WHEN (SELECT count(*) FROM turns) > 0 AND %(since)s::timestamptz IS NOT NULL
        THEN league_meetings(%(arena)s, %(turns)s, %(since)s, %(latest)s, %(settled)s) END
"""
"""The matches that at least two of the players whose ``turns`` were taken were in, oldest first, as
JSON: since a moment, and those that are settled or also those that are only reported. Takes the
values of ``meetings_between``.

It counts the turns first, so that they are taken before the function is called. The function reads
earlier turns; a query in its place would miss what was committed while the statement waited."""


def meetings_between(
    players: Collection[int], arena_id: int | None, since: datetime | None, *, settled: bool
) -> dict[str, Any]:
    """Return the values of ``TAKE_TURNS`` and ``MEETINGS`` for players who take their turns."""
    return {
        "turns": list(players),
        "arena": arena_id,
        "since": since,
        "latest": LATEST,
        "settled": settled,
    }


def turns_of(players: Collection[int]) -> list[int]:
    """Return the players whose turns a match takes: all, or none in a contest."""
    return list(players) if len(players) <= LARGEST else []


def take_turns(turns: list[int]) -> None:
    """Wait for the turns of these players."""
    with connection.cursor() as cursor:
        cursor.execute(TAKE_TURNS, {"turns": turns})


def take_turn(what: str, key: int = 0) -> None:
    """Wait until no other transaction has this turn, and keep it until this transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, %s))", [what, key])


def try_turn(what: str, key: int = 0) -> bool:
    """Take a turn as ``take_turn`` does, but without waiting. Return whether it was free."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(hashtextextended(%s, %s))", [what, key])
        return bool(cursor.fetchone()[0])
