"""Rate settled results: each exactly once, in the transaction that settles it.

Every result of the league takes this path, so its statements are few and written by hand. A fixed
lock order prevents deadlock: the match, its season (shared; an import locks it exclusively), its
players' turns, the turn to add newcomers where their order matters, new rating rows in player
order, then rating rows in id order.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from django.db import connection
from psycopg.types.json import Jsonb

from league.models import Match, NoticeKind, Settlement
from league.services.core import statements
from league.services.core.clock import microseconds, moment
from league.services.core.turns import MEETINGS, TAKE_TURNS, meetings_between, take_turns, turns_of
from league.services.notices.writing import SEE_REQUESTS, TELL_PLAYERS
from league.services.rating.records import outcomes
from ratings import history
from ratings.replay import Replay, replay
from ratings.types import NEVER, States

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime
    from uuid import UUID

    from league.services.core.locking import LockedMatch
    from ratings.history import History
    from ratings.system import RatingSystem

# After the turns of some players. Rows that change meanwhile are read as they have become.
LOCK_RATINGS = f"""
    WITH turns AS MATERIALIZED ({TAKE_TURNS}), met AS MATERIALIZED (SELECT {MEETINGS} AS found)
    SELECT player_id, id, rating, deviation, volatility, games, last_played_at, memory,
        (SELECT found FROM met)
    FROM league_rating
    WHERE season_id = %(season)s AND player_id = ANY(%(players)s)
        AND (SELECT count(*) FROM turns) >= 0
    ORDER BY id
    FOR UPDATE
"""  # noqa: S608 - a part of ours

TAKE_TURN = "SELECT pg_advisory_xact_lock(hashtextextended('newcomers of a season', %s))"

EXISTING = """
    SELECT count(*), coalesce(array_agg(player_id) FILTER (WHERE player_id = ANY(%s)), '{}')
    FROM league_rating
    WHERE season_id = %s
"""

ADD_NEWCOMERS = """
    INSERT INTO league_rating
        (season_id, player_id, rating, deviation, volatility, games, last_played_at, memory)
    SELECT %s, u.player, u.rating, u.deviation, u.volatility, 0, NULL, u.memory::float8[]
    FROM unnest(%s::bigint[], %s::float8[], %s::float8[], %s::float8[], %s::text[])
        AS u(player, rating, deviation, volatility, memory)
    ORDER BY u.player
    ON CONFLICT (season_id, player_id) DO NOTHING
"""

WRITE_RESULT = statements.compact(f"""
    WITH settled AS (
        UPDATE league_match
        SET status = 'rated', settled_at = %(now)s, settlement = %(settlement)s,
            weight = %(weight)s, one_sided = %(one_sided)s, forecast = %(forecast)s,
            confirmed_by_id = %(confirmed_by)s, confirmed_by_side = %(confirmed_by_side)s,
            confirmed_from = CASE WHEN reported_from IS NOT NULL THEN %(confirmed_from)s::uuid END,
            rated_order = nextval('league_match_rated_order')
        WHERE id = %(match)s
        RETURNING *
    ), entries AS (
        SELECT * FROM json_to_recordset(%(entries)s::json) AS u(
            rating_id bigint, player_id bigint, games int, last_played timestamptz,
            rating_before float8, rating_after float8, deviation_before float8,
            deviation_after float8, volatility_before float8, volatility_after float8,
            memory float8[], why jsonb, last_played_before timestamptz, outcome int2,
            ignored bool)
    ), moved AS (
        UPDATE league_rating AS r
        SET rating = e.rating_after, deviation = e.deviation_after,
            volatility = e.volatility_after, games = e.games,
            last_played_at = e.last_played, memory = e.memory,
            wins = r.wins + coalesce(e.outcome = 1, false)::int,
            draws = r.draws + coalesce(e.outcome = 0, false)::int,
            ignored = r.ignored + e.ignored::int,
            streak = CASE WHEN e.outcome IS NULL THEN r.streak
                WHEN r.outcome = e.outcome THEN r.streak + 1 ELSE 1 END,
            outcome = coalesce(e.outcome, r.outcome)
        FROM entries AS e, settled
        WHERE r.season_id = %(season)s AND r.id = e.rating_id
    ), events AS (
        INSERT INTO league_ratingevent (season_id, match_id, player_id, rated_at, games,
            rating_before, rating_after, deviation_before, deviation_after,
            volatility_before, volatility_after, why, last_played_before, ignored)
        SELECT %(season)s, settled.id, e.player_id, %(now)s, e.games,
            e.rating_before, e.rating_after, e.deviation_before, e.deviation_after,
            e.volatility_before, e.volatility_after, e.why, e.last_played_before, e.ignored
        FROM entries AS e, settled
    ), answered AS (
        {SEE_REQUESTS}
    ), told AS (
        {TELL_PLAYERS}
    )
    SELECT {statements.columns(Match, "settled")} FROM settled
""")  # noqa: S608 - parts of ours


@dataclass(frozen=True)
class Settled:
    """The settlement of a result."""

    settlement: Settlement
    confirmed_by: int | None = None
    confirmed_by_side: int | None = None
    confirmed_from: UUID | None = None

    @property
    def notice(self) -> NoticeKind:
        """Return the notice for the players of the match."""
        by_staff = self.settlement is Settlement.STAFF
        return NoticeKind.DECIDED if by_staff else NoticeKind.RATED


@dataclass(frozen=True)
class Held:
    """The locked rating rows of a match's players, in the order of its history."""

    history: History
    """The match as a history of one match."""
    ids: list[int]
    states: States
    meetings: Sequence[Any] | None = None
    """Earlier matches between its players, as ``MEETINGS`` selects them."""


@dataclass(frozen=True)
class RatedMatch:
    """A match that has just been rated."""

    match: Match
    history: History
    """The match as a history of one match."""
    before: States
    """The states of its players before it."""


def hold(locked: LockedMatch, meetings_since: datetime | None = None) -> Held:
    """Take the turns of a match's players and lock their ratings. Newcomers get theirs first.

    What was not played takes no turns: it repeats nothing, and its writer may hold the season, for
    which reports wait in their turns. Meetings are read for players who take turns.
    """
    record = history.History.build([locked.match])
    players = [int(name) for name in record.players]
    turns = turns_of(players) if locked.match.played else []
    if locked.newcomers:
        take_turns(turns)
        add_newcomers(locked.season_id, locked.newcomers, locked.system)
    selected = locked.season_id, players, turns, locked.arena_id, meetings_since
    rows = lock_rows(*selected)
    if missing := [player for player in players if player not in rows.of]:
        # A correction removed their only result while this waited for the season.
        add_newcomers(locked.season_id, missing, locked.system)
        rows = lock_rows(*selected)
    return Held(record, *states_of([rows.of[player] for player in players]), rows.meetings)


def rate(locked: LockedMatch, held: Held, settled: Settled, now: datetime) -> RatedMatch:
    """Mark a match as rated, update its players' ratings, write their rating events and tell them.

    The caller holds its lock and has checked that it is not yet rated.
    """
    record = replace(held.history, weights=np.array([locked.match.weight]))
    rated = replay(locked.system, record, held.states)
    with connection.cursor() as cursor:
        cursor.execute(
            WRITE_RESULT,
            {
                "now": now,
                "match": locked.pk,
                "season": locked.season_id,
                "settlement": settled.settlement,
                "weight": locked.match.weight,
                "one_sided": locked.one_sided,
                "forecast": locked.forecast,
                "confirmed_by": settled.confirmed_by,
                "confirmed_by_side": settled.confirmed_by_side,
                "confirmed_from": settled.confirmed_from,
                "entries": entries(held, rated, played=locked.match.played),
                "kind": settled.notice.value if locked.match.played else None,
                "actor": settled.confirmed_by,
            },
        )
        match = statements.instance(Match, cursor.fetchone())
    return RatedMatch(match, record, rated.before)


def entries(held: Held, rated: Replay, *, played: bool) -> str:
    """Return the participations of a replay as JSON, by the names that ``WRITE_RESULT`` reads."""
    rows = held.history.player.tolist()
    by_name = {
        "rating_id": [held.ids[row] for row in rows],
        "player_id": [int(held.history.players[row]) for row in rows],
        "memory": [array_text(row) for row in rated.states.memory[held.history.player]],
        "outcome": outcomes(held.history).tolist() if played else [None] * len(rows),
        **columns(rated),
    }
    records = [
        dict(zip(by_name, values, strict=True)) for values in zip(*by_name.values(), strict=True)
    ]
    return json.dumps(records, default=plain, allow_nan=False)


def plain(value: Any) -> object:
    """Return a value of ``columns`` as JSON has it."""
    return value.obj if isinstance(value, Jsonb) else value.isoformat()


def columns(rated: Replay) -> dict[str, list[Any]]:
    """Return the participations of a replay as columns of the ledger."""
    before, after = rated.before, rated.after
    return {
        "games": after.games.tolist(),
        "last_played": times(after.last_played),
        "last_played_before": times(before.last_played),
        "rating_before": before.rating.tolist(),
        "rating_after": after.rating.tolist(),
        "deviation_before": numbers(before.deviation),
        "deviation_after": numbers(after.deviation),
        "volatility_before": numbers(before.volatility),
        "volatility_after": numbers(after.volatility),
        "why": [Jsonb(terms) for terms in explanations(rated)],
        "ignored": rated.ignored.tolist(),
    }


def explanations(rated: Replay) -> list[dict[str, float]]:
    """Return the terms of each participation's change, by name."""
    names = list(rated.terms)
    rows = zip(*(rated.terms[name].tolist() for name in names), strict=True)
    if not names:
        return [{} for _ in range(len(rated.after))]
    return [
        {name: value for name, value in zip(names, row, strict=True) if math.isfinite(value)}
        for row in rows
    ]


def add_newcomers(season_id: int, players: Sequence[int], system: RatingSystem) -> None:
    """Add rating rows for players without one, in order of appearance, before any is locked."""
    population = 0
    if players and system.ranks_population:
        players, population = take_turn_of_season(season_id, players)
    if not players:
        return
    states = system.newcomers(len(players), population)
    with connection.cursor() as cursor:
        cursor.execute(
            ADD_NEWCOMERS,
            [
                season_id,
                list(players),
                states.rating.tolist(),
                numbers(states.deviation),
                numbers(states.volatility),
                [array_text(row) for row in states.memory],
            ],
        )


def take_turn_of_season(season_id: int, players: Sequence[int]) -> tuple[list[int], int]:
    """Lock the season for adding newcomers, until the transaction ends.

    Return those of ``players`` who still have no rating row, and the number of rows there are.
    Newcomers are thus added in the order in which their matches are rated.
    """
    with connection.cursor() as cursor:
        # An advisory lock: locking the season's row would stop results that bring no newcomer.
        cursor.execute(TAKE_TURN, [season_id])
        cursor.execute(EXISTING, [list(players), season_id])
        population, there = cursor.fetchall()[0]
    return [player for player in players if player not in set(there)], population


def lock_ratings(season_id: int, players: Sequence[int]) -> tuple[list[int], States]:
    """Lock the rating rows of ``players`` in id order; return ids and states in players' order."""
    rows = lock_rows(season_id, players)
    return states_of([rows.of[player] for player in players])


class LockedRows(NamedTuple):
    """Locked rating rows by player, and earlier matches between the players."""

    of: dict[int, tuple[Any, ...]]
    meetings: Sequence[Any] | None


def lock_rows(
    season_id: int,
    players: Sequence[int],
    turns: Sequence[int] = (),
    arena_id: int | None = None,
    since: datetime | None = None,
) -> LockedRows:
    """Lock the rating rows of ``players`` in id order, after ``turns``."""
    selected = {
        "season": season_id,
        "players": list(players),
        **meetings_between(turns, arena_id, since, settled=True),
    }
    with connection.cursor() as cursor:
        cursor.execute(LOCK_RATINGS, selected)
        rows = cursor.fetchall()
    return LockedRows({row[0]: row[1:-1] for row in rows}, rows[0][-1] if rows else None)


def states_of(rows: Iterable[tuple[Any, ...]]) -> tuple[list[int], States]:
    """Return the ids and states of database rows.

    Rows are ``(id, rating, deviation, volatility, games, last_played_at, memory)``.
    """
    ids, rating, deviation, volatility, games, last_played, memory = zip(*rows, strict=True)
    width = max(map(len, memory))
    padded = np.full((len(ids), width), np.nan)
    for row, values in enumerate(memory):
        padded[row, : len(values)] = values
    states = States(
        rating=np.array(rating, dtype=float),
        deviation=np.array(deviation, dtype=float),
        volatility=np.array(volatility, dtype=float),
        games=np.array(games, dtype=np.int64),
        last_played=np.array(
            [NEVER if moment is None else microseconds(moment) for moment in last_played],
            dtype=np.int64,
        ),
        memory=padded,
    )
    return list(ids), states


def numbers(values: np.ndarray[Any, np.dtype[np.float64]]) -> list[float | None]:
    """Return floats for the database, with None for NaN."""
    return [None if math.isnan(value) else value for value in values.tolist()]


def times(values: np.ndarray[Any, np.dtype[np.int64]]) -> list[datetime | None]:
    """Return moments for the database, with None for ``NEVER``."""
    return [None if value == NEVER else moment(value) for value in values.tolist()]


def array_text(row: np.ndarray[Any, np.dtype[np.float64]]) -> str:
    """Return a row of a system's memory, without its padding, as a PostgreSQL array."""
    return "{" + ",".join(repr(value) for value in row.tolist() if not math.isnan(value)) + "}"
