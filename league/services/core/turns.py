"""Turns of players: reports and settlements of the same player come one after the other.

A turn lasts until the transaction ends. What the next statement reads includes everything that was
committed in earlier turns; the statement that waits may not see it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import connection

if TYPE_CHECKING:
    from collections.abc import Collection

LARGEST = 50
"""Matches of more players are contests. They take no turns."""

TAKE_TURNS = """
    SELECT pg_advisory_xact_lock(key) FROM (
        SELECT DISTINCT hashtextextended('matches of a player', player) AS key
        FROM unnest(%(turns)s::bigint[]) AS player ORDER BY key
    ) AS keys
"""
"""Waits for the turns of some players, as a part of a statement."""


def turns_of(players: Collection[int]) -> list[int]:
    """Return the players whose turns a match takes: all, or none in a contest."""
    return list(players) if len(players) <= LARGEST else []


def take_turns(turns: list[int]) -> None:
    """Wait for the turns of these players."""
    with connection.cursor() as cursor:
        cursor.execute(TAKE_TURNS, {"turns": turns})
