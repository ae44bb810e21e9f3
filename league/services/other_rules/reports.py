"""A season under other rules, old beside new."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db import connection
from django.utils.translation import gettext as _

from league.services.other_rules.replaying import Points
from league.services.rating.tail import codes_among

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from league.models import Trial
    from league.services.other_rules.replaying import Leaderboard, Side
    from ratings.types import Booleans, Floats, Integers

MOST_SHOWN = 20
"""Players who move most, and places of the leaderboard."""
MOST_SHARING = 40
"""Players shown if many share a place."""
BARS = 12
STEPS = (1, 2, 6, 11, 51, 101)
"""From which number of ranks each group of moves begins."""
MOVE = (
    "trial_id", "candidate", "player_id", "rating_before", "rating_after", "rank_before",
    "rank_after", "division_before", "division_after", "points_before", "points_after",
)  # fmt: skip


@dataclass(frozen=True)
class Moves:
    """Both sides by the same players ``(n,)``, those who are rated on either."""

    players: Integers
    rating: tuple[Floats, Floats]
    """NaN without a rating."""
    rank: tuple[Integers, Integers]
    division: tuple[Integers, Integers]
    points: tuple[Integers, Integers]
    counted: tuple[Booleans, Booleans]
    """Whether a player has a match that counted for points."""

    @property
    def rerated(self) -> Booleans:
        was, now = self.rating
        return np.asarray((was != now) & ~(np.isnan(was) & np.isnan(now)))

    @property
    def climbed(self) -> Integers:
        """Ranks climbed by players who have one on both sides; 0 for others."""
        was, now = self.rank
        return np.where((was > 0) & (now > 0), was - now, 0)


def moves_between(old: Side, new: Side) -> Moves:
    """Return both sides by the same players."""
    players = np.union1d(old.played.players, new.played.players)
    rows = [codes_among(players, side.played.players) for side in (old, new)]

    def both(which: str) -> tuple[Any, Any]:
        was, now = (column(side, at, which) for side, at in zip((old, new), rows, strict=True))
        return was, now

    return Moves(
        players,
        both("rating"),
        both("rank"),
        both("division"),
        both("points"),
        both("counted"),
    )


def column(side: Side, rows: Integers, which: str) -> Any:
    """Return a column of one side by the rows ``(n,)`` of players, with a blank where missing."""
    nobody = np.zeros(len(side.played.players), dtype=np.int64)
    points = side.points or Points(nobody, nobody)
    values, blank = {
        "rating": (ratings_of(side), np.nan),
        "rank": (side.leaderboard.ranks, 0),
        "division": (side.leaderboard.divisions, -1),
        "points": (points.total, 0),
        "counted": (points.matches > 0, False),
    }[which]
    if not len(values):
        return np.full(len(rows), blank)
    return np.where(rows >= 0, values[rows], blank)


def ratings_of(side: Side) -> Floats:
    """Return ``(n,)`` ratings, NaN for players whose results the rating system all ignores."""
    states = side.played.states
    return np.where(states.games > 0, states.rating, np.nan)


def report(old: Side, new: Side, moves: Moves) -> dict[str, Any]:
    """Return what a trial found, for its page."""
    same_scale = old.season.rating_system == new.season.rating_system
    was, now = moves.rank
    size = np.abs(moves.rating[1] - moves.rating[0])
    return {
        "matches": len(old.played.history),
        "players": int(np.count_nonzero(~np.isnan(moves.rating[0]))),
        "same_scale": same_scale,
        "rerated": int(np.count_nonzero(moves.rerated)),
        "largest": plain(float(np.nanmax(size, initial=0.0))) if same_scale else None,
        "mean": plain(float(np.nanmean(size))) if same_scale and moves.rerated.any() else None,
        "ranked": [old.leaderboard.ranked, new.leaderboard.ranked],
        "entering": int(np.count_nonzero((was == 0) & (now > 0))),
        "leaving": int(np.count_nonzero((was > 0) & (now == 0))),
        "rank_moves": rank_moves(moves),
        "rating_moves": rating_moves(moves) if same_scale else [],
        "divisions": division_counts(old.leaderboard, new.leaderboard),
        "division_moves": division_moves(old.leaderboard, new.leaderboard, moves),
        "movers": movers(moves, same_scale=same_scale),
        "points": points_report(old, new, moves),
    }


def plain(number: float) -> float | None:
    """Return a number for JSON, which has no NaN."""
    return float(number) if math.isfinite(number) else None


def rank_moves(moves: Moves) -> list[list[Any]]:
    """Count players by how many ranks they climb or fall, the highest climbers first."""
    ranked = (moves.rank[0] > 0) & (moves.rank[1] > 0)
    climbed = moves.climbed[ranked]
    edges = [*STEPS, None]
    counts = [
        (low, None if high is None else high - 1)
        for low, high in zip(STEPS, edges[1:], strict=True)
    ]

    def count_between(signed: Integers, low: int, high: int | None) -> int:
        return int(np.count_nonzero((signed >= low) & (signed <= (high or np.inf))))

    up = [["up", low, high, count_between(climbed, low, high)] for low, high in reversed(counts)]
    down = [["down", low, high, count_between(-climbed, low, high)] for low, high in counts]
    return [*up, ["same", 0, 0, int(np.count_nonzero(climbed == 0))], *down]


def rating_moves(moves: Moves) -> list[list[Any]]:
    """Count players by the change of their rating, in ranges of equal width."""
    change = moves.rating[1] - moves.rating[0]
    change = change[np.isfinite(change)]
    if not len(change) or not change.any():
        return []
    widest = float(np.abs(change).max())
    edges = np.linspace(-widest, widest, BARS + 1)
    counts, _edges = np.histogram(change, edges)
    return [
        [float(low), float(high), int(count)]
        for low, high, count in zip(edges, edges[1:], counts, strict=False)
    ]


def division_counts(old: Leaderboard, new: Leaderboard) -> list[list[Any]]:
    """Return each division with its players on both sides, highest first."""
    names = list(dict.fromkeys([*new.names[::-1], *old.names[::-1]]))
    return [[name, players_in(old, name), players_in(new, name)] for name in names]


def players_in(leaderboard: Leaderboard, name: str) -> int | None:
    if name not in leaderboard.names:
        return None
    held = (leaderboard.divisions == leaderboard.names.index(name)) & (leaderboard.ranks > 0)
    return int(np.count_nonzero(held))


def division_moves(old: Leaderboard, new: Leaderboard, moves: Moves) -> dict[str, int] | None:
    """Count who would be promoted and demoted, ``None`` between different divisions."""
    if not old.names or old.names != new.names:
        return None
    was, now = moves.division
    both = (was >= 0) & (now >= 0)
    return {
        "up": int(np.count_nonzero(both & (now > was))),
        "down": int(np.count_nonzero(both & (now < was))),
    }


def movers(moves: Moves, *, same_scale: bool) -> list[int]:
    """Return the ids of the players who move most: by ranks, then by rating."""
    size = np.nan_to_num(np.abs(moves.rating[1] - moves.rating[0])) if same_scale else 0.0
    order = np.lexsort((moves.players, -np.broadcast_to(size, len(moves.players)),
                        -np.abs(moves.climbed)))  # fmt: skip
    moved = find_changes(moves)
    return [int(player) for player in moves.players[order[moved[order]]][:MOST_SHOWN]]


def find_changes(moves: Moves) -> Booleans:
    """Return ``(n,)`` for whom anything changes."""
    differs = moves.rerated | (moves.points[0] != moves.points[1])
    for was, now in (moves.rank, moves.division, moves.counted):
        differs |= was != now
    return np.asarray(differs)


def points_report(old: Side, new: Side, moves: Moves) -> dict[str, Any] | None:
    if old.points is None and new.points is None:
        return None
    was, now = moves.points
    return {
        "players": int(np.count_nonzero(was != now)),
        "largest": int(np.abs(now - was).max(initial=0)),
        "total": [int(was.sum()), int(now.sum())],
    }


def describe_group(kind: str, low: int, high: int | None) -> str:
    """Return a group of moves in words."""
    if kind == "same":
        return _("same rank")
    if high is None:
        text = _("up %(low)d or more") if kind == "up" else _("down %(low)d or more")
    elif low == high:
        text = _("up %(low)d") if kind == "up" else _("down %(low)d")
    else:
        text = _("up %(low)d to %(high)d") if kind == "up" else _("down %(low)d to %(high)d")
    return text % {"low": low, "high": high}


def list_top(moves: Mapping[str, Moves]) -> list[list[Any]]:
    """Return the players at the top of any leaderboard: id, rank, and the ranks by candidate.

    Nobody's rank is 0.
    """
    ids, ranks = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    for each in moves.values():
        top = np.zeros(len(each.players), dtype=np.bool_)
        for rank in each.rank:
            top |= (rank > 0) & (rank <= MOST_SHOWN)
        ids, first = np.unique(np.append(ids, each.players[top]), return_index=True)
        ranks = np.append(ranks, each.rank[0][top])[first]
    order = np.lexsort((ids, ranks, ranks == 0))[:MOST_SHARING]
    ids, ranks = ids[order], ranks[order]
    columns = []
    for each in moves.values():
        at = codes_among(ids, each.players)
        columns.append(np.where(at >= 0, each.rank[1][at], 0).tolist())
    return [list(row) for row in zip(ids.tolist(), ranks.tolist(), *columns, strict=True)]


def write_moves(trial: Trial, candidate: str, old: Side, new: Side, moves: Moves) -> None:
    """Write what a candidate changes for each player."""
    with (
        connection.cursor() as cursor,
        cursor.copy(f"COPY league_trialmove ({', '.join(MOVE)}) FROM STDIN") as into,
    ):
        for row in move_rows(old, new, moves):
            into.write_row((trial.pk, candidate, *row))


def move_rows(old: Side, new: Side, moves: Moves) -> Iterator[tuple[Any, ...]]:
    """Yield the columns of each player for whom anything changes."""
    names = [["", *side.leaderboard.names] for side in (old, new)]
    for row in np.flatnonzero(find_changes(moves)).tolist():
        ratings = (float(each[row]) for each in moves.rating)
        ranks = (int(each[row]) or None for each in moves.rank)
        divisions = (
            known[int(each[row]) + 1] for known, each in zip(names, moves.division, strict=True)
        )
        points = (
            int(each[row]) if counted[row] else None
            for each, counted in zip(moves.points, moves.counted, strict=True)
        )
        yield (
            int(moves.players[row]),
            *(None if math.isnan(rating) else rating for rating in ratings),
            *ranks,
            *divisions,
            *points,
        )
