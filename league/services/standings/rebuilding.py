"""The standings made anew from the ratings, and compared with what is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from django.db import connection, transaction

from league.models import Season
from league.services.core import binary
from league.services.standings import divisions
from league.services.standings import rules as ruling
from league.services.standings.histogram import Histogram
from league.services.standings.rules import Played, places
from league.services.standings.updating import (
    LOCK,
    decaying,
    write_histogram,
)
from ratings.types import NEVER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from numpy.typing import NDArray

    from league.services.standings.rules import Rules
    from ratings.types import Floats, Integers

RATINGS = """
    SELECT player_id, rating, games::bigint, coalesce(last_played_at, '-infinity'),
        opening IS NOT NULL
    FROM league_rating WHERE season_id = {season} AND games >= {games}
"""
PLAYED = {
    "player_id": "bigint",
    "rating": "float8",
    "games": "bigint",
    "last_played_at": "timestamptz",
    "returning": "bool",
}
STANDING = {
    "player_id": "bigint",
    "key": "float8",
    "active": "bool",
    "decaying": "float8",
    "due": "bigint",
    "division": "smallint",
}
SEASON = {"season_id": "bigint"}
FORGET = (
    "DELETE FROM league_standingchange WHERE season_id = %s",
    "DELETE FROM league_standing WHERE season_id = %s",
)
ROW = [
    ("player_id", "i8"), ("key", "f8"), ("active", "?"), ("decaying", "f8"), ("due", "i8"),
    ("division", "i2"),
]  # fmt: skip
"""A standing: the moment in microseconds since 1970, ``NEVER`` for none; division -1 for none."""


def rebuild(
    season: Season, now: datetime, progress: Callable[[int], object] = lambda _: None
) -> int:
    """Make a season's standings anew from its ratings; how many players they hold.

    The old ones are read until the new ones are complete. Divisions are those that the ledger of
    their changes tells; nobody is told of what it does not say yet. ``progress`` is called with
    players done.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(LOCK, [season.pk])
        for statement in FORGET:
            cursor.execute(statement, [season.pk])
        rows = in_order(season, now, progress)
        rows["division"], moves, cuts = divisions.made_anew(season, rows)
        lasting, placed = rows["due"] == NEVER, rows["division"] >= 0
        for chosen, left_out in (
            (lasting & placed, {"due"}),
            (lasting & ~placed, {"due", "division"}),
            (~lasting & placed, set()),
            (~lasting & ~placed, {"division"}),
        ):
            columns = {name: kind for name, kind in STANDING.items() if name not in left_out}
            if chosen.any():
                binary.write(
                    "league_standing", SEASON | columns, [columns_of(season, rows[chosen])]
                )
        divisions.tell(season, moves, now, told=False)
        if cuts:
            divisions.keep(season.pk, cuts)
        write_histogram(season.pk, None, histogram_of(rows))
    return len(rows)


def histogram_of(rows: NDArray[Any]) -> Histogram:
    return Histogram.of(*active_of(rows))


def active_of(rows: NDArray[Any]) -> tuple[Floats, Integers]:
    """The places of those who are ranked."""
    ranked = rows[rows["active"]]
    return ranked["key"].copy(), ranked["player_id"].copy()


def in_order(
    season: Season, now: datetime, progress: Callable[[int], object] = lambda _: None
) -> NDArray[Any]:
    """The standings that the ratings give, in the order of the board."""
    rules = ruling.rules_of(season)
    parts = list(computed(season, rules, now, progress))
    rows = np.concatenate([np.zeros(0, ROW), *parts])
    return rows[np.lexsort((rows["player_id"], rows["key"]))]


def computed(
    season: Season, rules: Rules, now: datetime, progress: Callable[[int], object]
) -> Iterator[NDArray[Any]]:
    fewest = min(rules.placement_matches, rules.returning_matches)
    query = RATINGS.format(season=season.pk, games=max(fewest, 1))
    for rows_read in list(binary.read(query, PLAYED)):
        part = rows_read[np.argsort(rows_read["player_id"])]  # as ``decaying`` takes them
        who = part["player_id"].astype(np.int64)
        played = Played(
            part["rating"].astype(float),
            part["games"].astype(np.int64),
            binary.since_1970(part["last_played_at"]),
            decaying(season.pk, who, rules.decay) if rules.decay else np.zeros(len(who)),
            part["returning"],
        )
        new = places(rules, played, now)
        rows = np.zeros(len(who), ROW)
        rows["player_id"], rows["key"] = who, new.key
        rows["active"], rows["decaying"], rows["due"] = new.active, new.decaying, new.due
        progress(len(who))
        yield rows[new.placed]


def columns_of(season: Season, rows: NDArray[Any]) -> dict[str, Any]:
    return {
        "season_id": np.full(len(rows), season.pk),
        **{name: rows[name] for name in STANDING},
    }
