"""Divisions: named ranges of the standings, cut by percentile, rating or rank.

Players who reach a cut are promoted at once. They are demoted only when they fall a margin below
it, so players near a cut do not change division with every match. (This hysteresis is Laurel's own,
as none of the sources gives margins.)
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from ratings.percentile import BEGINS_BELOW, DIVISIONS, Division, DivisionError, check_divisions
from ratings.tunables.parameters import Parameters, parameter
from ratings.tunables.wording import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.types import Floats, Integers

Measure = Literal["percentile", "rating", "rank"]

MOST = 30
LONGEST_NAME = 40
COLOUR = re.compile(r"#[0-9a-f]{6}", re.ASCII)


class Cuts(Parameters):
    """The cuts of divisions, and the margin for demotion."""

    by: Measure = parameter(
        "percentile",
        label="Divisions are cut by",
        description="Percentiles keep the shares of the divisions constant, ratings keep their "
        "meaning, and ranks keep their number of players.",
        choices={
            "percentile": "percentile (1 to 100, among ranked players)",
            "rating": "rating",
            "rank": "rank (1 is best)",
        },
        source="Laurel",
    )
    percentile_margin: float = parameter(
        2.0,
        label="Margin in percentiles",
        description="For divisions cut by percentile: players are demoted when they are this far "
        "below their division. With 0, they are demoted at the cut.",
        unit="percentiles",
        minimum=0,
        maximum=99,
        source="Laurel",
    )
    rating_margin: float = parameter(
        25.0,
        label="Margin in rating points",
        description="The same for divisions cut by rating.",
        unit="rating points",
        minimum=0,
        maximum=1_000_000,
        source="Laurel",
    )
    rank_margin: float = parameter(
        2.0,
        label="Margin in ranks",
        description="The same for divisions cut by rank.",
        unit="ranks",
        minimum=0,
        maximum=1_000_000,
        source="Laurel",
    )

    @property
    def margin(self) -> float:
        """Margin for demotion, in the unit of the cuts."""
        return {
            "percentile": self.percentile_margin,
            "rating": self.rating_margin,
            "rank": self.rank_margin,
        }[self.by]


@dataclass(frozen=True)
class Scale:
    """Divisions, lowest first, and their cuts.

    A division's ``first`` is its lowest percentile or rating, or its worst rank. For the lowest
    division it is 1, minus infinity or infinity, so it includes everybody below the others.
    """

    cuts: Cuts
    divisions: tuple[Division, ...]

    def __post_init__(self) -> None:
        """Raise ``DivisionError`` unless the divisions form a scale."""
        if len(self.divisions) > MOST:
            raise DivisionError("there can be at most %(most)d divisions", most=MOST)
        for division in self.divisions:
            if len(division.name) > LONGEST_NAME:
                raise DivisionError(
                    "a name can have at most %(most)d characters; you gave %(name)s",
                    most=LONGEST_NAME,
                    name=division.name,
                )
            if division.colour and not COLOUR.fullmatch(division.colour):
                raise DivisionError(
                    "the colour of %(name)s must be written like #b87333; you gave %(colour)s",
                    name=division.name,
                    colour=division.colour,
                )
        if not self.divisions:
            return
        if self.cuts.by == "percentile":
            check_divisions(self.divisions)
            return
        check_divisions(
            [Division(division.name, at) for at, division in enumerate(self.divisions, start=1)]
        )
        self._check_order()

    def _check_order(self) -> None:
        lowest, *others = self.divisions
        if lowest.first != self.everybody:
            raise DivisionError(
                "the lowest division, %(name)s, includes everybody else: omit its cut",
                name=lowest.name,
            )
        for below, division in zip(self.divisions, others, strict=False):
            if self.cuts.by == "rank" and not (division.first >= 1 and division.first.is_integer()):
                raise DivisionError(
                    "%(name)s must end at a whole rank of at least 1; you gave %(first)s",
                    name=division.name,
                    first=plain(division.first),
                )
            if not self.height(division.first) > self.height(below.first):
                raise DivisionError(
                    BEGINS_BELOW,
                    name=division.name,
                    below=below.name,
                    begins=plain(below.first),
                    first=plain(division.first),
                )

    @property
    def everybody(self) -> float:
        """The cut that includes everybody."""
        return {"percentile": 1.0, "rating": -math.inf, "rank": math.inf}[self.cuts.by]

    def height(self, value: float) -> float:
        """Return a percentile, rating or rank as a number that is higher for better players."""
        return -value if self.cuts.by == "rank" else value

    def of(self, values: Floats) -> Integers:
        """Return the ``(n,)`` division indices of percentiles, ratings or ranks, -1 for NaN."""
        heights = -values if self.cuts.by == "rank" else values
        firsts = np.array([self.height(division.first) for division in self.divisions])
        found = np.searchsorted(firsts, heights, side="right") - 1
        return np.where(np.isnan(values), -1, np.maximum(found, min(len(firsts) - 1, 0)))

    def settle(self, held: Integers, values: Floats) -> Integers:
        """Return the ``(n,)`` divisions after promotions and demotions.

        ``held`` are the divisions before (-1 for none yet), ``values`` the current percentiles,
        ratings or ranks. Players with a NaN value keep their division. Players move up to the
        division they reach, and down only once they are a margin below their own.
        """
        margin = -self.cuts.margin if self.cuts.by == "rank" else self.cuts.margin
        reached, kept = self.of(values), self.of(values + margin)
        moved = np.where(held < 0, reached, np.clip(held, reached, kept))
        return np.where(np.isnan(values), held, moved)


DEFAULT = Scale(Cuts(), DIVISIONS)


def parse_divisions(text: str, cuts: Cuts) -> Scale:
    """Read typed divisions: one per line, lowest first, with name, colour and cut.

    An example is ``Gold, #8a6a00, 51``. The colour and the lowest division's cut are optional.
    Raises ``DivisionError`` with the line number.
    """
    everybody = Scale(cuts, ()).everybody
    divisions: list[Division] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        name, *rest = (part.strip() for part in line.split(","))
        colour = rest.pop(0).lower() if rest and not _is_number(rest[0]) else ""
        if not rest and divisions:
            raise DivisionError(
                "line %(line)d: %(name)s needs a cut, as in “%(name)s, #8a6a00, 51”",
                line=number,
                name=name,
            )
        if len(rest) > 1 or (rest and rest[0] and not _is_number(rest[0])):
            raise DivisionError(
                "line %(line)d: write name, colour and cut, as in “%(example)s”; "
                "you gave %(given)s",
                line=number,
                example="Gold, #8a6a00, 51",
                given=line.strip()[:60],
            )
        first = float(rest[0]) if rest and rest[0] else everybody
        divisions.append(Division(name, first, colour))
    return Scale(cuts, tuple(divisions))


def format_divisions(scale: Scale) -> str:
    """Write a scale in the format that :func:`parse_divisions` reads."""
    return "\n".join(
        ", ".join(
            part
            for part in (
                division.name,
                division.colour,
                "" if math.isinf(division.first) else plain(division.first),
            )
            if part
        )
        for division in scale.divisions
    )


def divisions_as_json(divisions: Sequence[Division]) -> list[dict[str, str | float | None]]:
    """Return divisions as JSON data, with null for infinite cuts."""
    return [
        {
            "name": division.name,
            "colour": division.colour,
            "first": None if math.isinf(division.first) else division.first,
        }
        for division in divisions
    ]


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
