"""Archive the points of a season, and export points as files."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING

from django.db import connection

from league.models import FinalPoints
from league.services.core.exports import MOST_SHEET_ROWS, csv_lines, xlsx_pieces
from league.services.core.pages import Page
from league.services.points import points_leaderboard

if TYPE_CHECKING:
    from collections.abc import Iterator

    from league.models import Player, Season

FREEZE = """
    INSERT INTO league_finalpoints
        (season_id, position, player_id, name, rank, points, matches, wins)
    SELECT t.season_id,
        row_number() OVER (ORDER BY t.listed DESC, t.points DESC, t.matches, t.player_id),
        t.player_id, coalesce(f.name, p.name),
        CASE WHEN t.listed THEN rank() OVER (ORDER BY t.listed DESC, t.points DESC) END,
        t.points, t.matches, t.wins
    FROM league_pointtotal AS t JOIN league_player AS p ON p.id = t.player_id
    LEFT JOIN league_finalstanding AS f
        ON f.season_id = t.season_id AND f.player_id = t.player_id
    WHERE t.season_id = %s
"""

PER_PAGE = 50

COLUMNS = ("rank", "name", "player_id", "points", "matches", "wins")
"""The columns of an export."""


def freeze(season: Season) -> None:
    """Archive the final points of a season. The caller holds the season's lock.

    Names are those of the standings archived just before.
    """
    if season.season_rules().points.ladder.counts:
        with connection.cursor() as cursor:
            cursor.execute(FREEZE, [season.pk])


def frozen_page(season: Season, number: int) -> Page[FinalPoints]:
    """Return a page of the final points. Two queries at any depth."""
    rows = FinalPoints.objects.filter(season=season)
    last = rows.order_by("-position").values_list("position", flat=True).first() or 0

    def cut(part: slice) -> list[FinalPoints]:
        within = rows.filter(position__gt=part.start, position__lte=part.stop)
        return list(within.order_by("position"))

    return Page.cut(number, last, PER_PAGE, cut)


def page_of(season: Season, player: Player) -> int | None:
    """Return the page of the final points with a player."""
    mine = FinalPoints.objects.filter(season=season, player=player).first()
    return (mine.position - 1) // PER_PAGE + 1 if mine else None


def values(season: Season) -> Iterator[tuple[object, ...]]:
    """Return the final points of an archived season, else the current leaderboard."""
    if season.archived_at is not None:
        rows = FinalPoints.objects.filter(season=season).order_by("position")
        return rows.values_list(*COLUMNS).iterator(chunk_size=2_000)
    return (
        tuple(getattr(row, name) for name in COLUMNS) for row in points_leaderboard.all_rows(season)
    )


def as_csv(season: Season) -> Iterator[str]:
    """Return the points as lines of CSV."""
    return csv_lines(COLUMNS, values(season))


def as_xlsx(season: Season) -> Iterator[bytes]:
    """Yield the bytes of a spreadsheet of the points."""
    return xlsx_pieces(COLUMNS, values(season))


def fits_a_sheet(season: Season) -> bool:
    return sum(1 for _row in islice(values(season), MOST_SHEET_ROWS + 1)) <= MOST_SHEET_ROWS


def as_json(season: Season) -> Iterator[str]:
    """Return the points and their rules as parts of a JSON document."""
    rules = season.season_rules().to_json()
    head = {
        "arena": season.arena.name,
        "season": season.name,
        "starts_at": season.starts_at.isoformat(),
        "ends_at": season.ends_at.isoformat() if season.ends_at else None,
        "archived_at": season.archived_at.isoformat() if season.archived_at else None,
        "rules": {"points": rules["points"], "point_table": rules["point_table"]},
    }
    yield json.dumps(head, ensure_ascii=False)[:-1] + ', "points": ['
    for number, row in enumerate(values(season)):
        comma = ",\n" if number else "\n"
        yield comma + json.dumps(dict(zip(COLUMNS, row, strict=True)), ensure_ascii=False)
    yield "\n]}\n"
