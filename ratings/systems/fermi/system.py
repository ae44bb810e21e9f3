"""Kreimeier's Fermi rating, the basis of Elo.

Source: B. Kreimeier, "Rising from the Ranks: Rating for Multiplayer Games", Gamasutra 2000, with
the signs of its expectancy corrected: a side's expected result against another is
``1 / (1 + exp(-(own - other) / T))``, and its rating moves by ``max_gain`` times (actual result
minus expected result).

Formats. A duel is the article's own case. **Teams**: a side's strength is the mean, sum or maximum
of its members' ratings, and every member moves by the side's change. **Several sides and
free-for-all**: every pair of sides counts as one encounter, and a side's change is the mean over
its encounters, so ``max_gain`` limits it as in a duel.

Zero sum. One side's gain in an encounter is the other side's loss. If the sides differ in size, the
members of the larger side share it: each moves by the change times (members of the smaller side /
members of their own). This preserves the sum of all ratings (up to rounding), and nobody moves by
more than ``max_gain``.

Decay. A match that was not played is a step of decay: players at place 0 have played in the period,
the others were absent (``ratings.systems.fermi.population.decay_ratings``).

Events. With ``rate_events``, a match with events is rated by them in their order, each as a duel at
the ratings of that moment, so that ``max_gain`` times the weight of its kind limits what it moves.

A match's weight multiplies the change, so a match of weight 2 counts like two at once. Places
affect ratings, and scores by ``margin`` only; seconds, quits and professions do not.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Self

import numpy as np

from ratings.candidates import Candidates, column, logistic_shares
from ratings.contests.draws import draws
from ratings.contests.first_side import first_side
from ratings.contests.logistic_round import LARGE_MATCH, Expectations, FinishOrder
from ratings.contests.margins import Margin, margin
from ratings.contests.single_events import event_weights, rate_events
from ratings.contests.team_strength import team_strength
from ratings.numerics import TeamStrength, chances, encounter_results, opponents, per_side, surprise
from ratings.system import RatingSystem, Shows
from ratings.systems.fermi.population import decay_ratings
from ratings.tunables.kinds import Duration, PositiveNumbers
from ratings.tunables.parameters import Parameters, parameter
from ratings.tunables.published import Published
from ratings.types import Forecast, Outcome, States, Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.types import Batch, Floats, Integers

SOURCE = "Kreimeier 2000"


class FermiParameters(Parameters):
    """``T``, ``max_gain`` and ``mean`` of the article, decay, and the strength of teams."""

    T: float = parameter(
        1.0,
        label="Temperature (T)",
        description="The scale of ratings. With a lead of T, a side is expected to win 73% of its "
        "matches, with a lead of 3T, 95%. With a higher T, the same lead means less. The "
        "lowest T is a hard threshold: the better side is expected to win always.",
        unit="rating points",
        minimum=0.000_001,
        maximum=1_000_000,
        source=SOURCE,
    )
    max_gain: float = parameter(
        0.18,
        label="Largest gain",
        description="The most that a player can gain or lose in one match. A win over an equal "
        "opponent gives half of it. With a higher value, ratings follow form faster but jump more. "
        "The default is chess's 32 points on the scale of T = 1. Kreimeier's own 1 is nearly six "
        "times as much, so one match moves a rating far.",
        unit="rating points",
        above=0,
        maximum=1_000_000,
        source=f"{SOURCE} (1); Elo 1978 (32 · ln 10 / 400)",
    )
    mean: float = parameter(
        0.0,
        label="Starting rating",
        description="The rating of every newcomer. It remains the average of all players, as one "
        "player's gain is another player's loss.",
        unit="rating points",
        minimum=-1_000_000,
        maximum=1_000_000,
        source=SOURCE,
    )
    decay: float = parameter(
        0.0,
        label="Decay of absent players",
        description="How far each period without a match moves a player's rating towards the "
        "starting rating: 0.1 is a tenth of the way, as in the article, and 0 turns decay off. "
        "High ratings fall and low ratings rise. The difference is spread evenly over the players "
        "who played, so the sum of all ratings stays the same.",
        minimum=0,
        maximum=1,
        source=f"{SOURCE}, Closed System",
    )
    decay_period: Duration = parameter(
        "1w",
        label="Decay period",
        description="How often ratings decay, counted from the start of the season.",
        unit="time",
        minimum="1h",
        maximum="365d",
        source=f"{SOURCE}, Closed System",
    )
    team_strength: TeamStrength = team_strength()
    first_side: float = first_side()
    draws: float = draws()
    margin: Margin = margin()
    rate_events: bool = rate_events(
        "Rate every event, such as a frag, that the game server of a free-for-all has sent, in "
        "their order, each like a duel. The places then move nobody, and a match can move a player "
        "by many times the largest gain. Matches without events, and those of teams, go by their "
        "places.",
        SOURCE,
    )
    event_weights: PositiveNumbers = event_weights(f"{SOURCE}, Credit Assignment Problem")


PUBLISHED = {
    "kreimeier": Published(
        label="Kreimeier’s article",
        source="B. Kreimeier, “Rising from the Ranks: Rating for Multiplayer Games”, 2000, "
        "Estimation 101",
        parameters={"T": 1, "max_gain": 1, "mean": 0},
    ),
}


class FermiCandidates(Candidates):
    """Duels rated by several candidates of Elo or the Fermi rating: tables of ratings alone."""

    rates_unplayed = False

    def __init__(self, candidates: Sequence[FermiParameters]) -> None:
        self._count = len(candidates)
        self._mean = column(one.mean for one in candidates)
        self._temperature = column(one.T for one in candidates)
        self._max_gain = column(one.max_gain for one in candidates)

    def newcomers(self, players: int) -> Floats:
        return np.full((1, players, self._count), self._mean)

    def chances(self, now: Floats, lead: Floats | float) -> Floats:
        (rating,) = now
        scale = self._temperature
        return logistic_shares((rating[0] + lead) / scale, rating[1] / scale)

    def rate(self, now: Floats, lead: Floats | float, results: Floats, weights: Floats) -> Floats:
        (rating,) = now
        opposition = np.stack([rating[1] - lead, rating[0] + lead])
        win, loss = chances((rating - opposition) / self._temperature)
        stake = self._max_gain * weights
        after: Floats = rating + stake * surprise(win, loss, results)
        return after[None]

    def states(self, table: Floats, games: Integers, last_played: Integers, which: int) -> States:
        states = States.full(len(games), rating=np.nan)
        states.rating[:] = table[0, :, which]
        states.games, states.last_played = games, last_played
        return states


class Fermi(RatingSystem):
    """The zero-sum Fermi rating on one logistic scale."""

    name = "fermi"
    label = "Fermi"
    summary = (
        "Kreimeier's rating for multiplayer games: one number per player, with as many points lost "
        "as won. It is easy to follow, but does not say how certain a rating is."
    )
    Parameters = FermiParameters
    shows = Shows(decimals=2)
    newcomer_parameters = ("mean", "")
    zero_sum = True
    published = PUBLISHED
    fitted = ("max_gain",)
    terms = (
        Term("expected", "Expected result", "From 0 (a certain loss) to 1 (a certain win)."),
        Term("actual", "Actual result", "1 for a win, ½ for a draw, 0 for a loss, on average."),
        Term(
            "strength",
            "Own side's strength",
            "In rating points, before the match.",
            unit="strength",
        ),
        Term(
            "opposition",
            "Opponents' strength",
            "In rating points. The mean of several sides.",
            unit="strength",
        ),
        Term(
            "stake",
            "At stake",
            "Points for a full unit of actual minus expected result, for all that the match counts "
            "as.",
            unit="points",
        ),
        Term(
            "change",
            "Change",
            "The points at stake times (actual minus expected result).",
            unit="points",
        ),
    )

    parameters: FermiParameters

    def __init__(self, parameters: FermiParameters) -> None:
        self.parameters = parameters

    @property
    def temperature(self) -> float:
        return self.parameters.T

    @property
    def scale(self) -> float:
        return self.parameters.T * math.log(10.0) / 400.0

    @classmethod
    def side_by_side(cls, candidates: Sequence[Self]) -> FermiCandidates:
        """Rate duels side by side."""
        return FermiCandidates([one.parameters for one in candidates])

    def newcomers(self, count: int, population: int = 0) -> States:
        """Return states at the starting rating, which preserves the mean of all players."""
        del population
        return States.full(count, rating=self.parameters.mean)

    def rate(self, before: States, batch: Batch) -> Outcome:
        """Rate ``m`` matches of one shape, or apply steps of decay."""
        if batch.played is None or batch.played.all():
            return self._rate_matches(before, batch)
        steps = self._decay_steps(before, batch)
        if not batch.played.any():
            return steps
        rated, played = self._rate_matches(before, batch), batch.played[:, None]
        after = np.where(played, rated.after.rating, steps.after.rating)
        terms = {
            name: np.where(played, values, steps.terms[name])
            for name, values in rated.terms.items()
        }
        return Outcome(replace(rated.after, rating=after), terms)

    def _decay_steps(self, before: States, batch: Batch) -> Outcome:
        """Apply one period of decay per row to the players who do not share the first place."""
        away = (batch.places > 0).astype(np.int64)[:, batch.side_of]
        mean, decay = self.parameters.mean, self.parameters.decay
        after = np.stack(
            [
                decay_ratings(ratings, periods, mean=mean, decay=decay)
                for ratings, periods in zip(before.rating, away, strict=True)
            ]
        )
        terms = {term.name: np.full(after.shape, np.nan) for term in self.terms}
        terms["change"] = after - before.rating
        return Outcome(replace(before.copy(), rating=after), terms)

    def _rate_matches(self, before: States, batch: Batch) -> Outcome:
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
        """Return each side's terms ``(m, s)``: means over its encounters with all other sides."""
        if len(batch.sizes) >= LARGE_MATCH and len(set(batch.sizes)) == 1:
            return self._large_match(strength, batch)
        count = len(batch.sizes) - 1
        members = np.array(batch.sizes, dtype=np.float64)
        sides = {name: np.empty_like(strength) for name in (term.name for term in self.terms)}
        sides["strength"] = strength
        for block, others in opponents(len(batch.sizes), len(strength)):
            opposition = np.take(strength, others, axis=1)
            win, loss = chances((strength[:, block, None] - opposition) / self.parameters.T)
            result = encounter_results(
                batch.places[:, block, None], np.take(batch.places, others, axis=1)
            )
            share = np.minimum(members[block, None], members[others]) / members[block, None]
            shares = share.sum(axis=-1)
            sides["expected"][:, block] = (share * win).sum(axis=-1) / shares
            sides["actual"][:, block] = (share * result).sum(axis=-1) / shares
            sides["opposition"][:, block] = opposition.sum(axis=-1) / count
            stake = self.parameters.max_gain * batch.weights[:, None] / count
            sides["stake"][:, block] = stake * shares
            sides["change"][:, block] = stake * (share * surprise(win, loss, result)).sum(axis=-1)
        return sides

    def _large_match(self, strength: Floats, batch: Batch) -> dict[str, Floats]:
        """Do the same for large matches of equal sides, summing over everyone but oneself."""
        count = strength.shape[-1] - 1
        everyone = np.ones(count + 1)
        expected = np.stack([self._expected_wins(row) for row in strength]) - 0.5
        actual = np.stack([FinishOrder(places).wins(everyone) for places in batch.places]) - 0.5
        stake = self.parameters.max_gain * batch.weights[:, None] / count
        return {
            "strength": strength,
            "expected": expected / count,
            "actual": actual / count,
            "opposition": (strength.sum(axis=-1, keepdims=True) - strength) / count,
            "stake": np.broadcast_to(stake * count, strength.shape),
            "change": stake * (actual - expected),
        }

    def _expected_wins(self, strength: Floats) -> Floats:
        """Return each side's expected wins ``(s,)`` against all sides, including ½ for itself."""
        everyone = np.ones_like(strength)
        sharpness = everyone / self.parameters.T
        low, high = float(strength.min()), float(strength.max())
        if Expectations.fits(sharpness, low, high):
            return Expectations(strength, sharpness, everyone, low, high).value(strength)
        leads = ((own - strength) / self.parameters.T for own in strength)
        return np.array([chances(lead)[0].sum() for lead in leads])

    def rate_events(
        self, ratings: list[float], events: Integers, weight: float, held: Sequence[bool]
    ) -> dict[str, list[float]]:
        """Rate each event as a duel at the ratings of that moment."""
        before, count = list(ratings), len(ratings)
        stake, temperature = self.parameters.max_gain * weight, self.parameters.T
        weights = dict(enumerate(self.parameters.event_weights, start=1))
        played, won = [0.0] * count, [0.0] * count
        expected, opposition = [0.0] * count, [0.0] * count
        for winner, loser, kind in events.tolist():
            counts = weights.get(kind, 1.0)
            lead = (ratings[winner] - ratings[loser]) / temperature
            small = math.exp(-abs(lead))
            favourite = 1.0 / (1.0 + small)
            win = favourite if lead >= 0 else small * favourite
            loss = small * favourite if lead >= 0 else favourite
            opposition[winner] += counts * ratings[loser]
            opposition[loser] += counts * ratings[winner]
            expected[winner] += counts * win
            expected[loser] += counts * loss
            played[winner] += counts
            played[loser] += counts
            won[winner] += counts
            if not held[winner]:
                ratings[winner] += stake * counts * loss
            if not held[loser]:
                ratings[loser] -= stake * counts * loss
        return {
            "expected": means(expected, played),
            "actual": means(won, played),
            "strength": before,
            "opposition": means(opposition, played),
            "stake": [stake * number for number in played],
        }

    def predict(
        self, states: States, sizes: Sequence[int], times: Integers | None = None
    ) -> Forecast:
        """Predict each side's share of ``exp(strength / T)``, for two sides the expected result.

        Draws are not modelled: a draw is half a win.
        """
        del times
        strength = per_side(states.rating, sizes, self.parameters.team_strength)
        return Forecast(
            win=shares_of_exp(strength / self.parameters.T), draw=np.zeros(len(strength))
        )


def means(sums: Sequence[float], counts: Sequence[float]) -> list[float]:
    """Return means, NaN of nothing."""
    return [total / count if count else math.nan for total, count in zip(sums, counts, strict=True)]


def shares_of_exp(exponents: Floats) -> Floats:
    """Return ``exp(x) / sum(exp(x))`` of each row ``(m, s)``, independent of the entries' order."""
    powers = np.exp(exponents - exponents.max(axis=-1, keepdims=True))
    return np.asarray(powers / np.sort(powers, axis=-1).sum(axis=-1, keepdims=True))
