"""The display of ratings: an offset and a factor, a lowest value, or a fixed range.

Source: B. Kreimeier, "Rising from the Ranks: Rating for Multiplayer Games", Gamasutra 2000, under
"Signing Off" and "Fixed Range Rating". The numbers shown are separate from the rating: nothing here
changes a rating, and nothing is rated by what is shown.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from ratings.system import Shows
from ratings.systems.fermi.display import DISPLAY_SCALE, fixed_range
from ratings.tunables.parameters import Parameters, parameter
from ratings.tunables.reading import read_parameters

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ratings.types import TermUnit

SOURCE = "Kreimeier 2000, Signing Off"
ELO_POINTS = 400 / math.log(10)
"""The temperature of chess ratings: a system's ``scale`` times this is its own temperature."""
PRESUMED = 30
"""The players that the presumed population counts as."""


class DisplayRules(Parameters):
    """The numbers that people see in place of an arena's ratings."""

    scale: Literal["rating", "scaled", "floored", "fixed-range"] = parameter(
        "rating",
        label="Shown rating",
        description="How ratings are shown on all pages, in downloads and as “shown” in the API. "
        "The ratings themselves, the cuts of divisions and all other settings keep the rating’s "
        "own scale.",
        choices={
            "rating": "the rating itself",
            "scaled": "the rating times a factor, plus an offset",
            "floored": "the same, but never below the lowest shown value",
            "fixed-range": "a number from 0 to 10,000, with the average player at 5,000",
        },
        source=SOURCE,
    )
    factor: float = parameter(
        1.0,
        label="Factor",
        description="One rating point is shown as this many points.",
        unit="shown points",
        above=0,
        maximum=1_000_000,
        source=SOURCE,
    )
    offset: float = parameter(
        0.0,
        label="Offset",
        description="What a rating of 0 is shown as.",
        unit="shown points",
        minimum=-1_000_000,
        maximum=1_000_000,
        source=SOURCE,
    )
    lowest: float = parameter(
        0.0,
        label="Lowest shown value",
        description="Ratings that would be shown below this value are shown as this value.",
        unit="shown points",
        minimum=-1_000_000,
        maximum=1_000_000,
        source=SOURCE,
    )
    decimals: int = parameter(
        0,
        label="Decimals",
        description="Decimals of a rating shown with a factor and an offset.",
        minimum=0,
        maximum=4,
        source="Laurel",
    )
    range_scale: float = parameter(
        DISPLAY_SCALE,
        label="Scale of the fixed range",
        description="As a share of the ratings’ standard deviation, which is measured once a day. "
        "With 0.5, 68% of many players are between 1,200 and 8,800. With more, they are closer to "
        "5,000.",
        unit="standard deviations",
        above=0,
        maximum=100,
        source="Kreimeier 2000, Fixed Range Rating",
        expert=True,
    )


@dataclass(frozen=True)
class Population:
    """The mean and the standard deviation of a season's ratings, when last measured."""

    mean: float
    width: float

    def with_measured(self, players: int, mean: float, width: float) -> Population:
        """Return what is known after ``players`` were measured. Before, it is this.

        This counts like ``PRESUMED`` players, so that the first few do not stretch the range.
        """
        known, presumed = players / (players + PRESUMED), PRESUMED / (players + PRESUMED)
        variance = known * width**2 + presumed * self.width**2
        return Population(known * mean + presumed * self.mean, math.sqrt(variance))


def presumed_population(rules: DisplayRules, mean: float, scale: float) -> Population:
    """Return the population of a season that nobody has played in.

    A fixed range is then the expected result against a newcomer with the rating ``mean``, by a
    system's own ``scale`` (points for each point of chess).
    """
    return Population(mean, scale * ELO_POINTS / rules.range_scale)


@dataclass(frozen=True)
class Rescaled(Shows):
    """Shows other numbers than the ratings, in the same order."""

    @property
    def numbers(self) -> Shows:
        return Shows(**{field.name: getattr(self, field.name) for field in fields(Shows)})

    def movement(self, before: float, after: float) -> float:
        return self.show(after) - self.show(before)

    def term(self, unit: TermUnit, value: float, rating: float) -> float:
        if not self.explains:
            return value
        if unit in {"rating", "strength"}:
            return self.show(value)
        if unit == "points":
            return self.points(value)
        return self.spread(rating, value) if unit == "deviation" else value


@dataclass(frozen=True)
class Scaled(Rescaled):
    """Shows ratings times a factor, plus an offset, from a lowest value."""

    factor: float = 1.0
    offset: float = 0.0
    lowest: float = -math.inf

    @property
    def explains(self) -> bool:
        return self.lowest == -math.inf

    def show(self, rating: float) -> float:
        return max(self.factor * rating + self.offset, self.lowest)

    def spread(self, rating: float, deviation: float) -> float:
        del rating
        return self.factor * deviation

    def points(self, points: float) -> float:
        return self.factor * points

    def deviation_of(self, spread: float) -> float | None:
        return spread / self.factor

    def edge(self, rating: float) -> float:
        return round(self.show(rating), self.decimals)


@dataclass(frozen=True)
class FixedRange(Rescaled):
    """Shows ratings from 0 to 10,000, with 5,000 for the mean of the population."""

    mean: float = 0.0
    width: float = 1.0
    range_scale: float = DISPLAY_SCALE

    @property
    def explains(self) -> bool:
        return False

    def show(self, rating: float) -> float:
        return float(
            fixed_range(
                np.asarray(rating),
                mean=self.mean,
                width=self.width,
                display_scale=self.range_scale,
            )
        )

    def spread(self, rating: float, deviation: float) -> float:
        """Return half of what lies between one deviation below and one above."""
        return self.movement(rating - deviation, rating + deviation) / 2

    def points(self, points: float) -> float:
        """Return what points are worth near the mean."""
        return self.movement(self.mean - points / 2, self.mean + points / 2)

    def deviation_of(self, spread: float) -> float | None:
        del spread
        return None

    def edge(self, rating: float) -> float:
        return float(round(self.show(rating)))

    def gives_chances(self, temperature: float) -> bool:
        """Return whether two shown ratings give the chance to win, right to half a percent."""
        return math.isclose(self.range_scale * self.width, temperature, rel_tol=0.02)


def shows_of(
    shows: Shows, rules: DisplayRules, population: Population | None, *, mean: float, scale: float
) -> Shows:
    """Return how ratings of a system that ``shows`` them like this are shown by an arena's rules.

    Ranks of a ladder are always shown as they are. ``population`` is ``None`` until it is measured.
    """
    if rules.scale == "rating" or shows.lowest_first:
        return shows
    names = {field.name: getattr(shows, field.name) for field in fields(Shows)}
    if rules.scale == "fixed-range":
        known = population or presumed_population(rules, mean, scale)
        return FixedRange(
            **{**names, "decimals": 0},
            mean=known.mean,
            width=known.width,
            range_scale=rules.range_scale,
        )
    scaled = Scaled(
        **{**names, "decimals": rules.decimals}, factor=rules.factor, offset=rules.offset
    )
    return replace(scaled, lowest=rules.lowest) if rules.scale == "floored" else scaled


def read_display_rules(values: Mapping[str, Any]) -> DisplayRules:
    """Return the rules in a JSON object.

    Raises:
        ParameterError: with a sentence for each wrong value.
    """
    return read_parameters(DisplayRules, values)
