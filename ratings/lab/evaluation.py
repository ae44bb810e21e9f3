"""Evaluation of predictions: any system on any history, predicting each match before its update.

Sources. Pair inversion and rank deviation: A. Ebtekar and P. Liu, "Elo-MMR", 2021, section 6.3,
with the details of the paper's own program. Only sides whose members all have experience count
(five earlier matches by default), and places are compared among those. Ties in the outcome and ties
of ratings count as predicted. Accuracy, logarithmic loss, Brier score and calibration are standard
measures of each side's predicted chance to come first.

The higher-rated side is the one with the higher mean rating of its members. Predictions are
collected first (``predict_history``), then evaluated (``evaluate_predictions``). The true skills of
a synthetic history can thus be evaluated like a system's ratings, as an upper bound.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ratings.contests import forecasting
from ratings.numerics import per_side, side_starts
from ratings.replay import steps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ratings.history import History
    from ratings.replay import Step
    from ratings.system import RatingSystem
    from ratings.types import Booleans, Floats, Integers, States

EXPERIENCED = 5
"""Earlier matches from which a player counts, as in the paper."""
BINS = 10
"""Bins of the calibration table."""
LEAST_CHANCE = 1e-12
"""Lower limit of chances, so that one certain prediction gone wrong is not infinite."""


@dataclass(frozen=True)
class Predictions:
    """The predictions for each of ``S`` sides before its match."""

    strength: Floats
    """``(S,)`` mean rating of its members, higher is better."""
    games: Integers
    """``(S,)`` earlier matches of its least experienced member."""
    chance: Floats
    """``(S,)`` chance to come first, with draws shared evenly. NaN if not predicted."""
    draw: Floats | None = None
    """``(M,)`` chance of each match to be drawn, if it is asked for."""

    @classmethod
    def blank(cls, history: History, states: States) -> Predictions:
        """Return arrays for the predictions of a history, which begins with these states."""
        sides = len(history.places)
        return cls(
            np.empty(sides),
            _least_experience(history, states),
            np.full(sides, np.nan),
            np.zeros(len(history)),
        )

    def part(self, history: History, start: int, stop: int) -> Predictions:
        """Return views of the predictions of the matches from ``start`` to ``stop``."""
        sides = slice(history.side_offsets[start], history.side_offsets[stop])
        draw = None if self.draw is None else self.draw[start:stop]
        return Predictions(self.strength[sides], self.games[sides], self.chance[sides], draw)


@dataclass(frozen=True)
class Bin:
    """Sides with about the same predicted chance."""

    sides: int
    predicted: float
    """Mean predicted chance, 0 to 1."""
    observed: float
    """The number of first places, counting shared ones in parts."""


@dataclass(frozen=True)
class Evaluation:
    """The quality of a history's predictions. NaN if there was nothing to evaluate."""

    matches: int
    """Matches with at least two sides that count."""
    pair_inversion: float
    """Percent of pairs of sides in which the higher-rated one did not place lower."""
    rank_deviation: float
    """Mean distance between a side's place and its place by rating, in percent of the field."""
    accuracy: float
    """Percent of matches with a single first side in which it was the favourite."""
    log_loss: float
    """Mean of ``-ln`` of the predicted chance of the first side, in nats."""
    brier: float
    """Mean of half the squared errors of a match's chances, 0 to 1."""
    calibration: list[Bin]
    """Ten equal bins by predicted chance, without empty ones."""


def evaluate(
    system: RatingSystem, history: History, *, first: int = 0, experienced: int = EXPERIENCED
) -> Evaluation:
    """Rate ``history`` from newcomers and evaluate the predictions from match ``first`` on."""
    predictions = predict_history(system, history)
    return evaluate_predictions(history, predictions, first=first, experienced=experienced)


def predict_history(
    system: RatingSystem,
    history: History,
    states: States | None = None,
    progress: Callable[[int], object] | None = None,
) -> Predictions:
    """Predict each match of ``history`` with ``system`` before rating it.

    ``states`` are the players' states before, newcomers by default.
    """
    table = system.newcomers(len(history.players)) if states is None else states.copy()
    result = Predictions.blank(history, table)
    for _ in predicted_steps(system, history, table, result, progress=progress):
        pass
    return result


def predicted_steps(
    system: RatingSystem,
    history: History,
    table: States,
    into: Predictions,
    *,
    progress: Callable[[int], object] | None = None,
) -> Iterator[Step]:
    """Rate batch by batch into ``table`` like :func:`ratings.replay.steps`, and write the
    predictions of each batch ``into`` the given ones."""
    sides = len(history.places)
    side_of = np.repeat(np.arange(sides), history.sizes)
    match_of = np.repeat(np.arange(len(history)), np.diff(history.side_offsets))
    sign = -1.0 if system.shows.lowest_first else 1.0
    for step in steps(system, history, table, progress):
        sizes, shape = step.batch.sizes, step.batch.players.shape
        at = side_of[step.rows].reshape(shape)[:, side_starts(sizes)[:-1]]
        into.strength[at] = sign * per_side(step.before.rating, sizes, "mean")
        forecast = forecasting.predict(system, step.before, step.batch)
        into.chance[at] = forecast.win + forecast.draw[:, None] / len(sizes)
        if into.draw is not None:
            into.draw[match_of[at[:, 0]]] = forecast.draw
        yield step


def ratings_before(system: RatingSystem, history: History) -> Floats:
    """Return ``(N,)`` each participant's rating before their match, higher is better."""
    sign = -1.0 if system.shows.lowest_first else 1.0
    ratings = np.empty(len(history.player))
    for step in steps(system, history, system.newcomers(len(history.players))):
        ratings[step.rows] = sign * step.before.rating.ravel()
    return ratings


def predict_by_strengths(history: History, strengths: Floats) -> Predictions:
    """Predict ``history`` by the ``(N,)`` strengths of its participants, such as true skills."""
    sides = len(history.places)
    total = np.bincount(
        np.repeat(np.arange(sides), history.sizes), weights=strengths, minlength=sides
    )
    return Predictions(
        strength=total / history.sizes,
        games=_least_experience(history),
        chance=np.full(sides, np.nan),
    )


def rank_error(truth: Floats, ratings: Floats) -> float:
    """Return the sum over all players of the squared distance between their two ranks.

    Players with equal numbers share the mean of their ranks.

    Source: B. Kreimeier, "Rising from the Ranks", Gamasutra 2000, Jacob's Ladder.
    """
    return float(((_mean_ranks(truth) - _mean_ranks(ratings)) ** 2).sum())


def _mean_ranks(values: Floats) -> Floats:
    _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(counts) - 0.5 * (counts - 1))[which]
    return ranks


def _least_experience(history: History, states: States | None = None) -> Integers:
    """Return ``(S,)`` earlier matches of the least experienced member of each side."""
    order = np.argsort(history.player, kind="stable")
    games = np.empty(len(order), dtype=np.int64)
    games[order] = _within(np.bincount(history.player, minlength=len(history.players)))
    if states is not None:
        games += states.games[history.player]
    return np.minimum.reduceat(games, history.participant_offsets[:-1])


def _within(counts: Integers) -> Integers:
    """Return 0, 1, 2 … within each group, where groups have ``counts`` entries."""
    starts = np.cumsum(counts) - counts
    numbers: Integers = np.arange(counts.sum()) - np.repeat(starts, counts)
    return numbers


def evaluate_predictions(
    history: History, predictions: Predictions, *, first: int = 0, experienced: int = EXPERIENCED
) -> Evaluation:
    """Evaluate ``predictions`` of the matches from ``first`` on.

    Places are compared among sides with ``experienced`` earlier matches, chances among all sides.
    """
    match = np.repeat(np.arange(len(history)), np.diff(history.side_offsets))
    counts = (match >= first) & (predictions.games >= experienced)
    order = Order.of(match[counts], history.places[counts], predictions.strength[counts])
    late = match >= first
    chances = Chances.of(match[late] - first, history.places[late], predictions.chance[late])
    return Evaluation(
        matches=len(order.sizes),
        pair_inversion=100.0 * order.predicted_pairs(),
        rank_deviation=100.0 * order.deviation(),
        accuracy=100.0 * chances.accuracy(),
        log_loss=chances.log_loss(),
        brier=chances.brier(),
        calibration=chances.calibration(),
    )


@dataclass(frozen=True)
class Forecasts:
    """The quality of the predicted chances of some matches. NaN if there were none."""

    matches: int
    accuracy: float
    """Share of matches with a single first side in which it was the favourite, 0 to 1."""
    log_loss: float
    brier: float


def predicted_matches(history: History, predictions: Predictions) -> Booleans:
    """Return whether each match was played and has a chance for every side, as ``(M,)``."""
    starts = history.side_offsets[:-1]
    if not len(starts):
        return np.zeros(0, np.bool_)
    known = np.logical_and.reduceat(~np.isnan(predictions.chance), starts)
    return np.asarray(known if history.played is None else known & history.played)


def evaluate_forecasts(history: History, predictions: Predictions, chosen: Booleans) -> Forecasts:
    """Evaluate the predicted chances of the ``chosen`` ``(M,)`` matches."""
    numbers = np.cumsum(chosen) - 1
    match = np.repeat(numbers, np.diff(history.side_offsets))
    sides = np.repeat(chosen, np.diff(history.side_offsets))
    chances = Chances.of(match[sides], history.places[sides], predictions.chance[sides])
    return Forecasts(chances.matches, chances.accuracy(), chances.log_loss(), chances.brier())


@dataclass(frozen=True)
class Order:
    """Sides by match, then place, then strength, of matches with more than one place."""

    match: Integers
    """``(k,)`` from 0, ascending."""
    place: Integers
    strength: Floats
    sizes: Integers
    """``(matches,)``."""
    ids: Integers
    """``(matches,)`` their numbers in the history."""

    @classmethod
    def of(cls, match: Integers, place: Integers, strength: Floats) -> Order:
        order = np.lexsort((-strength, place, match))
        match, place, strength = match[order], place[order], strength[order]
        changes = (np.diff(match) == 0) & (np.diff(place) > 0)
        says = np.isin(match, match[1:][changes])
        ids, match, sizes = np.unique(match[says], return_inverse=True, return_counts=True)
        return cls(match, place[says], strength[says], sizes, ids)

    def predicted_pairs(self) -> float:
        """Return the mean share of pairs that are not inverted, weighted by sides per match."""
        pairs = self.sizes * (self.sizes - 1) / 2
        right = 1.0 - self.inversions() / pairs
        return _mean((self.sizes * right).sum(), self.sizes.sum())

    def inversions(self) -> Floats:
        """Return ``(matches,)`` numbers of pairs in which the side placed higher was rated lower.

        The ranks by strength are compared bit by bit: of two sides that agree in all higher bits,
        the one with a 1 is stronger.
        """
        rank = self._rank_by_strength()
        inverted = np.zeros(len(self.sizes))
        for bit in range(int(rank.max(initial=0)).bit_length()):
            order = np.lexsort((rank >> (bit + 1), self.match))
            match, group = self.match[order], rank[order] >> (bit + 1)
            ones = (rank[order] >> bit) & 1
            weaker = np.cumsum(1 - ones)
            starts = np.flatnonzero(
                (np.diff(match, prepend=-1) != 0) | (np.diff(group, prepend=-1) != 0)
            )
            before = np.repeat(
                (weaker - (1 - ones))[starts], np.diff(np.append(starts, len(match)))
            )
            inverted += np.bincount(match, ones * (weaker - before), minlength=len(self.sizes))
        return inverted

    def _rank_by_strength(self) -> Integers:
        """Return ``(k,)`` ranks from 0 for the weakest of each match, with equals alike."""
        order = np.lexsort((self.strength, self.match))
        match, strength = self.match[order], self.strength[order]
        new = np.diff(match, prepend=-1) != 0
        steps_up = np.cumsum(new | (np.diff(strength, prepend=np.nan) != 0))
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = steps_up - np.repeat(steps_up[new], self.sizes)
        return rank

    def deviation(self) -> float:
        """Return the mean distance from the rank by strength to the nearest rank of the place."""
        distance = self.distances()
        return _mean((distance / np.repeat(self.sizes - 1, self.sizes)).sum(), len(distance))

    def distances(self) -> Integers:
        """Return ``(k,)`` how many ranks each side is from the nearest rank of its place."""
        by_strength = np.lexsort((self.place, -self.strength, self.match))
        predicted = np.empty(len(by_strength), dtype=np.int64)
        predicted[by_strength] = _within(self.sizes)
        actual = _within(self.sizes)
        new = (np.diff(self.match, prepend=-1) != 0) | (np.diff(self.place, prepend=-1) != 0)
        runs = np.diff(np.append(np.flatnonzero(new), len(new)))
        low = np.repeat(actual[new], runs)
        high = low + np.repeat(runs, runs) - 1
        distances: Integers = np.abs(predicted - np.clip(predicted, low, high))
        return distances


@dataclass(frozen=True)
class Chances:
    """Each side's predicted chance and its share of the first place."""

    match: Integers
    """``(k,)`` from 0, ascending."""
    chance: Floats
    share: Floats
    """1 for a single first side, ½ for two that share the place, 0 for the others."""
    matches: int

    @classmethod
    def of(cls, match: Integers, place: Integers, chance: Floats) -> Chances:
        if not len(match) or np.isnan(chance).any():
            return cls(match[:0], chance[:0], chance[:0], 0)
        starts = np.flatnonzero(np.diff(match, prepend=-1))
        sizes = np.diff(np.append(starts, len(match)))
        best = place == np.repeat(np.minimum.reduceat(place, starts), sizes)
        return cls(
            match,
            chance,
            best / np.repeat(np.add.reduceat(best, starts, dtype=np.int64), sizes),
            len(starts),
        )

    def accuracy(self) -> float:
        """Return how often the single first side was the favourite. Equal favourites share."""
        decided = np.bincount(self.match, self.share == 1, minlength=self.matches) > 0
        highest = np.zeros(self.matches)
        np.maximum.at(highest, self.match, self.chance)
        favourite = self.chance == highest[self.match]
        equals = np.bincount(self.match, favourite, minlength=self.matches)
        right = np.bincount(self.match, favourite & (self.share == 1), minlength=self.matches)
        return _mean((right / np.maximum(equals, 1)).sum(), decided.sum())

    def log_loss(self) -> float:
        loss = -self.share * np.log(np.maximum(self.chance, LEAST_CHANCE))
        return _mean(loss.sum(), self.matches)

    def brier(self) -> float:
        return _mean(0.5 * ((self.chance - self.share) ** 2).sum(), self.matches)

    def calibration(self) -> list[Bin]:
        which = np.minimum((self.chance * BINS).astype(np.int64), BINS - 1)
        sides = np.bincount(which, minlength=BINS)
        predicted = np.bincount(which, self.chance, minlength=BINS)
        observed = np.bincount(which, self.share, minlength=BINS)
        return [
            Bin(int(sides[at]), float(predicted[at] / sides[at]), float(observed[at] / sides[at]))
            for at in np.flatnonzero(sides)
        ]


def _mean(total: float, count: float) -> float:
    return float(total / count) if count else float("nan")
