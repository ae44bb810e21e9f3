"""What the standings answer: rows at a place, the place of a player, ranks and percentiles.

Each process keeps the histograms of the seasons that it was asked about. Every statement reads the
version beside the rows, so an answer is always of one moment: if the version has moved on, the
histogram is read again and the question put once more.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import OrderedDict
from dataclasses import dataclass
from operator import neg
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

from league.models.player import MOST_NAMED
from league.services.core.columns import binary_cursor, braced
from league.services.standings.histogram import Histogram
from ratings.percentile import GROUPS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

KEPT = 100
"""Histograms that a process keeps, those of a million players about 300 kB each."""

VERSION = "(SELECT version FROM league_standinghistogram WHERE season_id = %(season)s)"

LOAD = """
    SELECT h.season_id, h.version, h.bounds_version, h.counts,
        CASE WHEN h.bounds_version <> k.bounds_version THEN h.low_keys END,
        CASE WHEN h.bounds_version <> k.bounds_version THEN h.low_players END
    FROM unnest(%s::bigint[], %s::bigint[]) AS k(season, bounds_version)
    JOIN league_standinghistogram AS h ON h.season_id = k.season
"""

# Rank and row beside each other: who is where from a place of the order on.
ROWS = f"""
    WITH stretch AS MATERIALIZED (
        SELECT key, player_id, division FROM league_standing
        WHERE season_id = %(season)s AND active AND (key, player_id) >= (%(key)s, %(player)s)
        ORDER BY key, player_id OFFSET %(skip)s LIMIT %(count)s
    )
    SELECT v.version, s.key, s.player_id, p.name, r.id, r.rating, r.deviation, r.volatility,
        r.games, r.last_played_at, r.memory, s.division,
        r.wins, r.draws, r.outcome, r.streak
    FROM (SELECT {VERSION} AS version) AS v
    LEFT JOIN (
        stretch AS s
        JOIN league_rating AS r ON r.season_id = %(season)s AND r.player_id = s.player_id
        JOIN league_player AS p ON p.id = s.player_id
    ) ON true
    ORDER BY s.key, s.player_id
"""  # noqa: S608 - literals of this file

# The same rows for those of a name, and whether more names begin like it than are looked at: the
# names first, which are few, then their places.
FOUND = f"""
    WITH looked AS MATERIALIZED (
        SELECT player_id, row_number() OVER () AS nth FROM (
            SELECT player_id FROM league_namestart WHERE start >= %(low)s AND start < %(high)s
            ORDER BY start, player_id LIMIT %(most)s + 1
        ) AS them
    ), named AS MATERIALIZED (
        SELECT DISTINCT player_id FROM looked WHERE nth <= %(most)s
    )
    SELECT v.version, (SELECT count(*) > %(most)s FROM looked),
        s.key, s.player_id, p.name, r.id, r.rating, r.deviation, r.volatility,
        r.games, r.last_played_at, r.memory, s.division,
        r.wins, r.draws, r.outcome, r.streak
    FROM (SELECT {VERSION} AS version) AS v
    LEFT JOIN (
        named AS n
        JOIN league_standing AS s
            ON s.season_id = %(season)s AND s.player_id = n.player_id AND s.active
        JOIN league_rating AS r ON r.season_id = %(season)s AND r.player_id = n.player_id
        JOIN league_player AS p ON p.id = n.player_id
    ) ON true
    ORDER BY s.key, s.player_id
"""  # noqa: S608 - literals of this file

NEAR = 80
"""How many of those right before a player are looked at: most stretches hold no more."""
# Who is not ranked for absence, from a place of their order on, the best first.
INACTIVE = f"""
    SELECT v.version, s.key, s.player_id, p.name, r.id, r.rating, r.deviation, r.volatility,
        r.games, r.last_played_at, r.memory, s.division,
        r.wins, r.draws, r.outcome, r.streak
    FROM (SELECT {VERSION} AS version) AS v
    LEFT JOIN (
        (SELECT key, player_id, division FROM league_standing
            WHERE season_id = %(season)s AND NOT active
                AND (key, player_id) > (%(key)s, %(player)s)
            ORDER BY key, player_id LIMIT %(count)s) AS s
        JOIN league_rating AS r ON r.season_id = %(season)s AND r.player_id = s.player_id
        JOIN league_player AS p ON p.id = s.player_id
    ) ON true
    ORDER BY s.key, s.player_id
"""  # noqa: S608 - literals of this file

# A player's ratings and what her places depend on: of who is ranked, also who stands right before,
# and how many follow with the same key.
PLAYER = f"""
    SELECT near.keys, near.players, near.level,
        h.version, r.season_id, s.active, s.key, p.id, p.name, r.id, r.rating, r.deviation,
        r.volatility, r.games, r.last_played_at, r.memory, s.division,
        r.wins, r.draws, r.outcome, r.streak
    FROM unnest(%s::bigint[]) AS asked(season)
    JOIN league_rating AS r
        ON r.season_id = asked.season AND r.player_id = %s AND r.games > 0
    JOIN league_player AS p ON p.id = r.player_id
    LEFT JOIN league_standing AS s ON s.season_id = r.season_id AND s.player_id = r.player_id
    LEFT JOIN league_standinghistogram AS h ON h.season_id = r.season_id
    LEFT JOIN LATERAL (
        SELECT array_agg(key) AS keys, array_agg(player_id) AS players, (
            SELECT count(*) FROM (
                SELECT FROM league_standing AS a
                WHERE a.season_id = s.season_id AND a.active
                    AND a.key = s.key AND a.player_id > s.player_id LIMIT {NEAR}
            ) AS them
        ) AS level
        FROM (
            SELECT key, player_id FROM league_standing AS b
            WHERE b.season_id = s.season_id AND b.active
                AND (b.key, b.player_id) < (s.key, s.player_id)
            ORDER BY b.key DESC, b.player_id DESC LIMIT {NEAR}
        ) AS them
    ) AS near ON s.active
"""  # noqa: S608 - a number of this program

# How many stand before places of the order: from the beginning of the stretch in which those with
# this key begin, or this place lies, or they end.
PLACES = """
    SELECT h.version,
        (SELECT count(*) FROM league_standing WHERE season_id = u.season AND active
            AND (key, player_id) >= (u.first_key, u.first_player) AND key < u.key),
        (SELECT count(*) FROM league_standing WHERE season_id = u.season AND active
            AND (key, player_id) >= (u.low_key, u.low_player)
            AND (key, player_id) < (u.key, u.player)),
        (SELECT count(*) FROM league_standing WHERE season_id = u.season AND active
            AND (key, player_id) >= (u.last_key, u.last_player) AND key <= u.key)
    FROM unnest(%s::bigint[], %s::float8[], %s::bigint[], %s::float8[], %s::bigint[],
        %s::float8[], %s::bigint[], %s::float8[], %s::bigint[])
        WITH ORDINALITY AS u(season, key, player, first_key, first_player, low_key, low_player,
            last_key, last_player, nth)
    LEFT JOIN league_standinghistogram AS h ON h.season_id = u.season
    ORDER BY u.nth
"""

TOTALS = "SELECT season_id, total FROM league_standinghistogram WHERE season_id = ANY(%s)"

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Place:
    """How many ranked players stand before a place of the order."""

    before: int
    """Before everybody who has this key: one less than the rank."""
    position: int
    """Before this player, of those with the same key only who joined earlier."""
    upto: int
    """Up to the last who has this key, all of them counted."""


class Moved(Exception):
    """The standings have changed since the histogram at hand."""


@dataclass(frozen=True)
class Board:
    """The histogram of a season as of a version; none before anybody is ranked."""

    season: int
    version: int | None
    bounds_version: int
    histogram: Histogram

    def ask(self, statement: str, **values: Any) -> list[tuple[Any, ...]]:
        """The rows of a statement without the version that comes first in each.

        Raises:
            Moved: the rows are of another version than this board.
        """
        with binary_cursor() as cursor:
            cursor.execute(statement, {"season": self.season, **values})
            rows = cursor.fetchall()
        if rows[0][0] != self.version:
            raise Moved
        return [row[1:] for row in rows]

    def check(self) -> None:
        """Raise ``Moved`` unless this is how the standings are."""
        self.ask(f"SELECT {VERSION}")

    def rows(self, start: int, count: int) -> list[tuple[Any, ...]]:
        """Up to ``count`` rows from position ``start`` (from 0) on, as ``ROWS`` selects them."""
        stretch = min(self.histogram.stretch_at(start), len(self.histogram) - 1)
        key, player = self.histogram.low(stretch)
        skip = start - int(self.histogram.ahead[stretch])
        rows = self.ask(ROWS, key=key, player=player, skip=skip, count=count)
        return [row for row in rows if row[0] is not None]

    def found(self, low: str, high: str) -> tuple[list[tuple[Any, ...]], int | None]:
        """The same rows of those of whom a word of the name begins between ``low`` and ``high``,
        and how many such names were looked at, if there are more of them."""
        rows = self.ask(FOUND, low=low, high=high, most=MOST_NAMED)
        more = rows[0][0]
        return [row[1:] for row in rows if row[1] is not None], MOST_NAMED if more else None

    def inactive(self, key: float, player: int, count: int) -> list[tuple[Any, ...]]:
        """The same rows of those off the board for absence, after a place of their order."""
        rows = self.ask(INACTIVE, key=key, player=player, count=count)
        return [row for row in rows if row[0] is not None]

    def places(self, keys: Sequence[float], players: Sequence[int]) -> list[Place]:
        """Where ranked players stand."""
        return places([self] * len(keys), keys, players)

    def place_after(
        self,
        version: int,
        key: float,
        player: int,
        before: tuple[Sequence[float], Sequence[int]],
        level: int,
    ) -> Place:
        """The place of who stands there in a ``version``, from the keys and ids of who stands right
        ``before``, the nearest first, and how many with the same key behind.

        Raises:
            Moved: this board is of another version.
        """
        if version != self.version:
            raise Moved
        keys, players = before
        same = bisect_right(keys, -key, key=neg)
        stretch = self.histogram.stretch_of(key, player)
        low, first = self.histogram.low(stretch)
        ahead = bisect_left(keys, -low, key=neg)
        while ahead < len(keys) and keys[ahead] == low and players[ahead] >= first:
            ahead += 1
        if ahead == NEAR or max(same, level) == NEAR:  # there may be more
            return self.places([key], [player])[0]
        position = int(self.histogram.ahead[stretch]) + ahead
        return Place(position - same, position, position + 1 + level)

    def percentile(self, place: Place) -> int:
        """The percentile of who stands there, from 1 to 100, as ``ratings.percentile`` has it."""
        total = self.histogram.total
        worse = total - place.upto
        if total >= GROUPS:
            return 1 + GROUPS * worse // total
        return 1 + (GROUPS - 1) * worse // max(total - 1, 1)


def places(boards: Sequence[Board], keys: Sequence[float], players: Sequence[int]) -> list[Place]:
    """Where ranked players stand, each on a board. One query.

    Raises:
        Moved: a board is not how its standings are now.
    """
    if not boards:
        return []
    rows, counted = [], []
    for board, key, player in zip(boards, keys, players, strict=True):
        histogram = board.histogram
        stretches = (
            histogram.begins_in(key),
            histogram.stretch_of(key, player),
            histogram.ends_in(key),
        )
        lows = (value for stretch in stretches for value in histogram.low(stretch))
        rows.append((board.season, key, player, *lows))
        counted.append([int(histogram.ahead[stretch]) for stretch in stretches])
    with binary_cursor() as cursor:
        cursor.execute(PLACES, [list(column) for column in zip(*rows, strict=True)])
        answers = cursor.fetchall()
    if any(answer[0] != board.version for answer, board in zip(answers, boards, strict=True)):
        raise Moved
    return [
        Place(*(ahead + within for ahead, within in zip(known, answer[1:], strict=True)))
        for known, answer in zip(counted, answers, strict=True)
    ]


@dataclass(frozen=True)
class Standing:
    """A player's rating in a season, and her place if she is ranked."""

    board: Board
    row: tuple[Any, ...]
    """As ``ROWS`` selects it; the key is none before she has played enough."""
    place: Place | None


def standings_of(player: int, seasons: Collection[int]) -> dict[int, Standing]:
    """The standings of a player by season, where she has a rated match.

    One query, another for histograms that have changed, and one for who is level with many.
    """
    while True:
        with binary_cursor() as cursor:
            cursor.execute(PLAYER, [braced(seasons), player])
            rows = cursor.fetchall()
        boards = {row[4]: board for row in rows if (board := _kept.get(row[4]))}
        stale = [
            season
            for _keys, _players, _level, version, season, *_row in rows
            if season not in boards or boards[season].version != version
        ]
        if stale:
            boards |= refreshed(stale)
        try:
            return {
                season: Standing(
                    boards[season],
                    tuple(row),
                    boards[season].place_after(
                        version, row[0], player, (keys or (), players or ()), level
                    )
                    if active
                    else None,
                )
                for keys, players, level, version, season, active, *row in rows
            }
        except Moved:
            continue


def version_of(season: int) -> int:
    """The version of the standings; 0 before anybody is ranked."""
    with binary_cursor() as cursor:
        cursor.execute(f"SELECT coalesce({VERSION}, 0)", {"season": season})
        return int(cursor.fetchone()[0])


_kept: OrderedDict[int, Board] = OrderedDict()
_keeping = Lock()


def asked(season: int, question: Callable[[Board], Answer]) -> Answer:
    """The answer to a question, all of it of one moment."""
    board = _kept.get(season) or refreshed([season])[season]
    while True:
        try:
            return question(board)
        except Moved:
            board = refreshed([season])[season]


def refreshed(seasons: Collection[int]) -> dict[int, Board]:
    """The boards as they now are. Stretches are read only where they have changed. One query."""
    old = {
        season: _kept.get(season) or Board(season, None, -1, Histogram.empty())
        for season in seasons
    }
    with binary_cursor() as cursor:
        cursor.execute(LOAD, [list(old), [board.bounds_version for board in old.values()]])
        rows = cursor.fetchall()
    boards = {season: Board(season, None, -1, Histogram.empty()) for season in seasons}
    for season, version, bounds_version, counts, keys, players in rows:
        kept_keys, kept_players = old[season].histogram.bounds_bytes()
        histogram = Histogram.from_bytes(keys or kept_keys, players or kept_players, counts)
        boards[season] = Board(season, version, bounds_version, histogram)
    with _keeping:
        for season, board in boards.items():
            _kept[season] = board
            _kept.move_to_end(season)
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
    return boards


def totals(seasons: Collection[int]) -> dict[int, int]:
    """How many are ranked in each season."""
    with binary_cursor() as cursor:
        cursor.execute(TOTALS, [list(seasons)])
        return dict(cursor.fetchall())
