"""Write the results and ratings of a whole history, by COPY and in arrays."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db import connection

from league.services.rating.rate import array_text, columns, numbers, times

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from league.models import Season
    from league.services.core.types import Progress
    from ratings.history import History
    from ratings.replay import Replay
    from ratings.types import Integers, States

WRITE_RATINGS = """
    UPDATE league_rating AS r
    SET rating = u.rating, deviation = u.deviation, volatility = u.volatility, games = u.games,
        last_played_at = u.last_played_at, memory = u.memory::float8[]
    FROM unnest(%s::bigint[], %s::float8[], %s::float8[], %s::float8[], %s::int[],
        %s::timestamptz[], %s::text[])
        AS u(id, rating, deviation, volatility, games, last_played_at, memory)
    WHERE r.season_id = %s AND r.id = u.id
"""

LEDGER_COLUMNS = (
    "games, rating_before, rating_after, deviation_before, deviation_after, volatility_before, "
    "volatility_after, why, last_played_before, ignored"
)
EVENT_COLUMNS = f"season_id, match_id, player_id, rated_at, {LEDGER_COLUMNS}"
AT_ONCE = 10_000
"""Participations whose values are in memory at once while they are written."""


def write_events(
    season: Season,
    history: History,
    ids: Sequence[int],
    match_ids: list[int],
    outcome: Replay,
    now: datetime,
    progress: Progress,
) -> None:
    """Write one rating event per participation, in the order of rating."""
    matches = np.repeat(np.array(match_ids), np.diff(history.match_offsets)).tolist()
    players = [ids[code] for code in history.player.tolist()]
    rows = zip(matches, players, ledger_rows(outcome), strict=True)
    copy(
        "league_ratingevent",
        EVENT_COLUMNS,
        ((season.pk, match, player, now, *values) for match, player, values in rows),
        len(players),
        progress,
    )


def ledger_rows(outcome: Replay) -> Iterator[tuple[Any, ...]]:
    """Yield what the ledger keeps of each participation, in the order of ``LEDGER_COLUMNS``."""
    names = LEDGER_COLUMNS.split(", ")
    for start in range(0, len(outcome.after), AT_ONCE):
        some = columns(some_rows(outcome, slice(start, start + AT_ONCE)))
        yield from zip(*(some[name] for name in names), strict=True)


def some_rows(outcome: Replay, rows: Integers | slice) -> Replay:
    """Return some participations of a replay."""
    return replace(
        outcome,
        before=outcome.before.take(rows),
        after=outcome.after.take(rows),
        terms={name: values[rows] for name, values in outcome.terms.items()},
        ignored=outcome.ignored[rows],
    )


def write_ratings(season: Season, rating_ids: list[int], states: States) -> None:
    """Write states to a season's rating rows."""
    with connection.cursor() as cursor:
        cursor.execute(
            WRITE_RATINGS,
            [
                rating_ids,
                states.rating.tolist(),
                numbers(states.deviation),
                numbers(states.volatility),
                states.games.tolist(),
                times(states.last_played),
                [array_text(row) for row in states.memory],
                season.pk,
            ],
        )


def silent(step: str, done: int, total: int) -> None:
    """Tell nobody about a step: a job's progress asks the database, which is taking rows."""


def next_values(sequence: str, count: int) -> list[int]:
    """Reserve and return ``count`` values of a sequence."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT nextval({sequence}) FROM generate_series(1, %s)", [count])  # noqa: S608 - a literal of this file
        return [value for (value,) in cursor.fetchall()]


def copy(
    table: str, names: str, rows: Iterator[tuple[Any, ...]], total: int, progress: Progress
) -> None:
    """Write rows by COPY."""
    step = f"writing {table.removeprefix('league_')}"
    with connection.cursor() as cursor, cursor.copy(f"COPY {table} ({names}) FROM STDIN") as into:
        for done, row in enumerate(rows, start=1):
            into.write_row(row)
            if done % 10_000 == 0 or done == total:
                progress(step, done, total)
