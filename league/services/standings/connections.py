"""Players with enough different opponents, and matches against them, to be ranked
(``Rating.connected``), and whose wins over others are limited (``Rating.joined``).

Computed from all of a season's games at once: soon after results, but in a large season only as
often as it takes a small share of a worker's time. A change of it is a change of the rating for
the standings, which are updated as after a result.
"""

from __future__ import annotations

from datetime import timedelta
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from django.db import connection, transaction
from django.db.models import F

from league.models import Participant, Rating, Season, StandingConnections
from league.services.core import binary
from league.services.core.columns import to_array_literal
from ratings.seasons.connections import FEW, find_connections
from ratings.seasons.even_wins import unconfirmed_kept
from ratings.seasons.support import Games, measure_support

if TYPE_CHECKING:
    from datetime import datetime

    from ratings.system import RatingSystem
    from ratings.types import Booleans, Integers

SHARE = 0.02
"""The most of a worker's time that one season takes."""

LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('connections of a season', %s))"

NOTE_CHANGES = """
    INSERT INTO league_standingconnections (season_id, changed, computed, seconds, needed)
    VALUES (%s, 1, 0, 0, 0)
    ON CONFLICT (season_id) DO UPDATE SET changed = league_standingconnections.changed + 1
"""

PLACED = """
    SELECT player_id, connected, joined, proven FROM league_rating
    WHERE season_id = {season}
        AND games >= CASE WHEN played_before IS NULL THEN {matches} ELSE {returning} END
"""
STORED = ("connected", "joined", "proven")
PLACED_KINDS = {"player_id": "bigint", **dict.fromkeys(STORED, "bool")}

GAMES = """
    SELECT p.match_id, p.side_id, p.player_id, m.rated_order,
        coalesce(e.rating_before, 1) AS before, coalesce(e.rating_after, 1) AS after
    FROM league_match AS m JOIN league_participant AS p ON p.match_id = m.id
    LEFT JOIN league_ratingevent AS e
        ON e.match_id = p.match_id AND e.player_id = p.player_id AND e.superseded_by_id IS NULL
    WHERE m.season_id = {season} AND m.status = 'rated' AND m.kind = 'game'
        AND e.ignored IS NOT TRUE
"""
GAMES_OF = """
    AND m.id IN (SELECT own.match_id FROM league_participant AS own WHERE own.player_id = {player})
"""
GAME_KINDS = {
    "match_id": "bigint",
    "side_id": "bigint",
    "player_id": "bigint",
    "rated_order": "bigint",
    "before": "float8",
    "after": "float8",
}

# Ratings are locked in the order in which settlements lock them.
WRITE = """
    WITH locked AS MATERIALIZED (
        SELECT id FROM league_rating
        WHERE season_id = %(season)s AND player_id = ANY(%(players)s::bigint[])
        ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE league_rating AS r
    SET connected = u.connected, joined = u.joined, proven = u.proven
    FROM locked, unnest(%(players)s::bigint[], %(connected)s::bool[], %(joined)s::bool[],
        %(proven)s::bool[]) AS u(player, connected, joined, proven)
    WHERE r.season_id = %(season)s AND r.id = locked.id AND r.player_id = u.player
"""

OPPONENTS = """
    SELECT count(DISTINCT theirs.player_id)
    FROM league_participant AS own
    JOIN league_match AS m ON m.id = own.match_id
    JOIN league_participant AS theirs
        ON theirs.match_id = own.match_id AND theirs.side_id <> own.side_id
    JOIN league_rating AS r ON r.season_id = %(season)s AND r.player_id = theirs.player_id
    WHERE own.player_id = %(player)s AND m.season_id = %(season)s AND m.status = 'rated'
        AND m.kind = 'game' AND r.joined AND NOT EXISTS (
            SELECT FROM league_ratingevent AS e
            WHERE e.match_id = own.match_id AND e.player_id = own.player_id
                AND e.superseded_by_id IS NULL AND e.ignored
        )
"""


class Computed(NamedTuple):
    """The connections of a season's players who have played enough to be ranked."""

    players: Integers
    """``(n,)``."""
    stored: Booleans
    """``(3, n)``: as stored with their ratings, in the order of the next three."""
    connected: Booleans
    """``(n,)``: as the games give it."""
    joined: Booleans
    """``(n,)``: players with enough opponents, with or without the matches and points for a
    rank."""
    proven: Booleans
    """``(n,)``: players with enough opponents and matches, with or without the points for a
    rank."""
    needed: int
    """Different opponents that a player needs."""

    @property
    def differing(self) -> Integers:
        """Indices of the players whose connection is not as stored."""
        found = np.stack([self.connected, self.joined, self.proven])
        return np.flatnonzero((self.stored != found).any(axis=0))


class PlayerSupport(NamedTuple):
    """The matches and wins of a player, as in :class:`ratings.seasons.support.Support`."""

    matches: int
    against_ranked: int
    unconfirmed: float
    usual: float


def opponents_needed(season: Season) -> int:
    """Return how many different opponents players need by the rules, 0 for none."""
    return 0 if season.lowest_first else season.season_rules().ranked.opponents


def note_changes(season: int) -> None:
    """Note that ratings of a season have changed, in the transaction that updates standings."""
    with connection.cursor() as cursor:
        cursor.execute(NOTE_CHANGES, [season])


def lock(season: int) -> None:
    """Let no other worker compute the connections of a season until the transaction ends.

    To compute them in a transaction that also updates standings, call this first.
    """
    with connection.cursor() as cursor:
        cursor.execute(LOCK, [season])


def refresh_due(now: datetime) -> int:
    """Compute the connections of seasons with new results. Return how many seasons."""
    changed = StandingConnections.objects.filter(changed__gt=F("computed"))
    due = [
        one.season_id
        for one in changed
        if one.computed_at is None
        or now >= one.computed_at + timedelta(seconds=one.seconds / SHARE)
    ]
    seasons = Season.objects.filter(pk__in=due, archived_at=None).select_related("arena")
    return sum(refresh(season, now) for season in seasons)


def refresh(season: Season, now: datetime) -> bool:
    """Compute which players are connected, unless that is done. Return whether it was not."""
    if season.archived_at is not None or not opponents_needed(season):
        return False
    with transaction.atomic():
        lock(season.pk)
        known, _made = StandingConnections.objects.get_or_create(pk=season.pk)
        if known.changed == known.computed:
            return False
        begin = perf_counter()
        found = compute(season)
        write(season.pk, found)
        StandingConnections.objects.filter(pk=season.pk).update(
            computed=known.changed,
            computed_at=now,
            seconds=perf_counter() - begin,
            needed=found.needed,
        )
    return True


def compute(season: Season) -> Computed:
    """Compute which players are connected by the games of a season."""
    rules, system = season.season_rules(), season.system()
    ranked = rules.ranked
    players, stored = read_placed(
        season.pk, ranked.matches_needed(returning=False), ranked.matches_needed(returning=True)
    )
    games = read_games(GAMES.format(season=season.pk), players, system)
    pairs = pairs_of(games.sides[:, games.sides[2] >= 0], ranked.opponents)
    found = find_connections(len(players), pairs, ranked.opponents)
    connected = proven = found.connected
    if found.needed > FEW:
        support = measure_support(games, found.connected)
        kept = unconfirmed_kept(system) if rules.fair_play.same_opponents else 0.0
        proven = found.connected & support.enough(ranked.others, 0.0, stored[0])
        connected = found.connected & support.enough(ranked.others, kept, stored[0])
    return Computed(players, stored, connected, found.connected, proven, found.needed)


def read_placed(season: int, matches: int, returning: int) -> tuple[Integers, Booleans]:
    """Return the players with enough matches in ascending order, and whether they are connected."""
    query = PLACED.format(season=season, matches=max(matches, 1), returning=max(returning, 1))
    parts = list(binary.read(query, PLACED_KINDS))
    players = np.concatenate([np.zeros(0, np.int64), *(part["player_id"] for part in parts)])
    flags = [np.stack([part[name] for name in STORED]) for part in parts]
    stored = np.concatenate([np.zeros((len(STORED), 0), bool), *flags], axis=1)
    order = np.argsort(players)
    return players[order].astype(np.int64), stored[:, order]


def read_games(query: str, players: Integers, system: RatingSystem) -> Games:
    """Return the games of a query, rated by a system. ``players`` ascend."""
    sides, order, gains = [np.zeros((3, 0), np.int64)], [np.zeros(0, np.int64)], [np.zeros(0)]
    for rows in binary.read(query, GAME_KINDS):
        index = np.searchsorted(players, rows["player_id"])
        index[index == len(players)] = 0
        placed = players[index] == rows["player_id"] if len(players) else np.zeros(len(rows), bool)
        known = np.where(placed, index, -1)
        sides.append(np.stack([rows["match_id"], rows["side_id"], known]).astype(np.int64))
        order.append(rows["rated_order"].astype(np.int64))
        gains.append(system.in_chess(rows["before"], rows["after"]))
    return Games(np.concatenate(sides, axis=1), np.concatenate(order), np.concatenate(gains))


def pairs_of(games: Integers, opponents: int) -> Integers:
    """Return pairs of opponents from the ``(3, n)`` matches, sides and players of games.

    A free-for-all of m players would have m² pairs. As many next to each other as opponents are
    needed, but two at least, give the same cores: they keep everyone in, and connected, whom all
    pairs would.
    """
    near = max(opponents, FEW)
    match, side, player = games[:, np.lexsort((games[1], games[0]))]
    begins = np.flatnonzero(np.diff(match, prepend=-1))
    sizes = np.diff(begins, append=len(match))
    same_side = np.add.reduceat(np.diff(side, prepend=-1) == 0, begins) if len(begins) else sizes
    reach = np.repeat(np.where(same_side > 0, sizes - 1, np.minimum(sizes - 1, near)), sizes)
    pairs = []
    one = np.arange(len(match))
    for step in range(1, int(reach.max(initial=0)) + 1):
        one = one[(reach[one] >= step) & (one + step < len(match))]
        other = one + step
        met = (match[one] == match[other]) & (side[one] != side[other])
        pairs.append(np.stack([player[one[met]], player[other[met]]], axis=1))
    return np.concatenate([np.zeros((0, 2), np.int64), *pairs])


def write(season: int, found: Computed) -> None:
    """Store the connections that are not as stored."""
    at = found.differing
    if len(at):
        rows = {
            "season": season,
            "players": to_array_literal(found.players[at].tolist()),
            "connected": found.connected[at].tolist(),
            "joined": found.joined[at].tolist(),
            "proven": found.proven[at].tolist(),
        }
        with connection.cursor() as cursor:
            cursor.execute(WRITE, rows)


def support_of(season: Season, player: int) -> PlayerSupport:
    """Return what a player has played and won."""
    joined = Rating.objects.filter(season=season, joined=True)
    opponents = Participant.objects.filter(match__participants__player=player)
    known = joined.filter(player__in=opponents.values("player")).exclude(player=player)
    players = np.array(sorted([player, *known.values_list("player", flat=True)]), np.int64)
    query = (GAMES + GAMES_OF).format(season=season.pk, player=player)
    games = read_games(query, players, season.system())
    support = measure_support(games, players != player)
    return PlayerSupport(*(values[players == player][0].item() for values in support))


def connected_opponents(season: Season, player: int) -> tuple[int, int]:
    """Return how many different connected opponents a player has had, and how many they need."""
    known = StandingConnections.objects.filter(pk=season.pk).values_list("needed", flat=True)
    with connection.cursor() as cursor:
        cursor.execute(OPPONENTS, {"season": season.pk, "player": player})
        (count,) = cursor.fetchall()[0]
    return count, known.first() or opponents_needed(season)
