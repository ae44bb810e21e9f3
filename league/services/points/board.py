"""The board of ladder points: who has how many, at the same cost at any depth.

Ranks come from the tallies: how many of those listed have more points, of which there are only so
many numbers. Pages begin behind, or end before, a place of the order, which is a walk of an index.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import connection

from league.models import PointEntry, PointTotal, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from league.models import Match, Player, Season, Side
    from ratings.points.rules import Checkpoint, PointRule

PER_PAGE = 50
ABOVE = 10
"""How many stand above a player on the page that shows her."""
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

# The first column is how many are listed: there even if nobody is on the page.
PAGE = """
    WITH {ranked}, stretch AS (
        SELECT * FROM league_pointtotal AS t
        WHERE t.season_id = %(season)s AND t.listed AND {where}
        ORDER BY {order} LIMIT %(count)s
    )
    SELECT (SELECT coalesce(sum(players), 0) FROM tallied), p.name, t.player_id, t.points,
        t.matches, t.wins, coalesce(r.rank, 1)
    FROM (SELECT) AS one LEFT JOIN stretch AS t ON true
    LEFT JOIN ranked AS r ON r.points = t.points
    LEFT JOIN league_player AS p ON p.id = t.player_id
    ORDER BY t.points DESC, t.matches, t.player_id
"""
BACKWARDS = "t.points * -1 DESC, t.matches DESC, t.player_id DESC"
PLACE = f"({ORDER}) {{}} (%(points)s * -1, %(matches)s, %(player)s)"

BEFORE = f"""
    SELECT points, matches, player_id FROM league_pointtotal AS t
    WHERE season_id = %(season)s AND listed AND {PLACE.format("<")}
    ORDER BY {BACKWARDS} LIMIT 1 OFFSET %(skip)s
"""  # noqa: S608 - literals of this file

RANK = f"""
    WITH {RANKED} SELECT rank FROM ranked WHERE points = %(points)s
"""  # noqa: S608 - literals of this file


@dataclass(frozen=True)
class Place:
    """A place of the order: more points first, then fewer matches, then who joined earlier."""

    points: int
    matches: int
    player: int

    def __str__(self) -> str:
        return f"{self.points}.{self.matches}.{self.player}"

    @classmethod
    def read(cls, text: str) -> Place | None:
        """The place that an address tells; none where it tells none."""
        if not re.fullmatch(r"-?[0-9]{1,10}\.[0-9]{1,10}\.[0-9]{1,18}", text, re.ASCII):
            return None
        points, matches, player = map(int, text.split("."))
        if max(abs(points), matches) > LARGEST:
            return None
        return cls(points, matches, player)


@dataclass(frozen=True)
class Row:
    """A player on the board."""

    name: str
    player_id: int
    points: int
    matches: int
    wins: int
    rank: int

    @property
    def place(self) -> Place:
        return Place(self.points, self.matches, self.player_id)


@dataclass(frozen=True)
class PointsPage:
    """A stretch of the board, and where those before and behind it begin."""

    rows: list[Row]
    total: int
    """How many are listed."""
    better: Place | None
    """Those before this place come before; none for the first page."""
    further: Place | None
    """Those after this place come next; none for the last page."""


def page(
    season: Season,
    *,
    after: Place | None = None,
    before: Place | None = None,
    count: int = PER_PAGE,
) -> PointsPage:
    """The first ``count`` listed, or those behind or before a place. Two queries at most."""
    place = before or after
    where = PLACE.format("<" if before else ">") if place else "true"
    query = PAGE.format(ranked=RANKED, where=where, order=BACKWARDS if before else ORDER)
    told: dict[str, Any] = {"season": season.pk, "count": count + 1}
    if place:
        told |= {"points": place.points, "matches": place.matches, "player": place.player}
    with connection.cursor() as cursor:
        cursor.execute(query, told)
        found = cursor.fetchall()
    total = int(found[0][0])
    rows = [
        Row(name, player, points, matches, wins, int(rank))
        for _total, name, player, points, matches, wins, rank in found
        if player is not None
    ]
    more = len(rows) > count
    if before:
        rows = rows[-count:]
        beginning, end = more, bool(rows)
    else:
        rows = rows[:count]
        beginning, end = bool(rows) and place is not None and is_behind(season, rows[0]), more
    return PointsPage(
        rows,
        total,
        better=rows[0].place if beginning else None,
        further=rows[-1].place if end else None,
    )


def is_behind(season: Season, row: Row) -> bool:
    """Whether anybody is listed before this row."""
    return place_before(season, row.place, 0) is not None


def place_before(season: Season, place: Place, skip: int) -> Place | None:
    """The place that is ``skip`` and one before another."""
    with connection.cursor() as cursor:
        cursor.execute(BEFORE, {"season": season.pk, **vars(place), "skip": skip})
        row = cursor.fetchone()
    return Place(*row) if row else None


def page_around(season: Season, row: Row) -> PointsPage:
    """The page that shows a listed player with a few who stand above."""
    return page(season, after=place_before(season, row.place, ABOVE))


@dataclass(frozen=True)
class Standing:
    """What a player has gathered in a season."""

    points: int
    matches: int
    wins: int
    rank: int | None
    """None of who has too few points or matches for the board."""
    row: Row | None


def standing(season: Season, player: Player) -> Standing | None:
    """What a player has gathered; none before any match gave points. Two queries."""
    total = PointTotal.objects.filter(season=season, player=player).first()
    if total is None:
        return None
    rank = rank_of(season, total.points) if total.listed else None
    row = None
    if rank is not None:
        row = Row(player.name, player.pk, total.points, total.matches, total.wins, rank)
    return Standing(total.points, total.matches, total.wins, rank, row)


def rank_of(season: Season, points: int) -> int | None:
    """The rank of those listed with so many points."""
    with connection.cursor() as cursor:
        cursor.execute(RANK, {"season": season.pk, "points": points})
        row = cursor.fetchone()
    return int(row[0]) if row else None


def listed(season: Season) -> Iterator[Row]:
    """All who are listed, in order, page by page."""
    place = None
    while True:
        part = page(season, after=place, count=1_000)
        yield from part.rows
        place = part.further
        if place is None:
            return


@dataclass(frozen=True)
class Explained:
    """An entry with the rule that it follows from."""

    entry: PointEntry
    rule: PointRule
    checkpoint: Checkpoint

    @property
    def raised(self) -> bool:
        """Whether it is 1 because the match was won, where the table gives less."""
        return self.entry.points != self.checkpoint.points


def explained(season: Season, entry: PointEntry) -> Explained:
    """Which row and checkpoint of the season's table gave these points."""
    ratio = 0.0 if entry.deserted else entry.score_ratio
    return Explained(entry, *season.season_rules().points.table.checkpoint(entry.odds, ratio))


def history(
    season: Season, player: Player, *, before: int | None = None, count: int = PER_PAGE
) -> tuple[list[Explained], int | None]:
    """A player's points, the latest match first, and the match before which the next page is."""
    entries = PointEntry.objects.filter(season=season, player=player).order_by("-match_id")
    if before is not None:
        entries = entries.filter(match_id__lt=before)
    rows = list(entries.select_related("match__arena")[: count + 1])
    more = rows[count - 1].match_id if len(rows) > count else None
    return [explained(season, entry) for entry in rows[:count]], more


def of_match(match: Match, sides: Iterable[Side]) -> dict[int, Explained]:
    """What a match gave to those on these sides, by player id. No query where none are given."""
    if match.status != Status.RATED or not match.season.season_rules().points.ladder.counts:
        return {}
    players = [part.player_id for side in sides for part in side.participants.all()]
    entries = PointEntry.objects.filter(match=match, player__in=players)
    return {entry.player_id: explained(match.season, entry) for entry in entries}
