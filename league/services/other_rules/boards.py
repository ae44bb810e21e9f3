"""The leaderboard that a replayed season would have. Nothing is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from league.services.core.columns import read_columns
from league.services.rating.tail import codes_among
from league.services.standings import connections, divisions
from league.services.standings.rebuilding import ROW
from league.services.standings.rules import RatingInputs, compute_standings, ranking_rules
from ratings.seasons.decay import decay_times_after_games

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Season
    from league.services.other_rules.replaying import Played
    from ratings.types import Booleans, Integers

HELD = """
    SELECT player_id AS player, (played_before IS NOT NULL)::int AS returning, connected::int
    FROM league_rating WHERE season_id = %s
"""
KINDS = {"player": "i8", "returning": "i8", "connected": "i8"}


@dataclass(frozen=True)
class Board:
    """Who would be ranked, and where. Arrays ``(n,)`` are by the players of a replay."""

    ranks: Integers
    """From 1 for the best; 0 for players without a rank."""
    divisions: Integers
    """From 0 for the lowest; -1 for none."""
    names: list[str]
    """The names of the divisions, lowest first."""

    @property
    def ranked(self) -> int:
        return int(np.count_nonzero(self.ranks))

    def division(self, row: int) -> str:
        """Return the name of a player's division, empty for none."""
        return self.names[self.divisions[row]] if self.divisions[row] >= 0 else ""


def board_of(season: Season, played: Played, now: datetime, *, connect: bool) -> Board:
    """Return the leaderboard under the rules of ``season``, which need not be the stored ones.

    ``connect`` computes anew who has enough different opponents. Otherwise it is as stored.
    """
    ranking = ranking_rules(season)
    held = read_columns(HELD, [season.pk], KINDS)
    at = codes_among(played.players, held["player"])
    known = at >= 0
    decaying = np.zeros(len(played.players))
    if ranking.decay:
        games = played.counted
        match = np.repeat(np.arange(len(played.history)), np.diff(played.history.match_offsets))
        decaying = decay_times_after_games(
            ranking.decay,
            played.history.player[games],
            played.history.times[match[games]],
            len(played.players),
        )
    stored = known & (held["connected"][at] == 1) if len(held["player"]) else known
    standings = compute_standings(
        ranking,
        RatingInputs(
            rating=played.states.rating,
            games=played.states.games,
            last_played=played.states.last_played,
            decaying=decaying,
            returning=known & (held["returning"][at] == 1) if len(held["player"]) else known,
            connected=connected_under(season, played.players) if connect else stored,
        ),
        now,
    )
    rows = np.zeros(len(played.players), ROW)
    rows["player_id"], rows["key"] = played.players, standings.key
    rows["active"] = standings.active
    order = np.lexsort((played.players, standings.key))
    order = order[standings.placed[order]]
    division = np.full(len(played.players), -1)
    division[order] = divisions.rebuilt(season, rows[order])[0]
    names = [one.name for one in season.season_rules().divisions.divisions]
    return Board(ranks_of(standings.key, standings.active), division, names)


def ranks_of(keys: np.ndarray[tuple[int], np.dtype[np.float64]], active: Booleans) -> Integers:
    """Return ``(n,)`` ranks from 1 by the lowest key, 0 for the inactive. Equal keys share one."""
    ranks = 1 + np.searchsorted(np.sort(keys[active]), keys, side="left")
    return np.where(active, ranks, 0)


def connected_under(season: Season, players: Integers) -> Booleans:
    """Return ``(n,)`` who has enough different opponents under the rules of ``season``."""
    if not connections.opponents_needed(season):
        return np.ones(len(players), dtype=np.bool_)
    found = connections.compute(season)
    return np.isin(players, found.players[found.connected])
