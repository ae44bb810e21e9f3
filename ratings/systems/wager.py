"""Team rank: everyone wagers a twentieth of their rank.

Source: "Ranking in Team-Based Competitive Games". With ``R`` a player's rank, ``Y`` the average
rank of their own team and ``O`` of the other, ``YT`` and ``OT`` the seconds that the members of
each played, all together:

* a win gives ``R / 20 * (O / Y) * (OT / YT)``,
* a loss takes ``R / 20 * (Y / O) * (YT / OT)``, and no rank falls below 1,
* a draw counts as a win for the team of the lower average and changes nothing for the other; if the
  averages are equal it changes nothing at all,
* who quits loses, whatever their team did: ``R / 20`` or what a loss takes, whichever is more,
* if all of the other team quit it is a win, and gives ``R / 20``.

Formats. Two sides of any sizes: times are totals, so the win of a smaller team is worth more.
**More than two sides** are refused: the formulas know one other team. Where seconds are not known
of every participant, or a team played for less than one in all, the factor of times is 1.

A match's weight multiplies what is wagered. Scores and professions are information.

The sum of all ranks is not kept: it grows with every match between equals that goes on above 1.
Losing never gives a higher rank than winning the same match, but it can pay later: who is just
below a team that they then draw with gains by it, and who is just above does not.

Averages that differ by no more than rounding count as equal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ratings.numerics import per_side
from ratings.system import RatingSystem, Shows, UnsupportedMatch
from ratings.tunables.parameters import Parameters, parameter
from ratings.tunables.wording import plain
from ratings.types import Forecast, Outcome, States, Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.types import Batch, Booleans, Floats, Integers

SOURCE = "Ranking in Team-Based Competitive Games"

HIGHEST = 2.0**53 / 100
"""Above this rank a double no longer tells hundredths apart; nobody rises further."""

LONGEST = 1e12
"""Seconds, some 30,000 years: who is said to have played for longer counts with this."""

ROUNDING = 1e-9
"""Averages closer than this part of them are the same average, added up in another order."""


class WagerParameters(Parameters):
    """The constants of the article's formulas."""

    start: float = parameter(
        1.0,
        label="Starting rank",
        description="The rank of every newcomer. As everyone wagers a part of their rank, those "
        "who start low rise by little at first.",
        unit="rank points",
        minimum=0.01,
        maximum=1_000_000,
        source=SOURCE,
    )
    floor: float = parameter(
        1.0,
        label="Lowest rank",
        description="No rank falls below this, however many matches are lost. It must be above 0, "
        "as who has nothing can wager nothing.",
        unit="rank points",
        minimum=0.01,
        maximum=1_000_000,
        source=SOURCE,
    )
    divisor: float = parameter(
        20.0,
        label="Wagered part",
        description="One part in this many of a rank is wagered: with 20, a match between equal "
        "teams gives or takes a twentieth. Higher makes ranks move less.",
        minimum=2,
        maximum=10_000,
        source=SOURCE,
    )

    def clashes(self) -> dict[str, str]:
        """Nobody starts below the lowest rank."""
        if self.start >= self.floor:
            return {}
        return {
            "start": f"must be at least floor ({plain(self.floor)}); you gave {plain(self.start)}"
        }


class Wager(RatingSystem):
    """A part of everyone's rank at stake in every match of two teams."""

    name = "wager"
    label = "Wager"
    summary = (
        "For team games that people leave: everyone wagers a twentieth of their rank, more against "
        "a weaker team and less if team mates quit. Quitting never pays."
    )
    Parameters = WagerParameters
    shows = Shows(rating="Rank points", decimals=2)
    terms = (
        Term("wager", "Wagered", "The part of the rank at stake, times the match's weight."),
        Term("average", "Own average rank", "Of the own team before the match."),
        Term("opposition", "Opponents' average rank", "Of the other team before the match."),
        Term("counted", "Counted as", "1 for a win, −1 for a loss, 0 for neither."),
        Term("rank_factor", "Factor of ranks", "Above 1 if the result was worth more for them."),
        Term("time_factor", "Factor of times", "Above 1 if the result was worth more for them."),
        Term("change", "Change", "Rank after the match minus rank before, within its limits."),
    )

    parameters: WagerParameters

    def __init__(self, parameters: WagerParameters) -> None:
        self.parameters = parameters

    def check(self, sizes: Sequence[int], *, perf_ceiling: bool = False) -> None:
        """Also refuses more than two sides."""
        super().check(sizes, perf_ceiling=perf_ceiling)
        if len(sizes) > 2:
            raise UnsupportedMatch(
                f"{self.label} rates two sides; its formulas know only one other team"
            )

    def newcomers(self, count: int, population: int = 0) -> States:
        """Everyone starts at ``start``."""
        del population
        return States.filled(count, rating=self.parameters.start)

    def rate(self, before: States, batch: Batch) -> Outcome:
        """Rate ``m`` matches of two sides."""
        limits = self.parameters
        ranks = np.clip(before.rating, limits.floor, HIGHEST)
        average = averages(ranks, batch.sizes)
        counted, by_rank, by_time = factors(average, batch)
        wager = batch.weights[:, None] * ranks / limits.divisor
        worth = np.minimum(wager * by_rank * by_time, HIGHEST)
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
            "change": rating - before.rating,
        }
        return Outcome(after, terms)

    def predict(
        self, states: States, sizes: Sequence[int], times: Integers | None = None
    ) -> Forecast:
        """Each side's share of the sum of average ranks.

        The article says no more than that the team of the higher average is the likelier winner,
        and weighs a result by the ratio of the averages; read as odds, that ratio is this forecast.
        No chance of a draw is modelled.
        """
        del times
        average = averages(np.clip(states.rating, self.parameters.floor, HIGHEST), sizes)
        total = np.sort(average, axis=-1).sum(axis=-1, keepdims=True)
        return Forecast(win=average / total, draw=np.zeros(len(average)))


def averages(ranks: Floats, sizes: Sequence[int]) -> Floats:
    """``(m, s)`` average rank of each team, the same bits for any order of its members."""
    if max(sizes) == 1:
        return ranks
    side_of = np.repeat(np.arange(len(sizes)), sizes)
    order = np.lexsort((ranks, np.broadcast_to(side_of, ranks.shape)), axis=-1)
    return per_side(np.take_along_axis(ranks, order, axis=-1), sizes, "mean")


def factors(average: Floats, batch: Batch) -> tuple[Floats, Floats, Floats]:
    """What a match counts as for each participant, and what ranks and times make that worth.

    Each ``(m, p)``: 1 for a win, -1 for a loss or 0; the factor of ranks; the factor of times.
    """
    other, quits, side_of = average[:, ::-1], batch.quits, batch.side_of
    own_time, other_time = times_played(batch)
    side_counted = results(average, batch)
    counted = np.where(quits, -1.0, side_counted[:, side_of])
    won = counted >= 0
    by_rank = np.where(won, (other / average)[:, side_of], (average / other)[:, side_of])
    by_time = np.where(
        won, (other_time / own_time)[:, side_of], (own_time / other_time)[:, side_of]
    )
    handed = deserted(batch)[:, ::-1][:, side_of] & ~quits
    plain_is_worse = quits & (by_rank * by_time < 1.0)
    plainly = handed | plain_is_worse
    return counted, np.where(plainly, 1.0, by_rank), np.where(plainly, 1.0, by_time)


def times_played(batch: Batch) -> tuple[Floats, Floats]:
    """``(m, 2)`` seconds of the own and of the other team; all 1 where they are not told."""
    totals = per_side(np.minimum(batch.seconds, LONGEST), batch.sizes, "sum")
    told = (totals >= 1).all(axis=-1, keepdims=True)
    known = np.where(told, totals, 1.0)
    return known, known[:, ::-1]


def deserted(batch: Batch) -> Booleans:
    """``(m, 2)`` whether everyone of a side quit."""
    stayed = per_side((~batch.quits).astype(np.float64), batch.sizes, "max")
    return np.equal(stayed, 0)


def results(average: Floats, batch: Batch) -> Floats:
    """``(m, 2)`` 1 for a win, -1 for a loss, 0 for neither, for those of a side who stayed."""
    order = np.sign(batch.places[:, ::-1] - batch.places).astype(np.float64)
    other = average[:, ::-1]
    apart = np.abs(other - average) > ROUNDING * np.maximum(other, average)
    played = np.where(order == 0, np.where(apart & (average < other), 1.0, 0.0), order)
    return np.where(deserted(batch)[:, ::-1], 1.0, played)
