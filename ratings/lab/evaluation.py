"""How well ratings foretell results: every system, over any history, each match before its update.

Sources. Pair inversion and rank deviation: A. Ebtekar and P. Liu, "Elo-MMR", 2021, section 6.3,
with the details of the paper's own program: sides count whose members all have played before
(five earlier matches by default), places are compared among those; ties in the outcome and ties
of ratings count as foretold. Accuracy, logarithmic loss, Brier score and calibration are the
field's, over the chances that a system gives each side to come first.

Which side is rated higher: by the mean rating of its members. What a system is asked for is
collected once (``foretold``), then judged (``judged``); so the true skills of a made-up history can
be judged like a system's ratings, which shows what there was to win.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ratings.numerics import per_side, side_starts
from ratings.replay import steps

if TYPE_CHECKING:
    from collections.abc import Callable

    from ratings.history import History
    from ratings.system import RatingSystem
    from ratings.types import Floats, Integers, States

EXPERIENCED = 5
"""Earlier matches from which a player counts, as in the paper."""
BINS = 10
"""Steps of the calibration table."""
LEAST_CHANCE = 1e-12
"""Chances below this are judged as this, so that one certainty proved wrong is not infinite."""


@dataclass(frozen=True)
class Foretold:
    """What was known of each of ``S`` sides before its match."""

    strength: Floats
    """``(S,)`` the mean rating of its members, higher is better."""
    games: Integers
    """``(S,)`` earlier matches of its least experienced member."""
    chance: Floats
    """``(S,)`` to come first, a draw shared evenly; NaN where nothing was asked."""


@dataclass(frozen=True)
class Bin:
    """Sides that were given about the same chance."""

    sides: int
    foretold: float
    """Mean chance given, 0 to 1."""
    came: float
    """How often they came first, shared firsts counted in parts."""


@dataclass(frozen=True)
class Judgement:
    """How well a history was foretold. NaN where there was nothing to judge."""

    matches: int
    """Matches with at least two sides that count."""
    pair_inversion: float
    """Percent of pairs of sides of which the one rated higher did not place lower."""
    rank_deviation: float
    """Percent of the field that lay between the place and the place by ratings."""
    accuracy: float
    """Percent of the matches with one first side in which it was the favourite."""
    log_loss: float
    """Mean of ``-ln`` of the chance given to who came first, in nats."""
    brier: float
    """Mean of half the squared errors of a match's chances, 0 to 1."""
    calibration: list[Bin]
    """By chance given, in ten equal steps; empty ones are left out."""


def evaluate(
    system: RatingSystem, history: History, *, first: int = 0, experienced: int = EXPERIENCED
) -> Judgement:
    """Rate ``history`` from newcomers and judge what was foretold from match ``first`` on."""
    return judged(history, foretold(system, history), first=first, experienced=experienced)


def foretold(
    system: RatingSystem,
    history: History,
    states: States | None = None,
    progress: Callable[[int], object] | None = None,
) -> Foretold:
    """Ask ``system`` before each match of ``history``, then let it rate the match.

    ``states`` are the players' before, newcomers by default.
    """
    table = system.newcomers(len(history.players)) if states is None else states.copy()
    sides = len(history.places)
    result = Foretold(np.empty(sides), _least_experience(history, table), np.empty(sides))
    side_of = np.repeat(np.arange(sides), history.sizes)
    sign = -1.0 if system.shows.lowest_first else 1.0
    for step in steps(system, history, table, progress):
        sizes, shape = step.batch.sizes, step.batch.players.shape
        at = side_of[step.rows].reshape(shape)[:, side_starts(sizes)[:-1]]
        forecast = system.predict(step.before, sizes, step.batch.times)
        result.strength[at] = sign * per_side(step.before.rating, sizes, "mean")
        result.chance[at] = forecast.win + forecast.draw[:, None] / len(sizes)
    return result


def strengths_before(system: RatingSystem, history: History) -> Floats:
    """``(N,)`` the rating of each participant before their match, higher is better."""
    sign = -1.0 if system.shows.lowest_first else 1.0
    ratings = np.empty(len(history.player))
    for step in steps(system, history, system.newcomers(len(history.players))):
        ratings[step.rows] = sign * step.before.rating.ravel()
    return ratings


def of_strengths(history: History, strengths: Floats) -> Foretold:
    """Foretell ``history`` by the ``(N,)`` strengths of its participants, such as true skills."""
    sides = len(history.places)
    total = np.bincount(
        np.repeat(np.arange(sides), history.sizes), weights=strengths, minlength=sides
    )
    return Foretold(
        strength=total / history.sizes,
        games=_least_experience(history),
        chance=np.full(sides, np.nan),
    )


def _least_experience(history: History, states: States | None = None) -> Integers:
    """``(S,)`` earlier matches of the least experienced member of each side."""
    order = np.argsort(history.player, kind="stable")
    games = np.empty(len(order), dtype=np.int64)
    games[order] = _within(np.bincount(history.player, minlength=len(history.players)))
    if states is not None:
        games += states.games[history.player]
    return np.minimum.reduceat(games, history.participant_offsets[:-1])


def _within(counts: Integers) -> Integers:
    """0, 1, 2 … within each of the groups of ``counts`` entries."""
    starts = np.cumsum(counts) - counts
    numbers: Integers = np.arange(counts.sum()) - np.repeat(starts, counts)
    return numbers


def judged(
    history: History, told: Foretold, *, first: int = 0, experienced: int = EXPERIENCED
) -> Judgement:
    """Judge what was ``told`` of the matches from ``first`` on.

    Places are judged among sides with ``experienced`` earlier matches, chances over all sides.
    """
    match = np.repeat(np.arange(len(history)), np.diff(history.side_offsets))
    counts = (match >= first) & (told.games >= experienced)
    order = _Order.of(match[counts], history.places[counts], told.strength[counts])
    late = match >= first
    chances = _Chances.of(match[late] - first, history.places[late], told.chance[late])
    return Judgement(
        matches=len(order.sizes),
        pair_inversion=100.0 * order.foretold_pairs(),
        rank_deviation=100.0 * order.deviation(),
        accuracy=100.0 * chances.accuracy(),
        log_loss=chances.log_loss(),
        brier=chances.brier(),
        calibration=chances.calibration(),
    )


@dataclass(frozen=True)
class _Order:
    """Sides by match, then place, then strength; only matches with more than one place."""

    match: Integers
    """``(k,)`` from 0, ascending."""
    place: Integers
    strength: Floats
    sizes: Integers
    """``(matches,)``."""

    @classmethod
    def of(cls, match: Integers, place: Integers, strength: Floats) -> _Order:
        order = np.lexsort((-strength, place, match))
        match, place, strength = match[order], place[order], strength[order]
        changes = (np.diff(match) == 0) & (np.diff(place) > 0)
        says = np.isin(match, match[1:][changes])
        _, match, sizes = np.unique(match[says], return_inverse=True, return_counts=True)
        return cls(match, place[says], strength[says], sizes)

    def foretold_pairs(self) -> float:
        """The mean over matches, each counted by its sides, of the pairs that are not inverted."""
        pairs = self.sizes * (self.sizes - 1) / 2
        right = 1.0 - self._inversions() / pairs
        return _mean((self.sizes * right).sum(), self.sizes.sum())

    def _inversions(self) -> Floats:
        """``(matches,)`` pairs of sides of which the one placed higher was rated lower.

        Bit by bit of the rank by strength: of two sides that agree in all higher bits, the one
        with a 1 is the stronger.
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
        """``(k,)`` from 0 for the weakest of each match, equals alike."""
        order = np.lexsort((self.strength, self.match))
        match, strength = self.match[order], self.strength[order]
        new = np.diff(match, prepend=-1) != 0
        steps_up = np.cumsum(new | (np.diff(strength, prepend=np.nan) != 0))
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = steps_up - np.repeat(steps_up[new], self.sizes)
        return rank

    def deviation(self) -> float:
        """The mean distance from the rank by strength to the nearest rank of the place."""
        by_strength = np.lexsort((self.place, -self.strength, self.match))
        predicted = np.empty(len(by_strength), dtype=np.int64)
        predicted[by_strength] = _within(self.sizes)
        actual = _within(self.sizes)
        new = (np.diff(self.match, prepend=-1) != 0) | (np.diff(self.place, prepend=-1) != 0)
        runs = np.diff(np.append(np.flatnonzero(new), len(new)))
        low = np.repeat(actual[new], runs)
        high = low + np.repeat(runs, runs) - 1
        distance = np.abs(predicted - np.clip(predicted, low, high))
        return _mean((distance / np.repeat(self.sizes - 1, self.sizes)).sum(), len(distance))


@dataclass(frozen=True)
class _Chances:
    """The chance that each side was given beside its share of the first place."""

    match: Integers
    """``(k,)`` from 0, ascending."""
    chance: Floats
    share: Floats
    """1 for the only first side, ½ for two that share the place, 0 for others."""
    matches: int

    @classmethod
    def of(cls, match: Integers, place: Integers, chance: Floats) -> _Chances:
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
        """How often the only first side was the favourite; favourites of one chance share."""
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
        told = np.bincount(which, self.chance, minlength=BINS)
        came = np.bincount(which, self.share, minlength=BINS)
        return [
            Bin(int(sides[at]), float(told[at] / sides[at]), float(came[at] / sides[at]))
            for at in np.flatnonzero(sides)
        ]


def _mean(total: float, count: float) -> float:
    return float(total / count) if count else float("nan")
