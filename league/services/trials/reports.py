"""What other rules would have made of a season, old beside new."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from django.utils.translation import gettext as _

from league.services.points import awarding
from league.services.rating import versions
from league.services.rating.tail import codes_among
from ratings.lab.evaluation import evaluate_forecasts, predicted_matches

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.models import Season
    from league.services.rating.versions import Stretch
    from league.services.trials.boards import Board
    from league.services.trials.replaying import Played
    from ratings.types import Booleans, Floats, Integers

MOST_SHOWN = 20
BARS = 12
STEPS = (1, 2, 6, 11, 51, 101)
"""From which number of ranks each group of moves begins."""


@dataclass(frozen=True)
class Side:
    """A season as it is, or as it would be."""

    season: Season
    played: Played
    board: Board
    points: Points | None


@dataclass(frozen=True)
class Points:
    """Ladder points of ``n`` players."""

    total: Integers
    matches: Integers


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
    """Who has a match that counted for points."""

    @property
    def rerated(self) -> Booleans:
        was, now = self.rating
        return np.asarray((was != now) & ~(np.isnan(was) & np.isnan(now)))

    @property
    def climbed(self) -> Integers:
        """Ranks climbed by players who have one on both sides; 0 for others."""
        was, now = self.rank
        return np.where((was > 0) & (now > 0), was - now, 0)


def points_of(season: Season, rules: Sequence[Stretch], played: Played) -> Points | None:
    """Return the ladder points of a replayed season, ``None`` if it counts none."""
    if not rules[-1].rules.points.ladder.counts:
        return None
    bounds, tail = played.history.match_offsets, played.tail
    count = len(played.players)
    total, matches = np.zeros(count), np.zeros(count, dtype=np.int64)
    for one, start, stop in versions.spans(rules, tail.orders):
        rows = slice(bounds[start], bounds[stop])
        part = played.history.part(start, stop)
        given = awarding.earned_under(
            one, season, part, played.before.take(rows), tail["forecast"][rows]
        )
        players = part.player[given.counts]
        total += np.bincount(players, given.points[given.counts], minlength=count)
        matches += np.bincount(players, minlength=count)
    return Points(total.astype(np.int64), matches)


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
        "rating": (rated(side), np.nan),
        "rank": (side.board.ranks, 0),
        "division": (side.board.divisions, -1),
        "points": (points.total, 0),
        "counted": (points.matches > 0, False),
    }[which]
    if not len(values):
        return np.full(len(rows), blank)
    return np.where(rows >= 0, values[rows], blank)


def rated(side: Side) -> Floats:
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
        "ranked": [old.board.ranked, new.board.ranked],
        "entering": int(np.count_nonzero((was == 0) & (now > 0))),
        "leaving": int(np.count_nonzero((was > 0) & (now == 0))),
        "rank_moves": rank_moves(moves),
        "rating_moves": rating_moves(moves) if same_scale else [],
        "divisions": division_counts(old.board, new.board),
        "division_moves": division_moves(old.board, new.board, moves),
        "movers": movers(moves, same_scale=same_scale),
        "forecasts": forecasts(old.played, new.played),
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

    def counted(signed: Integers, low: int, high: int | None) -> int:
        return int(np.count_nonzero((signed >= low) & (signed <= (high or np.inf))))

    up = [["up", low, high, counted(climbed, low, high)] for low, high in reversed(counts)]
    down = [["down", low, high, counted(-climbed, low, high)] for low, high in counts]
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


def division_counts(old: Board, new: Board) -> list[list[Any]]:
    """Return each division with its players on both sides, highest first."""
    names = list(dict.fromkeys([*new.names[::-1], *old.names[::-1]]))
    return [[name, players_in(old, name), players_in(new, name)] for name in names]


def players_in(board: Board, name: str) -> int | None:
    if name not in board.names:
        return None
    held = (board.divisions == board.names.index(name)) & (board.ranks > 0)
    return int(np.count_nonzero(held))


def division_moves(old: Board, new: Board, moves: Moves) -> dict[str, int] | None:
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
    moved = changed(moves)
    return [int(player) for player in moves.players[order[moved[order]]][:MOST_SHOWN]]


def changed(moves: Moves) -> Booleans:
    """Return ``(n,)`` for whom anything changes."""
    differs = moves.rerated | (moves.points[0] != moves.points[1])
    for was, now in (moves.rank, moves.division, moves.counted):
        differs |= was != now
    return np.asarray(differs)


def forecasts(old: Played, new: Played) -> dict[str, Any]:
    """Return how well both sides would have predicted the matches that both can predict.

    Both histories have the same played matches, but not the same unplayed ones.
    """
    both = [
        dict(
            zip(
                np.array(side.history.match_ids)[chosen].tolist(),
                np.flatnonzero(chosen).tolist(),
                strict=True,
            )
        )
        for side in (old, new)
        for chosen in [predicted_matches(side.history, side.predictions)]
    ]
    shared = both[0].keys() & both[1].keys()
    found = {}
    for name, side, known in zip(("old", "new"), (old, new), both, strict=True):
        chosen = np.zeros(len(side.history), dtype=np.bool_)
        chosen[[known[match] for match in shared]] = True
        forecast = asdict(evaluate_forecasts(side.history, side.predictions, chosen))
        found[name] = {key: plain(value) for key, value in forecast.items()}
    return {"matches": len(shared), **found}


def points_report(old: Side, new: Side, moves: Moves) -> dict[str, Any] | None:
    if old.points is None and new.points is None:
        return None
    was, now = moves.points
    return {
        "players": int(np.count_nonzero(was != now)),
        "largest": int(np.abs(now - was).max(initial=0)),
        "total": [int(was.sum()), int(now.sum())],
    }


def in_words(kind: str, low: int, high: int | None) -> str:
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
