"""Kreimeier's Fermi rating, and the ground that Elo stands on.

Source: B. Kreimeier, "Rising from the Ranks: Rating for Multiplayer Games", Gamasutra 2000, read
with the signs of its expectancy put right: a side's expected result against another is
``1 / (1 + exp(-(own - other) / T))``, and its rating moves by ``max_gain`` times (actual result
minus expected result).

Formats. A duel is the article's own case. **Teams**: a side is as strong as the mean, sum or
maximum of its members' ratings, and every member moves by the side's change. **Several sides and
free-for-all**: every pair of sides counts as one encounter, and a side's change is the mean over
its encounters, so that ``max_gain`` bounds it as in a duel.

Zero sum. What one side of an encounter gains, the other loses. When sides are of uneven size the
members of the larger side share: each moves by the change times (members of the smaller side /
members of their own), so that the sum of all ratings is kept (to rounding) and nobody moves by
more than ``max_gain``.

Decay. A match that nobody played is a step of decay: those of place 0 have played in the period,
the others were away (``ratings.systems.fermi.population.decayed``).

A match's weight multiplies the change: a match of weight 2 counts like two at once. Scores,
seconds, quits and professions are information; places decide.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ratings.contests.logistic_round import GREAT, Expectations, Standing
from ratings.numerics import TeamStrength, chances, opponents, per_side, results, surprise
from ratings.system import RatingSystem, Shows
from ratings.systems.fermi.population import decayed
from ratings.tunables.kinds import Duration
from ratings.tunables.parameters import Parameters, parameter
from ratings.types import Forecast, Outcome, States, Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.types import Batch, Floats, Integers

SOURCE = "Kreimeier 2000"

STRENGTHS = {
    "mean": "the average of its members",
    "sum": "the sum of its members",
    "max": "its best member",
}


class FermiParameters(Parameters):
    """``T``, ``max_gain`` and ``mean`` of the article, and how a team's strength is made."""

    T: float = parameter(
        1.0,
        label="Temperature (T)",
        description="How many rating points make a clear favourite: with a lead of T a side is "
        "expected to win 73% of its matches, with a lead of 3T 95%. A higher T makes the same "
        "lead mean less.",
        unit="rating points",
        above=0,
        maximum=1_000_000,
        source=SOURCE,
    )
    max_gain: float = parameter(
        1.0,
        label="Largest gain",
        description="The most that one match can give or take. A win over an equal gives half of "
        "it. Higher follows form faster and makes ratings jump more.",
        unit="rating points",
        above=0,
        maximum=1_000_000,
        source=SOURCE,
    )
    mean: float = parameter(
        0.0,
        label="Starting rating",
        description="The rating of every newcomer, and so the average of all players for ever, "
        "as whatever one player gains another loses.",
        unit="rating points",
        minimum=-1_000_000,
        maximum=1_000_000,
        source=SOURCE,
    )
    decay: float = parameter(
        0.0,
        label="Decay of the absent",
        description="Which part of the way to the starting rating each period takes those who have "
        "not played in it: it lowers the high and raises the low. What it frees or takes is spread "
        "evenly over those who played, so the sum of all ratings stays. 0: nothing decays; the "
        "article's example is 0.1.",
        minimum=0,
        maximum=1,
        source=f"{SOURCE}, Closed System",
    )
    decay_period: Duration = parameter(
        "1w",
        label="Decay: period",
        description="How often that happens, counted from the start of the season.",
        unit="time",
        minimum="1h",
        maximum="365d",
        source=f"{SOURCE}, Closed System",
    )
    team_strength: TeamStrength = parameter(
        "mean",
        label="A team is as strong as",
        description="How a side's strength is made from its members. With the sum, a larger side "
        "is expected to win; with the average, numbers do not count.",
        choices=STRENGTHS,
        source="the field's usual choices",
    )


class Fermi(RatingSystem):
    """The Fermi rating of one logistic scale, zero sum."""

    name = "fermi"
    label = "Fermi"
    summary = (
        "Kreimeier's rating for multiplayer games: one number a player, as many points lost as "
        "won. Simple to follow; it does not say how sure it is."
    )
    Parameters = FermiParameters
    shows = Shows(decimals=2)
    terms = (
        Term("expected", "Expected result", "From 0 (a certain loss) to 1 (a certain win)."),
        Term("actual", "Actual result", "1 for a win, ½ for a draw, 0 for a loss; on average."),
        Term("strength", "Own side's strength", "In rating points, before the match."),
        Term("opposition", "Opponents' strength", "In rating points; the mean of several sides."),
        Term("stake", "At stake", "Points for each whole unit of actual minus expected result."),
        Term("change", "Change", "Rating after the match minus rating before."),
    )

    parameters: FermiParameters

    def __init__(self, parameters: FermiParameters) -> None:
        self.parameters = parameters

    def newcomers(self, count: int, population: int = 0) -> States:
        """Everyone starts at ``mean``, which keeps the mean of all."""
        del population
        return States.filled(count, rating=self.parameters.mean)

    def rate(self, before: States, batch: Batch) -> Outcome:
        """Rate ``m`` matches of one shape, or take steps of decay."""
        if batch.played is None or batch.played.all():
            return self._matches(before, batch)
        steps = self._steps(before, batch)
        if not batch.played.any():
            return steps
        rated, played = self._matches(before, batch), batch.played[:, None]
        after = np.where(played, rated.after.rating, steps.after.rating)
        terms = {
            name: np.where(played, values, steps.terms[name])
            for name, values in rated.terms.items()
        }
        return Outcome(replace(rated.after, rating=after), terms)

    def _steps(self, before: States, batch: Batch) -> Outcome:
        """Each row as one period of decay for those who do not share the first place."""
        away = (batch.places > 0).astype(np.int64)[:, batch.side_of]
        mean, decay = self.parameters.mean, self.parameters.decay
        after = np.stack(
            [
                decayed(ratings, periods, mean=mean, decay=decay)
                for ratings, periods in zip(before.rating, away, strict=True)
            ]
        )
        terms = {term.name: np.full(after.shape, np.nan) for term in self.terms}
        terms["change"] = after - before.rating
        return Outcome(replace(before.copy(), rating=after), terms)

    def _matches(self, before: States, batch: Batch) -> Outcome:
        strength = per_side(before.rating, batch.sizes, self.parameters.team_strength)
        sides = self._encounters(strength, batch)
        terms = {name: values[:, batch.side_of] for name, values in sides.items()}
        after = States(
            rating=before.rating + terms["change"],
            deviation=before.deviation,
            volatility=before.volatility,
            games=before.games,
            last_played=before.last_played,
            memory=before.memory,
        )
        return Outcome(after, terms)

    def _encounters(self, strength: Floats, batch: Batch) -> dict[str, Floats]:
        """Each side's terms ``(m, s)``, the means over its encounters with every other side."""
        if len(batch.sizes) >= GREAT and len(set(batch.sizes)) == 1:
            return self._all_at_once(strength, batch)
        count = len(batch.sizes) - 1
        members = np.array(batch.sizes, dtype=np.float64)
        sides = {name: np.empty_like(strength) for name in (term.name for term in self.terms)}
        sides["strength"] = strength
        for block, others in opponents(len(batch.sizes), len(strength)):
            opposition = np.take(strength, others, axis=1)
            win, loss = chances((strength[:, block, None] - opposition) / self.parameters.T)
            result = results(batch.places[:, block, None], np.take(batch.places, others, axis=1))
            share = np.minimum(members[block, None], members[others]) / members[block, None]
            shares = share.sum(axis=-1)
            sides["expected"][:, block] = (share * win).sum(axis=-1) / shares
            sides["actual"][:, block] = (share * result).sum(axis=-1) / shares
            sides["opposition"][:, block] = opposition.sum(axis=-1) / count
            stake = self.parameters.max_gain * batch.weights[:, None] / count
            sides["stake"][:, block] = stake * shares
            sides["change"][:, block] = stake * (share * surprise(win, loss, result)).sum(axis=-1)
        return sides

    def _all_at_once(self, strength: Floats, batch: Batch) -> dict[str, Floats]:
        """The same of great matches of equal sides: sums over everyone, less what is one's own."""
        count = strength.shape[-1] - 1
        everyone = np.ones(count + 1)
        expected = np.stack([self._expected(row) for row in strength]) - 0.5
        actual = np.stack([Standing(places).won(everyone) for places in batch.places]) - 0.5
        stake = self.parameters.max_gain * batch.weights[:, None] / count
        return {
            "strength": strength,
            "expected": expected / count,
            "actual": actual / count,
            "opposition": (strength.sum(axis=-1, keepdims=True) - strength) / count,
            "stake": np.broadcast_to(stake * count, strength.shape),
            "change": stake * (actual - expected),
        }

    def _expected(self, strength: Floats) -> Floats:
        """``(s,)`` the wins that each side expects against all, itself included as a half."""
        everyone = np.ones_like(strength)
        sharpness = everyone / self.parameters.T
        low, high = float(strength.min()), float(strength.max())
        if Expectations.fit(sharpness, low, high):
            return Expectations(strength, sharpness, everyone, low, high).value(strength)
        leads = ((own - strength) / self.parameters.T for own in strength)
        return np.array([chances(lead)[0].sum() for lead in leads])

    def predict(
        self, states: States, sizes: Sequence[int], times: Integers | None = None
    ) -> Forecast:
        """Each side's share of ``exp(strength / T)``: for two sides the expected result.

        No chance of a draw is modelled: a draw is half a win.
        """
        del times
        strength = per_side(states.rating, sizes, self.parameters.team_strength)
        return Forecast(
            win=shares_of_exp(strength / self.parameters.T), draw=np.zeros(len(strength))
        )


def shares_of_exp(exponents: Floats) -> Floats:
    """``exp(x) / sum(exp(x))`` of each row ``(m, s)``, whatever the order of its entries."""
    powers = np.exp(exponents - exponents.max(axis=-1, keepdims=True))
    return np.asarray(powers / np.sort(powers, axis=-1).sum(axis=-1, keepdims=True))
