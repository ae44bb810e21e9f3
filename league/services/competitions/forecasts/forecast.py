"""The chance of each place in a table or a Swiss, from those of the fixtures to come. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from league.services.competitions.standings.entrant_rounds import PointsRules

    Floats: TypeAlias = npt.NDArray[np.float64]
    Booleans: TypeAlias = npt.NDArray[np.bool_]
    Integers: TypeAlias = npt.NDArray[np.intp]

SEASONS = 10_000
MOST_CELLS = 64_000_000
"""The most memory for earlier meetings: a byte per pair of entrants and simulated season."""


def places_in_table(
    points: Sequence[float],
    fixtures: Sequence[tuple[int, int]],
    chances: Floats,
    rules: PointsRules,
    generator: np.random.Generator,
    *,
    ahead: Sequence[float] | None = None,
    seasons: int = SEASONS,
) -> Floats:
    """Return the chance of each place (entrants, places).

    Args:
        points: of each entrant so far.
        fixtures: to come, as (home, away), by the index of entrants.
        chances: (fixtures, 3) of a win at home, a draw and a win away.
        ahead: the first tie-break so far, more is better. Simulated games have no score, so what
            separates entrants of equal points is this, and then chance.
    """
    return shares(ranked_table(points, fixtures, chances, rules, generator, ahead, seasons))


def ranked_table(
    points: Sequence[float],
    fixtures: Sequence[tuple[int, int]],
    chances: Floats,
    rules: PointsRules,
    generator: np.random.Generator,
    ahead: Sequence[float] | None = None,
    seasons: int = SEASONS,
) -> Integers:
    """Return the entrants of each season by place (seasons, places). Arguments as above."""
    totals = _totals(points, fixtures, chances, rules, generator, seasons)
    return _rank(totals, ahead, generator)


def _totals(
    points: Sequence[float],
    fixtures: Sequence[tuple[int, int]],
    chances: Floats,
    rules: PointsRules,
    generator: np.random.Generator,
    seasons: int,
) -> Floats:
    """Return the points at the end (seasons, entrants).

    Fixtures are taken in rounds of entrants that are all different, so that each round is one
    addition.
    """
    totals = np.tile(np.asarray(points, dtype=np.float64), (seasons, 1))
    home_worth = np.array([float(rules.win), float(rules.draw), float(rules.loss)])
    for those in _rounds(fixtures):
        home, away = np.array([fixtures[at] for at in those]).T
        ended = _outcomes(chances[those], generator, seasons)
        totals[:, home] += home_worth[ended]
        totals[:, away] += home_worth[::-1][ended]
    return totals


def _rounds(fixtures: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Return fixtures in lots in which nobody plays twice."""
    lots: list[list[int]] = []
    played: dict[int, int] = {}
    for at, (home, away) in enumerate(fixtures):
        lot = max(played.get(home, 0), played.get(away, 0))
        if lot == len(lots):
            lots.append([])
        lots[lot].append(at)
        played[home] = played[away] = lot + 1
    return lots


def _outcomes(chances: Floats, generator: np.random.Generator, seasons: int) -> Integers:
    """Draw 0 for a win at home, 1 for a draw and 2 for a win away (seasons, fixtures)."""
    drawn = generator.random((seasons, len(chances)), dtype=np.float32)
    home, draw = chances[:, 0].astype(np.float32), chances[:, :2].sum(axis=1).astype(np.float32)
    ended: Integers = (drawn >= home).astype(np.intp) + (drawn >= draw)
    return ended


def _rank(
    totals: Floats, ahead: Sequence[float] | None, generator: np.random.Generator
) -> Integers:
    """Return the entrants by points, then by who is ahead so far, then by chance."""
    seasons, count = totals.shape
    edge = np.zeros(count) if ahead is None else np.asarray(ahead, dtype=np.float64)
    order = np.argsort(np.argsort(edge, kind="stable"), kind="stable")
    level = np.unique(edge, return_inverse=True)[1] if len(np.unique(edge)) < count else order
    luck = generator.random((seasons, count), dtype=np.float32)
    ranked: Integers = np.argsort(-totals - 1e-6 * (level + luck) / (count + 1), axis=1)
    return ranked


def shares(ranked: Integers) -> Floats:
    """Return how often each entrant had each place (entrants, places)."""
    seasons, count = ranked.shape
    counted = [np.bincount(ranked[:, place], minlength=count) for place in range(count)]
    return np.divide(np.stack(counted, axis=1), seasons)


def places_in_swiss(
    points: Sequence[float],
    strength: Callable[[Integers, Integers], Floats],
    rounds: int,
    rules: PointsRules,
    generator: np.random.Generator,
    *,
    met: Booleans | None = None,
    ahead: Sequence[float] | None = None,
    fixtures: Sequence[tuple[int, int]] = (),
    chances: Floats | None = None,
    out: Sequence[int] = (),
    seasons: int = SEASONS,
) -> Floats:
    """Return the chance of each place after further rounds of a Swiss (entrants, places).

    Each simulated round pairs neighbours by points, in an order by chance among equals, and swaps
    two games where a pair has met. That is not the pairing of the real Swiss, for which thousands
    of seasons take too long, but it brings the same kind of opponents.

    Args:
        strength: returns (…, 3) the chances of a win, a draw and a loss of entrants against others,
            given two arrays of indices.
        met: (entrants, entrants) who has met whom, or is about to.
        fixtures: those of the present round that are still to be played.
        chances: (fixtures, 3) of a win at home, a draw and a win away; by default as ``strength``
            returns them.
        out: those who have withdrawn, and are not paired again.
    """
    count = len(points)
    before = np.zeros((count, count), dtype=np.bool_) if met is None else met
    pairs = np.array(fixtures, dtype=np.intp).reshape(-1, 2)
    if chances is None:
        chances = strength(pairs[:, 0], pairs[:, 1]) if fixtures else np.empty((0, 3))
    worth = np.array([float(rules.win), float(rules.draw), float(rules.loss), float(rules.bye)])
    at_once = max(1, MOST_CELLS // count**2)
    parts = []
    for first in range(0, seasons, at_once):
        part = min(at_once, seasons - first)
        totals = _totals(points, fixtures, chances, rules, generator, part)
        seen = np.broadcast_to(before, (len(totals), count, count)).copy()
        for _ in range(rounds):
            _simulate_round(totals, seen, strength, worth, generator, out)
        parts.append(totals)
    return shares(_rank(np.concatenate(parts), ahead, generator))


def _simulate_round(
    totals: Floats,
    seen: Booleans,
    strength: Callable[[Integers, Integers], Floats],
    worth: Floats,
    generator: np.random.Generator,
    out: Sequence[int],
) -> None:
    """Play a round of each season, and add its points and meetings."""
    seasons, entrants = totals.shape
    count = entrants - len(out)
    each = np.arange(seasons)[:, None]
    standing = -totals - 1e-3 * generator.random(totals.shape)
    standing[:, list(out)] = np.inf
    order = np.argsort(standing, axis=1)[:, :count]
    _part_those_who_met(order, seen)
    home, away = order[:, 0 : count - 1 : 2], order[:, 1::2]
    chances = strength(home, away)
    drawn = generator.random(home.shape)
    ended = (drawn >= chances[..., 0]).astype(np.intp)
    ended += drawn >= chances[..., 0] + chances[..., 1]
    totals[each, home] += worth[ended]
    totals[each, away] += worth[2 - ended]
    seen[each, home, away] = seen[each, away, home] = True
    if count % 2:
        totals[each[:, 0], order[:, -1]] += worth[3]


def _part_those_who_met(order: Integers, seen: Booleans) -> None:
    """Swap the second of each pair that has met with the first of the next pair, in place."""
    seasons, count = order.shape
    each = np.arange(seasons)
    for at in range(0, count - 2, 2):
        again = each[seen[each, order[:, at], order[:, at + 1]]]
        order[again, at + 1], order[again, at + 2] = order[again, at + 2], order[again, at + 1]
