"""Divisions: named stretches of a standing, cut by percentile, rating or rank.

Who reaches a cut is promoted at once; who falls below it is demoted only when a margin below it. So
nobody who stands at a cut changes division with every match. (Hysteresis; the margins are Laurel's
own, as none of the sources gives any.)
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from ratings.percentile import DIVISIONS, Division, DivisionError, check_divisions
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
    """What divisions are cut by, and how far below a cut a division is lost."""

    by: Measure = parameter(
        "percentile",
        label="Divisions are cut by",
        description="Percentiles keep the shares of the divisions, ratings keep what a division "
        "stands for, ranks keep the number of its players.",
        choices={
            "percentile": "percentile (1 to 100 of the ranked)",
            "rating": "rating",
            "rank": "rank (1 is the best)",
        },
        source="Laurel",
    )
    percentile_margin: float = parameter(
        2.0,
        label="Margin in percentiles",
        description="Of divisions cut by percentile: who falls below a division is demoted when "
        "this far below it. 0 demotes at the cut.",
        unit="percentiles",
        minimum=0,
        maximum=99,
        source="Laurel",
    )
    rating_margin: float = parameter(
        25.0,
        label="Margin in rating points",
        description="The same of divisions cut by rating.",
        unit="rating points",
        minimum=0,
        maximum=1_000_000,
        source="Laurel",
    )
    rank_margin: float = parameter(
        2.0,
        label="Margin in ranks",
        description="The same of divisions cut by rank.",
        unit="ranks",
        minimum=0,
        maximum=1_000_000,
        source="Laurel",
    )

    @property
    def margin(self) -> float:
        """How far below a cut a division is lost, in what divisions are cut by."""
        return {
            "percentile": self.percentile_margin,
            "rating": self.rating_margin,
            "rank": self.rank_margin,
        }[self.by]


@dataclass(frozen=True)
class Scale:
    """Divisions, lowest first, and what cuts them.

    ``first`` of a division is its lowest percentile or rating, or its worst rank; of the lowest
    division it is 1, minus infinity or infinity: it takes all who are left.
    """

    cuts: Cuts
    divisions: tuple[Division, ...]

    def __post_init__(self) -> None:
        """Refuse divisions that make no scale: raises ``DivisionError``."""
        if len(self.divisions) > MOST:
            raise DivisionError(f"there can be at most {MOST} divisions")
        for division in self.divisions:
            if len(division.name) > LONGEST_NAME:
                raise DivisionError(
                    f"a name can have at most {LONGEST_NAME} letters; you gave {division.name}"
                )
            if division.colour and not COLOUR.fullmatch(division.colour):
                raise DivisionError(
                    f"the colour of {division.name} must be written like #b87333; you gave "
                    f"{division.colour}"
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
            raise DivisionError(f"the lowest division, {lowest.name}, takes all: leave its cut out")
        for below, division in zip(self.divisions, others, strict=False):
            if self.cuts.by == "rank" and not (division.first >= 1 and division.first.is_integer()):
                raise DivisionError(
                    f"{division.name} must end at a rank from 1; you gave {plain(division.first)}"
                )
            if not self.height(division.first) > self.height(below.first):
                raise DivisionError(
                    f"{division.name} must begin above {below.name}, which begins at "
                    f"{plain(below.first)}; you gave {plain(division.first)}"
                )

    @property
    def everybody(self) -> float:
        """The cut that nobody is below."""
        return {"percentile": 1.0, "rating": -math.inf, "rank": math.inf}[self.cuts.by]

    def height(self, value: float) -> float:
        """A percentile, rating or rank as a number that grows with the standing."""
        return -value if self.cuts.by == "rank" else value

    def of(self, values: Floats) -> Integers:
        """``(n,)`` which division these percentiles, ratings or ranks lie in; -1 for NaN."""
        heights = -values if self.cuts.by == "rank" else values
        firsts = np.array([self.height(division.first) for division in self.divisions])
        found = np.searchsorted(firsts, heights, side="right") - 1
        return np.where(np.isnan(values), -1, np.maximum(found, min(len(firsts) - 1, 0)))

    def settled(self, held: Integers, values: Floats) -> Integers:
        """``(n,)`` the divisions of players who stood in ``held`` (-1 for none yet) and whose
        percentiles, ratings or ranks are now ``values``; of NaN, as they were.

        Each goes up to what is reached, and down to what a margin below is not lost.
        """
        margin = -self.cuts.margin if self.cuts.by == "rank" else self.cuts.margin
        reached, kept = self.of(values), self.of(values + margin)
        moved = np.where(held < 0, reached, np.clip(held, reached, kept))
        return np.where(np.isnan(values), held, moved)


DEFAULT = Scale(Cuts(), DIVISIONS)


def parse(text: str, cuts: Cuts) -> Scale:
    """Divisions as they are typed: one a line, lowest first, name, colour and cut.

    ``Gold, #8a6a00, 51``; colour and the lowest division's cut may be left out. Raises
    ``DivisionError`` with the line.
    """
    everybody = Scale(cuts, ()).everybody
    divisions: list[Division] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        name, *rest = (part.strip() for part in line.split(","))
        colour = rest.pop(0).lower() if rest and not _is_number(rest[0]) else ""
        if not rest and divisions:
            raise DivisionError(f"line {number}: {name} needs a cut, as in “{name}, #8a6a00, 51”")
        if len(rest) > 1 or (rest and rest[0] and not _is_number(rest[0])):
            raise DivisionError(
                f"line {number}: write name, colour and cut, as in “Gold, #8a6a00, 51”; you gave "
                f"{line.strip()[:60]}"
            )
        first = float(rest[0]) if rest and rest[0] else everybody
        divisions.append(Division(name, first, colour))
    return Scale(cuts, tuple(divisions))


def written(scale: Scale) -> str:
    """A scale as :func:`parse` reads it."""
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


def as_json(divisions: Sequence[Division]) -> list[dict[str, str | float | None]]:
    """Divisions for a JSON file, where no infinity is."""
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
