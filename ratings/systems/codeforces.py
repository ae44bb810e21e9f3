"""The Codeforces system, as implemented in the Elo-MMR paper's reference.

Source: EbTech/Elo-MMR ``codeforces_sys``, a continuous form of M. Mirzayanov's "Codeforces: a
description of its rating system" (2015). Let L be the logistic function of base 10, of width 400 at
the default beta. The expected place of side i of N is ``1/2 + sum_j L(rating_j - rating_i)`` (its
own term gives the other half). Its place ``actual`` is the middle of those it ties for. Its
performance is the rating with an expected place halfway between, in the geometric mean::

    1/2 + sum_j L(rating_j - performance) = sqrt(actual * expected)

and its rating moves ``w / (1 + w)`` of the way there.

Formats. **Free-for-all** of any size is its own case, with a duel as its smallest. **Teams**: a
side's strength is the mean, sum or maximum of its members' ratings, and every member moves by the
side's change. A match's weight multiplies w and divides the square of beta. A performance ceiling
limits the performance of each participant. Scores, seconds, quits and professions have no effect.

Between two equals, the winner gains a fifth more than the loser loses, since the expected place of
both is 1.5 and the geometric mean favours the better one. So it is not offered for matches of two
sides (``against_two_sides``), although it rates them.

Deflation, off as in the reference, is Codeforces' own measure against inflation, without its
rounding: first all changes are shifted to -1 on average, then again (by at most 10) if those of the
``4 sqrt(N)`` strongest sides are still positive on average.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ratings.contests.draws import draws
from ratings.contests.first_side import first_side
from ratings.contests.performance import (
    LOGISTIC,
    MOST_DIRECT_SIDES,
    zeros_of_shared_sum,
    zeros_of_sums,
)
from ratings.contests.shared_sum import SharedSum
from ratings.contests.tanh_terms import TanhTerms
from ratings.contests.team_strength import team_strength
from ratings.contests.without_winner import ignore_all_tied
from ratings.numerics import TeamStrength, chances, per_side
from ratings.places import middle_places
from ratings.system import RatingSystem, Shows
from ratings.systems.fermi.system import shares_of_exp
from ratings.tunables.parameters import Parameters, parameter
from ratings.tunables.published import Published
from ratings.types import Forecast, Outcome, States, Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.types import Batch, Floats, Integers

SOURCE = "Elo-MMR reference implementation, cfsys"
MIRZAYANOV = "M. Mirzayanov, Codeforces 2015"

BETA = 400.0 * LOGISTIC / np.log(10.0)
"""With this beta, a lead of 400 points means chances of 10 to 1."""


class CodeforcesParameters(Parameters):
    """The reference's ``beta`` and weight, with Codeforces' own additions."""

    initial_rating: float = parameter(
        1500.0,
        label="Initial rating",
        description="The rating of a newcomer.",
        unit="rating points",
        minimum=-1_000_000,
        maximum=1_000_000,
        source=SOURCE,
    )
    beta: float = parameter(
        float(BETA),
        label="Spread of results (β)",
        description="How much luck there is in one encounter of two players. With the default, a "
        "lead of 400 points means chances of 10 to 1. With twice the value, the same lead means "
        "half as much.",
        unit="rating points",
        minimum=0.000_001,
        maximum=1_000_000,
        source=SOURCE,
    )
    weight: float = parameter(
        0.1,
        label="Weight of a match",
        description="How far a rating moves towards the performance: a tenth of the way with 0.11, "
        "half the way with 1, as on Codeforces. With a smaller value, ratings are more stable.",
        minimum=0.000_001,
        maximum=1_000,
        source=f"{SOURCE} (1); ours",
    )
    deflation: bool = parameter(
        default=False,
        label="Deflation",
        description="If enabled, all participants are lowered slightly after each match, so that "
        "ratings do not grow over the years, as on Codeforces itself.",
        source=MIRZAYANOV,
    )
    team_strength: TeamStrength = team_strength()
    first_side: float = first_side()
    draws: float = draws()
    ignore_all_tied: bool = ignore_all_tied()


PUBLISHED = {
    "codeforces": Published(
        label="Codeforces",
        source=f"{MIRZAYANOV}, in a continuous form",
        parameters={
            "initial_rating": 1500,
            "beta": float(BETA),
            "weight": 1,
            "deflation": True,
        },
    ),
    "elo-mmr": Published(
        label="the Elo-MMR paper",
        source=SOURCE,
        parameters={
            "initial_rating": 1500,
            "beta": float(BETA),
            "weight": 1,
            "deflation": False,
        },
    ),
}


class Codeforces(RatingSystem):
    """Codeforces' rating by geometric means of places."""

    name = "codeforces"
    label = "Codeforces"
    summary = (
        "The rating of the programming contests on Codeforces: one number per player, for contests "
        "of any size. It does not say how certain a rating is, and one odd result can move it far."
    )
    Parameters = CodeforcesParameters
    shows = Shows()
    against_two_sides = (
        "In matches of two sides, a win over an equal gives a fifth more points than the loss "
        "takes, so ratings rise without end. Codeforces is for contests of many players."
    )
    published = PUBLISHED
    fitted = ("weight", "beta")
    terms = (
        Term("expected", "Expected place", "1 is the best. Chances put it between places."),
        Term("actual", "Place", "The middle of the shared places."),
        Term("performance", "Performance", "The rating that matches the place.", unit="rating"),
        Term("surprise", "Surprise", "Performance minus rating.", unit="points"),
        Term("weight", "Weight", "The share of the surprise by which the rating moves."),
        Term(
            "deflation",
            "Deflation",
            "What everybody loses, so that ratings do not grow over the years.",
            unit="points",
            optional=True,
        ),
        Term("change", "Change", "Weight times surprise, plus any deflation.", unit="points"),
    )

    parameters: CodeforcesParameters

    def __init__(self, parameters: CodeforcesParameters) -> None:
        self.parameters = parameters

    def check_sizes(self, sizes: Sequence[int], *, perf_ceiling: bool = False) -> None:
        """Accept two or more sides of at least one player, with or without a ceiling."""
        del perf_ceiling
        super().check_sizes(sizes)

    @property
    def temperature(self) -> float:
        return 400 / math.log(10.0)

    def newcomers(self, count: int, population: int = 0) -> States:
        """Return the same state for everyone."""
        del population
        return States.full(count, rating=self.parameters.initial_rating)

    def rate(self, before: States, batch: Batch) -> Outcome:
        """Rate ``m`` matches of one shape."""
        strength = per_side(before.rating, batch.sizes, self.parameters.team_strength)
        k = LOGISTIC / self.parameters.beta * np.sqrt(batch.weights)
        actual = middle_places(batch.places)
        expected, performance = self._performances(strength, k, actual)
        ceiling = batch.perf_ceilings[:, None]
        weight = self.parameters.weight * batch.weights[:, None]
        side_of = batch.side_of
        own = np.minimum(before.rating + (performance - strength)[:, side_of], ceiling)
        change = weight / (1.0 + weight) * (own - before.rating)
        deflation = np.full_like(change, np.nan)
        if self.parameters.deflation:
            deflation[:] = _deflation(strength, per_side(change, batch.sizes, "mean"))[:, None]
            change += deflation
        return Outcome(
            replace(before, rating=before.rating + change),
            {
                "expected": expected[:, side_of],
                "actual": actual[:, side_of],
                "performance": own,
                "surprise": own - before.rating,
                "weight": np.broadcast_to(weight / (1.0 + weight), change.shape),
                "deflation": deflation,
                "change": change,
            },
        )

    def _performances(self, strength: Floats, k: Floats, actual: Floats) -> tuple[Floats, Floats]:
        """Return ``(m, s)`` expected places and performances. ``k`` is ``(m,)``."""
        if strength.shape[-1] <= MOST_DIRECT_SIDES:
            return _by_pairs(strength, k, actual)
        expected, performance = np.empty_like(strength), np.empty_like(strength)
        for row, sharpness in enumerate(k.tolist()):
            expected[row], performance[row] = _by_shared_sum(strength[row], sharpness, actual[row])
        return expected, performance

    def predict(
        self, states: States, sizes: Sequence[int], times: Integers | None = None
    ) -> Forecast:
        """Predict each side's share of ``exp(k strength)``, for two sides the expected result.

        Draws are not modelled: a draw is half a win.
        """
        del times
        strength = per_side(states.rating, sizes, self.parameters.team_strength)
        win = shares_of_exp(strength * (LOGISTIC / self.parameters.beta))
        return Forecast(win=win, draw=np.zeros(len(win)))


def _by_pairs(strength: Floats, k: Floats, actual: Floats) -> tuple[Floats, Floats]:
    """Solve every side's own two sums over all sides. ``k`` is ``(m,)``."""
    matches, sides = strength.shape
    expected, performance = np.empty(matches * sides), np.empty(matches * sides)
    own, place = strength.reshape(-1), actual.reshape(-1)
    block = max(1, _TERMS_AT_ONCE // sides)
    for start in range(0, matches * sides, block):
        some = slice(start, min(start + block, matches * sides))
        match = np.arange(some.start, some.stop) // sides
        rating = strength[match]
        sharpness = np.broadcast_to(k[match, None], rating.shape)
        expected[some] = 0.5 + chances((rating - own[some, None]) * sharpness)[0].sum(axis=-1)
        target = np.sqrt(place[some] * expected[some])
        # If all ratings were equal, the target would be this far from them.
        shift = np.log((sides + 0.5 - target) / (target - 0.5))
        performance[some] = zeros_of_sums(
            TanhTerms.of(rating, sharpness, np.ones_like(rating), sides + 1.0 - 2.0 * target),
            rating + shift[:, None] / sharpness,
        )
    return expected.reshape(matches, sides), performance.reshape(matches, sides)


def _by_shared_sum(strength: Floats, k: float, actual: Floats) -> tuple[Floats, Floats]:
    """Solve one large match: ``F`` with all weights 1 is ``N + 1`` minus twice a place."""
    sides = len(strength)
    furthest = float(np.log(2.0 * sides)) / k
    low, high = float(strength.min()) - furthest, float(strength.max()) + furthest
    sharpness = np.full_like(strength, k)
    if not SharedSum.fits(sharpness, low, high):
        expected, performance = _by_pairs(strength[None], np.array([k]), actual[None])
        return expected[0], performance[0]
    sums = SharedSum(strength, sharpness, np.ones_like(strength), low, high)
    expected = 0.5 * (sides + 1.0 - sums.value(strength))
    target = np.sqrt(actual * expected)
    return expected, zeros_of_shared_sum(sums, sides + 1.0 - 2.0 * target)


def _deflation(strength: Floats, change: Floats) -> Floats:
    """Return the ``(m,)`` shift of everyone's change, from sides ``(m, s)``. Mostly negative."""
    sides = strength.shape[-1]
    shift = -change.mean(axis=-1) - 1.0
    strongest = min(4 * round(float(np.sqrt(sides))), sides)
    order = np.argsort(-strength, axis=-1, kind="stable")[:, :strongest]
    # Sides as strong as the last of these share its place, whatever the order of listing.
    level = strength == np.take_along_axis(strength, order[:, -1:], axis=-1)
    shared = (level * change).sum(axis=-1) / np.count_nonzero(level, axis=-1)
    change = np.where(level, shared[:, None], change)
    top = np.take_along_axis(change, order, axis=-1).mean(axis=-1) + shift
    return np.asarray(shift + np.clip(-top, -10.0, 0.0))


_TERMS_AT_ONCE = 1 << 15
