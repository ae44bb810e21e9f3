"""The rows of leaderboards, and how they are read."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from league.models import Player
from league.models.player import span
from league.services.core.clock import microseconds
from league.services.core.pages import Page
from league.services.core.statements import make
from league.services.rating.rate import states_of
from league.services.standings.board import (
    Entry,
    Position,
)
from league.services.standings.days import past_ranks_of
from league.services.standings.filter_walk import Filter

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from league.models import Season
    from league.services.standings.board import Board
    from ratings.percentile import Division
    from ratings.types import Floats

PER_PAGE = 50


@dataclass(frozen=True)
class LeaderboardRow:
    """A player's row. Equal ratings share a rank, and the ranks after it are skipped."""

    rank: int | None
    """From 1; None if unranked."""
    position: int | None
    """The number of players ahead. Players with equal ratings are in the order of joining."""
    percentile: int | None
    """From 1, the lowest, to 100; None if unranked or not asked for."""
    division: Division | None
    """None if unranked, or if the season has no divisions."""
    player_id: int
    name: str
    rating: float
    """The effective rating, after decay."""
    before_decay: float
    """The rating of the latest match."""
    deviation: float | None
    """The deviation now, which has grown since the last match."""
    volatility: float | None
    games: int
    """Rated matches, without those that the rating system ignores."""
    last_played_at: datetime | None
    provisional: bool
    """Whether placement matches or opponents are missing, so that there is no rank yet."""
    wins: int
    draws: int
    losses: int
    outcome: int | None
    """Of the latest match: 1 for a win, 0 for a draw, -1 for a loss."""
    streak: int
    """Consecutive matches, up to the latest, with that outcome."""
    rank_yesterday: int | None
    """The rank at the end of yesterday; 0 if unranked then, None if not known."""
    rank_last_week: int | None
    """The same a week earlier."""
    picture: str
    """The digest of the player's picture, empty without one."""
    country: str
    """The code of the player's country, empty for none."""

    @cached_property
    def player(self) -> Player:
        return make(Player, id=self.player_id, name=self.name)

    @property
    def page(self) -> int | None:
        """The page of the leaderboard with this row."""
        return None if self.position is None else self.position // PER_PAGE + 1


@dataclass(frozen=True)
class LeaderboardPage(Page[LeaderboardRow]):
    """A numbered page of a leaderboard."""

    version: int = 0
    """Of the standings it was read from; 0 before anybody is ranked."""
    names_read: int | None = None
    """The number of names that a search read if more match; None if it read them all."""

    @property
    def caution(self) -> str:
        """A warning that a search did not read every matching name; else empty."""
        if self.names_read is None:
            return ""
        return _(
            "More than %(most)s names match. Only the first %(most)s in alphabetical order were "
            "searched. Type more letters to narrow the search."
        ) % {"most": number_format(self.names_read, force_grouping=True)}


class LeaderboardReader:
    """Reads a season's leaderboard as of a moment."""

    def __init__(self, season: Season, now: datetime, *, past_ranks: bool = False) -> None:
        self.season = season
        self.now = now
        self.past_ranks = past_ranks
        self.system = season.system()
        self.lowest_first = season.lowest_first
        self.divisions = season.season_rules().divisions.divisions
        self.time = microseconds(min(now, season.ends_at) if season.ends_at else now)

    def slice(self, board: Board, start: int, count: int) -> list[LeaderboardRow]:
        """Return ``count`` rows from a position (from 0).

        One query, unless a rating at an edge is shared with players beyond it.
        """
        if not board.histogram.total:
            board.check_fresh()
            return []
        extra = min(start, 1)  # one more row at each edge shows whether its rating is shared
        entries = board.rows(start - extra, extra + count + 1)
        keys = [entry.key for entry in entries]
        listed = entries[extra : extra + count]
        first = start - extra
        positions = positions_by_key(keys, first)
        edges = {keys[0]} if first else set()
        if first + len(keys) < board.histogram.total:
            edges.add(keys[-1])
        shared = {key for key in edges if any(entry.key == key for entry in listed)}
        for key in shared:
            (positions[key],) = board.positions([key], [0])
        return self.rows(
            listed,
            [
                Position(positions[entry.key].better, start + at, positions[entry.key].upto)
                for at, entry in enumerate(listed)
            ],
            board,
        )

    def search(
        self, board: Board, text: str, chosen: Filter, number: int, per_page: int
    ) -> LeaderboardPage:
        """Return a page of the matching players whose name contains a text."""
        named, names_read = board.search(*span(text))
        entries = self.matching(chosen, named)

        def rows(part: slice) -> list[LeaderboardRow]:
            listed = entries[part]
            return self.rows(listed, self.positions(board, listed), board)

        return replace(
            LeaderboardPage.cut(number, len(entries), per_page, rows),
            version=board.version or 0,
            names_read=names_read,
        )

    def matching(self, chosen: Filter, entries: list[Entry]) -> list[Entry]:
        """Return the entries that match a filter, by their current deviations and matches."""
        if chosen.division is not None:
            entries = [entry for entry in entries if entry.division == chosen.division]
        if chosen.games is not None:
            entries = [entry for entry in entries if entry.games >= chosen.games]
        if chosen.deviation is None:
            return entries
        return [
            entry
            for entry, deviation in zip(entries, self.deviations(entries), strict=True)
            if deviation is not None and deviation <= chosen.deviation
        ]

    def positions(self, board: Board, entries: Sequence[Entry]) -> list[Position]:
        """Return the positions of entries from anywhere on the leaderboard. One query."""
        return board.positions(
            [entry.key for entry in entries], [entry.player_id for entry in entries]
        )

    def rows(
        self,
        entries: Sequence[Entry],
        positions: Sequence[Position | None],
        board: Board | None = None,
    ) -> list[LeaderboardRow]:
        """Return the rows of entries, in their order; with percentiles if ``board`` is given."""
        deviations = self.deviations(entries)
        yesterday, last_week = self.ranks_before([entry.player_id for entry in entries])
        rows = []
        for nth, (entry, position) in enumerate(zip(entries, positions, strict=True)):
            placed = not math.isnan(entry.key)
            rows.append(
                LeaderboardRow(
                    rank=position.better + 1 if position else None,
                    position=position.ahead if position else None,
                    percentile=board.percentile(position) if board and position else None,
                    division=self.division_of(entry) if position else None,
                    player_id=entry.player_id,
                    name=entry.name,
                    rating=self.rating_at(entry.key) if placed else entry.rating,
                    before_decay=entry.rating,
                    deviation=deviations[nth],
                    volatility=entry.volatility,
                    games=entry.games,
                    last_played_at=entry.last_played_at,
                    provisional=not placed and not self.lowest_first,
                    wins=entry.wins,
                    draws=entry.draws,
                    losses=max(entry.games + entry.ignored - entry.wins - entry.draws, 0),
                    outcome=entry.outcome,
                    streak=entry.streak,
                    rank_yesterday=yesterday[nth],
                    rank_last_week=last_week[nth],
                    picture=entry.looks[0] if entry.looks else "",
                    country=entry.looks[1] if entry.looks else "",
                )
            )
        return rows

    def division_of(self, entry: Entry) -> Division | None:
        return None if entry.division is None else self.divisions[entry.division]

    def ranks_before(
        self, players: Sequence[int]
    ) -> tuple[Sequence[int | None], Sequence[int | None]]:
        """Return the ranks of yesterday and last week, where asked for and known."""
        unknown = [None] * len(players)
        if not self.past_ranks:
            return unknown, unknown
        yesterday, last_week = past_ranks_of(self.season, players, self.now)
        return yesterday or unknown, last_week or unknown

    def rating_at(self, key: float) -> float:
        """Return the effective rating that a key stands for."""
        return key if self.lowest_first else -key

    def deviations(self, entries: Sequence[Entry]) -> list[float | None]:
        """Return current deviations; for a season that is over, those at its end."""
        if not entries:
            return []
        current = self.deviations_of(entry.state for entry in entries)
        return [None if math.isnan(value) else value for value in current.tolist()]

    def deviations_of(self, rows: Iterable[tuple[Any, ...]]) -> Floats:
        """Return the current deviations of rating rows, as ``states_of`` takes them."""
        _ids, states = states_of(rows)
        return self.system.at(states, np.full(len(states), self.time, dtype=np.int64)).deviation


def positions_by_key(keys: Sequence[float], start: int) -> dict[float, Position]:
    """Return the position of each key of consecutive rows from ``start``, as if none followed."""
    positions: dict[float, Position] = {}
    for position, key in enumerate(keys, start=start):
        better = positions[key].better if key in positions else position
        positions[key] = Position(better, better, position + 1)
    return positions
