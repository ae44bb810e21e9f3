"""The latest results of those whom a player follows."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from league.services.core.columns import binary_cursor, to_array_literal
from league.services.results.records.lines import read_matches

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from league.models import Match, Player, Season

SHOWN = 4
OF_EACH = 3
READ_OF_EACH = 20
"""Of how many of the latest rated ones, so that a long history costs nothing."""
LATE = timedelta(days=7)
"""How long a result may have waited for its confirmation."""

NEW = """
    status = 'rated' AND kind = 'game' AND settled_at > %(since)s AND played_at > %(late)s
"""
# Rating events of a season are in the order of rating by player, and sides by roster.
FOLLOWED = f"""
    SELECT found.id, found.season_id, array_agg(DISTINCT found.name)
    FROM (
        SELECT m.id, m.season_id, m.played_at, p.name FROM league_follow AS f
        JOIN league_player AS p ON p.id = f.followed_id AND NOT p.hides_history
        CROSS JOIN unnest(%(seasons)s::bigint[]) AS season(id)
        CROSS JOIN LATERAL (
            SELECT m.id, m.season_id, m.played_at FROM (
                SELECT match_id FROM league_ratingevent
                WHERE season_id = season.id AND player_id = p.id AND superseded_by_id IS NULL
                ORDER BY games DESC LIMIT %(read)s
            ) AS e
            JOIN league_match AS m ON m.id = e.match_id
            WHERE {NEW} ORDER BY m.played_at DESC, m.id DESC LIMIT %(each)s
        ) AS m
        WHERE f.player_id = %(player)s
        UNION
        SELECT m.id, m.season_id, m.played_at, t.name FROM league_follow AS f
        JOIN league_team AS t ON t.id = f.team_id
        JOIN league_roster AS r ON r.team_id = t.id
        CROSS JOIN LATERAL (
            SELECT m.id, m.season_id, m.played_at FROM (
                SELECT match_id FROM league_side WHERE roster_id = r.id
                ORDER BY match_id DESC LIMIT %(read)s
            ) AS s
            JOIN league_match AS m ON m.id = s.match_id
            WHERE {NEW} AND m.season_id = ANY(%(seasons)s::bigint[])
            ORDER BY m.played_at DESC, m.id DESC LIMIT %(each)s
        ) AS m
        WHERE f.player_id = %(player)s
    ) AS found
    GROUP BY found.id, found.season_id, found.played_at
    ORDER BY found.played_at DESC, found.id DESC LIMIT %(shown)s
"""  # noqa: S608 - literals of this file


class Followed(NamedTuple):
    """A result of those whom a player follows."""

    names: Sequence[str]
    """Of the followed who played in it."""
    match: Match


def results_of_followed(
    player: Player, seasons: Mapping[int, Season], *, since: datetime
) -> list[Followed]:
    """Return the results since a time of those whom a player follows, latest first.

    Not those of old matches, which were imported since. One query, and one more if there are any.
    """
    asked: dict[str, Any] = {
        "player": player.pk,
        "seasons": to_array_literal(seasons),
        "each": OF_EACH,
        "read": READ_OF_EACH,
        "since": since,
        "late": since - LATE,
        "shown": SHOWN,
    }
    with binary_cursor() as cursor:
        cursor.execute(FOLLOWED, asked)
        found = cursor.fetchall()
    if not found:
        return []
    matches = read_matches(player, {match: seasons[season] for match, season, _names in found})
    return [
        Followed(names, match)
        for (_match, _season, names), match in zip(found, matches, strict=True)
    ]
