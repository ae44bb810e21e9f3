"""More about the forecasts of some matches: order of places, calibration, draws and certainty.

Intervals are by the bootstrap (B. Efron, "Bootstrap methods", 1979): the days of the matches are
drawn again, as many as there were and with replacement, and the measure is computed for each draw.
Days and not matches are drawn, as those of one day share players, weather and news. The numbers
are drawn from a seed, so the same matches give the same intervals.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from ratings.lab.evaluation import EXPERIENCED, LEAST_CHANCE, Chances, Order
from ratings.lab.slopes import slope_by_match
from ratings.types import MICROSECONDS_PER_SECOND

if TYPE_CHECKING:
    from ratings.history import History
    from ratings.lab.evaluation import Bin, Predictions
    from ratings.types import Booleans, Floats, Integers

DRAWS = 1_000
"""Draws of the days for each interval."""
# Fixed, so that the same history has the same intervals each time.
SEED = 1979
WITHIN = 0.95
DAY = 86_400 * MICROSECONDS_PER_SECOND


@dataclass(frozen=True)
class Measured:
    """A measure, and the interval that holds 95% of its draws. NaN without matches."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Details:
    """Details that ``lab --full`` adds about the forecasts of a system."""

    pair_inversion: Measured
    """Percent of pairs of experienced sides in which the higher-rated one did not place lower."""
    rank_deviation: Measured
    """Mean distance of a side's place from that by rating, in percent of the field."""
    accuracy: Measured
    log_loss: Measured
    brier: Measured
    outcome_log_loss: Measured
    """Mean of ``-ln`` of the chance of what happened: a win, a draw or a defeat. Of matches of two
    sides; NaN if matches were drawn and the system gave no draw a chance."""
    slope: Measured
    """As of a ``Trial``. Draws take one step of Newton's method from the slope of all matches."""
    calibration: list[Bin]

    def to_json(self) -> dict[str, object]:
        """Return the fields as JSON values, with ``None`` for what could not be computed."""
        return {
            name: _none_for_nan(value) if isinstance(value, dict) else value
            for name, value in asdict(self).items()
        }


def _none_for_nan(measured: dict[str, float]) -> dict[str, float | None]:
    return {name: None if np.isnan(value) else value for name, value in measured.items()}


def details(history: History, predictions: Predictions, chosen: Booleans) -> Details:
    """Return details of the ``chosen`` ``(M,)`` matches."""
    counts = np.diff(history.side_offsets)
    match = np.repeat(np.arange(len(history)), counts)
    sides = np.repeat(chosen, counts)
    numbers = np.cumsum(chosen) - 1
    chances = Chances.of(numbers[match[sides]], history.places[sides], predictions.chance[sides])
    known = sides & (predictions.games >= EXPERIENCED)
    order = Order.of(match[known], history.places[known], predictions.strength[known])
    days = history.times // DAY
    of_chosen = days[chosen][: chances.matches]
    ones = np.ones(chances.matches)
    inverted, deviated = _inversions(order), _deviations(order)
    outcomes = _outcome_losses(history, predictions, chosen)
    return Details(
        pair_inversion=measure(*inverted, days[order.ids], 100.0),
        rank_deviation=measure(*deviated, days[order.ids], 100.0),
        accuracy=measure(*favourite_hits(chances), of_chosen),
        log_loss=measure(losses(chances), ones, of_chosen),
        brier=measure(_squares(chances), ones, of_chosen),
        outcome_log_loss=measure(outcomes, np.ones(len(outcomes)), days[_duels(history, chosen)]),
        slope=measure(*slope_by_match(history, predictions, chosen), days[chosen]),
        calibration=chances.calibration(),
    )


def _inversions(order: Order) -> tuple[Floats, Floats]:
    pairs = order.sizes * (order.sizes - 1) / 2
    return order.sizes * (1.0 - order.inversions() / pairs), order.sizes.astype(np.float64)


def _deviations(order: Order) -> tuple[Floats, Floats]:
    distance = order.distances() / np.repeat(order.sizes - 1, order.sizes)
    total = np.bincount(order.match, distance, minlength=len(order.sizes))
    return total.astype(np.float64), order.sizes.astype(np.float64)


def favourite_hits(chances: Chances) -> tuple[Floats, Floats]:
    """Return how often the favourite won each match, and whether anybody did."""
    count = chances.matches
    decided = np.bincount(chances.match, chances.share == 1, minlength=count)
    highest = np.zeros(count)
    np.maximum.at(highest, chances.match, chances.chance)
    favourite = chances.chance == highest[chances.match]
    equals = np.bincount(chances.match, favourite, minlength=count)
    right = np.bincount(chances.match, favourite & (chances.share == 1), minlength=count)
    return right / np.maximum(equals, 1), decided.astype(np.float64)


def losses(chances: Chances) -> Floats:
    """Return ``-ln`` of the chance of the side that came first in each match."""
    loss = -chances.share * np.log(np.maximum(chances.chance, LEAST_CHANCE))
    return np.bincount(chances.match, loss, minlength=chances.matches).astype(np.float64)


def _squares(chances: Chances) -> Floats:
    error = 0.5 * (chances.chance - chances.share) ** 2
    return np.bincount(chances.match, error, minlength=chances.matches).astype(np.float64)


def _duels(history: History, chosen: Booleans) -> Booleans:
    return np.asarray(chosen & (np.diff(history.side_offsets) == 2))


def _outcome_losses(history: History, predictions: Predictions, chosen: Booleans) -> Floats:
    """Return the loss of each chosen match of two sides, all NaN if draws had no chance."""
    duels = _duels(history, chosen)
    if predictions.draw is None:
        return np.full(int(duels.sum()), np.nan)
    first = history.side_offsets[:-1][duels]
    places = history.places[first], history.places[first + 1]
    drawn, won = places[0] == places[1], places[0] < places[1]
    draw = predictions.draw[duels]
    if drawn.any() and not draw.any():
        return np.full(len(first), np.nan)
    winner = np.where(won, predictions.chance[first], predictions.chance[first + 1])
    chance = np.where(drawn, draw, winner - 0.5 * draw)
    losses: Floats = -np.log(np.maximum(chance, LEAST_CHANCE))
    return losses


def measure(totals: Floats, counts: Floats, days: Integers, percent: float = 1.0) -> Measured:
    """Return the sum of ``totals`` over that of ``counts``, with its interval.

    The three are of the same matches.
    """
    if not counts.sum() > 0 or np.isnan(totals).any():
        return Measured(np.nan, np.nan, np.nan)
    _, of_day = np.unique(days, return_inverse=True)
    number = int(of_day.max()) + 1
    by_day = np.stack([np.bincount(of_day, each, minlength=number) for each in (totals, counts)])
    rng = np.random.default_rng(SEED)
    drawn = np.empty(DRAWS)
    for at in range(DRAWS):
        times = np.bincount(rng.integers(0, number, number), minlength=number)
        total, count = (by_day * times).sum(axis=-1)
        drawn[at] = total / count if count else np.nan
    tail = 50.0 * (1.0 - WITHIN)
    low, high = np.nanpercentile(drawn, [tail, 100.0 - tail])
    value = totals.sum() / counts.sum()
    return Measured(percent * float(value), percent * float(low), percent * float(high))


def as_text(found: Details) -> list[str]:
    """Return lines for a terminal."""
    lines = []
    for field in fields(found):
        one = getattr(found, field.name)
        if isinstance(one, Measured) and not np.isnan(one.value):
            shown = f"{one.value:8.4f}  95% within {one.low:.4f} to {one.high:.4f}"
            lines.append(f"  {field.name:<17} {shown}")
    lines += [
        f"  forecast {one.predicted:6.1%}, came first {one.observed:6.1%} ({one.sides:,} sides)"
        for one in found.calibration
    ]
    return lines
