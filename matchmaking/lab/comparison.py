"""Matchers side by side: the table of figures, and the plots."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from matchmaking.lab.charts import Panel, svg
from matchmaking.lab.quality import Figures

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matchmaking.lab.simulation import Run

RATING_STEP = 100
TIME_STEP = 10
"""Rating points and minutes per point of a plot."""

MIN_VALUES = 5
"""Waits or matches that a point of a plot needs."""


class Column(NamedTuple):
    """A column: its heading, its field of ``Figures``, and its number format."""

    heading: str
    name: str
    form: str


COLUMNS = (
    Column("matches", "matches", ".0f"),
    Column("wait p50", "median", ".0f"),
    Column("p95", "p95", ".0f"),
    Column("max", "longest", ".0f"),
    Column("over 15 min", "long", ".2%"),
    Column("fair", "fair", ".3f"),
    Column("gap", "gap", ".1f"),
    Column("spread", "spread", ".0f"),
    Column("mirror", "mirror", ".2f"),
    Column("mates", "mates", ".2f"),
    Column("repeats", "repeats", ".3f"),
    Column("rematches", "rematches", ".2%"),
    Column("queue", "queue", ".0f"),
)


@dataclass(frozen=True)
class MatcherRuns:
    """One matcher's runs of a workload, one per seed."""

    name: str
    runs: Sequence[Run]

    def means(self) -> Figures:
        """Return the mean of each figure over the seeds that have it."""
        each = [run.figures() for run in self.runs]
        values = {}
        for figure in fields(Figures):
            known = [getattr(figures, figure.name) for figures in each]
            known = [value for value in known if not np.isnan(value)]
            values[figure.name] = float(np.mean(known)) if known else float("nan")
        return Figures(**values)


def table(compared: Sequence[MatcherRuns]) -> list[list[str]]:
    """Return the figures as rows of text, headings first; “–” where there is no value."""
    rows = [["matcher", *(column.heading for column in COLUMNS)]]
    for matcher in compared:
        means = matcher.means()
        values = [(getattr(means, column.name), column.form) for column in COLUMNS]
        cells = ["–" if np.isnan(value) else format(value, form) for value, form in values]
        rows.append([matcher.name, *cells])
    return rows


def align(rows: Sequence[Sequence[str]]) -> str:
    """Join rows into lines of aligned columns: names to the left, figures to the right."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if not number else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )


def waits_by_rating(compared: Sequence[MatcherRuns]) -> str:
    """Return an SVG of the median and 95th percentile of waits, by the roster's rating."""

    def lines(percent: float) -> dict[str, list[tuple[float, float]]]:
        return {
            matcher.name: _points(
                [rating for run in matcher.runs for rating in run.ratings],
                [wait for run in matcher.runs for wait in run.waits],
                RATING_STEP,
                lambda waits: float(np.percentile(waits, percent)),
            )
            for matcher in compared
        }

    return svg(
        "Wait by rating",
        "Seconds that rosters waited for their match, by average rating: the median on the left, "
        "the 95th percentile on the right, with a line for each matcher.",
        [
            Panel("Median wait", "rating", "seconds", lines(50)),
            Panel("Long waits: 95th percentile", "rating", "seconds", lines(95)),
        ],
    )


def quality_over_time(compared: Sequence[MatcherRuns]) -> str:
    """Return an SVG of the gap, spread and mirror of matches, by time."""

    def lines(name: str) -> dict[str, list[tuple[float, float]]]:
        return {
            matcher.name: _points(
                [time / 60 for run in matcher.runs for time in run.times],
                [getattr(match, name) for run in matcher.runs for match in run.matches],
                TIME_STEP,
                lambda values: float(np.mean(values)),
            )
            for matcher in compared
        }

    return svg(
        "Quality of matches over time",
        "Ten-minute means over matches: the difference of the teams' average effective ratings on "
        "the left, the highest minus the lowest rating in the middle, and the professions that "
        "the teams do not share on the right, with a line for each matcher. Lower is better.",
        [
            Panel("Gap between teams", "minutes", "rating points", lines("gap")),
            Panel("Spread in the match", "minutes", "rating points", lines("spread")),
            Panel("Professions not shared", "minutes", "professions", lines("mirror")),
        ],
    )


def _points(
    at: Sequence[float],
    values: Sequence[float],
    step: float,
    summary: Callable[[Sequence[float]], float],
) -> list[tuple[float, float]]:
    """Summarize the values of each step, at the step's middle, where there are enough.

    A step includes its end, so the last tick of a run is in the last step.
    """
    bins: dict[int, list[float]] = defaultdict(list)
    for place, value in zip(at, values, strict=True):
        bins[math.ceil(place / step) - 1].append(value)
    return [
        ((number + 0.5) * step, summary(bins[number]))
        for number in sorted(bins)
        if len(bins[number]) >= MIN_VALUES
    ]
