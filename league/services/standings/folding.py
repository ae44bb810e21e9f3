"""Keeping the standings fresh: whoever's rating has changed is put in the right place.

Every statement that changes ratings leaves a row for each in ``league_standingchange``, by trigger
and in its own transaction. A fold takes these rows away, looks at the ratings behind them and
writes places and histogram, all in one transaction: killed half-way, it has done nothing. What is
committed while it runs has rows of its own, which the next fold finds, in whatever order they come.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from django.db import OperationalError, connection, transaction

from league.models import Season, StandingHistogram
from league.services.clock import microseconds
from league.services.columns import braced, read_columns
from league.services.standings import binary, divisions
from league.services.standings import rules as ruling
from league.services.standings.divisions import Placed
from league.services.standings.histogram import Histogram
from league.services.standings.rules import Places, Played, places
from ratings.seasons import after_games
from ratings.types import NEVER

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from numpy.typing import NDArray

    from ratings.seasons import Decay
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

DUE = """
    SELECT player_id FROM league_standing WHERE season_id = %s AND due <= %s
    ORDER BY due LIMIT %s
"""

# What is held of players and what their ratings say, a row each, in their order.
STANDINGS = f"""
    SELECT s.player_id IS NOT NULL AS there, coalesce(s.ctid, '(0,0)') AS row,
        coalesce(s.key, 0) AS key,
        coalesce(s.active, false) AS active, coalesce(s.decaying, 0) AS decaying,
        coalesce(s.due, {NEVER}) AS due, coalesce(s.division, -1) AS division,
        coalesce(r.rating, 0) AS rating, coalesce(r.games, 0) AS games,
        coalesce(r.last_played_at, '-infinity') AS last_played,
        r.opening IS NOT NULL AS returning
    FROM unnest(%s::bigint[]) WITH ORDINALITY AS u(player, nth)
    LEFT JOIN league_standing AS s ON s.season_id = %s AND s.player_id = u.player
    LEFT JOIN league_rating AS r ON r.season_id = %s AND r.player_id = u.player
    ORDER BY u.nth
"""  # noqa: S608 - a number of this program
KINDS = {
    "there": "b", "row": "tid", "key": "f8", "active": "b", "decaying": "f8", "due": "i8",
    "division": "i8", "rating": "f8", "games": "i8", "last_played": "time", "returning": "b",
}  # fmt: skip

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


@dataclass(frozen=True)
class Held:
    """What the projection holds of ``n`` players."""

    there: Booleans
    """Whether it holds anything; the rest is without meaning where it does not."""
    row: NDArray[np.void]
    """Where the row lies in its table, until it is written."""
    key: Floats
    active: Booleans
    decaying: Floats
    due: Integers
    division: Integers
    """-1 for none."""


def fold_pending(now: datetime) -> int:
    """Put every rating that has changed, or is due to, in its place; how many."""
    with connection.cursor() as cursor:
        cursor.execute(PENDING, [microseconds(now)])
        waiting = [row[0] for row in cursor.fetchall()]
    return sum(
        fold_all(season, now)
        for season in Season.objects.filter(pk__in=waiting).select_related("arena")
    )


def fold_all(season: Season, now: datetime) -> int:
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
        changed = {row[0] for row in cursor.fetchall()}
        cursor.execute(DUE, [season.pk, microseconds(now), batch])
        due = {row[0] for row in cursor.fetchall()}
    if changed or due:
        put(season, changed, due, now)
    return len(changed | due)


def put(season: Season, changed: set[int], due: set[int], now: datetime) -> None:
    """Put players in their places: those whose ratings have changed, and those for whom time has
    come. The caller holds the season's lock.
    """
    rules = ruling.rules_of(season)
    who = np.array(sorted(changed | due))
    held, played = read(season.pk, who)
    if rules.decay and changed:
        again = np.array(sorted(changed))
        played.decaying[np.searchsorted(who, again)] = decaying(season.pk, again, rules.decay)
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
        who, new.key, held.division, entered, held.there & ~new.placed, np.isin(who, list(changed))
    )
    divisions.settle(season, placed, before, after, now)


def read(season: int, who: Integers) -> tuple[Held, Played]:
    """What is held of these players, and their ratings with the decay time that is held; no games
    where there is no rating."""
    rows = read_columns(STANDINGS, [braced(who.tolist()), season, season], KINDS)
    names = ("there", "row", "key", "active", "decaying", "due", "division")
    held = Held(*(rows[name] for name in names))
    played = Played(
        rows["rating"],
        rows["games"],
        rows["last_played"],
        rows["decaying"].copy(),
        rows["returning"],
    )
    return held, played


def decaying(season: int, who: Integers, decay: Decay) -> Floats:
    """``(n,)`` seconds of decay time that each player's games have left."""
    with connection.cursor() as cursor:
        cursor.execute(GAMES, [braced(who.tolist()), season])
        rows = cursor.fetchall()
    if not rows:
        return np.zeros(len(who))
    player, played_at = zip(*rows, strict=True)
    return after_games(decay, np.searchsorted(who, player), moments(played_at), len(who))


def moments(column: Sequence[int | None]) -> Integers:
    """Microseconds since 1970, ``NEVER`` for none."""
    return np.array([NEVER if at is None else at for at in column], np.int64)


def write_places(season: int, who: Integers, held: Held, new: Places, changed: Booleans) -> None:
    def stage(chosen: Booleans) -> None:
        cursor.execute(STAGE)
        columns = (held.row, who, new.key, new.active, new.decaying, new.due)
        rows = {name: column[chosen] for name, column in zip(STAGED, columns, strict=True)}
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
