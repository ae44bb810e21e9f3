"""Laurel's own rating system: what the others do well, in one model of the lead.

A player has a strength, known up to a normal error (rating and deviation). Between two sides, only
the **lead** counts: the difference of their strengths, plus the advantage of the first side. Its
chances are Davidson's, with draws, averaged over what is not known
(``ratings.systems.laurel_1.duel``). A result replaces the lead's mean and variance by those of the
posterior, and every strength in it moves by its share, as in a Kalman filter::

    rating    +=  cov(strength, lead) (posterior mean - mean) / variance
    variance  -=  cov(strength, lead)^2 (variance - posterior variance) / variance^2

This is moment matching, as in TrueSkill, for a logistic model. What makes up a lead:

**Time.** Before a match, variances grow by ``drift^2`` for players with earlier matches, and by
``drift_per_year^2`` for each year since the last one, up to that of a newcomer.

**Contexts.** In a context, such as a surface or a map, a player's strength has an offset of its
own. All start at 0 with the variance ``context_deviation^2``. It counts only if everybody in the
match has the same one. Otherwise captains, who report what their players played, could name a new
one for each defeat: the offset would take most of the loss, and the rating next to nothing.

**First side.** The lead includes the mean of both sides' own advantage, learnt in the same way from
``first_side`` with the variance ``first_side_deviation^2``.

**Draws.** Davidson's draw constant is the draws that all players of a match have had, over those to
be expected for a constant of 1. The prior counts like ``PRIOR_EXPOSURE`` of these.

**Margin.** A clear win counts more than a narrow one (``ratings.contests.margins``).

**Teams.** A side performs as its members do on average, so luck averages out: a mean lead counts
``sqrt(n)`` times as much between teams of n as in a duel (for unequal sizes, n is their harmonic
mean). Members move by their own variance, each by their share of the side.

**Several sides and free-for-all.** Every pair of sides is one game of Glicko's
(``ratings.systems.glicko.games``) that counts ``2 / s`` times with s sides. A place among many
tells a player's own performance, which has half the luck of a duel, and so twice its information.

A match's weight multiplies what its result says. Seconds and quits do not matter.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ratings.history import NEITHER
from ratings.numerics import clip, encounter_results, per_side, reduce_rows
from ratings.system import RatingSystem, Shows
from ratings.systems.glicko.games import SCALE, Sides, forecast, play
from ratings.systems.laurel_1 import duel
from ratings.systems.laurel_1.memory import Memory
from ratings.systems.laurel_1.parameters import Laurel1Parameters
from ratings.types import MICROSECONDS_PER_SECOND, NEVER, Forecast, Outcome, States, Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.types import Batch, Floats, Integers

YEAR = 365.25 * 86_400 * MICROSECONDS_PER_SECOND
PRIOR_EXPOSURE = 5.0
"""About that of ten matches between equals."""


class Prior(NamedTuple):
    """The participants ``(m, p)`` before a match, in rating points."""

    rating: Floats
    variance: Floats
    offset: Floats
    """Of the context."""
    offset_variance: Floats
    memory: Memory

    @property
    def strength(self) -> Floats:
        return self.rating + self.offset

    @property
    def strength_variance(self) -> Floats:
        return self.variance + self.offset_variance


class Lesson(NamedTuple):
    """The lesson of a match for each participant ``(m, p)``, before their variances count."""

    shift: Floats
    """Change of a strength, for each unit of its variance."""
    shrinkage: Floats
    """Fall of its variance, for each unit of its square."""
    unit: Floats
    """``(p,)`` the shift for a full unit of surprise."""
    terms: dict[str, Floats]


class Laurel1(RatingSystem):
    """Strengths that drift, with contexts, a first side, draws and margins."""

    name = "laurel-1"
    label = "Laurel, first version"
    summary = (
        "Laurel's own: a rating and a deviation for any game. It learns draws, home advantage and "
        "strength by context, and counts clear wins more. It needs no tuning for good forecasts."
    )
    Parameters = Laurel1Parameters
    shows = Shows(deviation=True)
    knows_first_side = True
    knows_draws = True
    fitted = ("drift", "drift_per_year")
    terms = (
        Term(
            "expected",
            "Expected result",
            "From 0 (a certain loss) to 1 (a certain win), counting what is not known.",
        ),
        Term("actual", "Actual result", "1 for a win, ½ for a draw, 0 for a loss, on average."),
        Term(
            "lead",
            "Lead",
            "Own side's strength minus the opponents', with the context and the first side.",
            unit="points",
        ),
        Term(
            "advantage",
            "First-side advantage",
            "Its part of the lead: above 0 for the first side, below 0 for the other.",
            unit="points",
        ),
        Term(
            "context",
            "Offset in the context",
            "How much stronger the player is in it than as a whole.",
            unit="points",
        ),
        Term(
            "deviation",
            "Deviation at the match",
            "The rating's uncertainty, including drift.",
            unit="deviation",
        ),
        Term("clarity", "Counts as", "Matches that this one counts as, by weight and margin."),
        Term(
            "surprise",
            "Surprise",
            "Actual minus expected result, times what the match counts as, and the less the more "
            "of it what was not known explains.",
        ),
        Term("step", "Step", "Rating points for a full unit of surprise.", unit="points"),
        Term("change", "Change", "Step times surprise.", unit="points"),
    )

    parameters: Laurel1Parameters

    def __init__(self, parameters: Laurel1Parameters) -> None:
        self.parameters = parameters

    @property
    def is_logistic(self) -> bool:
        """True: with draws the chances are Davidson's, which leave the ratio of wins to losses."""
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
        memory = Memory.read(
            before.memory, parameters.first_side, parameters.first_side_deviation**2
        )
        keys = np.zeros_like(before.games) if contexts is None else contexts
        offset, spread = memory.context(keys, parameters.context_deviation**2)
        return Prior(before.rating, variance, offset, spread, memory)

    def rate(self, before: States, batch: Batch) -> Outcome:
        """Rate ``m`` matches of one shape."""
        batch = replace(batch, professions=_shared_contexts(batch.professions))
        prior = self._prior(before, batch.times, batch.professions)
        if len(batch.sizes) == 2:
            return self._rate_duels(before, prior, batch)
        lesson = self._lesson_of_many(prior, batch)
        return self._move(before, prior, prior.memory, lesson, batch)

    def _rate_duels(self, before: States, prior: Prior, batch: Batch) -> Outcome:
        shares = _shares(batch.sizes)
        firsts = _first_signs(batch)
        lead, advantage = _lead(prior, batch.sizes, firsts)
        nu = self._draw_constant(prior.memory)
        result = encounter_results(batch.places[:, 0], batch.places[:, 1])
        learnt = duel.posterior(lead, nu, result, batch.weights)
        chances = duel.chances(lead, nu)
        expected = chances.win + 0.5 * chances.draw
        signs = np.where(batch.side_of == 0, 1.0, -1.0)
        ahead = batch.side_of == 0
        lesson = Lesson(
            learnt.shift[:, None] * (signs * shares / SCALE),
            learnt.shrinkage[:, None] * (shares / SCALE) ** 2,
            shares / SCALE,
            {
                "expected": np.where(ahead, expected[:, None], 1.0 - expected[:, None]),
                "actual": np.where(ahead, result[:, None], 1.0 - result[:, None]),
                "lead": SCALE * lead.mean[:, None] * signs,
                "advantage": advantage[:, None] * signs,
                "clarity": np.broadcast_to(batch.weights[:, None], before.rating.shape),
                "surprise": learnt.shift[:, None] * signs,
            },
        )
        memory = self._remember_draws(prior.memory, lead, nu, result)
        memory = _learn_advantage(memory, firsts, learnt, batch)
        return self._move(before, prior, memory, lesson, batch)

    def _draw_constant(self, memory: Memory) -> Floats:
        """Return Davidson's constant ``(m,)`` for the players of matches."""
        usual = 2.0 * self.parameters.draws / (1.0 - self.parameters.draws)
        draws = _ordered_sum(memory.draws)
        exposure = _ordered_sum(memory.exposure)
        return (usual * PRIOR_EXPOSURE + draws) / (PRIOR_EXPOSURE + exposure)

    @staticmethod
    def _remember_draws(memory: Memory, lead: duel.Lead, nu: Floats, result: Floats) -> Memory:
        expected = duel.draw_exposure(lead, nu)
        return memory._replace(
            draws=memory.draws + (result == 0.5)[:, None],
            exposure=memory.exposure + expected[:, None],
        )

    def _lesson_of_many(self, prior: Prior, batch: Batch) -> Lesson:
        """Return what a match of three or more sides says, by pairs of sides."""
        sizes = np.array(batch.sizes, dtype=np.float64)
        together = len(sizes) / (1.0 / sizes).sum()
        scale = SCALE / math.sqrt(together)
        sides = _sides(prior, batch.sizes)
        games = play(sides.rating, sides, batch, scale)
        share = math.sqrt(together) / sizes[batch.side_of] / SCALE
        clarity = batch.weights[:, None] * (2.0 / len(sizes))
        variance = prior.strength_variance
        information = clarity * share**2 * games.information
        grown = 1.0 / (1.0 + variance * information)
        return Lesson(
            grown * (clarity * share * games.surprise),
            grown * information,
            share,
            {
                "expected": games.expected,
                "actual": games.actual,
                "lead": sides.rating[:, batch.side_of] - games.opposition,
                "advantage": np.zeros_like(variance),
                "clarity": np.broadcast_to(clarity, variance.shape),
                "surprise": grown * clarity * games.surprise,
            },
        )

    def _move(
        self, before: States, prior: Prior, memory: Memory, lesson: Lesson, batch: Batch
    ) -> Outcome:
        """Return the outcome of ``lesson``. The rating and the context move by their variances."""
        change = prior.variance * lesson.shift
        variance = _shrunk(prior.variance, lesson.shrinkage)
        keys = batch.professions
        if self.parameters.context_deviation and keys.any():
            offset = prior.offset + prior.offset_variance * lesson.shift
            spread = _shrunk(prior.offset_variance, lesson.shrinkage)
            memory = memory.with_context(keys, offset, spread)
        after = replace(
            before,
            rating=before.rating + change,
            deviation=np.sqrt(variance),
            memory=memory.to_columns(),
        )
        terms = {
            **lesson.terms,
            "context": prior.offset,
            "deviation": np.sqrt(prior.variance),
            "step": prior.variance * lesson.unit,
            "change": change,
        }
        return Outcome(after, terms)

    def predict(
        self, states: States, sizes: Sequence[int], times: Integers | None = None
    ) -> Forecast:
        """Predict matches on neutral ground by ratings, with draws between two sides."""
        times = np.full(len(states), NEVER) if times is None else times
        return self._forecast(self._prior(states, times, None), sizes, np.zeros(len(states)))

    def predict_batch(self, before: States, batch: Batch) -> Forecast:
        """Predict by contexts and the first side as well."""
        prior = self._prior(before, batch.times, _shared_contexts(batch.professions))
        return self._forecast(prior, batch.sizes, _first_signs(batch))

    def _forecast(self, prior: Prior, sizes: Sequence[int], firsts: Floats) -> Forecast:
        if len(sizes) > 2:
            together = len(sizes) / (1.0 / np.array(sizes, dtype=np.float64)).sum()
            return forecast(_sides(prior, sizes), SCALE / math.sqrt(together))
        lead, _ = _lead(prior, sizes, firsts)
        chances = duel.chances(lead, self._draw_constant(prior.memory))
        return Forecast(np.stack([chances.win, chances.loss], axis=-1), chances.draw)


def _shared_contexts(contexts: Integers) -> Integers:
    """Return the contexts ``(m, p)`` of matches that have one, 0 where participants differ."""
    same = (contexts == contexts[:, :1]).all(axis=-1)
    return np.where(same[:, None], contexts, 0)


def _shares(sizes: Sequence[int]) -> Floats:
    """Return ``(p,)`` each participant's share of a lead between two sides."""
    members = np.array(sizes, dtype=np.float64)
    together = 2.0 / (1.0 / members).sum()
    return np.repeat(math.sqrt(together) / members, sizes)


def _first_signs(batch: Batch) -> Floats:
    """Return ``(m,)`` 1 if the side listed first is first, -1 if the other is, else 0."""
    if batch.first is None or len(batch.sizes) != 2:
        return np.zeros(len(batch.times))
    return np.where(batch.first == NEITHER, 0.0, 1.0 - 2.0 * batch.first)


def _lead(prior: Prior, sizes: Sequence[int], firsts: Floats) -> tuple[duel.Lead, Floats]:
    """Return the lead of the first listed of two sides, and its part from being first (points)."""
    sides = _sides(prior, sizes)
    own, other = sides.rating[:, 0], sides.rating[:, 1]
    usual = per_side(prior.memory.advantage, sizes, "mean")
    advantage = firsts * (0.5 * (usual[:, 0] + usual[:, 1]))
    spread = _squares(prior.memory.advantage_variance, sizes)
    uncertain = 0.25 * np.abs(firsts) * (spread[:, 0] + spread[:, 1])
    together = 2.0 / sum(1.0 / size for size in sizes)
    variance = together * (sides.deviation[:, 0] ** 2 + sides.deviation[:, 1] ** 2) + uncertain
    mean = math.sqrt(together) * (own - other) + advantage
    return duel.Lead(mean / SCALE, np.maximum(variance / SCALE**2, 1e-12)), advantage


def _sides(prior: Prior, sizes: Sequence[int]) -> Sides:
    """Return sides that perform like their members on average."""
    return Sides(
        per_side(prior.strength, sizes, "mean"), np.sqrt(_squares(prior.strength_variance, sizes))
    )


def _squares(variance: Floats, sizes: Sequence[int]) -> Floats:
    """Return the variance ``(m, s)`` of the sides' means."""
    return per_side(variance, sizes, "mean") / np.array(sizes, dtype=np.float64)


def _shrunk(variance: Floats, shrinkage: Floats) -> Floats:
    """Return a variance after a match, above 0 whatever the last digits are."""
    return variance * clip(1.0 - variance * shrinkage, 1e-9, 1.0)


def _ordered_sum(values: Floats) -> Floats:
    """Return ``(m,)`` sums over participants that do not depend on their order."""
    return reduce_rows(np.add, np.sort(values, axis=-1))


def _learn_advantage(
    memory: Memory, firsts: Floats, learnt: duel.Posterior, batch: Batch
) -> Memory:
    """Return the memory in which the players' own first-side advantage has moved."""
    share = np.abs(firsts)[:, None] * np.repeat(0.5 / np.array(batch.sizes, float), batch.sizes)
    variance = memory.advantage_variance
    shift = (firsts * learnt.shift)[:, None] * (share / SCALE)
    shrinkage = learnt.shrinkage[:, None] * (share / SCALE) ** 2
    return memory._replace(
        advantage=memory.advantage + variance * shift,
        advantage_variance=_shrunk(variance, shrinkage),
    )
