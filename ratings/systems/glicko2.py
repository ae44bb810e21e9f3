"""Glicko-2 with the attributes of Guild Wars 2's ``<Ratings>`` block.

Sources: M. E. Glickman, "Example of the Glicko-2 system", 2012 (the steps below are his), and
"PvP Matchmaking Algorithm", Guild Wars 2 Wiki, for limits and inactivity. One match is one rating
period: ratings are updated after every match.

Formats. A duel is Glickman's own case. **Several sides and free-for-all**: every other side is one
game of the period. **Teams**: the match is played between composites. A side's rating is the mean,
sum or maximum of its members', its deviation their root mean square (for the mean), the root of
the sum of squares (for the sum) or the best member's (for the maximum). Every member shares the
side's expected result against the opposing composites and then updates with a deviation and
volatility of their own, so the less a player is known the further they move. A player alone on a
side is their own composite, so a duel is plain Glicko-2.

A mean's own standard error would be smaller than the root mean square by the root of the team's
size; we keep the larger, as one result of a team says less about each member than a duel.

A match's weight w counts as w games of the same result. Scores, seconds, quits and professions are
information; places decide.

Inactivity. The document counts "periods of inactivity": whole periods of ``deviation_period``
since the player's last match. Each adds the same to the variance (as Glickman's own step does),
``(max^2 - min^2) / deviation_max_periods``, so that ``deviation_max_periods`` of them take a
deviation from its minimum to its maximum, where it stays. This happens when a match is rated or a
state is looked at, and takes the place of Glickman's growth in periods without games.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ratings.numerics import chances, opponents, per_side, surprise
from ratings.system import RatingSystem, Shows
from ratings.systems.fermi import shares_of_exp
from ratings.systems.glicko2_parameters import Glicko2Parameters
from ratings.systems.glicko2_update import SCALE, Evidence, reliability, update
from ratings.types import MICROSECONDS_PER_SECOND, NEVER, Forecast, Outcome, States, Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.types import Batch, Floats, Integers


class Glicko2(RatingSystem):
    """Glicko-2, one match a period."""

    name = "glicko-2"
    label = "Glicko-2"
    summary = (
        "A rating with a deviation (how sure it is) and a volatility (how steady the player is). "
        "Newcomers and those who come back move fast, settled players little."
    )
    Parameters = Glicko2Parameters
    shows = Shows(deviation=True, volatility=True)
    terms = (
        Term("expected", "Expected result", "From 0 (a certain loss) to 1 (a certain win)."),
        Term("actual", "Actual result", "1 for a win, ½ for a draw, 0 for a loss; on average."),
        Term("opposition", "Opponents' rating", "Of the opposing side; the mean of several."),
        Term(
            "opposition_deviation",
            "Opponents' deviation",
            "How unsure the opponents' rating was; the root mean square of several.",
        ),
        Term(
            "deviation",
            "Deviation at the match",
            "How unsure the own rating was, with what inactivity had added.",
        ),
        Term(
            "surprise",
            "Surprise",
            "Actual minus expected result, counted less the less is known of the opponents.",
        ),
        Term(
            "information",
            "Information",
            "How much the match says about the rating: little if its end was foregone.",
        ),
        Term("step", "Step", "Rating points for each whole unit of surprise."),
        Term("change", "Change", "Step times surprise, within the limits set for a rating."),
    )

    parameters: Glicko2Parameters

    def __init__(self, parameters: Glicko2Parameters) -> None:
        self.parameters = parameters

    def newcomers(self, count: int, population: int = 0) -> States:
        """Everyone starts at the defaults, whoever came before."""
        del population
        return States.filled(
            count,
            rating=self.parameters.rating_default,
            deviation=self.parameters.deviation_default,
            volatility=self.parameters.volatility_default,
        )

    def at(self, states: States, times: Integers) -> States:
        """The states with the deviation that inactivity until ``times`` gives them."""
        return States(
            rating=states.rating,
            deviation=self._grown(states, times),
            volatility=states.volatility,
            games=states.games,
            last_played=states.last_played,
            memory=states.memory,
        )

    def _grown(self, states: States, times: Integers) -> Floats:
        limits = self.parameters
        known_since = np.where(states.last_played == NEVER, times, states.last_played)
        period = limits.deviation_period * MICROSECONDS_PER_SECOND
        periods = np.maximum(np.floor((times - known_since) / period), 0.0)
        if not periods.any():
            return states.deviation
        spread = limits.deviation_max**2 - limits.deviation_min**2
        variance = states.deviation**2 + periods * (spread / limits.deviation_max_periods)
        grown = np.minimum(np.sqrt(variance), limits.deviation_max)
        return np.where(periods > 0, grown, states.deviation)

    def rate(self, before: States, batch: Batch) -> Outcome:
        """Rate ``m`` matches of one shape, each as one rating period."""
        limits = self.parameters
        deviation = self._grown(before, batch.times[:, None])
        terms, evidence = self._games(before.rating, deviation, batch)
        updated = update(
            deviation,
            before.volatility,
            evidence,
            system_constant=limits.volatility_system_constant,
            volatility_range=(limits.volatility_min, limits.volatility_max),
        )
        change = np.clip(
            updated.step * evidence.surprise, -limits.rating_max_change, limits.rating_max_change
        )
        rating = np.clip(before.rating + change, limits.rating_min, limits.rating_max)
        after = States(
            rating=rating,
            deviation=np.clip(updated.deviation, limits.deviation_min, limits.deviation_max),
            volatility=updated.volatility,
            games=before.games,
            last_played=before.last_played,
            memory=before.memory,
        )
        terms |= {
            "deviation": deviation,
            "surprise": evidence.surprise,
            "information": evidence.information,
            "step": updated.step,
            "change": rating - before.rating,
        }
        return Outcome(after, terms)

    def _games(
        self, rating: Floats, deviation: Floats, batch: Batch
    ) -> tuple[dict[str, Floats], Evidence]:
        """Every side against every other, as games of one period; each result ``(m, p)``."""
        side_rating, side_deviation = self._composites(rating, deviation, batch.sizes)
        sums = {
            name: np.empty_like(side_rating)
            for name in ("expected", "actual", "opposition", "variance", "surprise", "information")
        }
        count = len(batch.sizes) - 1
        for block, others in opponents(len(batch.sizes), len(side_rating)):
            opposition = np.take(side_rating, others, axis=1)
            opposition_deviation = np.take(side_deviation, others, axis=1)
            trust = reliability(opposition_deviation)
            lead = trust * (side_rating[:, block, None] - opposition) / SCALE
            win, loss = chances(np.clip(lead, -LARGEST_LEAD, LARGEST_LEAD))
            order = np.sign(np.take(batch.places, others, axis=1) - batch.places[:, block, None])
            sums["expected"][:, block] = win.sum(axis=-1) / count
            sums["actual"][:, block] = (0.5 + 0.5 * order).sum(axis=-1) / count
            sums["opposition"][:, block] = opposition.sum(axis=-1) / count
            sums["variance"][:, block] = (opposition_deviation**2).sum(axis=-1) / count
            sums["surprise"][:, block] = (trust * surprise(win, loss, order)).sum(axis=-1)
            sums["information"][:, block] = (trust**2 * win * loss).sum(axis=-1)
        side_of = batch.side_of
        weights = batch.weights[:, None]
        terms = {
            "expected": sums["expected"][:, side_of],
            "actual": sums["actual"][:, side_of],
            "opposition": sums["opposition"][:, side_of],
            "opposition_deviation": np.sqrt(sums["variance"])[:, side_of],
        }
        evidence = Evidence(
            surprise=(weights * sums["surprise"])[:, side_of],
            information=(weights * sums["information"])[:, side_of],
        )
        return terms, evidence

    def _composites(
        self, rating: Floats, deviation: Floats, sizes: Sequence[int]
    ) -> tuple[Floats, Floats]:
        """``(m, s)`` rating and deviation of each side as one player."""
        how = self.parameters.team_strength
        side_rating = per_side(rating, sizes, how)
        if all(size == 1 for size in sizes):
            return side_rating, deviation
        if how != "max":
            return side_rating, np.sqrt(per_side(deviation**2, sizes, how))
        # The best member stands for the side; the surest of several equally good ones.
        best = rating == np.repeat(side_rating, sizes, axis=1)
        return side_rating, -per_side(np.where(best, -deviation, -np.inf), sizes, "max")

    def predict(
        self, states: States, sizes: Sequence[int], times: Integers | None = None
    ) -> Forecast:
        """Glickman's expected result of two sides, both deviations counted.

        For several sides each side's share of ``exp(g * rating)``, with g for twice their mean
        variance, which for two sides is the same. No chance of a draw is modelled: a draw is half
        a win.
        """
        if times is not None:
            states = self.at(states, times[:, None])
        side_rating, side_deviation = self._composites(states.rating, states.deviation, sizes)
        # Sorted, so that the order of sides does not show in the last digit.
        variance = np.sort(side_deviation, axis=-1) ** 2
        together = np.sqrt(2.0 * variance.sum(axis=-1, keepdims=True) / len(sizes))
        strength = reliability(together) * side_rating / SCALE
        return Forecast(win=shares_of_exp(strength), draw=np.zeros(len(strength)))


LARGEST_LEAD = 100.0
"""Leads beyond this (chances below 4e-44) count as this, so that their squares stay finite."""
