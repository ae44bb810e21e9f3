"""Report and confirm a duel in raw psycopg, by the same rules and with the same rows as Laurel.

This is what a careful programmer would write for one arena of duels: one statement for each table,
prepared by the driver, and Glicko-2 in plain floats. It takes the same locks, reads what the rules
ask for (season, bans, accounts, other reports of the game, the reporter's limits, meetings of the
opponents) and stops at anything unusual instead of explaining it.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, LiteralString
from uuid import UUID

import psycopg
from psycopg.types.json import Jsonb

from ratings.seasons.fair_play import FairPlay
from ratings.seasons.one_sided import HALF_YEAR, Earlier, share_left

SCALE = 400 / math.log(10)
TAU = 0.5
REPEAT_FACTOR = 0.8
MOST_OPEN, MOST_RECENT = 20, 10
PER_DAY, PER_WEEK = 3, 10
DAY, WEEK = timedelta(days=1), timedelta(days=7)
RECENT = timedelta(minutes=10)
RULES = FairPlay()
IDLE_PERIOD = 30 * 86_400
GROWTH = (350**2 - 30**2) / 240

TAKE_TURNS: LiteralString = """
    SELECT pg_advisory_xact_lock(key) FROM (
        SELECT hashtextextended('a player', unnest(%s::bigint[])) AS key ORDER BY key
    ) AS keys
"""
SITUATION: LiteralString = """
    SELECT
        (SELECT id FROM league_season WHERE arena_id = %(arena)s AND opened_at IS NOT NULL
            AND starts_at <= %(now)s AND (ends_at IS NULL OR ends_at > %(now)s)),
        EXISTS (SELECT FROM league_dishonoraward AS a WHERE a.player_id = ANY(%(players)s)
            AND a.offence = 'Banned' AND (a.ends_at IS NULL OR a.ends_at > %(now)s)
            AND NOT EXISTS (SELECT FROM league_amnesty AS y WHERE y.award_id = a.id)),
        (SELECT bool_and(u.is_active) FROM league_player AS p
            LEFT JOIN league_user AS u ON u.id = p.user_id WHERE p.id = %(other)s),
        EXISTS (SELECT FROM league_match AS m WHERE m.arena_id = %(arena)s
            AND m.lineup = %(lineup)s AND m.status = 'reported'
            AND m.played_at > %(now)s - interval '1 day'
            AND m.played_at < %(now)s + interval '1 day'),
        EXISTS (SELECT FROM league_match AS m WHERE m.reported_by_id = %(one)s
            AND m.reported_at > %(now)s - interval '10 minutes' AND m.arena_id = %(arena)s
            AND m.result_digest = %(result)s AND m.status <> 'void'),
        (SELECT count(*) FROM league_match AS m
            WHERE m.reported_by_id = %(one)s AND m.status = 'reported'),
        (SELECT count(*) FROM league_match AS m WHERE m.reported_by_id = %(one)s
            AND m.reported_at > %(recent)s AND m.reported_at <= %(now)s),
        (SELECT array_agg(m.reported_at) FROM league_participant AS a
            JOIN league_participant AS b ON b.match_id = a.match_id AND b.player_id = %(other)s
            JOIN league_match AS m ON m.id = a.match_id
            WHERE a.player_id = %(one)s AND m.arena_id = %(arena)s AND m.kind = 'game'
                AND m.reported_at > %(week)s AND m.status IN ('reported', 'disputed', 'rated'))
"""
INSERT_MATCH: LiteralString = """
    INSERT INTO league_match (arena_id, season_id, status, played_at, weight, information,
        reported_at, reported_by_id, reported_by_side, confirm_deadline, dispute_reason,
        settlement, lineup, result_digest, report_digest)
    VALUES (%s, %s, 'reported', %s, 1, '{}', %s, %s, 0, %s, '', '', %s, %s, %s) RETURNING id
"""
INSERT_SIDES: LiteralString = """
    INSERT INTO league_side (match_id, index, place, captain_id, notified_at)
    VALUES (%s, 0, 0, %s, %s), (%s, 1, 1, %s, %s) RETURNING id
"""
INSERT_PARTICIPANTS: LiteralString = """
    INSERT INTO league_participant
        (match_id, side_id, player_id, position, quit, profession, live)
    VALUES (%s, %s, %s, 0, false, '', false), (%s, %s, %s, 0, false, '', false)
"""
INSERT_NOTICE: LiteralString = """
    INSERT INTO league_notice (player_id, kind, match_id, actor_id, created_at, mail_at)
    SELECT p.id, %s, %s, %s, %s, CASE WHEN %s = ANY(coalesce(l.muted, '{rated}'))
        OR l.pace = 'never' THEN NULL ELSE %s + interval '1 minute' END
    FROM league_player AS p LEFT JOIN league_mailpreference AS l ON l.player_id = p.id
    WHERE p.id = %s AND p.user_id IS NOT NULL
"""
LOCK_MATCH: LiteralString = """
    SELECT m.status, m.season_id, m.arena_id, m.played_at, m.reported_by_id, m.revision,
        s.archived_at,
        ARRAY(SELECT captain_id FROM league_side WHERE match_id = m.id ORDER BY index)
    FROM league_match AS m JOIN league_season AS s ON s.id = m.season_id
    WHERE m.id = %s FOR NO KEY UPDATE OF m FOR KEY SHARE OF s
"""
MEETINGS: LiteralString = """
    SELECT count(*) FROM league_participant AS a
    JOIN league_participant AS b ON b.match_id = a.match_id AND b.player_id = %s
    JOIN league_match AS m ON m.id = a.match_id
    WHERE a.player_id = %s AND m.arena_id = %s AND m.kind = 'game' AND m.settled_at > %s
        AND m.status = 'rated' AND m.settlement <> 'import'
"""
WON: LiteralString = """
    SELECT m.played_at, e.rating_after, e.rating_before, e.deviation_before, e.volatility_before,
        e.games - 1, e.last_played_before, (o.player_id = %s)::int::float8
    FROM league_participant AS a
    JOIN league_match AS m ON m.id = a.match_id
    JOIN league_ratingevent AS e ON e.match_id = m.id AND e.player_id = a.player_id
        AND e.superseded_by_id IS NULL
    JOIN league_participant AS o ON o.match_id = m.id AND o.player_id <> a.player_id
    WHERE a.player_id = %s AND m.season_id = %s AND m.status = 'rated' AND m.kind = 'game'
        AND m.settlement <> 'import' AND m.settled_at > %s
    ORDER BY m.rated_order
"""
LOCK_RATINGS: LiteralString = """
    SELECT player_id, id, rating, deviation, volatility, games, last_played_at
    FROM league_rating WHERE season_id = %s AND player_id = ANY(%s) ORDER BY id FOR UPDATE
"""
SETTLE: LiteralString = """
    UPDATE league_match SET status = 'rated', settled_at = %s, settlement = 'captain', weight = %s,
        one_sided = %s, forecast = %s, confirmed_by_id = %s, confirmed_by_side = 1,
        rated_order = nextval('league_match_rated_order')
    WHERE id = %s
"""
UPDATE_RATINGS: LiteralString = """
    UPDATE league_rating AS r
    SET rating = u.rating, deviation = u.deviation, volatility = u.volatility,
        games = r.games + 1, last_played_at = greatest(r.last_played_at, %s),
        wins = r.wins + (u.outcome = 1)::int,
        streak = CASE WHEN r.outcome = u.outcome THEN r.streak + 1 ELSE 1 END,
        outcome = u.outcome
    FROM unnest(%s::bigint[], %s::float8[], %s::float8[], %s::float8[], %s::int[])
        AS u(id, rating, deviation, volatility, outcome)
    WHERE r.season_id = %s AND r.id = u.id
"""
INSERT_EVENTS: LiteralString = """
    INSERT INTO league_ratingevent (season_id, match_id, player_id, rated_at, games,
        rating_before, rating_after, deviation_before, deviation_after,
        volatility_before, volatility_after, why, last_played_before)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s),
        (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
"""
SEE_NOTICES: LiteralString = """
    UPDATE league_notice SET seen_at = %s, mail_at = NULL
    WHERE match_id = %s AND kind = 'reported' AND seen_at IS NULL AND player_id = %s
"""


@dataclass
class Held:
    """A player's rating row."""

    pk: int
    rating: float
    deviation: float
    volatility: float
    games: int
    last_played_at: datetime | None


def digest(*values: object) -> UUID:
    return UUID(bytes=hashlib.blake2b(repr(values).encode(), digest_size=16).digest())


def submit(database: psycopg.Connection, arena: int, one: int, other: int, now: datetime) -> None:
    """Report a win of one player and confirm it as the other, in two transactions."""
    confirm(database, report(database, arena, one, other, now), other, now)


def report(database: psycopg.Connection, arena: int, one: int, other: int, now: datetime) -> int:
    lineup, result = digest(sorted([one, other])), digest(one, other, 0, 1)
    with database.transaction():
        database.execute(TAKE_TURNS, [[one, other]])
        found = only(
            database,
            SITUATION,
            {
                "arena": arena,
                "one": one,
                "other": other,
                "players": [one, other],
                "lineup": lineup,
                "result": result,
                "now": now,
                "recent": now - RECENT,
                "week": now - WEEK,
            },
        )
        season, banned, active, rival, repeated, still_open, recent, met = found
        today = sum(at > now - DAY for at in met or ())
        if banned or not active or rival or repeated or season is None:
            raise ValueError("This report is refused.")
        if still_open >= MOST_OPEN or recent >= MOST_RECENT:
            raise ValueError("Too many reports.")
        if today >= PER_DAY or len(met or ()) >= PER_WEEK:
            raise ValueError("They have met too often.")
        content = digest(arena, one, other, now)
        (match,) = only(
            database,
            INSERT_MATCH,
            [arena, season, now, now, one, now + 2 * DAY, lineup, result, content],
        )
        sides = database.execute(INSERT_SIDES, [match, one, now, match, other, now]).fetchall()
        database.execute(INSERT_PARTICIPANTS, [match, sides[0][0], one, match, sides[1][0], other])
        database.execute(INSERT_NOTICE, ["reported", match, one, now, "reported", now, other])
    return int(match)


def confirm(database: psycopg.Connection, match: int, by: int, now: datetime) -> None:
    with database.transaction():
        found = only(database, LOCK_MATCH, [match])
        status, season, arena, played_at, reporter, revision, archived_at, captains = found
        if status != "reported" or archived_at or revision != 1:
            raise ValueError("This match cannot be confirmed.")
        if by == reporter or by not in captains:
            raise ValueError("Only the other captain can confirm it.")
        database.execute(TAKE_TURNS, [captains])
        (met,) = only(database, MEETINGS, [*captains, arena, now - WEEK])
        weight, share = max(REPEAT_FACTOR**met, 0.01), 1.0
        rows = database.execute(LOCK_RATINGS, [season, captains]).fetchall()
        held = {row[0]: Held(*row[1:]) for row in rows}
        winner, loser = (held[player] for player in captains)
        if met:
            first, second = captains
            since = now - timedelta(seconds=HALF_YEAR)
            won = database.execute(WON, [second, first, season, since]).fetchall()
            share = share_left(RULES, [earlier(*row) for row in won])
            weight *= share
        rated = [
            glicko2(winner, loser, 1.0, weight, played_at),
            glicko2(loser, winner, 0.0, weight, played_at),
        ]
        first = chance(winner, loser, played_at)
        forecast = [first, 1 - first]
        less = share if share < 1 else None
        database.execute(SETTLE, [now, weight, less, forecast, by, match])
        database.execute(
            UPDATE_RATINGS,
            [
                played_at,
                [winner.pk, loser.pk],
                [new["rating"] for new in rated],
                [new["deviation_after"] for new in rated],
                [new["volatility"] for new in rated],
                [1, -1],
                season,
            ],
        )
        events: list[Any] = []
        for player, was, new in zip(captains, [winner, loser], rated, strict=True):
            events += [
                season, match, player, now, was.games + 1, was.rating, new.pop("rating"),
                was.deviation, new.pop("deviation_after"), was.volatility, new.pop("volatility"),
                Jsonb(new), was.last_played_at,
            ]  # fmt: skip
        database.execute(INSERT_EVENTS, events)
        database.execute(SEE_NOTICES, [now, match, by])
        database.execute(INSERT_NOTICE, ["rated", match, by, now, "rated", now, reporter])


def earlier(at: datetime, after: float, *was: Any) -> Earlier:
    """Return what an earlier match means for the winner's budget, in even wins."""
    *state, same = was
    before = Held(0, *state)
    even = glicko2(before, before, 1.0, 1.0, at)["rating"] - before.rating
    return Earlier((after - before.rating) / even, math.nan, same, 1.0 - same)


def only(database: psycopg.Connection, statement: LiteralString, values: Any) -> tuple[Any, ...]:
    row = database.execute(statement, values).fetchone()
    if row is None:
        raise ValueError("There is no such row.")
    return row


def grow_deviation(player: Held, at: datetime) -> float:
    """Return the deviation of a player after inactivity."""
    if player.last_played_at is None:
        return player.deviation
    idle = (at - player.last_played_at).total_seconds() // IDLE_PERIOD
    if idle < 1:
        return player.deviation
    return min(math.sqrt(player.deviation**2 + idle * GROWTH), 350.0)


def chance(player: Held, opponent: Held, at: datetime) -> float:
    """Return the chance to win before a match, counting both deviations."""
    variance = grow_deviation(player, at) ** 2 + grow_deviation(opponent, at) ** 2
    g = 1 / math.sqrt(1 + 3 * variance / (SCALE * math.pi) ** 2)
    return 1 / (1 + math.exp(-g * (player.rating - opponent.rating) / SCALE))


def glicko2(
    player: Held, opponent: Held, score: float, weight: float, at: datetime
) -> dict[str, float]:
    """Return a player's new state, and the terms of the change, after Glickman's example."""
    own, theirs = grow_deviation(player, at), grow_deviation(opponent, at)
    g = 1 / math.sqrt(1 + 3 * (theirs / SCALE / math.pi) ** 2)
    expected = 1 / (1 + math.exp(-g * (player.rating - opponent.rating) / SCALE))
    surprise = weight * g * (score - expected)
    information = weight * g * g * expected * (1 - expected)
    phi2 = (own / SCALE) ** 2
    volatility = min(
        max(new_volatility(player.volatility, phi2, surprise, information), 0.04), 0.08
    )
    after2 = 1 / (1 / (phi2 + volatility**2) + information)
    step = SCALE * after2
    change = min(max(step * surprise, -300.0), 300.0)
    return {
        "rating": min(max(player.rating + change, 100.0), 5000.0),
        "deviation_after": min(max(SCALE * math.sqrt(after2), 30.0), 350.0),
        "volatility": volatility,
        "expected": expected,
        "actual": score,
        "opposition": opponent.rating,
        "opposition_deviation": theirs,
        "deviation": own,
        "surprise": surprise,
        "information": information,
        "step": step,
        "change": change,
    }


def new_volatility(sigma: float, phi2: float, surprise: float, information: float) -> float:
    """Return the new volatility by the Illinois algorithm, step 5 of the example."""
    v = 1 / information
    delta2 = (v * surprise) ** 2
    a = math.log(sigma**2)

    def f(x: float) -> float:
        e = math.exp(x)
        return e * (delta2 - phi2 - v - e) / (2 * (phi2 + v + e) ** 2) - (x - a) / TAU**2

    low = a
    if delta2 > phi2 + v:
        high = math.log(delta2 - phi2 - v)
    else:
        k = 1
        while f(a - k * TAU) < 0:
            k += 1
        high = a - k * TAU
    f_low, f_high = f(low), f(high)
    while abs(high - low) > 1e-6:
        between = low + (low - high) * f_low / (f_high - f_low)
        f_between = f(between)
        if f_between * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = between, f_between
    return math.exp(low / 2)
