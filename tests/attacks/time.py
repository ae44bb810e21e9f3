"""Time for attacks: everything in an arena can have happened earlier."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import connection, transaction
from django.db.models import F

from league.models import Match, Rating, RatingEvent, Season

if TYPE_CHECKING:
    from datetime import timedelta

    from league.models import Arena

TIMES = {
    Season.objects.all(): ("arena", ["starts_at", "opened_at"]),
    Match.objects.all(): ("arena", ["played_at", "reported_at", "settled_at"]),
    Rating.objects.all(): ("season__arena", ["last_played_at", "played_before"]),
    RatingEvent.objects.all(): ("season__arena", ["rated_at", "last_played_before"]),
}
"""What happened when, by the path to the arena."""


@transaction.atomic
def passes(arena: Arena, time: timedelta) -> None:
    """Let all that happened in an arena have happened so much earlier, as if ``time`` had passed.

    Rating events are append-only, so this switches off the trigger that guards them.
    """
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE league_ratingevent DISABLE TRIGGER USER")
        for rows, (path, fields) in TIMES.items():
            earlier = {field: F(field) - time for field in fields}
            rows.filter(**{path: arena}).update(**earlier)
        cursor.execute("ALTER TABLE league_ratingevent ENABLE TRIGGER USER")
