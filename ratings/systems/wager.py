"""Team rank: every player wagers a twentieth of their rank.

Source: "Ranking in Team-Based Competitive Games". Let ``R`` be a player's rank, ``Y`` the average
rank of their own team, ``O`` that of the other team, and ``YT`` and ``OT`` the total seconds played
by the members of each:

* a win gives ``R / 20 * (O / Y) * (OT / YT)``,
* a loss takes ``R / 20 * (Y / O) * (YT / OT)``, and no rank falls below 1,
* a draw counts as a win for the team with the lower average and changes nothing for the other; if
  the averages are equal, it changes nothing at all,
* players who quit lose whatever their team did: ``R / 20`` or the cost of a loss, whichever is
  more,
* if all of the other team quit, it is a win that gives ``R / 20``.

Formats. Two sides of any sizes. Times are totals, so the win of a smaller team is worth more.
**More than two sides** are rejected, as the formulas have only one other team. If the seconds of
some participant are unknown, or a team played for less than one second in total, the time factor is
1.

A match's weight multiplies the wager. Scores and professions have no effect.

The sum of all ranks is not constant: it grows with every match between equals above rank 1. Losing
never gives a higher rank than winning the same match, but it can pay off later: in a later draw,
players just below the other team gain, and players just above it do not.

Averages that differ only by rounding count as equal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ratings.contests.draws import draws
from ratings.contests.limits import BOUND
from ratings.numerics import per_side
from ratings.system import RatingSystem, Shows
from ratings.tunables.parameters import Parameters, parameter
from ratings.tunables.sentences import Sentence
from ratings.tunables.wording import plain
from ratings.types import Forecast, Outcome, States, Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.types import Batch, Booleans, Floats, Integers

SOURCE = "Ranking in Team-Based Competitive Games"

HIGHEST = 2.0**53 / 100
"""Highest possible rank. Above it, a double can no longer resolve hundredths."""

LONGEST = 1e12
"""Seconds, about 30,000 years. Longer reported times count as this."""

ROUNDING = 1e-9
"""Averages with a smaller relative difference are equal, but were added up in another order."""


class WagerParameters(Parameters):
    """The constants of the article's formulas."""

    start: float = parameter(
        1.0,
        label="Starting rank",
        description="The rank of every newcomer. As players wager a part of their rank, those who "
        "start low rise slowly at first.",
        unit="rank points",
        minimum=0.01,
        maximum=1_000_000,
        source=SOURCE,
    )
    floor: float = parameter(
        1.0,
        label="Lowest rank",
        description="No rank falls below this, however many matches are lost. It must be above 0, "
        "as players with rank 0 would have nothing to wager.",
        unit="rank points",
        minimum=0.01,
        maximum=1_000_000,
        source=SOURCE,
    )
    divisor: float = parameter(
        20.0,
        label="Wager divisor",
        description="Players wager their rank divided by this. With 20, a match between equal "
        "teams gives or takes a twentieth. With a higher value, ranks move less.",
        minimum=2,
        maximum=10_000,
        source=SOURCE,
    )
    draws: float = draws()

    def clashes(self) -> dict[str, Sentence]:
        """Check that nobody starts below the lowest rank."""
        if self.start >= self.floor:
            return {}
        return {
            "start": Sentence(
                "must be at least %(floor)s (%(least)s); you gave %(given)s",
                floor=self.name_of("floor"),
                least=plain(self.floor),
                given=plain(self.start),
            )
        }


class Wager(RatingSystem):
    """A part of every player's rank is at stake in every match of two teams."""

    name = "wager"
    label = "Wager"
    summary = (
        "For team games with quitters: everyone wagers a twentieth of their rank, more against a "
        "weaker team and less if team mates quit. Quitting never pays."
    )
    Parameters = WagerParameters
    counts_time = True
    shows = Shows(rating="Rank points", decimals=2)
    newcomer_parameters = ("start", "")
    fitted = ("divisor",)
    lowest = 1.0
    terms = (
        Term(
            "wager",
            "Wager",
            "The part of the rank at stake, times the match's weight.",
            unit="points",
        ),
        Term(
            "average", "Own average rank", "Of the player's team before the match.", unit="rating"
        ),
        Term(
            "opposition",
            "Opponents' average rank",
            "Of the other team before the match.",
            unit="strength",
        ),
        Term("counted", "Counted as", "1 for a win, −1 for a loss, 0 for neither."),
        Term("rank_factor", "Rank factor", "Above 1 if ranks made the result count for more."),
        Term("time_factor", "Time factor", "Above 1 if times made the result count for more."),
        BOUND,
        Term(
            "change",
            "Change",
            "The wager times what it counted as and both factors, as far as limits allow.",
            unit="points",
        ),
    )

    parameters: WagerParameters

    def __init__(self, parameters: WagerParameters) -> None:
        self.parameters = parameters

    def check_sizes(self, sizes: Sequence[int], *, perf_ceiling: bool = False) -> None:
        """Raise ``UnsupportedMatch`` for more than two sides as well."""
        super().check_sizes(sizes, perf_ceiling=perf_ceiling)
        if len(sizes) > 2:
            raise self.refuse("%(system)s rates matches of two sides only")

    @property
    def scale(self) -> float:
        """Its points for each point of chess: a newcomer wagers 16 of them, half of K."""
        return self.scale_at(self.parameters.start)

    def scale_at(self, rating: float) -> float:
        """Return the same near a rank, as everybody wagers a part of it."""
        return max(rating, self.parameters.floor) / self.parameters.divisor / 16.0

    def in_chess(self, before: Floats, after: Floats) -> Floats:
        """Return changes in points of chess, so that every rank wagers as many of them."""
        floor = self.parameters.floor
        growth = np.log(np.maximum(after, floor)) - np.log(np.maximum(before, floor))
        return np.asarray(16.0 * self.parameters.divisor * growth)

    def newcomers(self, count: int, population: int = 0) -> States:
        """Return states at the starting rank."""
        del population
        return States.full(count, rating=self.parameters.start)

    def rate(self, before: States, batch: Batch) -> Outcome:
        """Rate ``m`` matches of two sides."""
        limits = self.parameters
        ranks = np.clip(before.rating, limits.floor, HIGHEST)
        average = averages(ranks, batch.sizes)
        counted, by_rank, by_time = factors(average, batch)
        wager = batch.weights[:, None] * ranks / limits.divisor
        worth = np.minimum(wager * by_rank * by_time, HIGHEST)
        unbound = before.rating + counted * worth
        rating = np.clip(ranks + counted * worth, limits.floor, HIGHEST)
        after = States(
            rating=rating,
            deviation=before.deviation,
            volatility=before.volatility,
            games=before.games,
            last_played=before.last_played,
            memory=before.memory,
        )
        terms = {
            "wager": wager,
            "average": average[:, batch.side_of],
            "opposition": average[:, ::-1][:, batch.side_of],
            "counted": counted,
            "rank_factor": by_rank,
            "time_factor": by_time,
            "bound": np.where(rating == unbound, np.nan, rating),
            "change": rating - before.rating,
        }
        return Outcome(after, terms)

    def predict(
        self, states: States, sizes: Sequence[int], times: Integers | None = None
    ) -> Forecast:
        """Predict each side's share of the sum of average ranks.

        The article says only that the team with the higher average is more likely to win, and
        weighs a result by the ratio of the averages. Read as odds, that ratio gives this forecast.
        Draws are not modelled.
        """
        del times
        average = averages(np.clip(states.rating, self.parameters.floor, HIGHEST), sizes)
        total = np.sort(average, axis=-1).sum(axis=-1, keepdims=True)
        return Forecast(win=average / total, draw=np.zeros(len(average)))


def averages(ranks: Floats, sizes: Sequence[int]) -> Floats:
    """Return the ``(m, s)`` average rank of each team, the same bits in any order of members."""
    if max(sizes) == 1:
        return ranks
    side_of = np.repeat(np.arange(len(sizes)), sizes)
    order = np.lexsort((ranks, np.broadcast_to(side_of, ranks.shape)), axis=-1)
    return per_side(np.take_along_axis(ranks, order, axis=-1), sizes, "mean")


def factors(average: Floats, batch: Batch) -> tuple[Floats, Floats, Floats]:
    """Return how a match counts for each participant, and the factors of ranks and of times.

    Each is ``(m, p)``. The first is 1 for a win, -1 for a loss, or 0.
    """
    other, quits, side_of = average[:, ::-1], batch.quits, batch.side_of
    own_time, other_time = times_played(batch)
    side_counted = side_results(average, batch)
    counted = np.where(quits, -1.0, side_counted[:, side_of])
    won = counted >= 0
    by_rank = np.where(won, (other / average)[:, side_of], (average / other)[:, side_of])
    by_time = np.where(
        won, (other_time / own_time)[:, side_of], (own_time / other_time)[:, side_of]
    )
    by_default = all_quit(batch)[:, ::-1][:, side_of] & ~quits
    cheap_quit = quits & (by_rank * by_time < 1.0)
    without_factors = by_default | cheap_quit
    return counted, np.where(without_factors, 1.0, by_rank), np.where(without_factors, 1.0, by_time)


def times_played(batch: Batch) -> tuple[Floats, Floats]:
    """Return ``(m, 2)`` seconds of the own and of the other team, all 1 if unknown."""
    totals = per_side(np.minimum(batch.seconds, LONGEST), batch.sizes, "sum")
    known = (totals >= 1).all(axis=-1, keepdims=True)
    totals = np.where(known, totals, 1.0)
    return totals, totals[:, ::-1]


def all_quit(batch: Batch) -> Booleans:
    """Return ``(m, 2)`` whether everyone on a side quit."""
    stayed = per_side((~batch.quits).astype(np.float64), batch.sizes, "max")
    return np.equal(stayed, 0)


def side_results(average: Floats, batch: Batch) -> Floats:
    """Return ``(m, 2)`` 1 for a win, -1 for a loss, 0 for neither, for players who stayed."""
    order = np.sign(batch.places[:, ::-1] - batch.places).astype(np.float64)
    other = average[:, ::-1]
    apart = np.abs(other - average) > ROUNDING * np.maximum(other, average)
    played = np.where(order == 0, np.where(apart & (average < other), 1.0, 0.0), order)
    return np.where(all_quit(batch)[:, ::-1], 1.0, played)
