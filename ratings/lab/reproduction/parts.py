"""Shared pieces of the reproduction: sizes, parts and text tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ratings.lab.adversary import Attack
from ratings.lab.synthetic import LARGE, SMALL, World
from ratings.registry import build, read_name

if TYPE_CHECKING:
    from ratings.system import RatingSystem

PUBLISHED = {
    "codeforces": "codeforces:elo-mmr",
    "fermi": "fermi:kreimeier",
    "glicko-2": "glicko-2:gw2",
    "topcoder": "topcoder:elo-mmr",
    "trueskill": "trueskill:elo-mmr",
}
"""The parameters of the paper or, for systems that it does not compare, those of their sources."""
OF_GLICKO = {"deviation_growth": 35.0}
"""The paper's, for Glickman's form as well."""

Clock = Callable[[], float]
"""Returns the seconds since any start, to measure with."""
Report = Callable[[str], object]
"""Called with the step that is about to start."""


@dataclass(frozen=True)
class Size:
    """The amounts of data in all experiments."""

    small: World
    """For tables 2 and 3, with small contests."""
    large: World
    """For tables 2 and 3, with contests of all players."""
    large_first: int
    """Number of first rounds of the large set that are also evaluated on their own."""
    attacks: tuple[Attack, Attack]
    """In large contests and in small ones."""
    attack_seeds: int
    """Number of fields in which each system is attacked."""
    groups: World
    """For figure 3. The entrants are all players and a power of two."""


FULL = Size(
    small=SMALL,
    large=LARGE,
    large_first=15,
    attacks=(Attack(entrants=100), Attack(entrants=20)),
    attack_seeds=5,
    groups=World(players=1024, rounds=50, entrants=1024),
)
QUICK = Size(
    small=World(players=60, rounds=600, entrants=5),
    large=World(players=200, rounds=20, entrants=200),
    large_first=15,
    attacks=(
        Attack(players=60, entrants=30, honest=20, farming=20, final=8),
        Attack(players=60, entrants=20, honest=20, farming=20, final=8),
    ),
    attack_seeds=2,
    groups=World(players=64, rounds=12, entrants=64),
)
SIZES = {"full": FULL, "quick": QUICK}


@dataclass(frozen=True)
class Part:
    """The result of one experiment."""

    title: str
    text: str
    """Tables and notes for a terminal."""
    plots: dict[str, str] = field(default_factory=dict)
    """SVG by file name."""


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Format columns of text: the first left-aligned, the others right-aligned."""
    lines = [list(header), *map(list, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def as_published(name: str, parameters: Mapping[str, object] | None = None) -> RatingSystem:
    """Return a system with published parameters, except for those given."""
    plain, published = read_name(PUBLISHED.get(name, name))
    own = OF_GLICKO if name == "glicko" else {}
    return build(plain, {**published, **own, **(parameters or {})})
