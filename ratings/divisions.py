"""Divisions: named stretches of a standing, cut by percentile, rating or rank.

Who moves across a cut is not moved at once: a division changes when the standing is past the cut by
a margin, or has been past it for long enough. So nobody who stands at a cut changes division with
every match. (Hysteresis; the margins are Laurel's own, as none of the sources gives any.)
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from ratings.parameters import Duration, Parameters, parameter, plain
from ratings.percentile import DIVISIONS, Division, DivisionError, check_divisions
from ratings.types import MICROSECONDS_PER_SECOND, NEVER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.types import Booleans, Floats, Integers

Measure = Literal["percentile", "rating", "rank"]

MOST = 30
COLOUR = re.compile(r"#[0-9a-f]{6}", re.ASCII)


class Cuts(Parameters):
    """What divisions are cut by, and how far past a cut a division changes."""

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
    margin: float = parameter(
        1.0,
        label="Margin of a division",
        description="How far past a cut a player must be to change division at once, in "
        "percentiles, rating points or ranks. 0 changes it at the cut.",
        minimum=0,
        maximum=1_000_000,
        source="Laurel",
    )
    patience: Duration = parameter(
        "3d",
        label="Patience of a division",
        description="Who stays past the cut by less than the margin changes division after this "
        "time.",
        unit="time",
        minimum=0,
        maximum="365d",
        source="Laurel",
    )


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

    def settled(
        self, held: Integers, since: Integers, values: Floats, now: int
    ) -> tuple[Integers, Integers, Booleans]:
        """Whose division changes at ``now`` (microseconds since 1970).

        ``held`` ``(n,)`` are the divisions so far (-1 for none) and ``since`` when each was first
        seen outside its own by less than the margin (``NEVER`` for inside). Gives both as they
        are from now on, and who has moved. Who gets a first division, or none any more, has moved
        without a promotion or demotion.
        """
        inside = self.of(values)
        heights = -values if self.cuts.by == "rank" else values
        clearly_up = self.of(self._shifted(values, heights - self.cuts.margin))
        clearly_down = self.of(self._shifted(values, heights + self.cuts.margin))
        waited = (since != NEVER) & (
            now - since >= round(self.cuts.patience * MICROSECONDS_PER_SECOND)
        )
        away = inside != held
        at_once = (held < 0) | (inside < 0) | (clearly_up > held) | (clearly_down < held)
        moved = away & (at_once | waited)
        waiting = away & ~moved
        result = np.where(moved, inside, held)
        started = np.where(since == NEVER, now, since)
        return result, np.where(waiting, started, NEVER), moved

    def _shifted(self, values: Floats, heights: Floats) -> Floats:
        shifted = -heights if self.cuts.by == "rank" else heights
        return np.where(np.isnan(values), np.nan, shifted)


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
