"""TrueSkill: skills as normal distributions, inferred from the places of any contest.

Sources: R. Herbrich, T. Minka and T. Graepel, "TrueSkill: A Bayesian skill rating system", 2006,
and the baseline of A. Ebtekar and P. Liu, "Elo-MMR", 2021, which adds levels for shared places and
handles thousands of places at once. The baseline's two slips (one message cell for all places, and
truncated moments with half the variance) are not repeated.

The model. Before a match, a player's skill is normal with the rating as its mean and the deviation,
widened by ``drift``, as its standard deviation. Their performance in the match varies around their
skill with standard deviation ``beta``. A side performs as the sum of its members. Sides rank by
performance, and draw if theirs differ by at most the draw margin. The new ratings are the means and
deviations of the skills given the places.

Formats. All are native: duels, teams, free-for-alls, uneven sides. A drawn match is information
like any other. A missing member counts as a player of rating ``empty_seat``. **Partial play**:
seconds are divided by the longest time that anybody in the match played. That share of a player's
performance counts, and the empty seat's for the rest. Without seconds, everybody played in full.
Scores count by ``margin`` only. Quits without seconds and professions have no effect.

A match's weight w divides the variance of performances: with weight 4, a result says as much as if
chance had half its effect.

What the places say about the sides is computed on a factor graph
(``ratings.systems.trueskill.inference``). With many distinct places the margin adds up, see
``eps``: ratings stay finite, but a contest of 10,000 with the default ``eps`` of 1 spreads its
newcomers by about 4,600 points, from an initial 350.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import scipy

from ratings.numerics import ADDED_IN_ORDER, per_side
from ratings.system import RatingSystem, Shows
from ratings.systems.trueskill.gaussians import above, between
from ratings.systems.trueskill.inference import Natural, Order, messages
from ratings.systems.trueskill.parameters import PUBLISHED, TrueSkillParameters
from ratings.types import Forecast, Outcome, States, Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.types import Batch, Floats, Integers, Loop

LEAST_LEFT = 1e-12
"""At least this share of a variance remains, whatever was learned."""
LEAST_SHARE = 1e-4
"""Minimum share of participation, so that every side has a performance."""
NARROWEST = 1e-6
"""No draw margin from a draw probability is narrower than this share of beta."""
SLICES = 192
"""Slices of the range of winning performances, for forecasts with three or more sides."""
FAR = 8.0
"""No performance is expected more than this many deviations from its mean."""
# Some megabytes of doubles at a time, whatever the number of matches.
CELLS_AT_ONCE = 1 << 20


class TrueSkill(RatingSystem):
    """TrueSkill for any number of sides."""

    name = "trueskill"
    label = "TrueSkill"
    summary = (
        "Skills as bell curves, for teams and free-for-alls of any size, including draws. It rates "
        "newcomers quickly and shows its uncertainty. Made for video games of 2 to 16 players."
    )
    Parameters = TrueSkillParameters
    shows = Shows(deviation=True)
    knows_draws = True
    published = PUBLISHED
    fitted = ("drift", "beta")
    adds_members = True
    terms = (
        Term("expected", "Expected result", "Against the average of the other sides, 0 to 1."),
        Term(
            "strength",
            "Own side's strength",
            "The sum of its members, before the match.",
            unit="strength",
        ),
        Term(
            "opposition",
            "Opponents' strength",
            "The same, or the mean of several sides.",
            unit="strength",
        ),
        Term(
            "performance",
            "Performance",
            "The side's strength in this match, by its place.",
            unit="strength",
        ),
        Term(
            "deviation",
            "Deviation at the match",
            "The rating's uncertainty, including drift.",
            unit="deviation",
        ),
        Term("played", "Share played", "1 for all of the match, ½ for half of the time."),
        Term("share", "Share of the change", "The player's share of the side's surprise."),
        Term("change", "Change", "Share of (performance minus strength).", unit="points"),
    )

    parameters: TrueSkillParameters

    def __init__(self, parameters: TrueSkillParameters) -> None:
        self.parameters = parameters

    def compiled_loop(self, sizes: tuple[int, ...]) -> Loop | None:
        """Rate matches of two small sides in compiled code."""
        checks = {**scipy.special.geterr(), "memory": ""}.values()
        if len(sizes) != 2 or max(sizes) > ADDED_IN_ORDER or "raise" in checks:
            return None
        from ratings.systems.trueskill.compiled import rate_two_sides  # noqa: PLC0415 - Numba

        return partial(rate_two_sides, self, sizes)

    def newcomers(self, count: int, population: int = 0) -> States:
        """Return the same state for everyone."""
        del population
        return States.full(
            count,
            rating=self.parameters.initial_rating,
            deviation=self.parameters.initial_deviation,
        )

    def rate(self, before: States, batch: Batch) -> Outcome:
        """Rate ``m`` matches of one shape."""
        played = shares_played(batch.seconds)
        variance = before.deviation**2 + self.parameters.drift**2
        noise = self.parameters.beta**2 / batch.weights[:, None]
        strength, spread = self._sides(before.rating, variance + noise, played, batch.sizes)
        learn = self._two_sides if len(batch.sizes) == 2 else self.learn_places
        evidence = learn(strength, spread, batch)
        push = evidence.push
        side_of = batch.side_of
        part = played * variance
        left = 1.0 - played * part * evidence.narrowing[:, side_of]
        rating = before.rating + part * push[:, side_of]
        after = States(
            rating=rating,
            deviation=np.sqrt(variance * np.maximum(left, LEAST_LEFT)),
            volatility=before.volatility,
            games=before.games,
            last_played=before.last_played,
            memory=before.memory,
        )
        terms = {
            **_shared_terms(strength, spread, push, side_of),
            "deviation": np.sqrt(variance),
            "played": played,
            "share": part / spread[:, side_of],
            "change": rating - before.rating,
        }
        return Outcome(after, terms)

    def _sides(
        self, rating: Floats, variance: Floats, played: Floats, sizes: Sequence[int]
    ) -> tuple[Floats, Floats]:
        """Return ``(m, s)`` mean and variance of sides' performances, including empty seats."""
        seat = self.parameters.empty_seat
        strength = per_side(played * (rating - seat), sizes, "sum") + seat * max(sizes)
        return strength, per_side(played**2 * variance, sizes, "sum")

    def _two_sides(self, strength: Floats, spread: Floats, batch: Batch) -> Evidence:
        """Solve two sides in closed form: their difference is truncated once."""
        winner = np.sign(batch.places[:, 1] - batch.places[:, 0])
        variance = spread[:, 0] + spread[:, 1]
        deviation = np.sqrt(variance)
        lead = (strength[:, 0] - strength[:, 1]) / deviation
        margin = self._margin(np.full(len(lead), float(sum(batch.sizes))), batch.weights)
        shift, ratio = above(margin / deviation - winner * lead)
        shift *= winner
        drawn = winner == 0
        if drawn.any():
            within = (margin / deviation)[drawn]
            shift[drawn], ratio[drawn] = between(-lead[drawn], within)
        push, narrowing = shift / deviation, (1.0 - ratio) / variance
        return Evidence(np.stack([push, -push], axis=-1), np.stack([narrowing] * 2, axis=-1))

    def learn_places(self, strength: Floats, spread: Floats, batch: Batch) -> Evidence:
        """Return what the places say of sides of ``strength`` and variance ``spread`` ``(m, s)``.

        Any number of sides is solved on the factor graph, best first.
        """
        best_first = np.argsort(batch.places, axis=-1, kind="stable")
        # Around their mean, the numbers are small and only differences of ratings count.
        away = strength - strength.sum(axis=-1, keepdims=True) / strength.shape[-1]
        sides = Natural.of(
            np.take_along_axis(away, best_first, axis=-1),
            np.take_along_axis(spread, best_first, axis=-1),
        )
        inferred = messages(sides, self._order(batch, best_first))
        back = np.argsort(best_first, axis=-1)
        precision = np.take_along_axis(inferred.precision, back, axis=-1)
        information = np.take_along_axis(inferred.information, back, axis=-1)
        known = 1.0 + precision * spread
        return Evidence((information - precision * away) / known, precision / known)

    def _order(self, batch: Batch, best_first: Integers) -> Order:
        """Return the places as a chain of levels."""
        places = np.take_along_axis(batch.places, best_first, axis=-1)
        same = places[:, 1:] == places[:, :-1]
        count = places.shape[-1]
        if self.parameters.ties == "neighbours":
            level = np.broadcast_to(np.arange(count), places.shape)
            shared, linked, drawn = np.zeros_like(places, bool), np.ones_like(same), same
        else:
            edge = np.zeros((len(places), 1), bool)
            level = np.concatenate([edge, ~same], axis=-1).cumsum(axis=-1)
            shared = np.concatenate([edge, same], axis=-1) | np.concatenate([same, edge], axis=-1)
            linked, drawn = np.arange(count - 1) < level[:, -1:], np.zeros_like(same)
        seats = _mean_of_level(np.array(batch.sizes, dtype=np.float64)[best_first], level)
        weights = batch.weights[:, None]
        own = np.take_along_axis(seats, level, axis=-1)
        return Order(
            level=level,
            shared=shared,
            half_width=0.5 * self._margin(own + own, weights),
            linked=linked,
            drawn=drawn,
            gap=self._margin(seats[:, :-1] + seats[:, 1:], weights),
        )

    def _margin(self, players: Floats, weights: Floats | float = 1.0) -> Floats:
        """Return the largest drawn difference between sides with ``players`` in total."""
        if not self.parameters.draw_probability:
            return np.full_like(players, self.margin_of_one())
        return np.asarray(self.margin_of_one() * np.sqrt(players / weights))

    def margin_of_one(self) -> float:
        """Return the margin of one player, or of any number if draws have no probability."""
        chance = self.parameters.draw_probability
        if not chance:
            return 2.0 * self.parameters.eps
        share = max(float(scipy.special.ndtri(0.5 + 0.5 * chance)), NARROWEST)
        return share * self.parameters.beta

    def predict(
        self, states: States, sizes: Sequence[int], times: Integers | None = None
    ) -> Forecast:
        """Predict the model's chances, assuming that all members play in full.

        For two sides they are exact. For more, the range of performances is cut into slices. Each
        slice adds the chance that this side performs there and all others more than the margin
        below. Gaps and overlaps of the slices are scaled away, which leaves errors below 0.001.
        """
        del times
        variance = states.deviation**2 + self.parameters.drift**2 + self.parameters.beta**2
        strength, spread = self._sides(states.rating, variance, np.ones_like(variance), sizes)
        if len(sizes) == 2:
            margin = float(self._margin(np.array([float(sum(sizes))]))[0])
            return _two_forecast(strength, spread, margin)
        margin = float(self._margin(np.array([2.0 * sum(sizes) / len(sizes)]))[0])
        return forecast_places(strength, np.sqrt(spread), margin)


@dataclass(frozen=True)
class Evidence:
    """The evidence of the places about each side's performance, per unit of prior variance."""

    push: Floats
    """``(m, s)`` shift of its mean."""
    narrowing: Floats
    """``(m, s)`` reduction of its variance."""


def _shared_terms(
    strength: Floats, spread: Floats, push: Floats, side_of: Integers
) -> dict[str, Floats]:
    """Return the terms that members share, ``(m, p)``."""
    others = strength.shape[-1] - 1
    opposition = (strength.sum(axis=-1, keepdims=True) - strength) / others
    uncertainty = (spread.sum(axis=-1, keepdims=True) - spread) / others
    sides = {
        "expected": scipy.special.ndtr((strength - opposition) / np.sqrt(spread + uncertainty)),
        "strength": strength,
        "opposition": opposition,
        "performance": strength + spread * push,
    }
    return {name: values[:, side_of] for name, values in sides.items()}


def shares_played(seconds: Floats) -> Floats:
    """Return ``(m, p)`` shares of the longest time played in the match, 1 if unknown."""
    if np.isnan(seconds).all():
        return np.ones_like(seconds)
    longest = np.max(seconds, axis=-1, keepdims=True, initial=0.0, where=~np.isnan(seconds))
    shares = seconds / np.where(longest > 0, longest, 1.0)
    return np.where(np.isnan(seconds) | (longest == 0), 1.0, np.maximum(shares, LEAST_SHARE))


def _mean_of_level(values: Floats, level: Integers) -> Floats:
    """Return the ``(m, s)`` mean of each level's sides, 0 for unused levels."""
    rows = level.shape[-1] * np.arange(len(level))[:, None]
    at = (level + rows).ravel()
    total = np.bincount(at, weights=values.ravel(), minlength=level.size)
    count = np.bincount(at, minlength=level.size)
    means: Floats = (total / np.maximum(count, 1)).reshape(level.shape)
    return means


def _two_forecast(strength: Floats, spread: Floats, margin: float) -> Forecast:
    lead = strength[:, 0] - strength[:, 1]
    deviation = np.sqrt(spread[:, 0] + spread[:, 1])
    ndtr = scipy.special.ndtr
    win = np.stack([ndtr((lead - margin) / deviation), ndtr((-lead - margin) / deviation)], axis=-1)
    away = np.abs(lead)
    draw = ndtr((margin - away) / deviation) - ndtr((-margin - away) / deviation)
    return Forecast(win=win, draw=draw)


def forecast_places(strength: Floats, deviation: Floats, margin: float) -> Forecast:
    """Return the chances of sides ``(m, s)`` whose performances are normal."""
    # Sort by strength, so that the order of sides does not affect the last digit.
    ordered = np.lexsort((deviation, strength), axis=-1)
    back = np.argsort(ordered, axis=-1)
    strength = np.take_along_axis(strength, ordered, axis=-1)
    deviation = np.take_along_axis(deviation, ordered, axis=-1)
    win = np.empty_like(strength)
    block = max(1, CELLS_AT_ONCE // (SLICES * strength.shape[-1]))
    for start in range(0, len(strength), block):
        rows = slice(start, start + block)
        win[rows] = _win_chances(strength[rows], deviation[rows], margin)
    draw = np.maximum(1.0 - win.sum(axis=-1), 0.0)
    return Forecast(win=np.take_along_axis(win, back, axis=-1), draw=draw)


def _win_chances(strength: Floats, deviation: Floats, margin: float) -> Floats:
    """Return each side's ``(m, s)`` chance to perform more than ``margin`` above all others."""
    low = (strength - FAR * deviation).max(axis=-1)
    high = (strength + FAR * deviation).max(axis=-1)
    edges = np.linspace(low, high, SLICES + 1, axis=-1)
    middles = 0.5 * (edges[:, 1:] + edges[:, :-1])
    below = scipy.special.ndtr((edges[:, :, None] - strength[:, None, :]) / deviation[:, None, :])
    here = below[:, 1:] - below[:, :-1]

    def first_by(lead: float) -> Floats:
        margins = middles[:, :, None] - lead - strength[:, None, :]
        chance = scipy.special.log_ndtr(margins / deviation[:, None])
        others = np.exp(chance.sum(axis=-1, keepdims=True) - chance)
        return np.asarray(np.ascontiguousarray((here * others).swapaxes(1, 2)).sum(axis=-1))

    return np.asarray(first_by(margin) / first_by(0.0).sum(axis=-1, keepdims=True))
