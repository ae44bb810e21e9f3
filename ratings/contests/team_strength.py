"""The strength of a side, given its members."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ratings.numerics import TeamStrength, per_side
from ratings.tunables.parameters import parameter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.types import Floats

STRENGTHS = {
    "mean": "the average of its members",
    "sum": "the sum of its members",
    "max": "its strongest member",
    "min": "its weakest member",
}


def team_strength(default: TeamStrength = "mean", source: str = "common practice") -> Any:
    """Return the declaration of a system's ``team_strength`` parameter."""
    return parameter(
        default,
        label="Team strength",
        description="How a side's strength is computed from its members' ratings. With the sum, a "
        "larger side is expected to win. With the average, numbers do not matter. The strongest "
        "or weakest member fits games that one player decides.",
        choices=STRENGTHS,
        source=source,
    )


def of_representatives(
    values: Floats, rating: Floats, sizes: Sequence[int], how: TeamStrength
) -> Floats:
    """Return the ``(m, s)`` values of the members who represent the sides as ``max`` or ``min``.

    ``values``, such as variances, and ``rating`` are ``(m, p)``. Among members of equal rating, the
    one with the lowest value represents the side.
    """
    chosen = np.repeat(per_side(rating, sizes, how), sizes, axis=1) == rating
    return per_side(np.where(chosen, values, np.inf), sizes, "min")
