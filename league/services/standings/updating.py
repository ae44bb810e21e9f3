"""Keeping the standings fresh: whoever's rating has changed is put in the right place.

Every statement that changes ratings leaves a row for each in ``league_standingchange``, by trigger
and in its own transaction. A fold takes these rows away, looks at the ratings behind them and
writes places and histogram, all in one transaction: killed half-way, it has done nothing. What is
committed while it runs has rows of its own, which the next fold finds, in whatever order they come.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from django.db import OperationalError, connection, transaction

from league.models import Season, StandingHistogram
from league.services.core import binary
from league.services.core.clock import microseconds
from league.services.core.columns import braced
from league.services.standings import divisions
from league.services.standings import rules as ruling
from league.services.standings.divisions import Placed
from league.services.standings.histogram import Histogram
from league.services.standings.reading import of_due, of_players
from league.services.standings.rules import places
from ratings.seasons.decay import decay_times_after_games
from ratings.types import NEVER

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.services.standings.reading import Found, Held
    from league.services.standings.rules import Places
    from ratings.seasons.decay import Decay
    from ratings.types import Booleans, Floats, Integers

BATCH = 20_000
"""The most ratings that one transaction puts in their places."""

# Rows are looked up one by one in their indexes: the planner would rather read everybody's, as it
# does not know that the pages are in memory.
TRY_LOCK = """
    SELECT pg_try_advisory_xact_lock(hashtextextended('laurel standings', %s)),
        set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
        set_config('enable_mergejoin', 'off', true)
"""
AS_USUAL = """
    SET LOCAL enable_seqscan TO DEFAULT; SET LOCAL enable_hashjoin TO DEFAULT;
    SET LOCAL enable_mergejoin TO DEFAULT
"""
"""For what else happens in a transaction that a fold is part of: the end of a season is one."""
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
    ORDER BY m.rated_order
"""

STAGE = """
    CREATE TEMP TABLE IF NOT EXISTS league_staged_standing (
        row tid, player_id bigint, key float8, active bool, decaying float8, due bigint
    ) ON COMMIT DELETE ROWS;
    DELETE FROM league_staged_standing
"""

# Under the season's lock nobody else moves a row between being read and being written.
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

STRETCH = """
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
    """Put every rating that has changed, or is due to, in its place; how many."""
    with connection.cursor() as cursor:
        cursor.execute(PENDING, [microseconds(now)])
        waiting = [row[0] for row in cursor.fetchall()]
    return sum(
        update_all(season, now)
        for season in Season.objects.filter(pk__in=waiting).select_related("arena")
    )


def update_all(season: Season, now: datetime) -> int:
    """The same for one season, a batch a transaction."""
    done = 0
    while (folded := fold(season, now)) > 0:
        done += folded
        if folded < BATCH:
            break
    return done


def fold(season: Season, now: datetime, batch: int = BATCH) -> int:
    """Put up to about ``batch`` ratings of a season in their places; how many.

    None if another worker is at it: it sees the same changes, or leaves them for the next fold.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(TRY_LOCK, [season.pk])
        alone = cursor.fetchone()[0]
        folded = fold_alone(season, now, batch) if alone else 0
        cursor.execute(AS_USUAL)
    return folded


def fold_alone(season: Season, now: datetime, batch: int) -> int:
    with connection.cursor() as cursor:
        cursor.execute(TAKE_CHANGES, [season.pk, batch])
        changed = np.unique(np.array([row[0] for row in cursor.fetchall()], np.int64))
    found = of_due(season.pk, microseconds(now), batch)
    if len(changed):
        found = of_players(season.pk, changed).with_more(found)
    if len(found.who):
        put(season, found, changed, now)
    return len(found.who)


def put(season: Season, found: Found, changed: Integers, now: datetime) -> None:
    """Put players in their places: those whose ratings have changed, and those for whom time has
    come. The caller holds the season's lock.
    """
    rules = ruling.rules_of(season)
    who, held, played = found.who, found.held(), found.played()
    if rules.decay and len(changed):
        played.decaying[np.searchsorted(who, changed)] = decaying(season.pk, changed, rules.decay)
    new = places(rules, played, now)
    same = ~held.there & ~new.placed
    same |= (
        held.there
        & new.placed
        & (held.key == new.key)
        & (held.active == new.active)
        & (held.decaying == new.decaying)
        & (held.due == new.due)
    )
    write_places(season.pk, who, held, new, ~same)

    left, entered = held.there & held.active, new.placed & new.active
    moved = ~same & ((left != entered) | (held.key != new.key))
    before = load_histogram(season.pk)
    after = (before or Histogram.empty()).moved(
        *(
            (before or Histogram.empty()).stretches_of(key[who_moves], who[who_moves])
            for key, who_moves in ((held.key, moved & left), (new.key, moved & entered))
        )
    )
    after = after.without_empty()
    for stretch in reversed(after.overfull()):
        after = after.cut(stretch, *stand_in(season.pk, after, stretch))
    write_histogram(season.pk, before, after)
    placed = Placed(
        who, new.key, held.division, entered, held.there & ~new.placed, np.isin(who, changed)
    )
    divisions.settle(season, placed, before, after, now)


def decaying(season: int, who: Integers, decay: Decay) -> Floats:
    """``(n,)`` seconds of decay time that each player's games have left."""
    with connection.cursor() as cursor:
        cursor.execute(GAMES, [braced(who.tolist()), season])
        rows = cursor.fetchall()
    if not rows:
        return np.zeros(len(who))
    player, played_at = zip(*rows, strict=True)
    return decay_times_after_games(
        decay, np.searchsorted(who, player), moments(played_at), len(who)
    )


def moments(column: Sequence[int | None]) -> Integers:
    """Microseconds since 1970, ``NEVER`` for none."""
    return np.array([NEVER if at is None else at for at in column], np.int64)


def write_places(season: int, who: Integers, held: Held, new: Places, changed: Booleans) -> None:
    def stage(chosen: Booleans) -> None:
        cursor.execute(STAGE)
        columns = (held.row, who, new.key, new.active, new.decaying, new.due)
        order = np.flatnonzero(chosen)[np.argsort(held.row[chosen].view("S6"), kind="stable")]
        rows = {name: column[order] for name, column in zip(STAGED, columns, strict=True)}
        binary.write("league_staged_standing", STAGED, [rows])

    stays, enters = changed & held.there & new.placed, changed & ~held.there & new.placed
    leaves = changed & held.there & ~new.placed
    with connection.cursor() as cursor:
        if stays.any():
            stage(stays)
            cursor.execute(CHANGE, [NEVER, season])
            if cursor.rowcount != np.count_nonzero(stays):
                raise OperationalError("Somebody else wrote standings during a fold.")
        if enters.any():
            stage(enters)
            cursor.execute(ENTER, [season, NEVER])
        if leaves.any():
            cursor.execute(LEAVE, [season, braced(who[leaves].tolist())])


def stand_in(season: int, histogram: Histogram, stretch: int) -> tuple[Floats, Integers]:
    """The places of all who stand in a stretch, in order."""
    with connection.cursor() as cursor:
        cursor.execute(STRETCH, [season, *histogram.low(stretch), int(histogram.counts[stretch])])
        keys, players = zip(*cursor.fetchall(), strict=True)
    return np.array(keys), np.array(players)


def load_histogram(season: int) -> Histogram | None:
    columns = ("low_keys", "low_players", "counts")
    row = StandingHistogram.objects.filter(pk=season).values_list(*columns).first()
    return Histogram.from_bytes(*row) if row else None


def write_histogram(season: int, before: Histogram | None, after: Histogram) -> None:
    with connection.cursor() as cursor:
        counts = after.counts_bytes()
        if before is not None and same_bounds(before, after):
            cursor.execute(WRITE_COUNTS, [after.total, counts, season])
        else:
            cursor.execute(WRITE_ALL, [season, after.total, *after.bounds_bytes(), counts])


def same_bounds(one: Histogram, other: Histogram) -> bool:
    return one.low_keys is other.low_keys or (
        np.array_equal(one.low_keys, other.low_keys)
        and np.array_equal(one.low_players, other.low_players)
    )
