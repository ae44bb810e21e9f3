"""Rebuild the standings from the ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from django.db import connection, transaction

from league.models import Season
from league.services.core import binary
from league.services.standings import connections, divisions, ranking
from league.services.standings.histogram import Histogram
from league.services.standings.ranking import RatingInputs, compute_standings
from league.services.standings.updating import LOCK, decay_time_left, write_histogram
from ratings.types import NEVER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from numpy.typing import NDArray

    from league.services.standings.ranking import RankingRules
    from ratings.types import Floats, Integers

RATINGS = """
    SELECT player_id, rating, games::bigint, coalesce(last_played_at, '-infinity'),
        played_before IS NOT NULL, connected
    FROM league_rating WHERE season_id = {season} AND games >= {games}
"""
PLAYED = {
    "player_id": "bigint",
    "rating": "float8",
    "games": "bigint",
    "last_played_at": "timestamptz",
    "returning": "bool",
    "connected": "bool",
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
"""A standing. ``due`` is in microseconds since 1970, or ``NEVER``; division is -1 for none."""


def rebuild(
    season: Season, now: datetime, progress: Callable[[int], object] = lambda _: None
) -> int:
    """Rebuild a season's standings from its ratings; return the number of players in them.

    The old ones stay visible until the new ones are complete. Divisions come from the ledger of
    their changes. Changes that it does not hold yet are added, but not announced to the players.
    ``progress`` is called with the number of players done.
    """
    connections.refresh(season, now)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(LOCK, [season.pk])
        for statement in FORGET:
            cursor.execute(statement, [season.pk])
        rows = in_order(season, now, progress)
        rows["division"], moves, cuts = divisions.rebuilt(season, rows)
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
        divisions.record(season, moves, now, announce=False)
        divisions.save_cuts(season.pk, cuts)
        write_histogram(season.pk, None, histogram_of(rows))
    return len(rows)


def histogram_of(rows: NDArray[Any]) -> Histogram:
    return Histogram.of(*active_of(rows))


def active_of(rows: NDArray[Any]) -> tuple[Floats, Integers]:
    """Return the keys and ids of the ranked players, in the order of ``rows``."""
    ranked = rows[rows["active"]]
    return ranked["key"].copy(), ranked["player_id"].copy()


def in_order(
    season: Season, now: datetime, progress: Callable[[int], object] = lambda _: None
) -> NDArray[Any]:
    """Return the standings computed from the ratings, in the order of the leaderboard."""
    rules = ranking.ranking_rules(season)
    parts = list(compute_rows(season, rules, now, progress))
    rows = np.concatenate([np.zeros(0, ROW), *parts])
    return rows[np.lexsort((rows["player_id"], rows["key"]))]


def compute_rows(
    season: Season, rules: RankingRules, now: datetime, progress: Callable[[int], object]
) -> Iterator[NDArray[Any]]:
    fewest = min(rules.placement_matches, rules.returning_matches)
    query = RATINGS.format(season=season.pk, games=fewest)
    for rows_read in list(binary.read(query, PLAYED)):
        part = rows_read[np.argsort(rows_read["player_id"])]  # as ``decay_time_left`` needs them
        players = part["player_id"].astype(np.int64)
        ratings = RatingInputs(
            part["rating"].astype(float),
            part["games"].astype(np.int64),
            binary.since_1970(part["last_played_at"]),
            decay_time_left(season.pk, players, rules.decay)
            if rules.decay
            else np.zeros(len(players)),
            part["returning"],
            part["connected"],
        )
        new = compute_standings(rules, ratings, now)
        rows = np.zeros(len(players), ROW)
        rows["player_id"], rows["key"] = players, new.key
        rows["active"], rows["decaying"], rows["due"] = new.active, new.decaying, new.due
        progress(len(players))
        yield rows[new.placed]


def columns_of(season: Season, rows: NDArray[Any]) -> dict[str, Any]:
    return {
        "season_id": np.full(len(rows), season.pk),
        **{name: rows[name] for name in STANDING},
    }
