"""Laurel's own rating system: one model of the lead, which learns the game that it rates.

A player has a strength, known up to a normal error (rating and deviation). Between two sides, only
the **lead** counts: the difference of their strengths, plus the advantage of the first side. A
result is a surprise about it (``ratings.systems.laurel.duel``), read by its margin as far as
margins are trusted, and by its winner for the rest. Every strength in the lead moves by its share,
as in a Kalman filter, with ``s`` the deviation of the difference of performances::

    step      =   pace cov(strength, lead) / s^2
    rating    +=  step * surprise
    variance  *=  1 - certainty cov(strength, lead)^2 / (variance s^2)

It needs no tuning, because what differs between games is **learnt** as results come
(``ratings.systems.laurel.beliefs``): how large margins are, how much they say beside the winner,
what being first is worth, how fast strengths change, and how sure forecasts can be.

**Time.** Before a match, variances grow by ``drift^2`` for players with earlier matches, and by
``drift_per_year^2`` for each year since the last one, up to that of a newcomer.

**Contexts.** In a context, such as a surface or a map, a player's strength has an offset of its
own. All start at 0 with the variance ``context_deviation^2``. It counts only if everybody in the
match has the same one. Otherwise captains, who report what their players played, could name a new
one for each defeat: the offset would take most of the loss, and the rating next to nothing.

**Draws.** The half width of draws is that which explains as many draws as all players of a match
have had. The prior counts like ``PRIOR_EXPOSURE``.

**Teams.** A side performs as its members do on average, so luck averages out: a mean lead counts
``sqrt(n)`` times as much between teams of n as in a duel (for unequal sizes, n is their harmonic
mean). Members move by their own variance, each by their share of the side.

**Several sides and free-for-all.** Sides rank by performances that vary by half the luck of a duel
each, as a duel has the luck of two. What the places say about them is TrueSkill's
(``ratings.systems.trueskill.inference``). Margins do not count there, and the slope of forecasts is
learnt from matches of two sides only.

A match's weight multiplies what its result says. Seconds and quits do not matter.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri
from scipy.stats import rankdata

from ratings.numerics import clip, encounter_results, per_member, per_side, reduce_rows
from ratings.system import RatingSystem, Shows
from ratings.systems.laurel import beliefs, duel, learning
from ratings.systems.laurel.beliefs import ADVANTAGE, CALIBRATION, PACE, SPREAD
from ratings.systems.laurel.leads import (
    LUCK,
    Prior,
    difference,
    first_signs,
    lead_variance,
    margins,
    members_together,
    shared_contexts,
    shares,
    squares,
)
from ratings.systems.laurel.memory import BELIEFS, EVIDENCE, HEAD, Memory
from ratings.systems.laurel.parameters import LaurelParameters
from ratings.systems.trueskill.parameters import TrueSkillParameters
from ratings.systems.trueskill.system import TrueSkill, forecast_places
from ratings.types import MICROSECONDS_PER_SECOND, NEVER, Forecast, Learnt, Outcome, States, Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.types import Batch, Floats, Integers

YEAR = 365.25 * 86_400 * MICROSECONDS_PER_SECOND
FIELD = TrueSkill(TrueSkillParameters(eps=0.01))
"""Infers performances from the places of three or more sides. With ε that small, the many places of
a large contest hardly spread its players."""
PRIOR_EXPOSURE = 10.0
"""About that of fifteen matches between equals."""


class Lesson(NamedTuple):
    """The lesson of a match for each participant ``(m, p)``, before their variances count."""

    surprise: Floats
    """In rating points."""
    gain: Floats
    """Step, for each unit of a variance."""
    shrinkage: Floats
    """Fall of a variance, for each unit of its square."""
    felt: Floats
    """``(m, p, 2)`` change of the sensitivities for a full step."""
    beliefs: Floats
    """``(m, COUNT)`` afterwards."""
    evidence: Floats
    draws: Floats
    """``(m, 2)`` played and expected."""
    terms: dict[str, Floats]


class Laurel(RatingSystem):
    """Strengths that drift, in a game that is learnt."""

    name = "laurel"
    label = "Laurel"
    summary = (
        "Laurel's own: a rating and a deviation for any game. It learns what scores, draws, the "
        "first side and contexts mean, and how fast players change. It needs no tuning for good "
        "forecasts."
    )
    Parameters = LaurelParameters
    shows = Shows(deviation=True)
    knows_first_side = True
    knows_draws = True
    fitted = ("drift", "drift_per_year")
    terms = (
        Term(
            "expected",
            "Expected result",
            "The average result to expect, counting what is not known: 1 for a win, ½ for a draw.",
        ),
        Term(
            "actual",
            "Actual result",
            "1 for a win, ½ for a draw, 0 for a loss; the average over several opponents.",
        ),
        Term(
            "lead",
            "Lead",
            "Rating points ahead of the opponents, with the first side and the context.",
            unit="points",
        ),
        Term(
            "advantage",
            "First-side advantage",
            "What being first, such as at home, adds to the lead: below 0 for the other side.",
            unit="points",
        ),
        Term(
            "context",
            "Offset in the context",
            "How much stronger the player is in it than as a whole.",
            unit="points",
            optional=True,
        ),
        Term(
            "deviation",
            "Deviation at the match",
            "The rating's uncertainty, with what the time since the last match added.",
            unit="deviation",
        ),
        Term(
            "expected_margin",
            "Expected margin",
            "By how much the lead is worth of the score, as earlier scores show.",
            optional=True,
        ),
        Term(
            "margin",
            "Margin",
            "By how much the score was won, below 0 if it was lost.",
            optional=True,
        ),
        Term(
            "surprise",
            "Surprise",
            "Rating points by which the side played better than its lead, or worse if below 0.",
            unit="points",
        ),
        Term(
            "step",
            "Step",
            "The share of the surprise that counts. The less is known of the player, the larger it "
            "is.",
        ),
        Term("change", "Change", "Step times surprise.", unit="points"),
    )

    parameters: LaurelParameters

    def __init__(self, parameters: LaurelParameters) -> None:
        self.parameters = parameters
        width = 1.0 + 2.0 * (parameters.initial_deviation / LUCK) ** 2
        self._half = math.sqrt(width) * float(ndtri(0.5 + 0.5 * parameters.draws))
        newcomer = np.zeros(HEAD)
        newcomer[BELIEFS][ADVANTAGE] = parameters.first_side / LUCK
        newcomer[EVIDENCE] = beliefs.FIRST_EVIDENCE
        # Of a point at least, so that nothing overflows.
        newcomer[EVIDENCE][ADVANTAGE] = (LUCK / max(parameters.first_side_deviation, 1.0)) ** 2
        self._newcomer = newcomer

    @property
    def is_logistic(self) -> bool:
        """True: a normal luck of 300 points has nearly the chances of Elo's 400."""
        return True

    def newcomers(self, count: int, population: int = 0) -> States:
        """Return the same state for everyone."""
        del population
        return States.full(
            count,
            rating=self.parameters.initial_rating,
            deviation=self.parameters.initial_deviation,
        )

    def at(self, states: States, times: Integers) -> States:
        """Return the states with their deviation after the time until ``times``."""
        variance = self._limit(states.deviation**2 + self._age(states, times))
        return replace(states, deviation=np.sqrt(variance))

    def _age(self, states: States, times: Integers) -> Floats:
        """Return the variance that the time since the last match adds."""
        since = np.where(states.last_played == NEVER, times, states.last_played)
        years = np.maximum(times - since, 0) / YEAR
        return np.asarray(self.parameters.drift_per_year**2 * years)

    def _limit(self, variance: Floats) -> Floats:
        return np.minimum(variance, self.parameters.initial_deviation**2)

    def _prior(self, before: States, times: Integers, contexts: Integers | None) -> Prior:
        """Return what is known of players ``(m, p)`` who meet at ``times`` ``(m,)``."""
        parameters = self.parameters
        variance = before.deviation**2 + self._age(before, times[:, None])
        variance = self._limit(variance + parameters.drift**2 * (before.games > 0))
        memory = Memory.read(before.memory, self._newcomer)
        if contexts is None or not parameters.context_deviation or not contexts.any():
            none = np.zeros_like(variance)
            return Prior(before.rating, variance, none, none, memory)
        offset, spread = memory.context(contexts, parameters.context_deviation**2)
        return Prior(before.rating, variance, offset, spread, memory)

    def rate(self, before: States, batch: Batch) -> Outcome:
        """Rate ``m`` matches of one shape."""
        batch = replace(batch, professions=shared_contexts(batch.professions))
        prior = self._prior(before, batch.times, batch.professions)
        learn = self._lesson_of_two if len(batch.sizes) == 2 else self._lesson_of_many
        return self._move(before, prior, learn(prior, batch), batch)

    def _lesson_of_two(self, prior: Prior, batch: Batch) -> Lesson:
        known, evidence = beliefs.pool(prior.memory.beliefs, prior.memory.evidence)
        firsts = first_signs(batch)
        advantage = firsts * known[:, ADVANTAGE]
        lead = _lead(prior, batch.sizes, advantage, known)
        half = self._half_width(prior.memory)
        result = encounter_results(batch.places[:, 0], batch.places[:, 1])
        margin = self._margins(batch)
        seen = np.where(evidence[:, SPREAD] > 0, margin, np.nan)
        reading = learning.read(lead, half, result, seen, known)

        # A match of weight w counts like w measurements.
        spread = (LUCK * lead.deviation) ** 2
        share = lead.variance / lead.deviation**2
        repeated = batch.weights / (1.0 + (batch.weights - 1.0) * reading.certainty * share)
        pace = np.exp(known[:, PACE]) * repeated
        slopes = np.stack(
            [
                difference(one, batch.sizes)
                for one in np.moveaxis(prior.memory.sensitivities, -1, 0)
            ],
            axis=-1,
        )
        gradient, information = learning.of_two(reading, half, result, known, firsts, slopes)
        if not self.parameters.first_side_deviation:
            information[:, ADVANTAGE] = 0.0
        count = batch.weights[:, None]
        learnt = beliefs.learn(known, evidence, count * gradient, count * information)
        ahead = batch.side_of == 0
        signs = np.where(ahead, 1.0, -1.0)
        chances = duel.chances(learning.calibrate(lead, known), half)
        expected = (chances.win + 0.5 * chances.draw)[:, None]
        felt = lead.deviation[:, None] * learning.sensitivity_of_two(reading, slopes)
        unit = np.exp(known[:, SPREAD])
        return Lesson(
            (LUCK * lead.deviation * reading.surprise)[:, None] * signs,
            (pace / spread)[:, None] * shares(batch.sizes),
            (pace * reading.certainty / spread)[:, None] * shares(batch.sizes) ** 2,
            felt[:, None] * signs[:, None],
            *learning.first_margins(*learnt, margin),
            np.stack([result == 0.5, duel.exposure(lead, half)], axis=-1),
            {
                "expected": np.where(ahead, expected, 1.0 - expected),
                "actual": np.where(ahead, result[:, None], 1.0 - result[:, None]),
                "lead": LUCK * lead.mean[:, None] * signs,
                "advantage": LUCK * advantage[:, None] * signs,
                "expected_margin": np.where(reading.measured, unit * lead.mean, np.nan)[:, None]
                * signs,
                "margin": seen[:, None] * signs,
            },
        )

    def _margins(self, batch: Batch) -> Floats:
        if self.parameters.margin == "none":
            return np.full(len(batch.times), np.nan)
        return margins(batch)

    def _half_width(self, memory: Memory) -> Floats:
        """Return ``(m,)`` the half width of draws for the players of matches."""
        played, expected = (_sum(memory.draws[..., column]) for column in (0, 1))
        return (self._half * PRIOR_EXPOSURE + played) / (PRIOR_EXPOSURE + expected)

    def _lesson_of_many(self, prior: Prior, batch: Batch) -> Lesson:
        """Return what the places of three or more sides say about their performances."""
        known, evidence = beliefs.pool(prior.memory.beliefs, prior.memory.evidence)
        side_of, share = batch.side_of, shares(batch.sizes)
        strength, variance = _performances(prior, batch.sizes, known)
        noise = 0.5 * LUCK**2 / batch.weights[:, None]
        spread = variance + noise
        places = FIELD.learn_places(strength, spread, batch)
        own = _performance(prior.memory.sensitivities[..., 1], batch.sizes)
        slopes = own - own.mean(axis=-1, keepdims=True)
        gradient, information = learning.of_many(
            LUCK * places.push, LUCK**2 * places.narrowing, slopes
        )
        pace = np.exp(known[:, PACE])[:, None]
        surprise = spread * places.push
        felt = surprise * noise / (LUCK * spread) - spread * places.narrowing * slopes
        others = strength.shape[-1] - 1
        lead = strength - (strength.sum(axis=-1, keepdims=True) - strength) / others
        against = spread + (spread.sum(axis=-1, keepdims=True) - spread) / others
        beaten = (strength.shape[-1] - rankdata(batch.places, axis=-1)) / others
        nothing = np.full_like(prior.variance, np.nan)
        return Lesson(
            per_member(surprise, side_of),
            pace * share / per_member(spread, side_of),
            pace * share**2 * per_member(places.narrowing, side_of),
            np.stack([np.zeros_like(nothing), per_member(felt, side_of)], axis=-1),
            *beliefs.learn(known, evidence, gradient, information),
            np.zeros((len(strength), 2)),
            {
                "expected": per_member(ndtr(lead / np.sqrt(against)), side_of),
                "actual": per_member(beaten, side_of),
                "lead": per_member(lead, side_of),
                "advantage": np.zeros_like(nothing),
                "expected_margin": nothing,
                "margin": nothing,
            },
        )

    def _move(self, before: States, prior: Prior, lesson: Lesson, batch: Batch) -> Outcome:
        """Return the outcome of ``lesson``. The rating and the context move by their variances."""
        step = prior.variance * lesson.gain
        change = step * lesson.surprise
        memory = prior.memory._replace(
            draws=prior.memory.draws + lesson.draws[:, None],
            beliefs=_for_all(lesson.beliefs, before),
            evidence=_for_all(lesson.evidence, before),
            sensitivities=prior.memory.sensitivities + step[..., None] * lesson.felt,
        )
        keys = batch.professions
        if self.parameters.context_deviation and keys.any():
            offset = prior.offset + prior.offset_variance * lesson.gain * lesson.surprise
            spread = _shrunk(prior.offset_variance, lesson.shrinkage)
            memory = memory.with_context(keys, offset, spread)
        after = replace(
            before,
            rating=before.rating + change,
            deviation=np.sqrt(_shrunk(prior.variance, lesson.shrinkage)),
            memory=memory.to_columns(),
        )
        terms = {
            **lesson.terms,
            "context": np.where(keys == 0, np.nan, prior.offset),
            "deviation": np.sqrt(prior.variance),
            "surprise": lesson.surprise,
            "step": step,
            "change": change,
        }
        return Outcome(after, terms)

    def describe_game(self, states: States) -> Learnt | None:
        """Return the game as players know it, each counting by their evidence."""
        memory = Memory.read(states.memory[None], self._newcomer)
        known = beliefs.pool(memory.beliefs, memory.evidence)[0][0]
        gathered = np.maximum(memory.evidence[0] - self._newcomer[EVIDENCE], 0.0).sum(axis=0)
        told = gathered >= beliefs.TELLING
        half = float(self._half_width(memory)[0])
        drawn = 2.0 * float(ndtr(half)) - 1.0
        return Learnt(
            first_side=LUCK * float(known[ADVANTAGE]) if told[ADVANTAGE] else None,
            margin=float(np.exp(known[SPREAD])) / LUCK if told[SPREAD] else None,
            draws=drawn if memory.draws[..., 1].sum() >= beliefs.TELLING else None,
            pace=float(np.exp(known[PACE])) if told[PACE] else None,
        )

    def predict(
        self, states: States, sizes: Sequence[int], times: Integers | None = None
    ) -> Forecast:
        """Predict matches on neutral ground by ratings, with draws between two sides."""
        times = np.full(len(states), NEVER) if times is None else times
        return self._forecast(self._prior(states, times, None), sizes, np.zeros(len(states)))

    def predict_batch(self, before: States, batch: Batch) -> Forecast:
        """Predict by contexts and the first side as well."""
        prior = self._prior(before, batch.times, shared_contexts(batch.professions))
        return self._forecast(prior, batch.sizes, first_signs(batch))

    def _forecast(self, prior: Prior, sizes: Sequence[int], firsts: Floats) -> Forecast:
        known, _ = beliefs.pool(prior.memory.beliefs, prior.memory.evidence)
        if len(sizes) > 2:
            strength, variance = _performances(prior, sizes, known)
            slope = np.exp(known[:, CALIBRATION])[:, None]
            deviation = np.sqrt(variance + 0.5 * LUCK**2)
            return forecast_places(slope * strength, deviation, FIELD.margin_of_one())
        lead = _lead(prior, sizes, firsts * known[:, ADVANTAGE], known)
        chances = duel.chances(learning.calibrate(lead, known), self._half_width(prior.memory))
        return Forecast(np.stack([chances.win, chances.loss], axis=-1), chances.draw)


def _lead(prior: Prior, sizes: Sequence[int], advantage: Floats, known: Floats) -> duel.Lead:
    """Return the lead of the first listed of two sides."""
    mean = difference(prior.strength, sizes) / LUCK + advantage
    return duel.Lead(
        mean, np.maximum(np.exp(known[:, PACE]) * lead_variance(prior, sizes) / LUCK**2, 1e-12)
    )


def _performances(prior: Prior, sizes: Sequence[int], known: Floats) -> tuple[Floats, Floats]:
    """Return sides' strengths ``(m, s)`` and the variances of these, in rating points."""
    variance = members_together(sizes) * squares(prior.strength_variance, sizes)
    return _performance(prior.strength, sizes), np.exp(known[:, PACE])[:, None] * variance


def _performance(values: Floats, sizes: Sequence[int]) -> Floats:
    """Return ``(m, s)`` how sides perform by their members' ``values``."""
    return math.sqrt(members_together(sizes)) * per_side(values, sizes, "mean")


def _for_all(values: Floats, states: States) -> Floats:
    """Return ``(m, p, COUNT)`` what all participants of a match share."""
    return np.broadcast_to(values[:, None], (*states.rating.shape, values.shape[-1]))


def _shrunk(variance: Floats, shrinkage: Floats) -> Floats:
    """Return a variance after a match, above 0 whatever the last digits are."""
    return variance * clip(1.0 - variance * shrinkage, 1e-9, 1.0)


def _sum(values: Floats) -> Floats:
    """Return ``(m,)`` sums over participants that do not depend on their order."""
    return reduce_rows(np.add, np.sort(values, axis=-1))
