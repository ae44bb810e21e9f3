"""Pages of the leaderboard, and the ranks and ratings of players."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from league.models import Player, Standing
from league.services.core.columns import binary_cursor, to_array_literal
from league.services.standings.board import (
    ENTRY,
    IS_SHOWN,
    Entry,
    Position,
    ask,
    ranked_counts,
)
from league.services.standings.filter_walk import Filter
from league.services.standings.leaderboard_rows import (
    PER_PAGE,
    LeaderboardPage,
    LeaderboardReader,
    LeaderboardRow,
)
from league.services.standings.player_standings import player_standings

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from league.models import Season
    from league.services.standings.board import Board

EVERYBODY = Filter()

LEADERS = f"""
    SELECT season.id, {ENTRY}
    FROM unnest(%s::bigint[]) AS season(id)
    CROSS JOIN LATERAL (
        SELECT key, player_id, division FROM league_standing
        WHERE season_id = season.id AND active
        ORDER BY key, player_id LIMIT %s
    ) AS s
    JOIN league_rating AS r ON r.season_id = season.id AND r.player_id = s.player_id
    JOIN league_player AS p ON p.id = s.player_id
    ORDER BY season.id, s.key, s.player_id
"""  # noqa: S608 - a literal of the board

SOME = f"""
    SELECT r.season_id, {ENTRY}
    FROM league_rating AS r
    JOIN league_player AS p ON p.id = r.player_id
    LEFT JOIN league_standing AS s ON s.season_id = r.season_id AND s.player_id = r.player_id
    WHERE r.season_id = ANY(%s::bigint[]) AND r.player_id = ANY(%s::bigint[])
        AND {IS_SHOWN}
"""  # noqa: S608 - as above


def leaderboard(
    season: Season,
    *,
    now: datetime,
    search: str = "",
    chosen: Filter = EVERYBODY,
    page: int = 1,
    per_page: int = PER_PAGE,
    past_ranks: bool = False,
) -> LeaderboardPage:
    """Return a page of the ranked players of a season, best first. One query at any depth.

    ``search`` finds players whose name contains it; their ranks stay those of the whole
    leaderboard. ``chosen`` filters the players found; to filter without a search, see
    ``filters.filtered_page``. A page beyond the last returns the last. ``past_ranks`` adds the
    ranks of yesterday and last week, for one more query.
    """
    reader = LeaderboardReader(season, now, past_ranks=past_ranks)
    if search.strip():
        return ask(season.pk, lambda board: reader.search(board, search, chosen, page, per_page))

    def read(board: Board) -> LeaderboardPage:
        found = LeaderboardPage.cut(
            page,
            board.histogram.total,
            per_page,
            lambda part: reader.slice(board, part.start, part.stop - part.start),
        )
        return replace(found, version=board.version or 0)

    return ask(season.pk, read)


@dataclass(frozen=True)
class InactivePage:
    """Some of a season's inactive players, best first."""

    rows: Sequence[LeaderboardRow]
    """With the ranks at which they would return."""
    next: tuple[float, int] | None
    """The place after which the next page starts; None on the last page."""
    previous: tuple[float, int] | None = None
    """The place before which the previous page ends; None on the first page."""

    @property
    def next_text(self) -> str:
        """``next`` as it is written in an address."""
        return "" if self.next is None else "{!r},{}".format(*self.next)


def inactive(
    season: Season,
    *,
    now: datetime,
    after: tuple[float, int] | None = None,
    before: tuple[float, int] | None = None,
    count: int = PER_PAGE,
) -> InactivePage:
    """Return inactive players after or before a place in their order. Two queries at any depth."""
    reader = LeaderboardReader(season, now)

    def read(board: Board) -> InactivePage:
        if before:
            entries = board.inactive_before(*before, count + 1)
            listed = entries[-count:]
        else:
            entries = board.inactive(*(after or (-math.inf, 0)), count + 1)
            listed = entries[:count]
        more = len(entries) > count
        first, last = (
            ((one.key, one.player_id) for one in (listed[0], listed[-1]))
            if listed
            else (None, None)
        )
        return InactivePage(
            reader.rows(listed, reader.positions(board, listed)),
            last if more or before else None,
            first if (more if before else after) else None,
        )

    return ask(season.pk, read)


def has_inactive(season: Season) -> bool:
    """Return whether a season has inactive players."""
    return Standing.objects.filter(season_id=season.pk, active=False).exists()


def neighbours(
    season: Season, row: LeaderboardRow, *, now: datetime, each: int = 2
) -> list[LeaderboardRow]:
    """Return a ranked player's row with ``each`` rows right above and below, best first."""
    if row.position is None:
        return []
    start = max(row.position - each, 0)
    count = row.position - start + 1 + each
    return ask(season.pk, lambda board: LeaderboardReader(season, now).slice(board, start, count))


def nearest(
    season: Season, rating: float, *, now: datetime, count: int, without: int
) -> list[LeaderboardRow]:
    """Return the ranked players nearest to an effective rating, best first, but for one player.

    Two queries.
    """
    key = rating if season.lowest_first else -rating

    def read(board: Board) -> list[LeaderboardRow]:
        reader = LeaderboardReader(season, now)
        if not board.histogram.total:
            return reader.slice(board, 0, 0)
        (position,) = board.positions([key], [0])
        start = max(position.ahead - count - 1, 0)
        rows = reader.slice(board, start, position.ahead + count + 1 - start)
        others = [row for row in rows if row.player_id != without]
        chosen = sorted(others, key=lambda row: abs(row.rating - rating))[:count]
        return [row for row in rows if row in chosen]

    return ask(season.pk, read)


def player_row(season: Season, player: Player, *, now: datetime) -> LeaderboardRow | None:
    """Return a player's row; None without a rating. One query, two at most."""
    return player_rows(player, [season], now=now).get(season.pk)


def player_rows(
    player: Player, seasons: Collection[Season], *, now: datetime
) -> dict[int, LeaderboardRow]:
    """Return a player's rows by season id. One query."""
    found = player_standings(player.pk, [season.pk for season in seasons])
    rows = {}
    for season in seasons:
        if one := found.get(season.pk):
            reader = LeaderboardReader(season, now)
            (rows[season.pk],) = reader.rows([one.entry], [one.position], one.board)
    return rows


def ratings_of(
    players: Collection[int], seasons: Collection[Season], *, now: datetime
) -> dict[tuple[int, int], LeaderboardRow]:
    """Return the rows of some players by season and player id, without ranks. One query.

    Players without a rating in a season have none there.
    """
    with binary_cursor() as cursor:
        cursor.execute(
            SOME, [to_array_literal(season.pk for season in seasons), to_array_literal(players)]
        )
        listed: dict[int, list[Entry]] = defaultdict(list)
        for season_id, *entry in cursor.fetchall():
            listed[season_id].append(Entry(*entry))
    return {
        (season.pk, row.player_id): row
        for season in seasons
        for row in LeaderboardReader(season, now).rows(
            listed[season.pk], [None] * len(listed[season.pk])
        )
    }


def leaders(
    seasons: Collection[Season], *, now: datetime, count: int = 3
) -> dict[int, list[LeaderboardRow]]:
    """Return the first ``count`` players of each season, by season id. One query."""
    with binary_cursor() as cursor:
        cursor.execute(LEADERS, [[season.pk for season in seasons], count])
        listed: dict[int, list[Entry]] = defaultdict(list)
        for season, *entry in cursor.fetchall():
            listed[season].append(Entry(*entry))
    return {
        season.pk: LeaderboardReader(season, now).rows(
            listed[season.pk], top_positions(listed[season.pk])
        )
        for season in seasons
        if season.pk in listed
    }


def top_positions(entries: Sequence[Entry]) -> list[Position]:
    """Return the positions of a season's first entries, without what percentiles need."""
    first: dict[float, int] = {}
    for position, entry in enumerate(entries):
        first.setdefault(entry.key, position)
    return [Position(first[entry.key], position, 0) for position, entry in enumerate(entries)]


def ranked_players(seasons: Collection[Season]) -> dict[int, int]:
    """Return the number of ranked players by season id."""
    return ranked_counts([season.pk for season in seasons])
