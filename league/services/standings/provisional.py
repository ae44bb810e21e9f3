"""Players who have a rating in a season but no rank yet, and what they still need."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from league.services.core.columns import binary_cursor, to_array_literal
from league.services.standings.board import ENTRY, IS_SHOWN, Entry
from league.services.standings.leaderboard_rows import PER_PAGE, LeaderboardReader
from league.services.standings.ranking import ranking_rules

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from league.models import Season
    from league.services.standings.leaderboard_rows import LeaderboardRow

LISTED = f"""
    SELECT season.id, listed.*
    FROM unnest(%(seasons)s::bigint[]) AS season(id)
    CROSS JOIN LATERAL (
        SELECT r.played_before IS NOT NULL, {ENTRY}
        FROM league_rating AS r
        JOIN league_player AS p ON p.id = r.player_id
        LEFT JOIN league_standing AS s
            ON s.season_id = season.id AND s.player_id = r.player_id
        WHERE r.season_id = season.id AND s.player_id IS NULL AND {IS_SHOWN}
        ORDER BY r.rating DESC, r.player_id LIMIT %(count)s
    ) AS listed
"""  # noqa: S608 - literals of the board


@dataclass(frozen=True)
class ProvisionalRow:
    """A player without a rank."""

    row: LeaderboardRow
    missing: int
    """Matches that they still need to be ranked."""
    opponents: int
    """Different ranked opponents that they need, if matches are not what is missing."""


def provisional(season: Season, *, now: datetime, count: int = PER_PAGE) -> list[ProvisionalRow]:
    """Return the first players of a season who have no rank yet, best first. One query."""
    return provisional_in([season], now=now, count=count).get(season.pk, [])


def provisional_in(
    seasons: Collection[Season], *, now: datetime, count: int
) -> dict[int, list[ProvisionalRow]]:
    """Return the same for several seasons by their ids, without those that have none. One query,
    and none for no seasons."""
    if not seasons:
        return {}
    with binary_cursor() as cursor:
        asked: dict[str, Any] = {
            "seasons": to_array_literal(season.pk for season in seasons),
            "count": count,
        }
        cursor.execute(LISTED, asked)
        found: dict[int, list[tuple[bool, Entry]]] = defaultdict(list)
        for season_id, returning, *entry in cursor.fetchall():
            found[season_id].append((returning, Entry(*entry)))
    return {
        season.pk: rows_of(season, found[season.pk], now)
        for season in seasons
        if season.pk in found
    }


def rows_of(season: Season, found: list[tuple[bool, Entry]], now: datetime) -> list[ProvisionalRow]:
    ranking = ranking_rules(season)
    entries = [entry for _returning, entry in found]
    rows = LeaderboardReader(season, now).rows(entries, [None] * len(entries))
    listed = []
    for (returning, _entry), row in zip(found, rows, strict=True):
        missing = max(ranking.matches_needed(returning=returning) - row.games, 0)
        listed.append(ProvisionalRow(row, missing, 0 if missing else ranking.opponents))
    return listed
