"""Who stands in which division: kept with the standings, and settled anew by every fold.

A cut is a key of the order: who stands before it has reached the division, who stands before the
key a margin below has not lost it (``ratings.divisions``). Cuts by percentile or rank move as
others play. The keys at which they lay are kept, so that a fold looks at those whose ratings have
changed and at those who stand between an old cut and the new: nobody else's division can change.

Divisions depend on what was before, so the ledger of their changes is the truth; standings that are
made anew take the divisions from there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db import connection

from league.services.core import binary
from league.services.core.columns import braced, read_columns
from ratings.percentile import GROUPS

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

KEPT = "SELECT reached, kept FROM league_standingcuts WHERE season_id = %s"

KEEP = """
    INSERT INTO league_standingcuts (season_id, reached, kept) VALUES (%s, %s, %s)
    ON CONFLICT (season_id) DO UPDATE SET reached = excluded.reached, kept = excluded.kept
"""

BETWEEN = """
    SELECT s.player_id AS player, s.key, coalesce(s.division, -1) AS division
    FROM unnest(%s::float8[], %s::float8[]) AS u(low, high)
    JOIN league_standing AS s
        ON s.season_id = %s AND s.active AND s.key >= u.low AND s.key < u.high
"""
STANDS = {"player": "i8", "key": "f8", "division": "i8"}

PUT = """
    UPDATE league_standing AS s SET division = nullif(u.division, -1)
    FROM unnest(%s::bigint[], %s::smallint[]) AS u(player, division)
    WHERE s.season_id = %s AND s.player_id = u.player
"""

# The match that brought it about is the player's last, unless a correction came after it.
TELL = """
    INSERT INTO league_divisionchange (season_id, player_id, at, was, becomes, match_id, told)
    SELECT %(season)s, u.player, %(now)s, coalesce((%(names)s::text[])[u.was + 1], ''),
        coalesce((%(names)s::text[])[u.becomes + 1], ''), (
            SELECT e.match_id FROM league_ratingevent AS e
            WHERE u.played AND e.season_id = %(season)s AND e.player_id = u.player
                AND e.superseded_by_id IS NULL AND NOT EXISTS (
                    SELECT FROM league_correction AS c
                    WHERE c.season_id = %(season)s AND c.at >= e.rated_at
                )
            ORDER BY e.games DESC LIMIT 1
        ), %(told)s
    FROM unnest(%(players)s::bigint[], %(was)s::smallint[], %(becomes)s::smallint[],
        %(played)s::bool[]) AS u(player, was, becomes, played)
"""

LAST_TOLD = """
    SELECT DISTINCT ON (player_id) player_id,
        (coalesce(array_position(ARRAY[{names}]::text[], becomes::text), 0) - 1)::smallint
    FROM league_divisionchange WHERE season_id = {season}
    ORDER BY player_id, id DESC
"""
HOLDS = {"player_id": "bigint", "division": "smallint"}


@dataclass(frozen=True)
class Cuts:
    """Where the divisions but the lowest begin in the order, from the lowest up."""

    reached: Floats
    """``(d - 1,)``: who has a lesser key has reached the division."""
    kept: Floats
    """``(d - 1,)``: who has a lesser key does not lose it."""

    def settled(self, held: Integers, keys: Floats) -> Integers:
        """``(n,)`` the divisions of those who held ``held``, -1 for none, and have these keys."""
        reached, kept = (
            len(cuts) - np.searchsorted(cuts[::-1], keys, side="right")
            for cuts in (self.reached, self.kept)
        )
        return np.where(held < 0, reached, np.clip(held, reached, kept))

    def moved(self, before: Cuts | None) -> list[tuple[float, float]]:
        """The stretches of keys between where the cuts lay and where they lie: [low, high)."""
        if before is None or len(before.reached) != len(self.reached):
            return [(-math.inf, math.inf)]
        old = np.concatenate([before.reached, before.kept])
        new = np.concatenate([self.reached, self.kept])
        low, high = np.minimum(old, new), np.maximum(old, new)
        moved = low < high
        return list(zip(low[moved].tolist(), high[moved].tolist(), strict=True))


def cuts_of(scale: Scale, total: int, keys_at: Callable[[list[int]], list[float]]) -> Cuts:
    """The cuts of a board of ``total`` ranked players; ``keys_at`` tells the keys of positions."""
    firsts = [division.first for division in scale.divisions[1:]]
    by, margin = scale.cuts.by, scale.cuts.margin
    if by == "rating":
        reached = np.array([math.nextafter(-first, math.inf) for first in firsts])
        kept = np.array([math.nextafter(margin - first, math.inf) for first in firsts])
        return Cuts(reached, kept)
    lower = margin if by == "rank" else -margin
    position = rank_ends_at if by == "rank" else percentile_ends_at
    positions = [position(cut, total) for cut in (*firsts, *(first + lower for first in firsts))]
    within = [at for at in positions if at < total]
    found = iter(keys_at(within) if within else [])
    keys = [next(found) if at < total else math.inf for at in positions]
    if by == "rank":  # all with that key share the rank
        keys = [math.nextafter(key, math.inf) for key in keys]
    return Cuts(np.array(keys[: len(firsts)]), np.array(keys[len(firsts) :]))


def rank_ends_at(rank: float, _total: int) -> int:
    """The position, from 0, of the last who has this rank."""
    return math.floor(rank) - 1


def percentile_ends_at(percentile: float, total: int) -> int:
    """The position, from 0, that one must stand before to have at least this percentile."""
    above = math.ceil(percentile) - 1
    if total >= GROUPS:
        worse = -(-above * total // GROUPS)
    else:
        worse = -(-above * max(total - 1, 1) // (GROUPS - 1))
    return max(total - max(worse, 0), 0)


@dataclass(frozen=True)
class Placed:
    """Players ``(n,)``, in ascending order, after a fold put them in their places."""

    who: Integers
    key: Floats
    held: Integers
    """Their divisions so far, -1 for none."""
    ranked: Booleans
    gone: Booleans
    """Who has left the standings."""
    played: Booleans
    """Whose rating has changed."""


@dataclass(frozen=True)
class Moves:
    """Players ``(n,)`` whose divisions change."""

    who: Integers
    was: Integers
    becomes: Integers
    played: Booleans

    def __len__(self) -> int:
        return len(self.who)

    @classmethod
    def none(cls) -> Moves:
        nobody = np.zeros(0, np.int64)
        return cls(nobody, nobody, nobody, np.zeros(0, bool))

    @classmethod
    def of(cls, who: Integers, was: Integers, becomes: Integers, played: Booleans) -> Moves:
        """Those of players whose division is another than it was."""
        moved = was != becomes
        return cls(who[moved], was[moved], becomes[moved], played[moved])


def settle(
    season: Season, placed: Placed, before: Histogram | None, after: Histogram, now: datetime
) -> None:
    """Settle the divisions after a fold; ``before`` and ``after`` are the season's histograms."""
    scale = season.season_rules().divisions
    if not scale.divisions:
        return
    old = cuts_kept(season.pk)
    new = cuts_of(scale, after.total, lambda positions: keys_at(season.pk, after, positions))
    settled = np.where(placed.ranked, new.settled(placed.held, placed.key), placed.held)
    becomes = np.where(placed.gone, -1, settled)
    told = old is not None or before is None or not before.total
    write(season, Moves.of(placed.who, placed.held, becomes, placed.played), now, told=told)
    if stretches := new.moved(old):
        keep(season.pk, new)
        write(season, moves_between(season.pk, new, stretches, placed.who), now, told=told)


def moves_between(
    season: int, cuts: Cuts, stretches: list[tuple[float, float]], others: Integers
) -> Moves:
    """Who stands in these stretches of keys and changes division, ``others`` left out."""
    lows, highs = map(list, zip(*stretches, strict=True))
    rows = read_columns(BETWEEN, [lows, highs, season], STANDS)
    players, first = np.unique(rows["player"], return_index=True)
    was = rows["division"][first]
    becomes = cuts.settled(was, rows["key"][first])
    becomes = np.where(np.isin(players, others), was, becomes)
    return Moves.of(players, was, becomes, np.zeros(len(players), bool))


def write(season: Season, moves: Moves, now: datetime, *, told: bool) -> None:
    """Put players in their new divisions and write the changes in the ledger."""
    if not len(moves):
        return
    with connection.cursor() as cursor:
        players, becomes = braced(moves.who.tolist()), braced(moves.becomes.tolist())
        cursor.execute(PUT, [players, becomes, season.pk])
    tell(season, moves, now, told=told)


def tell(season: Season, moves: Moves, now: datetime, *, told: bool) -> None:
    """Write changes of division in the ledger."""
    if not len(moves):
        return
    with connection.cursor() as cursor:
        cursor.execute(
            TELL,
            {
                "season": season.pk,
                "now": now,
                "names": [division.name for division in season.season_rules().divisions.divisions],
                "players": braced(moves.who.tolist()),
                "was": braced(moves.was.tolist()),
                "becomes": braced(moves.becomes.tolist()),
                "played": braced(moves.played.tolist()),
                "told": told,
            },
        )


def keys_at(season: int, board: Histogram, positions: list[int]) -> list[float]:
    """The keys at positions, from 0, of a board that so many stand on."""
    stretches = [board.stretch_at(position) for position in positions]
    lows = [board.low(stretch) for stretch in stretches]
    skips = [
        position - int(board.ahead[stretch])
        for position, stretch in zip(positions, stretches, strict=True)
    ]
    with connection.cursor() as cursor:
        keys, players = [key for key, _player in lows], [player for _key, player in lows]
        cursor.execute(KEYS_AT, [season, keys, players, skips])
        return [key for (key,) in cursor.fetchall()]


def cuts_kept(season: int) -> Cuts | None:
    """Where the cuts lay when divisions were last settled; none if they never were."""
    with connection.cursor() as cursor:
        cursor.execute(KEPT, [season])
        row = cursor.fetchone()
    return Cuts(np.array(row[0], float), np.array(row[1], float)) if row else None


def keep(season: int, cuts: Cuts) -> None:
    with connection.cursor() as cursor:
        cursor.execute(KEEP, [season, cuts.reached.tolist(), cuts.kept.tolist()])


def made_anew(season: Season, rows: NDArray[Any]) -> tuple[Integers, Moves, Cuts | None]:
    """The divisions of all standings ``(n,)``, which are in order, from the ledger and the places;
    what the ledger does not say yet, and where the cuts lie."""
    scale = season.season_rules().divisions
    nobody = np.full(len(rows), -1)
    if not scale.divisions:
        return nobody, Moves.none(), None
    players, told = last_told(season)
    order = np.argsort(players)
    held = nobody.copy()
    if len(players):
        at = np.searchsorted(players, rows["player_id"], sorter=order)
        found = order[np.minimum(at, len(players) - 1)]
        held = np.where(players[found] == rows["player_id"], told[found], -1)
    ranked = rows["active"]
    keys = rows["key"][ranked]
    cuts = cuts_of(scale, len(keys), lambda positions: keys[positions].tolist())
    becomes = np.where(ranked, cuts.settled(held, rows["key"]), held)
    gone = ~np.isin(players, rows["player_id"])
    moves = Moves.of(
        np.concatenate([rows["player_id"], players[gone]]),
        np.concatenate([held, told[gone]]),
        np.concatenate([becomes, np.full(np.count_nonzero(gone), -1)]),
        np.zeros(len(rows) + np.count_nonzero(gone), bool),
    )
    return becomes, moves, cuts


def last_told(season: Season) -> tuple[Integers, Integers]:
    """Players and the divisions that the ledger leaves them in, -1 for none."""
    divisions = season.season_rules().divisions.divisions
    names = ", ".join("'" + division.name.replace("'", "''") + "'" for division in divisions)
    parts = [
        (rows["player_id"].astype(np.int64), rows["division"].astype(np.int64))
        for rows in binary.read(LAST_TOLD.format(names=names, season=season.pk), HOLDS)
    ]
    if not parts:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    players, held = zip(*parts, strict=True)
    return np.concatenate(players), np.concatenate(held)
