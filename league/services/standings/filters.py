"""Leaderboards filtered by division, deviation or matches: pages linked by cursors.

A page reads a few thousand standings at most and says where the next one starts, so it costs the
same at any depth and size. Matching players are never counted.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from league.models.lists import list_of
from league.services.core.errors import Refused
from league.services.core.isolation import gettext as _
from league.services.standings.board import ask
from league.services.standings.filter_walk import LOOKED_AT, TOP, Cursor, Filter, walk
from league.services.standings.leaderboard_rows import PER_PAGE, LeaderboardReader

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Season
    from league.services.standings.board import Board
    from league.services.standings.leaderboard_rows import LeaderboardRow
    from ratings.system import Shows

__all__ = [
    "LOOKED_AT",
    "Cursor",
    "Filter",
    "FilteredPage",
    "cursor_text",
    "filtered_page",
    "parse_cursor",
    "parse_filter",
]


@dataclass(frozen=True)
class FilteredPage:
    """Some of the players who match a filter, best first, with their ranks among all players."""

    rows: Sequence[LeaderboardRow]
    previous: Cursor | None
    """There may be matching players before this; None at the top."""
    next: Cursor | None
    """There may be matching players from here on; None at the end."""
    stopped_early: bool
    """Whether the search reached its limit before the page was full."""
    version: int
    """Of the standings; 0 before anybody is ranked."""


def parse_filter(
    season: Season, shows: Shows, *, division: str = "", deviation: str = "", games: str = ""
) -> Filter:
    """Return the filter written in a form; empty texts filter nothing.

    The deviation is one that ``shows`` shows.

    Raises:
        Refused: the season has no such division, the deviation is not a number of at least 0, the
            matches are not a whole number, or the season has no divisions or deviations at all.
            ``field`` names which.
    """
    return Filter(
        parse_division(season, division.strip()),
        parse_deviation(shows, deviation.strip()),
        parse_games(games.strip()),
    )


def parse_division(season: Season, name: str) -> int | None:
    if not name:
        return None
    divisions = season.season_rules().divisions.divisions
    if not divisions:
        raise Refused("no_divisions", _("This season has no divisions."), field="division")
    for number, division in enumerate(divisions):
        if division.name.casefold() == name.casefold():
            return number
    raise Refused(
        "unknown_division",
        _("This season has no division “%(name)s”. Its divisions are %(all)s.")
        % {"name": name[:60], "all": list_of(one.name for one in reversed(divisions))},
        field="division",
    )


def parse_deviation(shows: Shows, text: str) -> float | None:
    if not text:
        return None
    if not filters_by_deviation(shows):
        raise Refused(
            "no_deviation",
            _("Ratings in this season have no ± to filter by. Filter by matches instead."),
            field="sure",
        )
    try:
        value = float(text) if len(text) <= 20 else math.nan
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise Refused(
            "not_a_deviation",
            _("“%(text)s” is not a deviation. Enter a number of at least 0, such as 100.")
            % {"text": text[:20]},
            field="sure",
        )
    return shows.deviation_of(value)


def filters_by_deviation(shows: Shows) -> bool:
    """Return whether one deviation means the same on every row."""
    return shows.deviation and shows.deviation_of(1.0) is not None


def parse_games(text: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdigit()) or len(text) > 9:
        raise Refused(
            "not_a_number_of_matches",
            _("“%(text)s” is not a number of matches. Enter a whole number such as 20.")
            % {"text": text[:20]},
            field="games",
        )
    return int(text)


def filtered_page(
    season: Season,
    chosen: Filter,
    *,
    now: datetime,
    after: Cursor | None = None,
    before: Cursor | None = None,
    count: int = PER_PAGE,
    past_ranks: bool = False,
) -> FilteredPage:
    """Return the first ``count`` matching players from ``after``, or the last ``before`` a cursor.

    Fewer if the next ``LOOKED_AT`` players hold no more. Two queries, and one for ``past_ranks``.
    """
    reader = LeaderboardReader(season, now, past_ranks=past_ranks)
    up = after is None and before is not None
    start: Cursor = after or before or TOP

    def read(board: Board) -> FilteredPage:
        found = walk(board, chosen, start, count + 1, up=up)
        entries = reader.matching(chosen, found.entries)
        end = found.last
        if len(entries) > count:
            entries = entries[:count]
            end = entries[-1].key, entries[-1].player_id
        previous: Cursor | None
        following: Cursor | None
        if up:
            entries = entries[::-1]
            previous, following = end, start
        else:
            previous = None if start == TOP else start
            following = (end[0], end[1] + 1) if end else None
        stopped_early = len(entries) < count and end is not None
        rows = reader.rows(entries, reader.positions(board, entries), board)
        return FilteredPage(rows, previous, following, stopped_early, board.version or 0)

    return ask(season.pk, read)


def cursor_text(cursor: Cursor) -> str:
    """Return a cursor as it is written in an address."""
    return "{!r},{}".format(*cursor)


def parse_cursor(text: str) -> Cursor | None:
    """Return the cursor written in an address; None if it is not one."""
    key, _comma, player = text.partition(",")
    try:
        cursor = float(key), int(player)
    except ValueError:
        return None
    return cursor if math.isfinite(cursor[0]) and abs(cursor[1]) < 1 << 62 else None
