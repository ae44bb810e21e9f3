"""Read the standings: rows of the leaderboard, positions of players, ranks and percentiles.

Each process caches the histograms of the seasons it is asked about. Every statement returns the
version of the standings with its rows, so an answer is always consistent: if the version has
changed, the histogram is loaded again and the question is asked once more.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from operator import neg
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from cachetools import LRUCache

from league.models import StandingHistogram
from league.models.player import MOST_NAMED, SHORTEST_MIDDLE
from league.services.core.columns import binary_cursor
from league.services.standings.histogram import Histogram
from ratings.percentile import PERCENTILES

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from datetime import datetime

KEPT = 100
"""Histograms cached in a process: about 300 kB each for a million players."""

VERSION = "(SELECT version FROM league_standinghistogram WHERE season_id = %(season)s)"

LOAD = """
    SELECT h.season_id, h.version, h.bounds_version, h.counts,
        CASE WHEN h.bounds_version <> k.bounds_version THEN h.low_keys END,
        CASE WHEN h.bounds_version <> k.bounds_version THEN h.low_players END
    FROM unnest(%s::bigint[], %s::bigint[]) AS k(season, bounds_version)
    JOIN league_standinghistogram AS h ON h.season_id = k.season
"""

ENTRY = """
    coalesce(s.key, 'NaN') AS key, r.player_id, p.name, r.id, r.rating, r.deviation, r.volatility,
    r.games, r.last_played_at, r.memory, s.division, r.wins, r.draws, r.ignored,
    r.outcome, r.streak,
    (SELECT ARRAY[f.picture, f.country] FROM league_profile AS f WHERE f.player_id = r.player_id)
"""
"""The columns of an :class:`Entry`: from a standing ``s``, a rating ``r`` and a player ``p``."""

IS_SHOWN = "(r.games + r.ignored > 0 OR r.opening IS NOT NULL)"
"""Whether people see a rating ``r``: it is played for, carried over, drawn or set by staff."""

# One slice of the leaderboard: an index walk from the start of a bucket.
ROWS = f"""
    WITH listed AS MATERIALIZED (
        SELECT key, player_id, division FROM league_standing
        WHERE season_id = %(season)s AND active AND (key, player_id) >= (%(key)s, %(player)s)
        ORDER BY key, player_id OFFSET %(skip)s LIMIT %(count)s
    )
    SELECT v.version, {ENTRY}
    FROM (SELECT {VERSION} AS version) AS v
    LEFT JOIN (
        listed AS s
        JOIN league_rating AS r ON r.season_id = %(season)s AND r.player_id = s.player_id
        JOIN league_player AS p ON p.id = s.player_id
    ) ON true
    ORDER BY s.key, s.player_id
"""  # noqa: S608 - literals of this file

# The players found by name, and whether more names match than were read. The names come first:
# they are few. If not too many begin with the text, those that contain it are read too.
FOUND = f"""
    WITH beginning AS MATERIALIZED (
        SELECT player_id FROM league_namestart WHERE start >= %(low)s AND start < %(high)s
        ORDER BY start, player_id LIMIT %(most)s + 1
    ), containing AS MATERIALIZED (
        SELECT id AS player_id FROM league_player
        WHERE (SELECT count(*) <= %(most)s FROM beginning) AND length(%(low)s) >= %(shortest)s
            AND league_trigrams(search_name) @> league_trigrams(%(low)s)
            AND strpos(search_name, %(low)s) > 0
            AND id NOT IN (SELECT player_id FROM beginning)
        LIMIT %(most)s + 1
    ), looked AS MATERIALIZED (
        SELECT player_id, row_number() OVER () AS nth FROM (
            SELECT player_id FROM beginning UNION ALL SELECT player_id FROM containing
        ) AS them
    ), named AS MATERIALIZED (
        SELECT DISTINCT player_id FROM looked WHERE nth <= %(most)s
    )
    SELECT v.version, (SELECT count(*) > %(most)s FROM looked), {ENTRY}
    FROM (SELECT {VERSION} AS version) AS v
    LEFT JOIN (
        named AS n
        JOIN league_standing AS s
            ON s.season_id = %(season)s AND s.player_id = n.player_id AND s.active
        JOIN league_rating AS r ON r.season_id = %(season)s AND r.player_id = n.player_id
        JOIN league_player AS p ON p.id = n.player_id AND NOT p.is_unlisted
    ) ON true
    ORDER BY s.key, s.player_id
"""  # noqa: S608 - literals of this file

# Inactive players after a place in the order, best first.
INACTIVE = f"""
    SELECT v.version, {ENTRY}
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
INACTIVE_BEFORE = INACTIVE.replace(") > (", ") < (").replace(
    "ORDER BY key, player_id LIMIT", "ORDER BY key DESC, player_id DESC LIMIT"
)

NEAR = 80
"""The most players right before a player that are read: most buckets hold no more."""

# How many players stand before each place in the order, counted from the start of three buckets:
# the first with the key, the one with the place, and the last with the key.
POSITIONS = """
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

Answer = TypeVar("Answer")


class Entry(NamedTuple):
    """A player's standing and rating in a season, as ``ENTRY`` selects them."""

    key: float
    """The place in the order; NaN while placement matches are still to be played."""
    player_id: int
    name: str
    rating_id: int
    rating: float
    deviation: float | None
    volatility: float | None
    games: int
    last_played_at: datetime | None
    memory: list[float]
    division: int | None
    """From 0 for the lowest."""
    wins: int
    draws: int
    ignored: int
    """Matches of the record that the rating system ignored."""
    outcome: int | None
    streak: int
    looks: list[str] | None
    """The digest of their picture and the code of their country, ``None`` without a profile."""

    @property
    def state(self) -> tuple[Any, ...]:
        """The rating row as ``states_of`` takes it."""
        return (
            self.rating_id,
            self.rating,
            self.deviation,
            self.volatility,
            self.games,
            self.last_played_at,
            self.memory,
        )


@dataclass(frozen=True)
class Position:
    """The number of ranked players before a player."""

    better: int
    """With a better key: the rank less one."""
    ahead: int
    """In the order: players with the same key stand in the order in which they joined."""
    upto: int
    """With the same key or a better one, the player included."""


class StaleBoard(Exception):
    """The standings have changed since the histogram was loaded."""


@dataclass(frozen=True)
class Board:
    """The histogram of a season's leaderboard at a version; None while nobody is ranked."""

    season: int
    version: int | None
    bounds_version: int
    histogram: Histogram

    def query(self, statement: str, **values: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a statement without their first column, which is the version.

        Raises:
            StaleBoard: the rows are of another version than this board.
        """
        with binary_cursor() as cursor:
            cursor.execute(statement, {"season": self.season, **values})
            rows = cursor.fetchall()
        if rows[0][0] != self.version:
            raise StaleBoard
        return [row[1:] for row in rows]

    def check_fresh(self) -> None:
        """Raise ``StaleBoard`` if the standings have changed."""
        self.query(f"SELECT {VERSION}")

    def rows(self, start: int, count: int) -> list[Entry]:
        """Return up to ``count`` entries from position ``start`` (from 0)."""
        bucket = min(self.histogram.bucket_at(start), len(self.histogram) - 1)
        key, player = self.histogram.low(bucket)
        skip = start - int(self.histogram.ahead[bucket])
        return entries(self.query(ROWS, key=key, player=player, skip=skip, count=count))

    def search(self, low: str, high: str) -> tuple[list[Entry], int | None]:
        """Return ranked players with a word of their name in [``low``, ``high``).

        With them the number of names read, if more names match; else None.
        """
        rows = self.query(FOUND, low=low, high=high, most=MOST_NAMED, shortest=SHORTEST_MIDDLE)
        more = rows[0][0]
        return entries([row[1:] for row in rows]), MOST_NAMED if more else None

    def inactive(self, key: float, player: int, count: int) -> list[Entry]:
        """Return up to ``count`` inactive players after a place in their order."""
        return entries(self.query(INACTIVE, key=key, player=player, count=count))

    def inactive_before(self, key: float, player: int, count: int) -> list[Entry]:
        """Return up to ``count`` inactive players right before a place, in their order."""
        return entries(self.query(INACTIVE_BEFORE, key=key, player=player, count=count))

    def positions(self, keys: Sequence[float], players: Sequence[int]) -> list[Position]:
        """Return the positions of ranked players. One query."""
        return positions([self] * len(keys), keys, players)

    def position_from_neighbours(
        self,
        version: int,
        key: float,
        player: int,
        before: tuple[Sequence[float], Sequence[int]],
        level: int,
    ) -> Position:
        """Return the position of a player, computed from the keys right before theirs.

        ``before`` are the keys and ids of up to ``NEAR`` players before, nearest first; ``level``
        is the number of players with the same key after, up to ``NEAR``.

        Raises:
            StaleBoard: this board is not of ``version``.
        """
        if version != self.version:
            raise StaleBoard
        keys, players = before
        same = bisect_right(keys, -key, key=neg)
        bucket = self.histogram.bucket_of(key, player)
        low, first = self.histogram.low(bucket)
        ahead = bisect_left(keys, -low, key=neg)
        while ahead < len(keys) and keys[ahead] == low and players[ahead] >= first:
            ahead += 1
        if ahead == NEAR or max(same, level) == NEAR:  # there may be more
            return self.positions([key], [player])[0]
        position = int(self.histogram.ahead[bucket]) + ahead
        return Position(position - same, position, position + 1 + level)

    def percentile(self, position: Position) -> int:
        """Return the percentile at a position, 1 to 100, as ``ratings.percentile`` defines it."""
        if position.better == 0:
            return PERCENTILES
        total = self.histogram.total
        worse = total - position.upto
        if total >= PERCENTILES:
            return 1 + PERCENTILES * worse // total
        return 1 + (PERCENTILES - 1) * worse // max(total - 1, 1)


def entries(rows: Sequence[tuple[Any, ...]]) -> list[Entry]:
    """Return rows as entries, without the row of NULLs that an outer join returns for none."""
    return [Entry(*row) for row in rows if row[1] is not None]


def positions(
    boards: Sequence[Board], keys: Sequence[float], players: Sequence[int]
) -> list[Position]:
    """Return the positions of ranked players, each on their board. One query.

    Raises:
        StaleBoard: the standings of a board have changed.
    """
    if not boards:
        return []
    rows, counted = [], []
    for board, key, player in zip(boards, keys, players, strict=True):
        histogram = board.histogram
        buckets = (
            histogram.first_bucket(key),
            histogram.bucket_of(key, player),
            histogram.last_bucket(key),
        )
        lows = (value for bucket in buckets for value in histogram.low(bucket))
        rows.append((board.season, key, player, *lows))
        counted.append([int(histogram.ahead[bucket]) for bucket in buckets])
    with binary_cursor() as cursor:
        cursor.execute(POSITIONS, [list(column) for column in zip(*rows, strict=True)])
        answers = cursor.fetchall()
    if any(answer[0] != board.version for answer, board in zip(answers, boards, strict=True)):
        raise StaleBoard
    return [
        Position(*(ahead + within for ahead, within in zip(known, answer[1:], strict=True)))
        for known, answer in zip(counted, answers, strict=True)
    ]


def standings_version(season: int) -> int:
    """Return the version of a season's standings; 0 before anybody is ranked."""
    with binary_cursor() as cursor:
        cursor.execute(f"SELECT coalesce({VERSION}, 0)", {"season": season})
        return int(cursor.fetchone()[0])


_cache: LRUCache[int, Board] = LRUCache(maxsize=KEPT)
_lock = Lock()


def cached_board(season: int) -> Board | None:
    with _lock:
        return _cache.get(season)


def clear_cache() -> None:
    """Empty the cache of boards of this process."""
    with _lock:
        _cache.clear()


def ask(season: int, question: Callable[[Board], Answer]) -> Answer:
    """Return ``question(board)``, asked again with a fresh board while the board is stale."""
    board = cached_board(season) or load([season])[season]
    while True:
        try:
            return question(board)
        except StaleBoard:
            board = load([season])[season]


def load(seasons: Collection[int]) -> dict[int, Board]:
    """Load the current boards. Bucket bounds are read only if they have changed. One query."""
    old = {season: cached_board(season) or empty_board(season) for season in seasons}
    with binary_cursor() as cursor:
        cursor.execute(LOAD, [list(old), [board.bounds_version for board in old.values()]])
        rows = cursor.fetchall()
    boards = {season: empty_board(season) for season in seasons}
    for season, version, bounds_version, counts, keys, players in rows:
        known_keys, known_players = old[season].histogram.bounds_bytes()
        histogram = Histogram.from_bytes(keys or known_keys, players or known_players, counts)
        boards[season] = Board(season, version, bounds_version, histogram)
    with _lock:
        _cache.update(boards)
    return boards


def empty_board(season: int) -> Board:
    return Board(season, None, -1, Histogram.empty())


def ranked_counts(seasons: Collection[int]) -> dict[int, int]:
    """Return the number of ranked players by season."""
    return dict(StandingHistogram.objects.filter(pk__in=seasons).values_list("season_id", "total"))
