"""What each rating system states of itself that not every system can: the exam holds them to it.

A system that is not listed rates every shape of match, never rates a better place lower, and makes
no promise about invariance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Stated:
    """The stated properties of one system."""

    teams: bool = True
    """Rates sides of more than one player."""
    most_sides: int | None = None
    """Rates no more sides than this; ``None`` for any number."""
    translation: bool = False
    """Only differences of ratings count."""
    scale: bool = False
    """Ratings twice as large change by twice as much, all else being equal."""
    weights: bool = True
    """A heavier match moves ratings further."""
    bounded: bool = False
    """However odd a result, one match moves a rating only so far."""
    perf_ceiling: bool = False
    """Rates matches that limit what their result can show of a player."""

    def rates(self, sizes: Sequence[int]) -> bool:
        """Whether it rates matches whose sides have these sizes."""
        return (self.teams or max(sizes) == 1) and (
            self.most_sides is None or len(sizes) <= self.most_sides
        )


STATED: dict[str, Stated] = {
    "bar": Stated(translation=True, bounded=True),
    "codeforces": Stated(translation=True, weights=False, perf_ceiling=True),
    "elo": Stated(translation=True, bounded=True),
    "elo-mmr": Stated(translation=True, bounded=True, perf_ceiling=True),
    "elo-mmx": Stated(translation=True, perf_ceiling=True),
    "fermi": Stated(translation=True, bounded=True),
    "glicko": Stated(translation=True, bounded=True),
    "glicko-2": Stated(translation=True, bounded=True),
    "ladder": Stated(teams=False, weights=False),
    "topcoder": Stated(bounded=True, perf_ceiling=True),
    "trueskill": Stated(translation=True),
    "wager": Stated(most_sides=2, scale=True),
}


def stated(name: str) -> Stated:
    """What the system called ``name`` states of itself."""
    return STATED.get(name, Stated())
