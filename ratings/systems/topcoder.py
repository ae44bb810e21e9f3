"""The Topcoder system, as implemented in the Elo-MMR paper's reference.

Source: EbTech/Elo-MMR ``topcoder_sys``, after Topcoder's "Algorithm Competition Rating System".
Every player has a rating and a volatility v. With N sides, the expected place of side i is
``sum_j Phi((r_j - r_i) / sqrt(v_i^2 + v_j^2))`` (its own term is 1/2), and its place is ``actual``,
minus 1/2. Its performance is::

    r_i + CF (Phi^-1(expected / N) - Phi^-1(actual / N))

where CF, the competition factor, is the root of the mean ``v^2`` plus the variance of ratings. The
rating moves ``w / (1 + w)`` of the way there, limited by a cap. Both shrink with the number of
matches played, and w also for ratings from 2000 and from 2500. The volatility follows the uncapped
move::

    v' = sqrt(move^2 / w + v^2 / (1 + w))

This rewards erratic results: volatility raised on purpose makes later gains larger (section 5.1 of
the paper, "volatility farming").

With two sides, a performance is never further than 0.67 CF from a rating that equals the other, so
the volatility falls with every such match, and CF with it. So it is not offered for matches of two
sides (``against_two_sides``), although it rates them.

Formats. **Free-for-all** of any size is its own case, with a duel as its smallest. **Teams**: a
side's strength is the mean, sum or maximum of its members' ratings, and its volatility the root
mean square of theirs. Every member's performance differs from their rating by as much as their
side's does, and moves them by their own w and cap. A match's weight multiplies w, multiplies the
cap by its root, and divides ``v^2`` in the expectation. A performance ceiling limits each
performance. Scores, seconds, quits and professions have no effect.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import scipy

from ratings.contests.draws import draws
from ratings.contests.first_place import first_place_chances
from ratings.contests.first_side import first_side
from ratings.contests.margins import Margin, margin
from ratings.contests.normal_sum import expected_places
from ratings.contests.team_strength import team_strength
from ratings.contests.without_winner import ignore_all_tied
from ratings.numerics import TeamStrength, per_side
from ratings.places import middle_places
from ratings.system import RatingSystem, Shows
from ratings.tunables.parameters import Parameters, parameter
from ratings.tunables.published import Published
from ratings.types import Forecast, Outcome, States, Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.types import Batch, Floats, Integers

SOURCE = "Elo-MMR reference implementation, tcsys"
TOPCODER = "Topcoder, Algorithm Competition Rating System"


class TopcoderParameters(Parameters):
    """The initial state of newcomers, and the weights of first and later matches."""

    initial_rating: float = parameter(
        1500.0,
        label="Initial rating",
        description="The rating of a newcomer, 1200 at Topcoder. Ratings from 2000 and from 2500 "
        "move less, so keep the scale.",
        unit="rating points",
        minimum=-1_000_000,
        maximum=1_000_000,
        source=SOURCE,
    )
    initial_volatility: float = parameter(
        350.0,
        label="Initial volatility",
        description="How much a newcomer's performances vary, 515 at Topcoder.",
        unit="rating points",
        minimum=1,
        maximum=10_000,
        source=SOURCE,
    )
    weight_noob: float = parameter(
        0.2,
        label="Weight of the first match",
        description="The share of the first performance in the new rating, 0.6 at Topcoder.",
        minimum=0.001,
        maximum=0.999,
        source=f"{TOPCODER} (0.6); ours",
    )
    weight_limit: float = parameter(
        0.03,
        label="Weight in the long run",
        description="The share of a performance in the new rating after many matches, 0.18 at "
        "Topcoder.",
        minimum=0.001,
        maximum=0.999,
        source=f"{TOPCODER} (0.18); ours",
    )
    team_strength: TeamStrength = team_strength()
    first_side: float = first_side()
    draws: float = draws()
    margin: Margin = margin()
    ignore_all_tied: bool = ignore_all_tied()


PUBLISHED = {
    "topcoder": Published(
        label="Topcoder",
        source=TOPCODER,
        parameters={
            "initial_rating": 1200,
            "initial_volatility": 515,
            "weight_noob": 0.6,
            "weight_limit": 0.18,
        },
    ),
    "elo-mmr": Published(
        label="the Elo-MMR paper",
        source=SOURCE,
        parameters={
            "initial_rating": 1500,
            "initial_volatility": 350,
            "weight_noob": 0.6,
            "weight_limit": 0.18,
        },
    ),
}


class Topcoder(RatingSystem):
    """Topcoder's rating with volatility."""

    name = "topcoder"
    label = "Topcoder"
    summary = (
        "The rating of the programming contests on Topcoder: a rating and a volatility, for "
        "contests of any size. Erratic results raise the volatility, which can be farmed."
    )
    Parameters = TopcoderParameters
    shows = Shows(volatility=True)
    against_two_sides = (
        "In matches of two sides, the volatility falls with every match, and with it what a match "
        "can move, until ratings hardly change. Topcoder is for contests of many players."
    )
    published = PUBLISHED
    fitted = ("weight_limit", "weight_noob")
    terms = (
        Term("expected", "Expected place", "1 is the best. Chances put it between places."),
        Term("actual", "Place", "The middle of the shared places."),
        Term(
            "factor",
            "Competition factor",
            "How far apart the players of this match are.",
            unit="points",
        ),
        Term("performance", "Performance", "The rating that matches the place.", unit="rating"),
        Term("weight", "Weight", "The share of the performance in the new rating."),
        Term("cap", "Cap", "The most that the match could move the rating.", unit="points"),
        Term(
            "change",
            "Change",
            "Weight times (performance minus rating), up or down by the cap at most.",
            unit="points",
        ),
    )

    parameters: TopcoderParameters

    def __init__(self, parameters: TopcoderParameters) -> None:
        self.parameters = parameters

    def check_sizes(self, sizes: Sequence[int], *, perf_ceiling: bool = False) -> None:
        """Accept two or more sides of at least one player, with or without a ceiling."""
        del perf_ceiling
        super().check_sizes(sizes)

    def newcomers(self, count: int, population: int = 0) -> States:
        """Return the same state for everyone."""
        del population
        return States.full(
            count,
            rating=self.parameters.initial_rating,
            volatility=self.parameters.initial_volatility,
        )

    def rate(self, before: States, batch: Batch) -> Outcome:
        """Rate ``m`` matches of one shape."""
        strength, volatility = self._composites(before, batch.sizes)
        sides = len(batch.sizes)
        mean = strength.mean(axis=-1, keepdims=True)
        scatter = ((strength - mean) ** 2).sum(axis=-1) / (sides - 1)
        factor = np.sqrt((volatility**2).mean(axis=-1) + scatter)[:, None]
        weights = batch.weights[:, None]
        expected = expected_places(strength, volatility / np.sqrt(weights))
        actual = middle_places(batch.places)
        ndtri = scipy.special.ndtri
        lead = factor * (ndtri(expected / sides) - ndtri((actual - 0.5) / sides))
        ceiling = batch.perf_ceilings[:, None]
        performance = np.minimum(before.rating + lead[:, batch.side_of], ceiling)
        weight, cap = self._weight_and_cap(before, weights)
        move = weight / (1.0 + weight) * (performance - before.rating)
        rating = before.rating + np.clip(move, -cap, cap)
        squared = move**2 / weight + before.volatility**2 / (1.0 + weight)
        return Outcome(
            replace(before, rating=rating, volatility=np.sqrt(squared)),
            {
                "expected": (expected + 0.5)[:, batch.side_of],
                "actual": actual[:, batch.side_of],
                "factor": np.broadcast_to(factor, rating.shape),
                "performance": performance,
                "weight": weight / (1.0 + weight),
                "cap": cap,
                "change": rating - before.rating,
            },
        )

    def _composites(self, states: States, sizes: Sequence[int]) -> tuple[Floats, Floats]:
        """Return the ``(m, s)`` strength and volatility of each side."""
        strength = per_side(states.rating, sizes, self.parameters.team_strength)
        if all(size == 1 for size in sizes):
            return strength, states.volatility
        return strength, np.sqrt(per_side(states.volatility**2, sizes, "mean"))

    def _weight_and_cap(self, before: States, weights: Floats) -> tuple[Floats, Floats]:
        """Return ``(m, p)`` weights of the performance (1 is the rating's) and largest changes."""
        count = before.games + 1.0
        limit, noob = self.parameters.weight_limit, self.parameters.weight_noob
        share = limit + (noob - limit) / count
        cap = (150.0 + 1500.0 / (count + 1.0)) * np.sqrt(weights) * share / (0.18 + 0.42 / count)
        stability = np.where(
            before.rating >= 2500.0, 0.8, np.where(before.rating >= 2000.0, 0.9, 1.0)
        )
        return weights * stability * share / (1.0 - share), cap

    def predict(
        self, states: States, sizes: Sequence[int], times: Integers | None = None
    ) -> Forecast:
        """Predict each side's chance to perform best, with normal performances.

        For two sides it is the expected result. Draws are not modelled: a draw is half a win.
        """
        del times
        win = first_place_chances(*self._composites(states, sizes), "normal")
        return Forecast(win=win, draw=np.zeros(len(win)))
