"""Matches that are being played now, for spectators."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from django.db import connection

from league.models import Season
from league.services.core.numbers import percents
from league.services.core.shown_ratings import decayed_rating
from league.services.rating.forecasts import forecasts, newcomer_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from league.models import Arena
    from league.services.rating.forecasts import Row
    from ratings.system import Shows

SHOWN = 50
SIDES_SHOWN = 8
"""Of matches of many sides, those with the most points of a game server's events."""
NAMED = 2
"""A side without a roster is named after its players if they are no more than these."""

LIVE = f"""
    WITH live AS MATERIALIZED (
        SELECT m.id, m.season_id, m.played_at, m.forecast, m.first_side, m.mode, m.region,
            m.event_count, coalesce(map.chosen, '') AS map
        FROM league_match AS m
        JOIN league_arena AS a ON a.id = m.arena_id AND NOT a.is_draft
        LEFT JOIN league_matchmap AS map ON map.match_id = m.id
        WHERE m.status = 'live' AND (%(arena)s::bigint IS NULL OR m.arena_id = %(arena)s)
        ORDER BY m.id DESC LIMIT %(shown)s
    ), won AS (
        SELECT e.match_id, e.winner, count(*) AS points FROM league_matchevent AS e
        WHERE e.kind = 1 AND e.match_id IN (SELECT id FROM live WHERE event_count > 0)
        GROUP BY e.match_id, e.winner
    )
    SELECT live.*, s.index, s.captain_id, coalesce(roster.name, ''), coalesce(won.points, 0),
        p.player_id, who.name,
        r.rating, r.deviation, r.volatility, r.games, r.last_played_at, r.memory,
        {decayed_rating(season="live.season_id", player="p.player_id")}
    FROM live
    JOIN league_side AS s ON s.match_id = live.id
    LEFT JOIN league_roster AS roster ON roster.id = s.roster_id
    LEFT JOIN won ON won.match_id = live.id AND won.winner = s.index
    JOIN league_participant AS p ON p.match_id = live.id AND p.side_id = s.id AND NOT p.quit
    JOIN league_player AS who ON who.id = p.player_id
    LEFT JOIN league_rating AS r ON r.season_id = live.season_id AND r.player_id = p.player_id
    ORDER BY live.id DESC, s.index, p.position, p.id
"""  # noqa: S608 - an expression of ours


class Seat(NamedTuple):
    """A player in a live match: a row of ``LIVE``."""

    match: int
    season: int
    began: datetime
    forecast: Sequence[float] | None
    first_side: int | None
    mode: str
    region: str
    events: int
    map: str
    side: int
    captain: int
    roster: str
    points: int
    player: int
    name: str
    rating: float | None
    deviation: float | None
    volatility: float | None
    games: int | None
    last_played_at: datetime | None
    memory: Sequence[float] | None
    decayed: float | None

    def row(self, fresh: Row) -> Row:
        """Return the player's rating before the match, after decay, that of a newcomer if they
        have none."""
        if self.rating is None:
            return fresh
        return (0, self.rating if self.decayed is None else self.decayed, *self[16:21])


@dataclass(frozen=True)
class Watched:
    """A player of a live match with their rating before it."""

    player_id: int
    name: str
    rating: float
    provisional: bool


@dataclass(frozen=True)
class WatchedSide:
    """A side of a live match."""

    index: int
    roster: str
    captain_id: int
    players: Sequence[Watched]
    chance: float | None
    points: int
    """The gains from its game server's events so far."""

    @property
    def captain(self) -> Watched:
        return next((p for p in self.players if p.player_id == self.captain_id), self.players[0])

    @property
    def is_named_by_players(self) -> bool:
        return not self.roster and len(self.players) <= NAMED


@dataclass(frozen=True)
class WatchedMatch:
    """A live match, as spectators see it."""

    match_id: int
    arena: Arena
    shows: Shows
    began: datetime
    lasted: timedelta
    """In whole minutes."""
    mode: str
    region: str
    map: str
    sides: Sequence[WatchedSide]
    more: int
    """The number of sides that are not shown."""
    events: int
    """The number of events that a game server has sent."""

    @property
    def shares(self) -> list[str]:
        """Return the chance of each shown side to win in percent, empty if they are not known."""
        known = [side.chance for side in self.sides if side.chance is not None]
        return percents(known) if len(known) == len(self.sides) else []


def live_matches(arena: Arena | None, now: datetime) -> list[WatchedMatch]:
    """Return the matches that are being played, of an arena or of all, the latest first.

    One statement reads them, and one their seasons, however many they are.
    """
    wanted = {"arena": arena.pk if arena else None, "shown": SHOWN}
    with connection.cursor() as cursor:
        cursor.execute(LIVE, wanted)
        seats = [Seat(*row) for row in cursor.fetchall()]
    if not seats:
        return []
    seasons = Season.objects.select_related("arena__queue").in_bulk({seat.season for seat in seats})
    fresh = {pk: newcomer_row(season.system(), season) for pk, season in seasons.items()}
    return [
        build_watched(seasons[season], list(rows), fresh[season], now)
        for (_match, season), rows in groupby(seats, key=attrgetter("match", "season"))
    ]


def build_watched(season: Season, seats: Sequence[Seat], fresh: Row, now: datetime) -> WatchedMatch:
    """Return a live match from its rows, which are in the order of its sides."""
    first = seats[0]
    by_side = [list(rows) for _side, rows in groupby(seats, key=attrgetter("side"))]
    chances = first.forecast or chances_of(season, by_side, fresh, now)
    sides = [watched_side(season, rows, fresh, chances) for rows in by_side]
    if len(sides) > 2:
        sides.sort(key=lambda side: (-side.points, side.index))
    return WatchedMatch(
        match_id=first.match,
        arena=season.arena,
        shows=season.shows_in(season.arena),
        began=first.began,
        lasted=timedelta(minutes=max((now - first.began) // timedelta(minutes=1), 0)),
        mode=first.mode,
        region=first.region,
        map=first.map,
        sides=sides[:SIDES_SHOWN],
        more=max(len(sides) - SIDES_SHOWN, 0),
        events=first.events,
    )


def watched_side(
    season: Season, rows: Sequence[Seat], fresh: Row, chances: Sequence[float] | None
) -> WatchedSide:
    first = rows[0]
    needed = season.season_rules().ranked.placement_matches
    known = chances is not None and first.side < len(chances)
    return WatchedSide(
        first.side,
        first.roster,
        first.captain,
        [
            Watched(row.player, row.name, state[1], state[4] < needed)
            for row, state in with_states(rows, fresh)
        ],
        chances[first.side] if chances is not None and known else None,
        first.points,
    )


def with_states(rows: Iterable[Seat], fresh: Row) -> list[tuple[Seat, Row]]:
    return [(row, row.row(fresh)) for row in rows]


def chances_of(
    season: Season, by_side: Sequence[Sequence[Seat]], fresh: Row, now: datetime
) -> Sequence[float] | None:
    """Return each side's chance to win by the rating system, ``None`` if it predicts none.

    Where the arena predicts by other rules, only its queue's matches have a forecast, which is
    stored.
    """
    queue = getattr(season.arena, "queue", None) if len(by_side) == 2 else None
    if len(by_side) < 2 or (queue and queue.prediction):
        return None
    held = {row.player: row.row(fresh) for rows in by_side for row in rows}
    line_ups = [[row.player for row in rows] for rows in by_side]
    firsts = [by_side[0][0].first_side]
    [chances] = forecasts(season, [line_ups], held, now, firsts=firsts, decayed={})
    return chances
