"""The ranked players of a division, or of ratings that are sure: pages without numbers.

A page shows what is found among the next few thousand at most, and says where to go on, so it costs
the same at any depth and size. Nobody counts how many there are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from league.services.core.errors import Refused
from league.services.standings.board import asked
from league.services.standings.filter_walk import LOOKED_AT, TOP, Choice, Edge, walk
from league.services.standings.leaderboards import PER_PAGE, View

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Season
    from league.services.standings.board import Board
    from league.services.standings.leaderboards import Row

__all__ = ["LOOKED_AT", "Choice", "Edge", "Picked", "chosen", "edge_of", "pick", "text_of"]


@dataclass(frozen=True)
class Picked:
    """Those of some stretch of the leaderboard who are wanted."""

    rows: Sequence[Row]
    """The best first, with their ranks among all."""
    better: Edge | None
    """Before whom there may be more; none at the top."""
    further: Edge | None
    """From whom on there may be more; none at the end."""
    paused: bool
    """Whether it looked at as many as it may, and found fewer than were wanted."""
    version: int
    """Of the standings; 0 before anybody is ranked."""


def chosen(season: Season, *, division: str = "", sure: str = "") -> Choice:
    """The choice as somebody wrote it; empty texts choose nothing.

    Raises:
        Refused: there is no such division, the deviation is no number from 0 on, or the season has
            neither; ``field`` names which.
    """
    return Choice(division_in(season, division.strip()), deviation_in(season, sure.strip()))


def division_in(season: Season, name: str) -> int | None:
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
        _("There is no division “%(name)s” in this season. Its divisions are %(all)s.")
        % {"name": name[:60], "all": ", ".join(one.name for one in reversed(divisions))},
        field="division",
    )


def deviation_in(season: Season, text: str) -> float | None:
    if not text:
        return None
    if not season.system().shows.deviation:
        raise Refused(
            "no_deviation",
            _("Ratings of this season have no ±, so nobody can be picked by it."),
            field="sure",
        )
    try:
        value = float(text) if len(text) <= 20 else math.nan
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise Refused(
            "not_a_deviation",
            _("“%(text)s” is no deviation. Give a number from 0 on, such as 100.")
            % {"text": text[:20]},
            field="sure",
        )
    return value


def pick(
    season: Season,
    choice: Choice,
    *,
    now: datetime,
    after: Edge | None = None,
    before: Edge | None = None,
    count: int = PER_PAGE,
    moves: bool = False,
) -> Picked:
    """The next ``count`` of the choice from ``after`` on, or the last ``count`` ``before`` an edge.

    Fewer if no more are among the next ``LOOKED_AT``. Two queries, and one for ``moves``.
    """
    view = View(season, now, moves=moves)
    up = after is None and before is not None
    edge: Edge = after or before or TOP

    def question(board: Board) -> Picked:
        found = walk(board, choice, edge, count + 1, up=up)
        entries = view.of(choice, found.entries)
        end = found.last
        if len(entries) > count:
            entries = entries[:count]
            end = entries[-1][0], entries[-1][1]
        better: Edge | None
        further: Edge | None
        if up:
            entries = entries[::-1]
            better, further = end, edge
        else:
            better = None if edge == TOP else edge
            further = (end[0], end[1] + 1) if end else None
        paused = len(entries) < count and end is not None
        places = board.places([one[0] for one in entries], [one[1] for one in entries])
        rows = view.rows(entries, places, board)
        return Picked(rows, better, further, paused, board.version or 0)

    return asked(season.pk, question)


def text_of(edge: Edge) -> str:
    """An edge as an address holds it."""
    return "{!r},{}".format(*edge)


def edge_of(text: str) -> Edge | None:
    """The edge that an address names; none for what is none."""
    key, _comma, player = text.partition(",")
    try:
        edge = float(key), int(player)
    except ValueError:
        return None
    return edge if math.isfinite(edge[0]) and abs(edge[1]) < 1 << 62 else None
