"""Who stands where: pages of the leaderboard, and the places and ratings of players."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from django.utils.translation import gettext as _

from league.models import Player
from league.models.player import span
from league.services.core.clock import microseconds
from league.services.core.columns import binary_cursor
from league.services.core.pages import Page
from league.services.rating.rate import states_of
from league.services.standings.board import Place, asked, standings_of, totals
from league.services.standings.days import ranks_then
from league.services.standings.filter_walk import Choice

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from league.models import Season
    from league.services.standings.board import Board
    from ratings.percentile import Division

PER_PAGE = 50
EVERYBODY = Choice()

LEADERS = """
    SELECT season.id, best.key, best.player_id, p.name, r.id, r.rating, r.deviation, r.volatility,
        r.games, r.last_played_at, r.memory, best.division,
        r.wins, r.draws, r.outcome, r.streak
    FROM unnest(%s::bigint[]) AS season(id)
    CROSS JOIN LATERAL (
        SELECT key, player_id, division FROM league_standing
        WHERE season_id = season.id AND active
        ORDER BY key, player_id LIMIT %s
    ) AS best
    JOIN league_rating AS r ON r.season_id = season.id AND r.player_id = best.player_id
    JOIN league_player AS p ON p.id = best.player_id
    ORDER BY season.id, best.key, best.player_id
"""


Entry = tuple[Any, ...]
"""Key, player, name, the rating row as ``states_of`` takes it, number of the division, record."""


@dataclass(frozen=True)
class Row:
    """A player's standing. Equal ratings share a rank, and the next rank leaves them out."""

    rank: int | None
    """From 1; none for who is not ranked."""
    position: int | None
    """How many stand before; of those with the same rating only who joined the league earlier."""
    percentile: int | None
    """From 1, the lowest, to 100; none for who is not ranked, and where it was not asked for."""
    division: Division | None
    """None of who is not ranked, and where the season has no divisions."""
    player_id: int
    name: str
    rating: float
    """As it counts, with what absence has taken from it."""
    deviation: float | None
    """With what inactivity has added since the last match."""
    volatility: float | None
    games: int
    last_played_at: datetime | None
    provisional: bool
    """Whether the placement matches are still to be played, so that there is no rank yet."""
    wins: int
    draws: int
    outcome: int | None
    """How the latest match ended: 1 for a win, 0 for a draw, -1 for a loss."""
    streak: int
    """How many of the latest in a row ended like that."""
    rank_yesterday: int | None
    """The rank as yesterday ended; 0 for none, None where that is not known."""
    rank_last_week: int | None
    """The same a week before that."""

    @cached_property
    def player(self) -> Player:
        return Player(pk=self.player_id, name=self.name)

    @property
    def losses(self) -> int:
        return max(self.games - self.wins - self.draws, 0)

    @property
    def page(self) -> int | None:
        """The page of the leaderboard that the player is on."""
        return None if self.position is None else self.position // PER_PAGE + 1


@dataclass(frozen=True)
class Listing(Page[Row]):
    """A page of a leaderboard."""

    version: int = 0
    """Of the standings that it was read from; 0 before anybody is ranked."""
    looked_at: int | None = None
    """How many names a search looked at, where more begin like that; none where it saw them all."""

    @property
    def caution(self) -> str:
        """What a reader has to know of a search that could not see all; else empty."""
        if self.looked_at is None:
            return ""
        return _(
            "More than %(most)s names begin like that. Only the first %(most)s in the alphabet "
            "were looked at: type more letters to find the others."
        ) % {"most": f"{self.looked_at:,}"}


def leaderboard(
    season: Season,
    *,
    now: datetime,
    search: str = "",
    choice: Choice = EVERYBODY,
    page: int = 1,
    per_page: int = PER_PAGE,
    moves: bool = False,
) -> Listing:
    """A page of the ranked players of ``season``, best first; one query at any depth.

    ``search`` keeps players of whom a word of the name begins with it; ranks stay those of the
    whole leaderboard. ``choice`` keeps some of those found; without a search, see ``picks.pick``.
    A page beyond the last gives the last. ``moves``: with ranks of before, for one more query.
    """
    view = View(season, now, moves=moves)
    if search.strip():
        return asked(season.pk, lambda board: view.found(board, search, choice, page, per_page))

    def cut(board: Board) -> Listing:
        found = Listing.cut(
            page,
            board.histogram.total,
            per_page,
            lambda part: view.stretch(board, part.start, part.stop - part.start),
        )
        return replace(found, version=board.version or 0)

    return asked(season.pk, cut)


@dataclass(frozen=True)
class Absent:
    """Some of the players whom absence has taken off the board, the best first."""

    rows: Sequence[Row]
    """With the ranks at which they would return if they came back as they are."""
    following: tuple[float, int] | None
    """The place after which the next are; none if these are the last."""

    @property
    def place_text(self) -> str:
        """That place as an address holds it."""
        return "" if self.following is None else "{!r},{}".format(*self.following)


def inactive(
    season: Season, *, now: datetime, after: tuple[float, int] | None = None, count: int = PER_PAGE
) -> Absent:
    """Who is not ranked for absence, from a place of their order on. Two queries at any depth."""
    view = View(season, now)

    def question(board: Board) -> Absent:
        entries = board.inactive(*(after or (-math.inf, 0)), count + 1)
        shown = entries[:count]
        places = board.places([entry[0] for entry in shown], [entry[1] for entry in shown])
        last = (shown[-1][0], shown[-1][1]) if len(entries) > count else None
        return Absent(view.rows(shown, places), last)

    return asked(season.pk, question)


def neighbours(season: Season, row: Row, *, now: datetime, each: int = 2) -> list[Row]:
    """A ranked player with those right above and below, best first."""
    if row.position is None:
        return []
    start = max(row.position - each, 0)
    count = row.position - start + 1 + each
    return asked(season.pk, lambda board: View(season, now).stretch(board, start, count))


def standing(season: Season, player: Player, *, now: datetime) -> Row | None:
    """The row of one player; none for a player without a rated match. One query, two at most."""
    return standings(player, [season], now=now).get(season.pk)


def standings(player: Player, seasons: Collection[Season], *, now: datetime) -> dict[int, Row]:
    """The rows of one player, by season id; one query."""
    found = standings_of(player.pk, [season.pk for season in seasons])
    rows = {}
    for season in seasons:
        if one := found.get(season.pk):
            (rows[season.pk],) = View(season, now).rows([one.row], [one.place], one.board)
    return rows


def leaders(seasons: Collection[Season], *, now: datetime, count: int = 3) -> dict[int, list[Row]]:
    """The first ``count`` of each season, by season id, in one query for all."""
    with binary_cursor() as cursor:
        cursor.execute(LEADERS, [[season.pk for season in seasons], count])
        listed: dict[int, list[Entry]] = defaultdict(list)
        for season, *entry in cursor.fetchall():
            listed[season].append(tuple(entry))
    return {
        season.pk: View(season, now).rows(listed[season.pk], from_the_top(listed[season.pk]))
        for season in seasons
        if season.pk in listed
    }


def from_the_top(entries: Sequence[Entry]) -> list[Place]:
    """Places of the first of a season, whose percentiles nobody asks for."""
    first: dict[float, int] = {}
    for position, entry in enumerate(entries):
        first.setdefault(entry[0], position)
    return [Place(first[entry[0]], position, 0) for position, entry in enumerate(entries)]


def ranked_players(seasons: Collection[Season]) -> dict[int, int]:
    """How many players are ranked, by season id."""
    return totals([season.pk for season in seasons])


class View:
    """A season's standings as somebody sees them at a moment."""

    def __init__(self, season: Season, now: datetime, *, moves: bool = False) -> None:
        self.season = season
        self.now = now
        self.moves = moves
        self.system = season.system()
        self.lowest_first = season.lowest_first
        self.divisions = season.season_rules().divisions.divisions
        self.time = microseconds(min(now, season.ends_at) if season.ends_at else now)

    def stretch(self, board: Board, start: int, count: int) -> list[Row]:
        """The rows from a position (from 0) on. One query, if none at the edges is level with
        somebody beyond."""
        if not board.histogram.total:
            board.check()
            return []
        behind = min(start, 1)  # the neighbours beyond both edges tell who is level with them
        entries = board.rows(start - behind, behind + count + 1)
        keys = [entry[0] for entry in entries]
        shown = entries[behind : behind + count]
        first = start - behind
        places = places_of(keys, first)
        ends = {keys[0]} if first else set()
        if first + len(keys) < board.histogram.total:
            ends.add(keys[-1])
        level = {key for key in ends if any(entry[0] == key for entry in shown)}
        for key in level:
            (places[key],) = board.places([key], [0])
        return self.rows(
            shown,
            [
                Place(places[entry[0]].before, start + at, places[entry[0]].upto)
                for at, entry in enumerate(shown)
            ],
            board,
        )

    def found(
        self, board: Board, search: str, choice: Choice, number: int, per_page: int
    ) -> Listing:
        """The rows of those of the choice of whom a word of the name begins with ``search``."""
        named, looked_at = board.found(*span(search))
        entries = self.of(choice, named)

        def rows(part: slice) -> list[Row]:
            chosen = entries[part]
            places = board.places([row[0] for row in chosen], [row[1] for row in chosen])
            return self.rows(chosen, places, board)

        return replace(
            Listing.cut(number, len(entries), per_page, rows),
            version=board.version or 0,
            looked_at=looked_at,
        )

    def of(self, choice: Choice, entries: list[Entry]) -> list[Entry]:
        """Those who are of the choice, by the deviations that they have by now."""
        if choice.division is not None:
            entries = [entry for entry in entries if entry[10] == choice.division]
        if choice.sure is None:
            return entries
        return [
            entry
            for entry, deviation in zip(entries, self.deviations(entries), strict=True)
            if deviation is not None and deviation <= choice.sure
        ]

    def rows(
        self, entries: Sequence[Entry], places: Sequence[Place | None], board: Board | None = None
    ) -> list[Row]:
        """Rows for entries, in their order; with percentiles if the board is there."""
        percentiles = [board.percentile(place) if board and place else None for place in places]
        ratings = [entry[4] if entry[0] is None else self.shown(entry[0]) for entry in entries]
        yesterday, last_week = self.ranks_then([entry[1] for entry in entries])
        return [
            Row(
                rank=place.before + 1 if place else None,
                position=place.position if place else None,
                percentile=percentile,
                division=self.divisions[entry[10]] if place and entry[10] is not None else None,
                player_id=entry[1],
                name=entry[2],
                rating=rating,
                deviation=deviation,
                volatility=entry[6],
                games=entry[7],
                last_played_at=entry[8],
                provisional=entry[0] is None and not self.lowest_first,
                wins=entry[11],
                draws=entry[12],
                outcome=entry[13],
                streak=entry[14],
                rank_yesterday=day_before,
                rank_last_week=week_before,
            )
            for (
                entry,
                rating,
                deviation,
                place,
                percentile,
                day_before,
                week_before,
            ) in zip(
                entries,
                ratings,
                self.deviations(entries),
                places,
                percentiles,
                yesterday,
                last_week,
                strict=True,
            )
        ]

    def ranks_then(
        self, players: Sequence[int]
    ) -> tuple[Sequence[int | None], Sequence[int | None]]:
        """Ranks as yesterday ended and a week before, where they are asked for and known."""
        unknown = [None] * len(players)
        if not self.moves:
            return unknown, unknown
        yesterday, last_week = ranks_then(self.season, players, self.now)
        return yesterday or unknown, last_week or unknown

    def shown(self, key: float) -> float:
        return key if self.lowest_first else -key

    def deviations(self, entries: Sequence[Entry]) -> list[float | None]:
        """What time has made of the deviations; of a season that is over, until its end."""
        if not entries:
            return []
        _ids, states = states_of(entry[3:10] for entry in entries)
        times = np.full(len(entries), self.time, dtype=np.int64)
        seen = self.system.at(states, times).deviation
        return [None if math.isnan(value) else value for value in seen.tolist()]


def places_of(keys: Sequence[float], start: int) -> dict[float, Place]:
    """The place of each key of successive rows, the first at a position, as if no more followed."""
    places: dict[float, Place] = {}
    for position, key in enumerate(keys, start=start):
        before = places[key].before if key in places else position
        places[key] = Place(before, before, position + 1)
    return places
