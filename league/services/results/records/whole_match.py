"""A match as its page shows it, read with one statement.

As a queryset, it took a fifth of the page's time to write the statement alone.
"""

from __future__ import annotations

from typing import Any

from django.db import connection

from league.models import Arena, Arrangement, Match, MatchMap, Player, Season
from league.services.core.statements import columns, compact, with_related
from league.services.results.records.timeline import TRACES

COUNTS = ("side_count", "winner_count")
WHOLE = compact(f"""
    SELECT {columns(Match, "m")}, {columns(Arena, "a")}, {columns(Season, "s")},
        {columns(Player, "r")}, {columns(Player, "d")}, {columns(Player, "c")},
        {columns(Arrangement, "date")}, {columns(MatchMap, "map")},
        (SELECT count(*) FROM league_side WHERE match_id = m.id),
        (SELECT count(*) FROM league_side WHERE match_id = m.id AND place = 0),
        {", ".join(TRACES.values())}
    FROM league_match AS m
    JOIN league_arena AS a ON a.id = m.arena_id
    JOIN league_season AS s ON s.id = m.season_id
    LEFT JOIN league_player AS r ON r.id = m.reported_by_id
    LEFT JOIN league_player AS d ON d.id = m.disputed_by_id
    LEFT JOIN league_player AS c ON c.id = m.confirmed_by_id
    LEFT JOIN league_arrangement AS date ON date.match_id = m.id
    LEFT JOIN league_matchmap AS map ON map.match_id = m.id
    WHERE m.id = %s
""")  # noqa: S608 - names of ours


def whole_match(pk: int) -> Match:
    """Return a match with its arena, season, people, date and map.

    It also has its ``side_count`` and ``winner_count``, and the traces that ``timeline`` reads.

    Raises:
        Match.DoesNotExist: there is none with this id.
    """
    with connection.cursor() as cursor:
        cursor.execute(WHOLE, [pk])
        row = cursor.fetchone()
    if row is None:
        raise Match.DoesNotExist
    match: Any = with_related(
        row,
        Match,
        arena=Arena,
        season=Season,
        reported_by=Player,
        disputed_by=Player,
        confirmed_by=Player,
        arrangement=Arrangement,
        map_choice=MatchMap,
    )
    match.season.arena = match.arena
    names = (*COUNTS, *TRACES)
    vars(match).update(zip(names, row[-len(names) :], strict=True))
    return match  # type: ignore[no-any-return] # a match with more on it
