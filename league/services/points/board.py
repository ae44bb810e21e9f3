"""The leaderboard of ladder points, at the same cost at any depth.

Ranks come from the tallies, which count the listed players for each number of points. Pages start
after a cursor or end before one, which is an index walk.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import connection

from league.models import PointEntry, PointTotal, Status
from league.services.core.statements import read
from league.services.rating import versions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from league.models import Match, Player, Season, Side
    from ratings.points.rules import Checkpoint, PointRule
    from ratings.seasons.rules import SeasonRules

PER_PAGE = 50
ABOVE = 10
"""Rows above a player on the page around them."""
LARGEST = 2**31 - 1

RANKED = """
    tallied AS MATERIALIZED (
        SELECT points, sum(players) AS players FROM league_pointtally
        WHERE season_id = %(season)s GROUP BY points HAVING sum(players) <> 0
    ), ranked AS (
        SELECT points, players, 1 + coalesce(sum(players) OVER (
                ORDER BY points DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            ), 0) AS rank
        FROM tallied
    )
"""
ORDER = "t.points * -1, t.matches, t.player_id"

# The first column is the number of listed players, present even if the page is empty.
PAGE = """
    WITH {ranked}, slice AS (
        SELECT * FROM league_pointtotal AS t
        WHERE t.season_id = %(season)s AND t.listed AND {where}
        ORDER BY {order} LIMIT %(count)s
    )
    SELECT (SELECT coalesce(sum(players), 0) FROM tallied), p.name, t.player_id, t.points,
        t.matches, t.wins, coalesce(r.rank, 1)
    FROM (SELECT) AS one LEFT JOIN slice AS t ON true
    LEFT JOIN ranked AS r ON r.points = t.points
    LEFT JOIN league_player AS p ON p.id = t.player_id
    ORDER BY t.points DESC, t.matches, t.player_id
"""
BACKWARDS = "t.points * -1 DESC, t.matches DESC, t.player_id DESC"
BEYOND = f"({ORDER}) {{}} (%(points)s * -1, %(matches)s, %(player)s)"

BEFORE = f"""
    SELECT points, matches, player_id FROM league_pointtotal AS t
    WHERE season_id = %(season)s AND listed AND {BEYOND.format("<")}
    ORDER BY {BACKWARDS} LIMIT 1 OFFSET %(skip)s
"""  # noqa: S608 - literals of this file

RANK = f"""
    WITH {RANKED} SELECT rank FROM ranked WHERE points = %(points)s
"""  # noqa: S608 - literals of this file


@dataclass(frozen=True)
class PointsCursor:
    """A place in the order: more points, then fewer matches, then earlier players."""

    points: int
    matches: int
    player: int

    def __str__(self) -> str:
        return f"{self.points}.{self.matches}.{self.player}"

    @classmethod
    def parse(cls, text: str) -> PointsCursor | None:
        """Return the cursor written in an address; None if it is not one."""
        if not re.fullmatch(r"-?[0-9]{1,10}\.[0-9]{1,10}\.[0-9]{1,18}", text, re.ASCII):
            return None
        points, matches, player = map(int, text.split("."))
        if max(abs(points), matches) > LARGEST:
            return None
        return cls(points, matches, player)


@dataclass(frozen=True)
class PointsRow:
    """A listed player."""

    name: str
    player_id: int
    points: int
    matches: int
    wins: int
    rank: int

    @property
    def cursor(self) -> PointsCursor:
        return PointsCursor(self.points, self.matches, self.player_id)


@dataclass(frozen=True)
class PointsPage:
    """A page of the leaderboard, with cursors to its neighbours."""

    rows: list[PointsRow]
    total: int
    """Listed players."""
    previous: PointsCursor | None
    """The previous page ends before it; None on the first page."""
    next: PointsCursor | None
    """The next page starts after it; None on the last page."""


def page(
    season: Season,
    *,
    after: PointsCursor | None = None,
    before: PointsCursor | None = None,
    count: int = PER_PAGE,
) -> PointsPage:
    """Return ``count`` players from the top, or after or before a cursor. Two queries at most."""
    start = before or after
    where = BEYOND.format("<" if before else ">") if start else "true"
    query = PAGE.format(ranked=RANKED, where=where, order=BACKWARDS if before else ORDER)
    values: dict[str, Any] = {"season": season.pk, "count": count + 1}
    if start:
        values |= vars(start)
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        found = cursor.fetchall()
    total = int(found[0][0])
    rows = [
        PointsRow(name, player, points, matches, wins, int(rank))
        for _total, name, player, points, matches, wins, rank in found
        if player is not None
    ]
    more = len(rows) > count
    if before:
        rows = rows[-count:]
        beginning, end = more, bool(rows)
    else:
        rows = rows[:count]
        beginning, end = bool(rows) and start is not None and has_previous(season, rows[0]), more
    return PointsPage(
        rows,
        total,
        previous=rows[0].cursor if beginning else None,
        next=rows[-1].cursor if end else None,
    )


def has_previous(season: Season, row: PointsRow) -> bool:
    """Whether any player is listed before this row."""
    return cursor_before(season, row.cursor, 0) is not None


def cursor_before(season: Season, start: PointsCursor, skip: int) -> PointsCursor | None:
    """Return the cursor ``skip + 1`` rows before another."""
    with connection.cursor() as cursor:
        cursor.execute(BEFORE, {"season": season.pk, **vars(start), "skip": skip})
        row = cursor.fetchone()
    return PointsCursor(*row) if row else None


def page_around(season: Season, row: PointsRow) -> PointsPage:
    """Return the page around a listed player."""
    return page(season, after=cursor_before(season, row.cursor, ABOVE))


@dataclass(frozen=True)
class PointsStanding:
    """A player's points in a season."""

    points: int
    matches: int
    wins: int
    rank: int | None
    """None with too few points or matches to be listed."""
    row: PointsRow | None


def points_standing(season: Season, player: Player) -> PointsStanding | None:
    """Return a player's points; None before the first match with points. Two queries."""
    found = read(
        PointTotal, "WHERE one.season_id = %s AND one.player_id = %s", season.pk, player.pk
    )
    if not found:
        return None
    [total] = found
    rank = rank_of(season, total.points) if total.listed else None
    row = None
    if rank is not None:
        row = PointsRow(player.name, player.pk, total.points, total.matches, total.wins, rank)
    return PointsStanding(total.points, total.matches, total.wins, rank, row)


def rank_of(season: Season, points: int) -> int | None:
    """Return the rank of a number of points."""
    with connection.cursor() as cursor:
        cursor.execute(RANK, {"season": season.pk, "points": points})
        row = cursor.fetchone()
    return int(row[0]) if row else None


def all_rows(season: Season) -> Iterator[PointsRow]:
    """Return all listed players in order, read page by page."""
    cursor = None
    while True:
        part = page(season, after=cursor, count=1_000)
        yield from part.rows
        cursor = part.next
        if cursor is None:
            return


@dataclass(frozen=True)
class ExplainedPoints:
    """An entry with the rule that it follows from."""

    entry: PointEntry
    rule: PointRule
    checkpoint: Checkpoint

    @property
    def raised(self) -> bool:
        """Whether the table gives less than the 1 point of a victory."""
        return self.entry.points != self.checkpoint.points


def explain(rules: SeasonRules, match: Match, entry: PointEntry) -> ExplainedPoints:
    """Return an entry of a match with its row and step in the table of the match's game mode.

    ``rules`` are those under which the match was rated.
    """
    ratio = 0.0 if entry.deserted else entry.score_ratio
    table = rules.points.table_of(match.mode)
    return ExplainedPoints(entry, *table.checkpoint(entry.odds, ratio))


def history(
    season: Season, player: Player, *, before: int | None = None, count: int = PER_PAGE
) -> tuple[list[ExplainedPoints], int | None]:
    """Return a player's points, latest match first, and the match before which the next page is."""
    entries = PointEntry.objects.filter(season=season, player=player).order_by("-match_id")
    if before is not None:
        entries = entries.filter(match_id__lt=before)
    rows = list(entries.select_related("match__arena")[: count + 1])
    more = rows[count - 1].match_id if len(rows) > count else None
    for entry in rows:
        entry.match.season = season
    known = versions.stretches(season)
    explained = [
        explain(versions.stretch_of(known, entry.match.rated_order or 0).rules, entry.match, entry)
        for entry in rows[:count]
    ]
    return explained, more


def match_points(match: Match, sides: Iterable[Side]) -> dict[int, ExplainedPoints]:
    """Return a match's points for the players of these sides. No query if it awards none."""
    if match.status != Status.RATED or not match.season.season_rules().points.ladder.counts:
        return {}
    players = [part.player_id for side in sides for part in side.participants.all()]
    entries = PointEntry.objects.filter(match=match, player__in=players)
    rules = versions.rules_of(match.season, match.rated_order)
    return {entry.player_id: explain(rules, match, entry) for entry in entries}
