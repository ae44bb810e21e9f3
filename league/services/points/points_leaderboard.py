"""The leaderboard of ladder points, at the same cost at any depth.

Ranks come from the tallies, which count the listed players for each number of points. Pages start
after a cursor or end before one, which is an index walk.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import F, Q, Sum
from django.db.models.fields.tuple_lookups import (  # type: ignore[import-untyped] # no stubs
    TupleGreaterThan,
    TupleLessThan,
)

from league.models import PointEntry, PointTally, PointTotal, Status
from league.services.rating import versions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from django.db.models import QuerySet

    from league.models import Match, Player, Season, Side
    from ratings.points.rules import Checkpoint, PointRule
    from ratings.seasons.rules import SeasonRules

PER_PAGE = 50
ABOVE = 10
"""Rows above a player on the page around them."""
# What the database's integer columns hold.
LARGEST = 2**31 - 1

KEYS = (F("key"), F("matches"), F("player_id"))
"""The order of the leaderboard, as the index of the listed has it."""


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
    """Return ``count`` players from the top, or after or before a cursor."""
    start = before or after
    found = list(list_totals(season, after=after, before=before)[: count + 1])
    more = len(found) > count
    found = found[:count]
    if before:
        found.reverse()
    total, ranks = count_tallies(season, [one.points for one in found])
    rows = [
        PointsRow(one.player.name, one.player_id, one.points, one.matches, one.wins, rank)
        for one, rank in zip(found, ranks, strict=True)
    ]
    if before:
        beginning, end = more, bool(rows)
    else:
        beginning, end = bool(rows) and start is not None and has_previous(season, rows[0]), more
    return PointsPage(
        rows,
        total,
        previous=rows[0].cursor if beginning else None,
        next=rows[-1].cursor if end else None,
    )


def list_totals(
    season: Season, *, after: PointsCursor | None = None, before: PointsCursor | None = None
) -> QuerySet[PointTotal]:
    """Return the listed players in order, after a cursor, or backwards before one."""
    rows = PointTotal.objects.filter(season=season, listed=True).select_related("player")
    rows = rows.annotate(key=F("points") * -1)
    start = before or after
    if start is not None:
        place = (-start.points, start.matches, start.player)
        rows = rows.filter((TupleLessThan if before else TupleGreaterThan)(KEYS, place))
    return rows.order_by(*(key.desc() for key in KEYS) if before else KEYS)


def count_tallies(season: Season, points: Sequence[int]) -> tuple[int, list[int]]:
    """Return the number of listed players, and the ranks of numbers of points, highest first.

    The first number may have begun on an earlier page, the others begin on this one.
    """
    best = points[0] if points else 0
    players = PointTally.objects.filter(season_id=season.pk).aggregate(
        total=Sum("players", default=0),
        above=Sum("players", filter=Q(points__gt=best), default=0),
        upto=Sum("players", filter=Q(points__gte=best), default=0),
    )
    first = points.count(best)
    ranks = {best: 1 + players["above"]}
    for place, one in enumerate(points[first:]):
        ranks.setdefault(one, 1 + players["upto"] + place)
    return players["total"], [ranks[one] for one in points]


def has_previous(season: Season, row: PointsRow) -> bool:
    """Whether any player is listed before this row."""
    return list_totals(season, before=row.cursor).exists()


def cursor_before(season: Season, start: PointsCursor, skip: int) -> PointsCursor | None:
    """Return the cursor ``skip + 1`` rows before another."""
    rows = list_totals(season, before=start).values_list("points", "matches", "player_id")
    found = rows[skip : skip + 1]
    return next((PointsCursor(*row) for row in found), None)


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
    """Return a player's points; None before the first match with points."""
    total = PointTotal.objects.filter(season=season, player=player).first()
    if total is None:
        return None
    rank = rank_of(season, total.points) if total.listed else None
    row = None
    if rank is not None:
        row = PointsRow(player.name, player.pk, total.points, total.matches, total.wins, rank)
    return PointsStanding(total.points, total.matches, total.wins, rank, row)


def rank_of(season: Season, points: int) -> int:
    """Return the rank of a number of points."""
    above = PointTally.objects.filter(season_id=season.pk, points__gt=points)
    better: int = above.aggregate(players=Sum("players", default=0))["players"]
    return 1 + better


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
    by_place: bool = False

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
    by_place = bool(rules.points.by_place)
    return ExplainedPoints(entry, *table.checkpoint(entry.odds, ratio), by_place)


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
