"""Glicko, in Glickman's form and in the normalised form of the Elo-MMR paper.

Sources: M. E. Glickman, "Parameter estimation in large dynamic paired comparison experiments",
Applied Statistics 48 (1999); A. Ebtekar and P. Liu, "An Elo-like System for Massive Multiplayer
Competitions", 2021, in the reference implementation of the Glicko it is compared with.

**Glickman's form.** The matches of a rating period count as played at the same time. Between
periods a deviation grows to ``min(sqrt(RD² + c² t), highest)`` after ``t`` periods. Then, with
``q`` for one rating point on the logistic scale ::

    1 / d² = q² Σ g² E (1 - E)
    r'     = r + q / (1 / RD² + 1 / d²) Σ g (s - E)
    RD'²   = 1 / (1 / RD² + 1 / d²)

over all games of the period, using everyone's ratings and deviations from before it. A player's
state is the result of the period so far. It is exact after every match, and does not depend on the
order of the period's matches. A match of weight w counts as w games of the same result.

**The paper's form**, as implemented: each contest is rated on its own and first adds ``c²`` to
everyone's variance, including newcomers. The surprise is the mean over all ``N`` sides including
one's own. The information is that of a single game between equals, ``q² / 4``, however many sides
there are and whatever is known about them. A contest of weight w uses a scale shorter by the root
of w. It has no periods and no limits for deviations, which only fall by results.

Formats, in both forms. A duel is Glickman's own case, a **free-for-all** the paper's. In Glickman's
form, each other side is one game. **Teams**: the match is played between composites
(``ratings.systems.glicko.games``). Every member shares the side's surprise and moves according to
their own deviation. Places affect ratings, and scores by ``margin`` only; seconds, quits
and professions do not.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ratings.system import RatingSystem, Shows
from ratings.systems.glicko import periods
from ratings.systems.glicko.games import composites, forecast, play
from ratings.systems.glicko.parameters import PUBLISHED, GlickoParameters
from ratings.types import Outcome, States, Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.systems.glicko.games import Games
    from ratings.types import Batch, Floats, Forecast, Integers

MEMORY = ("period", "start_rating", "start_deviation", "surprise", "information")


class Glicko(RatingSystem):
    """Glicko, by rating periods or by contests."""

    name = "glicko"
    label = "Glicko"
    summary = (
        "A rating with a deviation (its uncertainty). Newcomers and returning players move fast, "
        "settled players little. It rates by periods, or large contests one by one."
    )
    Parameters = GlickoParameters
    shows = Shows(deviation=True, memory=MEMORY)
    newcomer_parameters = ("rating_default", "deviation_default")
    kept_in_states = ("form", "period")
    published = PUBLISHED
    fitted = ("deviation_growth", "deviation_min")
    terms = (
        Term("expected", "Expected result", "From 0 (a certain loss) to 1 (a certain win)."),
        Term("actual", "Actual result", "1 for a win, ½ for a draw, 0 for a loss, on average."),
        Term(
            "opposition",
            "Opponents' rating",
            "Of the opposing side, or the mean of several.",
            unit="strength",
        ),
        Term(
            "opposition_deviation",
            "Opponents' deviation",
            "Uncertainty of the opponents' rating, or the root mean square of several.",
            unit="deviation",
        ),
        Term(
            "surprise",
            "Surprise",
            "Actual minus expected result, less for unknown opponents. Over a period it counts as "
            "often as the match does.",
        ),
        Term(
            "start",
            "Rating before the period",
            "The base for all matches of the period.",
            unit="rating",
        ),
        Term(
            "start_deviation",
            "Deviation before the period",
            "Including growth over time.",
            unit="deviation",
        ),
        Term("total", "Surprise of the period", "Of its matches so far, including this one."),
        Term(
            "step", "Step", "Rating points for a full unit of the period's surprise.", unit="points"
        ),
        Term(
            "change",
            "Change",
            "The rating before the period, plus step times the period's surprise, minus the rating "
            "before the match.",
            unit="points",
        ),
    )

    parameters: GlickoParameters

    def __init__(self, parameters: GlickoParameters) -> None:
        self.parameters = parameters
        self._scale = parameters.scale / math.log(10)

    @property
    def temperature(self) -> float:
        return 400 / math.log(10.0)

    def newcomers(self, count: int, population: int = 0) -> States:
        """Return states with the default rating and deviation."""
        del population
        return States.full(
            count,
            rating=self.parameters.rating_default,
            deviation=self.parameters.deviation_default,
        )

    def at(self, states: States, times: Integers) -> States:
        """Return the states with their deviation after the periods until ``times``."""
        if self.parameters.form == "paper":
            return states
        return States(
            rating=states.rating,
            deviation=self._grow_deviation(
                states,
                periods.elapsed_periods(
                    states.memory, states.last_played, times, self.parameters.period
                ),
            ),
            volatility=states.volatility,
            games=states.games,
            last_played=states.last_played,
            memory=states.memory,
        )

    def _grow_deviation(self, states: States, elapsed: Floats) -> Floats:
        variance = states.deviation**2 + elapsed * self.parameters.deviation_growth**2
        grown = np.minimum(np.sqrt(variance), self.parameters.deviation_max)
        return np.where(elapsed > 0, grown, states.deviation)

    def rate(self, before: States, batch: Batch) -> Outcome:
        """Rate ``m`` matches of one shape."""
        paper = self.parameters.form == "paper"
        after, terms = (self._contest if paper else self._period)(before, batch)
        terms["change"] = after.rating - before.rating
        return Outcome(after, terms)

    def _period(self, before: States, batch: Batch) -> tuple[States, dict[str, Floats]]:
        """Rate each participant within their period so far."""
        limits = self.parameters
        times = batch.times[:, None]
        elapsed = periods.elapsed_periods(before.memory, before.last_played, times, limits.period)
        memory = periods.first_columns(before.memory, len(MEMORY))
        fresh = (elapsed > 0) | np.isnan(memory[..., 0])
        period = np.where(fresh, periods.number(times, limits.period), memory[..., 0])
        start = np.where(fresh, before.rating, memory[..., 1])
        start_deviation = np.where(fresh, self._grow_deviation(before, elapsed), memory[..., 2])

        games = self._games(start, start_deviation, batch, self._scale)
        weights = batch.weights[:, None]
        total = np.where(fresh, 0.0, memory[..., 3]) + weights * games.surprise
        information = np.where(fresh, 0.0, memory[..., 4]) + weights * games.information

        variance = 1.0 / (1.0 / start_deviation**2 + information / self._scale**2)
        step = variance / self._scale
        deviation = np.clip(np.sqrt(variance), limits.deviation_min, limits.deviation_max)
        after = States(
            rating=start + step * total,
            deviation=deviation,
            volatility=before.volatility,
            games=before.games,
            last_played=before.last_played,
            memory=np.stack([period, start, start_deviation, total, information], axis=-1),
        )
        return after, _terms(games, start, start_deviation, total, step)

    def _contest(self, before: States, batch: Batch) -> tuple[States, dict[str, Floats]]:
        """Rate each participant by one contest."""
        deviation = np.sqrt(before.deviation**2 + self.parameters.deviation_growth**2)
        scale = self._scale / np.sqrt(batch.weights)[:, None]
        games = self._games(before.rating, deviation, batch, scale)
        total = games.surprise / len(batch.sizes)
        variance = 1.0 / (1.0 / deviation**2 + 0.25 / scale**2)
        step = variance / scale
        after = States(
            rating=before.rating + step * total,
            deviation=np.sqrt(variance),
            volatility=before.volatility,
            games=before.games,
            last_played=before.last_played,
            memory=before.memory,
        )
        return after, _terms(games, before.rating, deviation, total, step)

    def _games(
        self, rating: Floats, deviation: Floats, batch: Batch, scale: float | Floats
    ) -> Games:
        sides = composites(rating, deviation, batch.sizes, self.parameters.team_strength)
        return play(sides.rating, sides, batch, scale)

    def raise_by(self, states: States, points: Floats) -> States:
        """Return stronger players, before their running period as well as now."""
        memory = states.memory.copy()
        if memory.shape[-1]:
            memory[..., MEMORY.index("start_rating")] += points
        return replace(states, rating=states.rating + points, memory=memory)

    def predict(
        self, states: States, sizes: Sequence[int], times: Integers | None = None
    ) -> Forecast:
        """Predict Glickman's expected result with both deviations, or shares for several sides."""
        if times is not None:
            states = self.at(states, times[:, None])
        how = self.parameters.team_strength
        return forecast(composites(states.rating, states.deviation, sizes, how), self._scale)


def _terms(
    games: Games, start: Floats, start_deviation: Floats, total: Floats, step: Floats
) -> dict[str, Floats]:
    """Return the terms of an explanation, except for the change."""
    return {
        "expected": games.expected,
        "actual": games.actual,
        "opposition": games.opposition,
        "opposition_deviation": games.opposition_deviation,
        "surprise": games.surprise,
        "start": start,
        "start_deviation": start_deviation,
        "total": total,
        "step": step,
    }
