"""The weight of a win after the winner's earlier wins over the same opponents.

With more than two sides, everybody wins over those placed below.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from django.db import connection

from league.services.core.clock import microseconds
from ratings.replay import replay
from ratings.seasons.even_wins import even_wins, in_even_wins, unconfirmed_kept
from ratings.seasons.one_sided import (
    HALF_YEAR,
    Earlier,
    EarlierOfMany,
    share_left,
    share_left_of_many,
    share_of_unranked,
)
from ratings.types import NEVER

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from league.services.core.locking import LockedMatch
    from league.services.rating.rate import Held
    from ratings.system import RatingSystem
    from ratings.types import States

One = TypeVar("One", Earlier, EarlierOfMany)

Gains = Callable[[float], dict[int, float]]
"""The gain of each player, in points of chess, if a match counted by a share."""

LATEST = 500
"""The most matches that are read of a player, those that count, latest first."""

LARGEST_READ = 100_000
"""Roughly how many opponents are read for a match of more than two sides."""

EARLIER_MATCHES = """
    WITH latest AS (
        SELECT one.match_id, one.player_id, one.side_id
        FROM unnest(%(players)s::bigint[]) AS u(player)
        CROSS JOIN LATERAL (
            SELECT p.match_id, p.player_id, p.side_id FROM league_participant AS p
            JOIN league_match AS g ON g.id = p.match_id
            WHERE p.player_id = u.player AND g.season_id = %(season)s AND g.status = 'rated'
                AND g.kind = 'game' AND g.settlement <> 'import'
            ORDER BY p.match_id DESC LIMIT %(latest)s
        ) AS one
    )
    SELECT l.player_id, m.contest_weight, m.played_at, e.rating_after, e.games, e.rating_before,
        e.deviation_before, e.volatility_before, e.last_played_before, opponents.*
    FROM latest AS l
    JOIN league_match AS m ON m.id = l.match_id
    JOIN league_ratingevent AS e ON e.match_id = m.id AND e.player_id = l.player_id
        AND e.superseded_by_id IS NULL AND NOT e.ignored
    CROSS JOIN LATERAL ({opponents}) AS opponents
    WHERE m.settled_at > %(since)s
    ORDER BY m.rated_order
"""

# Each player's matches with the shares of their opponents who are the same as now, of others who
# restore the budget, and of those who have no rank though the player is limited, and the opponent
# if there was one, oldest first.
EARLIER = EARLIER_MATCHES.format(
    opponents="""
        SELECT avg((NOT kind.unknown AND t.player_id = ANY(%(opponents)s))::int)::float8 AS same,
            avg((NOT kind.unknown AND t.player_id <> ALL(%(opponents)s))::int)::float8 AS others,
            avg(kind.unknown::int)::float8 AS unranked,
            CASE WHEN count(*) = 1 THEN min(t.player_id) END AS single
        FROM league_participant AS t
        LEFT JOIN league_rating AS r ON r.season_id = %(season)s AND r.player_id = t.player_id
        CROSS JOIN LATERAL (
            SELECT l.player_id = ANY(%(limited)s)
                AND (r.connected OR r.proven) IS NOT TRUE AS unknown
        ) AS kind
        WHERE t.match_id = l.match_id AND t.side_id <> l.side_id
    """
)

# Each player's matches with how many opponents they had, how many of these have no rank though the
# player is limited, the opponent if there was one, and which of them play now, oldest first.
EARLIER_OF_MANY = EARLIER_MATCHES.format(
    opponents="""
        SELECT count(*),
            count(*) FILTER (
                WHERE l.player_id = ANY(%(limited)s) AND (r.connected OR r.proven) IS NOT TRUE
            ),
            CASE WHEN count(*) = 1 THEN min(t.player_id) END,
            coalesce(array_agg(t.player_id) FILTER (WHERE t.player_id = ANY(%(players)s)), '{}')
        FROM league_participant AS t
        LEFT JOIN league_rating AS r ON r.season_id = %(season)s AND r.player_id = t.player_id
        WHERE t.match_id = l.match_id AND t.side_id <> l.side_id
    """
)


def one_sidedness(
    locked: LockedMatch, held: Held, sides: dict[int, int], met: bool, now: datetime
) -> float:
    """Return how much a match counts by its winners' budgets, 1 for fully.

    ``met`` says whether any of its players have met in earlier matches. If not, and none of those
    who are limited plays somebody without a rank, nothing has to be read.
    """
    if not locked.fair_play.same_opponents:
        return 1.0
    gains = trial(locked, held)
    if len(locked.match.sides) != 2:
        return one_sidedness_of_many(locked, sides, gains, met, now)
    return min(
        (
            share
            for side in gaining(locked)
            for share in shares(locked, sides, side, gains, met, now)
        ),
        default=1.0,
    )


def trial(locked: LockedMatch, held: Held) -> Gains:
    """Return what tells the gains of a match without rating it."""

    @cache
    def gains(share: float) -> dict[int, float]:
        weights = np.array([locked.match.weight * share])
        rated = replay(locked.system, replace(held.history, weights=weights), held.states)
        changes = locked.system.in_chess(rated.before.rating, rated.after.rating)
        players = (int(held.history.players[row]) for row in held.history.player.tolist())
        return dict(zip(players, changes.tolist(), strict=True))

    return gains


def gaining(locked: LockedMatch) -> list[int]:
    """Return the winning side, or both of a draw: one of them gains by it."""
    one, other = (side.place for side in locked.match.sides)
    if one == other:
        return [0, 1]
    return [0] if one < other else [1]


def shares(
    locked: LockedMatch,
    sides: dict[int, int],
    side: int,
    gains: Gains,
    met: bool,
    now: datetime,
) -> Iterator[float]:
    """Yield what is left of the budgets of each player of a side."""
    own = [player for player, theirs in sides.items() if theirs == side]
    opponents = [player for player, theirs in sides.items() if theirs != side]
    limited = [player for player in own if player in locked.limited]
    unranked = len(set(opponents) - locked.proven) / len(opponents)
    if not met and not (limited and unranked):
        return
    selected: dict[str, Any] = {
        "players": own,
        "opponents": opponents,
        "limited": limited,
        "latest": LATEST,
        "season": locked.season_id,
        "since": now - timedelta(seconds=HALF_YEAR),
    }
    earlier = read_earlier(EARLIER, selected, locked.system, Earlier)
    for player in own:
        matches = earlier.get(player, [])
        yield share_left(locked.fair_play, matches)
        if unranked and player in locked.limited:
            gain_at = gain_of(player, gains, unranked)
            yield share_of_unranked(unconfirmed_kept(locked.system), matches, gain_at)


def read_earlier(
    query: str, selected: dict[str, Any], system: RatingSystem, kind: Callable[..., One]
) -> dict[int, list[One]]:
    """Return what players' earlier matches mean for their budgets, oldest first.

    What a win moved is compared with an even win at the ratings of then. A match that was to count
    twice moved twice as much.
    """
    with connection.cursor() as cursor:
        cursor.execute(query, selected)
        rows = [(Before(*row[: len(Before._fields)]), row[len(Before._fields) :]) for row in cursor]
    if not rows:
        return {}
    befores = [before for before, _opponents in rows]
    states = Before.states(befores, system)
    gained = np.array([one.rating_after for one in befores]) - states.rating
    wins = in_even_wins(
        gained,
        even_wins(
            system,
            states,
            np.array([microseconds(one.played_at) for one in befores], np.int64),
            np.array([one.contest_weight for one in befores], float),
        ),
    )
    points = system.in_chess(states.rating, states.rating + gained)
    found: dict[int, list[One]] = {}
    for (before, opponents), *values in zip(rows, wins.tolist(), points.tolist(), strict=True):
        found.setdefault(before.player, []).append(kind(*values, *opponents))
    return found


class Before(NamedTuple):
    """A player and their rating before an earlier match, and after it."""

    player: int
    contest_weight: float
    played_at: datetime
    rating_after: float
    games: int
    """After it."""
    rating_before: float
    deviation_before: float | None
    volatility_before: float | None
    last_played_before: datetime | None

    @staticmethod
    def states(befores: list[Before], system: RatingSystem) -> States:
        """Return the states before matches, without what a system remembers beside."""
        states = system.newcomers(len(befores))
        return replace(
            states,
            rating=np.array([one.rating_before for one in befores], float),
            deviation=np.array([one.deviation_before for one in befores], float),
            volatility=np.array([one.volatility_before for one in befores], float),
            games=np.array([max(one.games - 1, 0) for one in befores], np.int64),
            last_played=np.array(
                [
                    NEVER
                    if one.last_played_before is None
                    else microseconds(one.last_played_before)
                    for one in befores
                ],
                np.int64,
            ),
        )


def gain_of(player: int, gains: Gains, unranked: float) -> Callable[[float], float]:
    """Return a player's gain from opponents without a rank, for the share a match counts."""
    return lambda share: unranked * gains(share)[player]


def one_sidedness_of_many(
    locked: LockedMatch, sides: dict[int, int], gains: Gains, met: bool, now: datetime
) -> float:
    """Return the same for a match of more than two sides: the least that a player has left."""
    limited = [player for player in sides if player in locked.limited]
    if not met and (not limited or locked.proven.issuperset(sides)):
        return 1.0
    selected: dict[str, Any] = {
        "players": list(sides),
        "limited": limited,
        "latest": min(LATEST, LARGEST_READ // len(sides) ** 2),
        "season": locked.season_id,
        "since": now - timedelta(seconds=HALF_YEAR),
    }
    earlier = read_earlier(EARLIER_OF_MANY, selected, locked.system, EarlierOfMany)
    return min(
        (
            share_of_many(locked, player, sides, earlier.get(player, []), gains)
            for player in sides
            if placed_below(locked, player, sides) and gains(1.0)[player] > 0
        ),
        default=1.0,
    )


def share_of_many(
    locked: LockedMatch,
    player: int,
    sides: dict[int, int],
    earlier: list[EarlierOfMany],
    gains: Gains,
) -> float:
    """Return the share left of a player's budgets for those placed below."""
    opponents = {other for other, side in sides.items() if side != sides[player]}
    strangers = opponents - locked.proven if player in locked.limited else set()
    below = placed_below(locked, player, sides)
    return share_left_of_many(
        locked.fair_play,
        unconfirmed_kept(locked.system),
        earlier,
        [other for other in below if other not in strangers],
        len(strangers.intersection(below)),
        gain_of(player, gains, len(strangers) / len(opponents)),
    )


def placed_below(locked: LockedMatch, player: int, sides: dict[int, int]) -> list[int]:
    """Return the opponents whose side was placed below that of a player, or shared its place."""
    places = [side.place for side in locked.match.sides]
    own = sides[player]
    return [other for other, side in sides.items() if side != own and places[side] >= places[own]]
