"""Incrementally update the standings from the ratings that have changed.

A trigger adds a row to ``league_standingchange`` for each rating that a statement changes, in the
same transaction. An update deletes these rows, reads their ratings, and writes standings and
histogram, all in one transaction: if it is killed, nothing has happened. Ratings committed
meanwhile have rows of their own, which the next update finds in any order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from django.db import OperationalError, connection

from league.models import Season, StandingHistogram
from league.services.core import binary
from league.services.core.clock import microseconds
from league.services.core.columns import to_array_literal
from league.services.core.kill_points import committing
from league.services.standings import connections, divisions, ranking
from league.services.standings.divisions import UpdatedPlayers
from league.services.standings.histogram import Histogram
from league.services.standings.ranking import compute_standings
from league.services.standings.reading import read_due, read_players
from ratings.seasons.decay import decay_times_after_games
from ratings.types import NEVER

if TYPE_CHECKING:
    from datetime import datetime

    from league.services.standings.ranking import ComputedStandings
    from league.services.standings.reading import PlayerColumns, StoredStandings
    from ratings.seasons.decay import Decay
    from ratings.types import Booleans, Floats, Integers

BATCH = 20_000
"""The most ratings processed in one transaction."""

# Rows are looked up one by one in their indexes. The planner would rather read whole tables, as it
# does not know that the pages are in memory.
TRY_LOCK = """
    SELECT pg_try_advisory_xact_lock(hashtextextended('laurel standings', %s)),
        set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
        set_config('enable_mergejoin', 'off', true)
"""
RESET_PLANNER = """
    SET LOCAL enable_seqscan TO DEFAULT; SET LOCAL enable_hashjoin TO DEFAULT;
    SET LOCAL enable_mergejoin TO DEFAULT
"""
"""For the rest of a transaction that includes an update, such as the end of a season."""
LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('laurel standings', %s))"

PENDING = """
    SELECT s.id FROM league_season AS s
    WHERE EXISTS (SELECT FROM league_standing AS t WHERE t.season_id = s.id AND t.due <= %s)
    UNION
    SELECT season_id FROM league_standingchange
"""

TAKE_CHANGES = """
    DELETE FROM league_standingchange WHERE id IN (
        SELECT id FROM league_standingchange WHERE season_id = %s ORDER BY id LIMIT %s
    )
    RETURNING player_id
"""

STAGED = {
    "row": "tid",
    "player_id": "bigint",
    "key": "float8",
    "active": "bool",
    "decaying": "float8",
    "due": "bigint",
}

GAMES = """
    SELECT p.player_id, (extract(epoch FROM m.played_at) * 1000000)::bigint
    FROM league_participant AS p
    JOIN league_match AS m ON m.id = p.match_id
    WHERE p.player_id = ANY(%s::bigint[]) AND m.season_id = %s AND m.status = 'rated'
        AND NOT EXISTS (
            SELECT FROM league_ratingevent AS e
            WHERE e.match_id = p.match_id AND e.player_id = p.player_id
                AND e.superseded_by_id IS NULL AND e.ignored
        )
    ORDER BY m.rated_order
"""

STAGE = """
    CREATE TEMP TABLE IF NOT EXISTS league_staged_standing (
        row tid, player_id bigint, key float8, active bool, decaying float8, due bigint
    ) ON COMMIT DELETE ROWS;
    DELETE FROM league_staged_standing
"""

# Under the season's lock no row moves between being read and being written.
CHANGE = """
    UPDATE league_standing AS s
    SET key = u.key, active = u.active, decaying = u.decaying, due = nullif(u.due, %s)
    FROM league_staged_standing AS u
    WHERE s.ctid = u.row AND s.season_id = %s AND s.player_id = u.player_id
"""

ENTER = """
    INSERT INTO league_standing (season_id, player_id, key, active, decaying, due)
    SELECT %s, player_id, key, active, decaying, nullif(due, %s) FROM league_staged_standing
"""

LEAVE = "DELETE FROM league_standing WHERE season_id = %s AND player_id = ANY(%s::bigint[])"

BUCKET = """
    SELECT key, player_id FROM league_standing
    WHERE season_id = %s AND active AND (key, player_id) >= (%s, %s)
    ORDER BY key, player_id LIMIT %s
"""

WRITE_COUNTS = """
    UPDATE league_standinghistogram
    SET version = nextval('league_standing_version'), total = %s, counts = %s
    WHERE season_id = %s
"""

WRITE_ALL = """
    WITH next AS (SELECT nextval('league_standing_version') AS version)
    INSERT INTO league_standinghistogram
        (season_id, version, bounds_version, total, low_keys, low_players, counts)
    SELECT %s, version, version, %s, %s, %s, %s FROM next
    ON CONFLICT (season_id) DO UPDATE SET version = excluded.version,
        bounds_version = excluded.bounds_version, total = excluded.total,
        low_keys = excluded.low_keys, low_players = excluded.low_players, counts = excluded.counts
"""


def update_pending(now: datetime) -> int:
    """Update every standing whose rating has changed or that is due; return how many."""
    with connection.cursor() as cursor:
        cursor.execute(PENDING, [microseconds(now)])
        pending = [row[0] for row in cursor.fetchall()]
    return sum(
        update_all(season, now)
        for season in Season.objects.filter(pk__in=pending).select_related("arena")
    )


def update_all(season: Season, now: datetime) -> int:
    """Update all of a season's pending standings, one transaction a batch; return how many."""
    done = 0
    while (updated := update(season, now)) > 0:
        done += updated
        # A batch that is not full has left nothing behind.
        if updated < BATCH:
            break
    return done


def update(season: Season, now: datetime, batch: int = BATCH) -> int:
    """Update up to about ``batch`` standings of a season in one transaction; return how many.

    Return 0 if another worker is updating the season: it, or the next update, finds the same
    changes.
    """
    with committing("standings"), connection.cursor() as cursor:
        cursor.execute(TRY_LOCK, [season.pk])
        locked = cursor.fetchone()[0]
        updated = update_locked(season, now, batch) if locked else 0
        # SET LOCAL would outlast this update in a transaction around it.
        cursor.execute(RESET_PLANNER)
    return updated


def update_locked(season: Season, now: datetime, batch: int) -> int:
    with connection.cursor() as cursor:
        cursor.execute(TAKE_CHANGES, [season.pk, batch])
        changed = np.unique(np.array([row[0] for row in cursor.fetchall()], np.int64))
    found = read_due(season.pk, microseconds(now), batch)
    if len(changed):
        found = read_players(season.pk, changed).with_more(found)
    if len(found.players):
        update_players(season, found, changed, now)
    return len(found.players)


def update_players(season: Season, found: PlayerColumns, changed: Integers, now: datetime) -> None:
    """Compute and write the standings of players whose ratings ``changed`` or that are due.

    The caller holds the season's lock.
    """
    rules = ranking.ranking_rules(season)
    if rules.opponents and len(changed):
        connections.note_changes(season.pk)
    players, stored, ratings = found.players, found.stored_standings(), found.ratings()
    if rules.decay and len(changed):
        rows = np.searchsorted(players, changed)
        ratings.decaying[rows] = decay_time_left(season.pk, changed, rules.decay)
    new = compute_standings(rules, ratings, now)
    same = ~stored.there & ~new.placed
    same |= (
        stored.there
        & new.placed
        & (stored.key == new.key)
        & (stored.active == new.active)
        & (stored.decaying == new.decaying)
        & (stored.due == new.due)
    )
    write_standings(season.pk, players, stored, new, ~same)

    # The histogram counts ranked players alone, so only these moves change it.
    left, entered = stored.there & stored.active, new.placed & new.active
    moved = ~same & ((left != entered) | (stored.key != new.key))
    before = load_histogram(season.pk)
    after = (before or Histogram.empty()).move(
        *(
            (before or Histogram.empty()).buckets_of(key[rows], players[rows])
            for key, rows in ((stored.key, moved & left), (new.key, moved & entered))
        )
    )
    after = after.without_empty()
    # From the last one on: a split moves the numbers of the buckets behind it.
    for bucket in reversed(after.overfull()):
        after = after.split(bucket, *read_bucket(season.pk, after, bucket))
    write_histogram(season.pk, before, after)
    updated = UpdatedPlayers(
        players,
        new.key,
        stored.division,
        entered,
        stored.there & ~new.placed,
        np.isin(players, changed),
    )
    divisions.update(season, updated, before, after, now)


def decay_time_left(season: int, players: Integers, decay: Decay) -> Floats:
    """Return ``(n,)`` seconds of decay time left after each player's last match."""
    with connection.cursor() as cursor:
        cursor.execute(GAMES, [to_array_literal(players.tolist()), season])
        rows = cursor.fetchall()
    if not rows:
        return np.zeros(len(players))
    player, played_at = zip(*rows, strict=True)
    times = np.array(played_at, np.int64)
    return decay_times_after_games(decay, np.searchsorted(players, player), times, len(players))


def write_standings(
    season: int,
    players: Integers,
    stored: StoredStandings,
    new: ComputedStandings,
    changed: Booleans,
) -> None:
    def stage(chosen: Booleans) -> None:
        cursor.execute(STAGE)
        columns = (stored.row, players, new.key, new.active, new.decaying, new.due)
        # In the order in which the rows are stored: the update then visits each page once.
        order = np.flatnonzero(chosen)[np.argsort(stored.row[chosen].view("S6"), kind="stable")]
        rows = {name: column[order] for name, column in zip(STAGED, columns, strict=True)}
        binary.write("league_staged_standing", STAGED, [rows])

    stays, enters = changed & stored.there & new.placed, changed & ~stored.there & new.placed
    leaves = changed & stored.there & ~new.placed
    with connection.cursor() as cursor:
        if stays.any():
            stage(stays)
            cursor.execute(CHANGE, [NEVER, season])
            if cursor.rowcount != np.count_nonzero(stays):
                raise OperationalError("The standings were written by somebody else meanwhile.")
        if enters.any():
            stage(enters)
            cursor.execute(ENTER, [season, NEVER])
        if leaves.any():
            cursor.execute(LEAVE, [season, to_array_literal(players[leaves].tolist())])


def read_bucket(season: int, histogram: Histogram, bucket: int) -> tuple[Floats, Integers]:
    """Return the sorted keys and players in a bucket."""
    with connection.cursor() as cursor:
        cursor.execute(BUCKET, [season, *histogram.low(bucket), int(histogram.counts[bucket])])
        keys, players = zip(*cursor.fetchall(), strict=True)
    return np.array(keys), np.array(players)


def load_histogram(season: int) -> Histogram | None:
    columns = ("low_keys", "low_players", "counts")
    row = StandingHistogram.objects.filter(pk=season).values_list(*columns).first()
    return Histogram.from_bytes(*row) if row else None


def write_histogram(season: int, before: Histogram | None, after: Histogram) -> None:
    with connection.cursor() as cursor:
        counts = after.counts_bytes()
        if before is not None and have_same_bounds(before, after):
            cursor.execute(WRITE_COUNTS, [after.total, counts, season])
        else:
            cursor.execute(WRITE_ALL, [season, after.total, *after.bounds_bytes(), counts])


def have_same_bounds(one: Histogram, other: Histogram) -> bool:
    return one.low_keys is other.low_keys or (
        np.array_equal(one.low_keys, other.low_keys)
        and np.array_equal(one.low_players, other.low_players)
    )
