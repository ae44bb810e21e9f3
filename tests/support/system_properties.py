"""Properties in which the rating systems differ, as checked by the conformance tests.

A system that is not listed rates every shape of match, never rates a better place lower, and makes
no promise about invariance.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class SystemProperties:
    """The properties of one system."""

    teams: bool = True
    """Rates sides of more than one player."""
    most_sides: int | None = None
    """Rates at most this many sides, any number if ``None``."""
    translation: bool = False
    """Only differences of ratings matter."""
    scale: bool = False
    """Ratings twice as large change by twice as much, all else being equal."""
    weights: bool = True
    """A heavier match moves ratings further."""
    bounded: bool = False
    """The effect of one match is limited, however odd its result."""
    perf_ceiling: bool = False
    """Rates matches with a performance ceiling."""

    def rates(self, sizes: Sequence[int]) -> bool:
        """Return whether it rates matches with sides of these sizes."""
        return (self.teams or max(sizes) == 1) and (
            self.most_sides is None or len(sizes) <= self.most_sides
        )


PROPERTIES: dict[str, SystemProperties] = {
    "bar": SystemProperties(translation=True, bounded=True),
    "codeforces": SystemProperties(translation=True, weights=False, perf_ceiling=True),
    "elo": SystemProperties(translation=True, bounded=True),
    "elo-mmr": SystemProperties(translation=True, bounded=True, perf_ceiling=True),
    "elo-mmx": SystemProperties(translation=True, perf_ceiling=True),
    "fermi": SystemProperties(translation=True, bounded=True),
    "glicko": SystemProperties(translation=True, bounded=True),
    "glicko-2": SystemProperties(translation=True, bounded=True),
    "ladder": SystemProperties(teams=False, weights=False),
    "laurel": SystemProperties(translation=True, bounded=True),
    "topcoder": SystemProperties(bounded=True, perf_ceiling=True),
    "trueskill": SystemProperties(translation=True),
    "wager": SystemProperties(most_sides=2, scale=True),
}


def properties_of(name: str) -> SystemProperties:
    """Return the properties of the system called ``name``."""
    return PROPERTIES.get(name, SystemProperties())


def shape_of(name: str, *shapes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the first of these shapes that the system rates."""
    return next(sizes for sizes in shapes if properties_of(name).rates(sizes))
