"""Divisions: stored with the standings, and updated with them.

A cut is a key. Players before it have reached the division; players in it stay until they fall
behind the key a margin below (``ratings.divisions``). Cuts by percentile or rank move as others
play. Their last keys are stored, so that an update reads only the players whose ratings changed
and those between an old cut and the new one: no other division can change.

Divisions depend on their history, so the ledger of their changes is the truth, and rebuilt
standings take their divisions from it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db import connection
from psycopg import sql

from league.models import StandingCuts
from league.services.core import binary
from league.services.core.columns import read_columns, to_array_literal
from ratings.percentile import PERCENTILES

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from numpy.typing import NDArray

    from league.models import Season
    from league.services.standings.histogram import Histogram
    from ratings.divisions import Scale
    from ratings.types import Booleans, Floats, Integers

KEYS_AT = """
    SELECT (
        SELECT key FROM league_standing
        WHERE season_id = %s AND active AND (key, player_id) >= (u.key, u.player)
        ORDER BY key, player_id OFFSET u.skip LIMIT 1
    )
    FROM unnest(%s::float8[], %s::bigint[], %s::bigint[]) WITH ORDINALITY
        AS u(key, player, skip, nth)
    ORDER BY u.nth
"""

BETWEEN = """
    SELECT s.player_id AS player, s.key, coalesce(s.division, -1) AS division
    FROM unnest(%s::float8[], %s::float8[]) AS u(low, high)
    JOIN league_standing AS s
        ON s.season_id = %s AND s.active AND s.key >= u.low AND s.key < u.high
"""
BETWEEN_KINDS = {"player": "i8", "key": "f8", "division": "i8"}

SET_DIVISIONS = """
    UPDATE league_standing AS s SET division = nullif(u.division, -1)
    FROM unnest(%s::bigint[], %s::smallint[]) AS u(player, division)
    WHERE s.season_id = %s AND s.player_id = u.player
"""

# The match that caused a change is the player's last, unless a correction came after it.
RECORD = """
    INSERT INTO league_divisionchange (season_id, player_id, at, was, becomes, match_id, told)
    SELECT %(season)s, u.player, %(now)s, coalesce((%(names)s::text[])[u.was + 1], ''),
        coalesce((%(names)s::text[])[u.becomes + 1], ''), (
            SELECT e.match_id FROM league_ratingevent AS e
            WHERE u.played AND e.season_id = %(season)s AND e.player_id = u.player
                AND e.superseded_by_id IS NULL AND NOT e.ignored AND NOT EXISTS (
                    SELECT FROM league_correction AS c
                    WHERE c.season_id = %(season)s AND c.at >= e.rated_at
                )
            ORDER BY e.games DESC LIMIT 1
        ), %(announce)s
    FROM unnest(%(players)s::bigint[], %(was)s::smallint[], %(becomes)s::smallint[],
        %(played)s::bool[]) AS u(player, was, becomes, played)
"""

LAST_RECORDED = """
    SELECT DISTINCT ON (player_id) player_id,
        (coalesce(array_position({names}::text[], becomes::text), 0) - 1)::smallint
    FROM league_divisionchange WHERE season_id = {season}
    ORDER BY player_id, id DESC
"""
LAST_RECORDED_KINDS = {"player_id": "bigint", "division": "smallint"}


@dataclass(frozen=True)
class Cuts:
    """The keys at which the divisions above the lowest start, from the lowest up."""

    reached: Floats
    """``(d - 1,)``: players with a lower key have reached the division."""
    kept: Floats
    """``(d - 1,)``: players with a lower key do not lose it."""

    def divisions(self, held: Integers, keys: Floats) -> Integers:
        """Return the divisions of ``(n,)`` keys whose players were in ``held``, -1 for none."""
        reached, kept = (
            len(cuts) - np.searchsorted(cuts[::-1], keys, side="right")
            for cuts in (self.reached, self.kept)
        )
        return np.where(held < 0, reached, np.clip(held, reached, kept))


def divisions_by(cuts: Cuts | None, held: Integers, keys: Floats) -> Integers:
    """Return the divisions of ``(n,)`` keys, as ``Cuts.divisions`` does. Without cuts there are
    none."""
    return np.full(len(keys), -1) if cuts is None else cuts.divisions(held, keys)


def moved_cuts(before: Cuts | None, now: Cuts | None) -> list[tuple[float, float]]:
    """Return the ranges of keys, [low, high), between the cuts before and now."""
    if before is None and now is None:
        return []
    if before is None or now is None or len(before.reached) != len(now.reached):
        return [(-math.inf, math.inf)]
    old = np.concatenate([before.reached, before.kept])
    new = np.concatenate([now.reached, now.kept])
    low, high = np.minimum(old, new), np.maximum(old, new)
    moved = low < high
    return list(zip(low[moved].tolist(), high[moved].tolist(), strict=True))


def cuts_of(scale: Scale, total: int, keys_at: Callable[[list[int]], list[float]]) -> Cuts | None:
    """Return the cuts among ``total`` ranked players; ``keys_at`` returns the keys of positions.

    ``None`` while fewer players are ranked than a scale of percentiles has divisions: a percentile
    says nothing among so few.
    """
    if scale.cuts.by == "percentile" and total < len(scale.divisions):
        return None
    firsts = [division.first for division in scale.divisions[1:]]
    by, margin = scale.cuts.by, scale.cuts.margin
    if by == "rating":
        reached = np.array([math.nextafter(-first, math.inf) for first in firsts])
        kept = np.array([math.nextafter(margin - first, math.inf) for first in firsts])
        return Cuts(reached, kept)
    lower = margin if by == "rank" else -margin
    position = rank_ends_at if by == "rank" else percentile_ends_at
    positions = [position(cut, total) for cut in (*firsts, *(first + lower for first in firsts))]
    top = [0] if by == "percentile" and total else []
    within = [*top, *(at for at in positions if at < total)]
    found = iter(keys_at(within) if within else [])
    best = next(found) if top else -math.inf
    keys = [next(found) if at < total else math.inf for at in positions]
    if by == "rank":  # players with that key share the rank
        keys = [math.nextafter(key, math.inf) for key in keys]
    elif top:  # players with the best key have the highest percentile
        keys = [max(key, math.nextafter(best, math.inf)) for key in keys]
    return Cuts(np.array(keys[: len(firsts)]), np.array(keys[len(firsts) :]))


def rank_ends_at(rank: float, _total: int) -> int:
    """Return the last position, from 0, of a rank."""
    return math.floor(rank) - 1


def percentile_ends_at(percentile: float, total: int) -> int:
    """Return the first position, from 0, below a percentile."""
    above = math.ceil(percentile) - 1
    if total >= PERCENTILES:
        worse = -(-above * total // PERCENTILES)
    else:
        worse = -(-above * max(total - 1, 1) // (PERCENTILES - 1))
    return max(total - max(worse, 0), 0)


@dataclass(frozen=True)
class UpdatedPlayers:
    """Players ``(n,)``, in ascending order, whose standings were just updated."""

    players: Integers
    key: Floats
    held: Integers
    """Their divisions so far, -1 for none."""
    ranked: Booleans
    gone: Booleans
    """Whether they have left the standings."""
    played: Booleans
    """Whether their rating has changed."""


@dataclass(frozen=True)
class Moves:
    """Players ``(n,)`` whose divisions change."""

    players: Integers
    was: Integers
    becomes: Integers
    played: Booleans

    def __len__(self) -> int:
        return len(self.players)

    @classmethod
    def none(cls) -> Moves:
        nobody = np.zeros(0, np.int64)
        return cls(nobody, nobody, nobody, np.zeros(0, bool))

    @classmethod
    def of(cls, players: Integers, was: Integers, becomes: Integers, played: Booleans) -> Moves:
        """Return the moves of those players whose division changes."""
        moved = was != becomes
        return cls(players[moved], was[moved], becomes[moved], played[moved])


def update(
    season: Season,
    updated: UpdatedPlayers,
    before: Histogram | None,
    after: Histogram,
    now: datetime,
) -> None:
    """Update the divisions after the standings, whose histograms are ``before`` and ``after``."""
    scale = season.season_rules().divisions
    if not scale.divisions:
        return
    old = stored_cuts(season.pk)
    new = cuts_of(scale, after.total, lambda positions: keys_at(season.pk, after, positions))
    held = updated.held
    reached = np.where(updated.ranked, divisions_by(new, held, updated.key), held)
    becomes = np.where(updated.gone, -1, reached)
    announce = old is not None or before is None or not before.total
    moves = Moves.of(updated.players, held, becomes, updated.played)
    write(season, moves, now, announce=announce)
    if ranges := moved_cuts(old, new):
        save_cuts(season.pk, new)
        moves = moves_between(season.pk, new, ranges, updated.players)
        write(season, moves, now, announce=announce)


def moves_between(
    season: int, cuts: Cuts | None, ranges: list[tuple[float, float]], others: Integers
) -> Moves:
    """Return the moves of ranked players within ranges of keys, except ``others``."""
    lows, highs = map(list, zip(*ranges, strict=True))
    rows = read_columns(BETWEEN, [lows, highs, season], BETWEEN_KINDS)
    players, first = np.unique(rows["player"], return_index=True)
    was = rows["division"][first]
    becomes = divisions_by(cuts, was, rows["key"][first])
    becomes = np.where(np.isin(players, others), was, becomes)
    return Moves.of(players, was, becomes, np.zeros(len(players), bool))


def write(season: Season, moves: Moves, now: datetime, *, announce: bool) -> None:
    """Store the new divisions of players and record the changes in the ledger."""
    if not len(moves):
        return
    with connection.cursor() as cursor:
        players, becomes = (
            to_array_literal(moves.players.tolist()),
            to_array_literal(moves.becomes.tolist()),
        )
        cursor.execute(SET_DIVISIONS, [players, becomes, season.pk])
    record(season, moves, now, announce=announce)


def record(season: Season, moves: Moves, now: datetime, *, announce: bool) -> None:
    """Record changes of division in the ledger; ``announce`` shows them to the players as news."""
    if not len(moves):
        return
    with connection.cursor() as cursor:
        cursor.execute(
            RECORD,
            {
                "season": season.pk,
                "now": now,
                "names": [division.name for division in season.season_rules().divisions.divisions],
                "players": to_array_literal(moves.players.tolist()),
                "was": to_array_literal(moves.was.tolist()),
                "becomes": to_array_literal(moves.becomes.tolist()),
                "played": to_array_literal(moves.played.tolist()),
                "announce": announce,
            },
        )


def keys_at(season: int, board: Histogram, positions: list[int]) -> list[float]:
    """Return the keys at positions, from 0, of the leaderboard with this histogram."""
    buckets = [board.bucket_at(position) for position in positions]
    lows = [board.low(bucket) for bucket in buckets]
    skips = [
        position - int(board.ahead[bucket])
        for position, bucket in zip(positions, buckets, strict=True)
    ]
    with connection.cursor() as cursor:
        keys, players = [key for key, _player in lows], [player for _key, player in lows]
        cursor.execute(KEYS_AT, [season, keys, players, skips])
        return [key for (key,) in cursor.fetchall()]


def stored_cuts(season: int) -> Cuts | None:
    """Return the cuts of the last update; None before the first."""
    row = StandingCuts.objects.filter(pk=season).first()
    return Cuts(np.array(row.reached, float), np.array(row.kept, float)) if row else None


def save_cuts(season: int, cuts: Cuts | None) -> None:
    if cuts is None:
        StandingCuts.objects.filter(pk=season).delete()
        return
    StandingCuts.objects.bulk_create(
        [StandingCuts(season_id=season, reached=cuts.reached.tolist(), kept=cuts.kept.tolist())],
        update_conflicts=True,
        unique_fields=["season_id"],
        update_fields=["reached", "kept"],
    )


def rebuilt(season: Season, rows: NDArray[Any]) -> tuple[Integers, Moves, Cuts | None]:
    """Return the divisions of all standings ``(n,)``, given in order, from the ledger; the moves
    that are not in the ledger yet; and the cuts."""
    scale = season.season_rules().divisions
    nobody = np.full(len(rows), -1)
    if not scale.divisions:
        return nobody, Moves.none(), None
    players, recorded = last_recorded(season)
    order = np.argsort(players)
    held = nobody.copy()
    if len(players):
        at = np.searchsorted(players, rows["player_id"], sorter=order)
        found = order[np.minimum(at, len(players) - 1)]
        held = np.where(players[found] == rows["player_id"], recorded[found], -1)
    ranked = rows["active"]
    keys = rows["key"][ranked]
    cuts = cuts_of(scale, len(keys), lambda positions: keys[positions].tolist())
    becomes = np.where(ranked, divisions_by(cuts, held, rows["key"]), held)
    gone = ~np.isin(players, rows["player_id"])
    moves = Moves.of(
        np.concatenate([rows["player_id"], players[gone]]),
        np.concatenate([held, recorded[gone]]),
        np.concatenate([becomes, np.full(np.count_nonzero(gone), -1)]),
        np.zeros(len(rows) + np.count_nonzero(gone), bool),
    )
    return becomes, moves, cuts


def last_recorded(season: Season) -> tuple[Integers, Integers]:
    """Return the players in the ledger and their last divisions, -1 for none."""
    names = [division.name for division in season.season_rules().divisions.divisions]
    statement = sql.SQL(LAST_RECORDED).format(
        names=sql.Literal(names), season=sql.Literal(season.pk)
    )
    parts = [
        (rows["player_id"].astype(np.int64), rows["division"].astype(np.int64))
        for rows in binary.read(statement.as_string(None), LAST_RECORDED_KINDS)
    ]
    if not parts:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    players, held = zip(*parts, strict=True)
    return np.concatenate(players), np.concatenate(held)
