"""The last visits of players, and those who have overtaken them since."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import connection
from psycopg.types.json import Jsonb

from league.models import Visit
from league.services.core.columns import to_array_literal

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from league.models import Player

    Places = dict[str, list[int]]
    """The players right behind, by season id."""

PAUSE = timedelta(minutes=30)
"""After so long without opening the home page, a player's next visit begins."""
STEP = timedelta(minutes=5)
"""How often a visit is noted."""
BEHIND = 5
"""How many players right behind are remembered."""

PLACES = f"""
    SELECT own.season_id, array(
        SELECT player_id FROM league_standing AS b
        WHERE b.season_id = own.season_id AND b.active
            AND (b.key, b.player_id) > (own.key, own.player_id)
        ORDER BY b.key, b.player_id LIMIT {BEHIND}
    )
    FROM league_standing AS own
    WHERE own.player_id = %s AND own.active AND own.season_id = ANY(%s::bigint[])
"""  # noqa: S608 - a literal of this file

OVERTAKEN = """
    SELECT asked.season, p.id, p.name, theirs.key
    FROM unnest(%s::bigint[], %s::bigint[]) AS asked(season, player)
    JOIN league_standing AS own
        ON own.season_id = asked.season AND own.player_id = %s AND own.active
    JOIN league_standing AS theirs
        ON theirs.season_id = asked.season AND theirs.player_id = asked.player AND theirs.active
            AND theirs.key < own.key
    JOIN league_player AS p ON p.id = asked.player
    ORDER BY theirs.key DESC, p.id
"""

NOTE = """
    INSERT INTO league_visit (player_id, seen_at, seen_places, before, places)
    VALUES (%(player)s, %(now)s, %(places)s, NULL, '{}')
    ON CONFLICT (player_id) DO UPDATE SET
        seen_at = excluded.seen_at,
        seen_places = excluded.seen_places,
        before = CASE WHEN league_visit.seen_at < %(pause)s
            THEN league_visit.seen_at ELSE league_visit.before END,
        places = CASE WHEN league_visit.seen_at < %(pause)s
            THEN league_visit.seen_places ELSE league_visit.places END
    WHERE league_visit.seen_at < %(step)s
"""


class Overtaking(NamedTuple):
    """A player who was right behind and is ahead now."""

    season_id: int
    player_id: int
    name: str
    key: float
    """Of their standing: their effective rating, negated where the highest is best."""


def note_visit(player: Player, seasons: Collection[int], now: datetime) -> Visit:
    """Return a player's visit at ``now``, noted if the last note is some minutes old.

    One query, and two more in every ``STEP``.
    """
    known = Visit.objects.filter(player=player).first()
    if known is not None and known.seen_at >= now - STEP:
        return known
    places = places_of(player, seasons)
    seen: dict[str, Any] = {
        "player": player.pk,
        "now": now,
        "places": Jsonb(places),
        "pause": now - PAUSE,
        "step": now - STEP,
    }
    with connection.cursor() as cursor:
        cursor.execute(NOTE, seen)
    if known is None:
        return Visit(player=player, seen_at=now, seen_places=places)
    if known.seen_at < now - PAUSE:
        known.before, known.places = known.seen_at, known.seen_places
    known.seen_at, known.seen_places = now, places
    return known


def places_of(player: Player, seasons: Collection[int]) -> Places:
    """Return the players right behind a player, by season id as text."""
    with connection.cursor() as cursor:
        cursor.execute(PLACES, [player.pk, to_array_literal(seasons)])
        return {str(season): behind for season, behind in cursor.fetchall()}


def overtaken_by(player: Player, visit: Visit, seasons: Collection[int]) -> list[Overtaking]:
    """Return who was right behind a player at their last visit and is ahead now, nearest first.

    One query, none if nobody was.
    """
    pairs = [
        (int(season), other)
        for season, behind in visit.places.items()
        if int(season) in seasons
        for other in behind
    ]
    if not pairs:
        return []
    with connection.cursor() as cursor:
        asked = [
            to_array_literal(season for season, _ in pairs),
            to_array_literal(other for _, other in pairs),
        ]
        cursor.execute(OVERTAKEN, [*asked, player.pk])
        return [Overtaking(*row) for row in cursor.fetchall()]
