"""Ratings in hindsight: what all matches, earlier and later, say about each day.

Source: R. Coulom, "Whole-History Rating: A Bayesian Rating System for Players of Time-Varying
Strength", 2008. A side's chance to win is logistic in the lead ``x`` of its strength, and strength
is a Wiener process. With natural ratings r (``400 / ln 10`` points each), the ratings of all
players on all days on which they played maximise ::

    Σ w (s ln p(x) + (1 - s) ln p(-x))          over matches, with p(x) = 1 / (1 + exp(-x))
    - Σ (r_(i+1) - r_i)² / (2 drift² (t_(i+1) - t_i))     over neighbouring days of each player
    + Σ k (ln p(r_1) + ln p(-r_1))              over players: k wins and k losses against a
                                                player of the average rating, on the first day

``s`` is 1, ½ or 0. A draw is half a win of each side. The strength of a side is the mean of its
members'. The sum is concave, so there is one maximum.

Coulom moves one player after another by Newton's method, whose Hessian is tridiagonal for one
player. Here all players move at once: the same tridiagonal Hessians precondition conjugate
gradients, which solve for the step of everyone. Deviations are his: the inverse of a player's own
Hessian, as if the strengths of the others were known.

These are not ratings to compete for, as each result changes everyone's past. They show how strong
players were, judging by all results up to now.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ratings.frames import to_frame
from ratings.history import NEITHER, HistoryError
from ratings.numerics import encounter_results

if TYPE_CHECKING:
    from ratings.history import History
    from ratings.types import Booleans, Floats, Integers

DAY = 86_400_000_000
"""Microseconds."""
YEAR = 365.25
"""Days."""
SCALE = 400.0 / math.log(10.0)
"""Rating points of a natural rating."""
NEAR = 1e-6
"""The last step moves no natural rating further than this. The error left is about its square."""
ROUNDING = 1e-12
"""Differences of the posterior's logarithm below this share of it are rounding."""
MOST_STEPS = 100


@dataclass(frozen=True)
class WholeHistory:
    """Each player's rating on each day on which they played, ``(k,)`` by player, then day."""

    players: list[str]
    """Names by code, those of the history."""
    player: Integers
    day: Integers
    """Days since 1970 (UTC)."""
    rating: Floats
    """In rating points."""
    deviation: Floats
    """In rating points, as if the other players' strengths were known."""

    def of(self, player: str) -> WholeHistory:
        """Return the days of one player, none if they did not play. Raises ``LookupError``."""
        if player not in self.players:
            raise LookupError(f"{player} is not a player of this history")
        rows = self.player == self.players.index(player)
        return WholeHistory(
            self.players, self.player[rows], self.day[rows], self.rating[rows], self.deviation[rows]
        )

    def to_frame(self, backend: str = "pandas") -> Any:
        """Return a data frame of pandas, Polars or another library.

        Its columns are player, day (an ISO date), rating and deviation.
        """
        columns: dict[str, list[object]] = {
            "player": [self.players[code] for code in self.player.tolist()],
            "day": [*self.dates()],
            "rating": self.rating.tolist(),
            "deviation": self.deviation.tolist(),
        }
        return to_frame(columns, backend)

    def dates(self) -> list[str]:
        """Return the days as ISO dates."""
        return [str(day) for day in self.day.astype("datetime64[D]")]


def whole_history(
    history: History,
    *,
    drift: float = 120.0,
    mean: float = 1500.0,
    first_side: float = 0.0,
    prior_games: float = 1.0,
) -> WholeHistory:
    """Return everybody's ratings in hindsight.

    Args:
        history: Matches of two sides, in any order. Those that were not played do not count.
        drift: How far strengths wander, in rating points per square root of a year, from 1 to
            100,000. Landfried and Mocskos fitted 139 to tennis.
        mean: The rating of the average player.
        first_side: The advantage of the first side in rating points, such as of playing at home.
        prior_games: How many wins, and as many losses, against an average player everybody starts
            with, from 0.001 to 1,000. More keep newcomers closer to the mean.

    Raises:
        HistoryError: A match has more than two sides.
        ValueError: A number is out of range.
    """
    for name, value, low, high in (
        ("drift", drift, 1, 100_000),
        ("mean", mean, -1_000_000, 1_000_000),
        ("first_side", first_side, -100_000, 100_000),
        ("prior_games", prior_games, 0.001, 1000),
    ):
        if not low <= value <= high:
            raise ValueError(f"{name} must be from {low:,} to {high:,}; it is {value}")
    many = np.flatnonzero(np.diff(history.side_offsets) != 2)
    if len(many):
        raise HistoryError(
            f"match {history.match_ids[many[0]]}: ratings in hindsight need two sides"
        )
    model = _Model(history, drift / SCALE, first_side / SCALE, prior_games)
    if not len(model.player):
        return WholeHistory(history.players, model.player, model.day, np.empty(0), np.empty(0))
    strength = model.maximum()
    return WholeHistory(
        players=history.players,
        player=model.player,
        day=model.day,
        rating=mean + SCALE * strength,
        deviation=SCALE * model.deviation(strength),
    )


class _Model:
    """The posterior of the natural ratings of ``k`` days of players, and its maximum."""

    player: Integers
    """``(k,)`` codes, ascending."""
    day: Integers
    """``(k,)`` ascending for each player."""

    def __init__(self, history: History, drift: float, advantage: float, prior: float) -> None:
        played = np.ones(len(history), np.bool_) if history.played is None else history.played
        counts = np.diff(history.match_offsets)
        taking_part = np.repeat(played, counts)
        side = np.repeat(np.arange(len(history.sizes)), history.sizes)[taking_part]
        days = np.repeat(history.times // DAY, counts)[taking_part]
        codes = history.player[taking_part]
        both, self._node = np.unique(np.stack([codes, days]), axis=1, return_inverse=True)
        self._node = self._node.ravel()
        self.player, self.day = both.astype(np.int64)

        number = np.cumsum(played) - 1
        self._match = number[side // 2]
        self._share = np.where(side % 2 == 0, 1.0, -1.0) / history.sizes[side]
        places = history.places.reshape(-1, 2)[played]
        self._result = encounter_results(places[:, 0], places[:, 1])
        self._weight = history.weights[played]
        self._head_start = np.zeros(len(places))
        if history.first is not None and advantage:
            first = history.first[played]
            self._head_start = np.where(
                first == NEITHER, 0.0, np.where(first == 0, advantage, -advantage)
            )

        self._starts: Booleans = np.diff(self.player, prepend=-1) != 0
        gaps = np.diff(self.day) / YEAR
        self._link = np.zeros(len(gaps))
        same = ~self._starts[1:]
        self._link[same] = 1.0 / (drift**2 * gaps[same])
        """``(k - 1,)`` the precision of each step, 0 between players."""
        self._prior = np.where(self._starts, prior, 0.0)

    def leads(self, strength: Floats) -> Floats:
        """Return the leads of the sides listed first, without the advantage of the first side."""
        each = self._share * strength[self._node]
        return np.asarray(np.bincount(self._match, each, len(self._result)), dtype=np.float64)

    def gather(self, values: Floats) -> Floats:
        """Return ``(k,)`` sums of the matches' values, weighted by each member's share."""
        each = self._share * values[self._match]
        return np.asarray(np.bincount(self._node, each, len(self.player)), dtype=np.float64)

    def log_posterior(self, strength: Floats) -> float:
        """Return the sum at the top of this module, up to a constant."""
        lead = self.leads(strength) + self._head_start
        matches = self._weight * (self._result * lead - np.logaddexp(0.0, lead))
        prior = self._prior * (strength - 2.0 * np.logaddexp(0.0, strength))
        steps = self._link * np.diff(strength) ** 2
        return float(matches.sum() + prior.sum() - 0.5 * steps.sum())

    def gradient(self, strength: Floats) -> Floats:
        """Return ``(k,)`` the derivatives of the posterior's logarithm."""
        chance = _logistic(self.leads(strength) + self._head_start)
        pull = self._link * np.diff(strength)
        slope = self.gather(self._weight * (self._result - chance))
        slope += self._prior * (1.0 - 2.0 * _logistic(strength))
        slope[:-1] += pull
        slope[1:] -= pull
        return slope

    def information(self, strength: Floats) -> Floats:
        """Return the negative second derivative of each match by its lead."""
        chance = _logistic(self.leads(strength) + self._head_start)
        return np.asarray(self._weight * chance * (1.0 - chance))

    def diagonals(self, strength: Floats, information: Floats) -> tuple[Floats, Floats]:
        """Return ``(k,)`` the diagonal of the negative Hessian, and the same without matches."""
        chance = _logistic(strength)
        others = self._prior * 2.0 * chance * (1.0 - chance)
        others[:-1] += self._link
        others[1:] += self._link
        matches = np.bincount(
            self._node, self._share**2 * information[self._match], minlength=len(strength)
        )
        return others + matches, others

    def maximum(self) -> Floats:
        """Return ``(k,)`` the natural ratings with the highest posterior."""
        from scipy.linalg import cho_solve_banded, cholesky_banded  # noqa: PLC0415  slow to import

        strength = np.zeros(len(self.player))
        value = self.log_posterior(strength)
        for _ in range(MOST_STEPS):
            slope, information = self.gradient(strength), self.information(strength)
            diagonal, others = self.diagonals(strength, information)
            bands = np.stack([diagonal, np.append(-self._link, 0.0)])
            factor = cholesky_banded(bands, lower=True)
            step = _conjugate_gradients(
                lambda v, d=others, i=information: self._apply_curvature(v, d, i),
                lambda v, f=factor: cho_solve_banded((f, True), v),  # type: ignore[no-untyped-call] # SciPy
                slope,
            )
            if float(np.abs(step).max()) <= NEAR:
                return np.asarray(strength + step)
            lowest = value - ROUNDING * abs(value)
            while (higher := self.log_posterior(strength + step)) < lowest:
                step *= 0.5
            strength, value = strength + step, higher
        raise ArithmeticError(f"ratings in hindsight did not settle in {MOST_STEPS} steps")

    def _apply_curvature(self, direction: Floats, others: Floats, information: Floats) -> Floats:
        """Return the negative Hessian times a direction ``(k,)``."""
        result = others * direction
        result += self.gather(information * self.leads(direction))
        result[:-1] -= self._link * direction[1:]
        result[1:] -= self._link * direction[:-1]
        return result

    def deviation(self, strength: Floats) -> Floats:
        """Return ``(k,)`` roots of the diagonal of the inverse of each player's own Hessian.

        A tridiagonal matrix is eliminated from both ends; the pivots that meet on a day give it.
        """
        diagonal = self.diagonals(strength, self.information(strength))[0].tolist()
        link = self._link.tolist()
        down, up = diagonal.copy(), diagonal.copy()
        for at in range(1, len(diagonal)):
            down[at] -= link[at - 1] ** 2 / down[at - 1]
        for at in range(len(diagonal) - 2, -1, -1):
            up[at] -= link[at] ** 2 / up[at + 1]
        return np.asarray(1.0 / np.sqrt(np.array(down) + np.array(up) - np.array(diagonal)))


def _logistic(values: Floats) -> Floats:
    """Return ``1 / (1 + exp(-x))`` without overflow."""
    return np.asarray(0.5 + 0.5 * np.tanh(0.5 * values))


def _conjugate_gradients(curved: Any, preconditioned: Any, wanted: Floats) -> Floats:
    """Return x with ``curved(x) = wanted``, the more exactly the smaller ``wanted`` is.

    Source: J. Nocedal and S. Wright, "Numerical Optimization", 2006, algorithms 5.3 and 7.1.
    """
    size = float(np.sqrt(wanted @ wanted))
    enough = min(0.1, size) * size
    found, residual = np.zeros_like(wanted), wanted.copy()
    direction = better = preconditioned(residual)
    energy = float(residual @ better)
    for _ in range(20 + len(wanted)):
        if float(np.sqrt(residual @ residual)) <= enough or energy <= 0.0:
            break
        bent = curved(direction)
        length = energy / float(direction @ bent)
        found += length * direction
        residual -= length * bent
        better = preconditioned(residual)
        energy, before = float(residual @ better), energy
        direction = better + energy / before * direction
    return found
