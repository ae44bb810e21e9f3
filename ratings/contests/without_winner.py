"""Option to ignore matches in which all sides tie."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ratings.tunables.parameters import parameter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ratings.types import Batch, Booleans, Floats, States

ZERO = frozenset({"surprise", "weight", "step", "change"})
"""Terms that are 0 in an ignored match."""


def ignore_all_tied() -> Any:
    """Declare the parameter. It is off by default, as a tie is information."""
    return parameter(
        default=False,
        label="Ignore matches without a winner",
        description="If enabled, a match in which all sides tie changes nothing: no rating, no "
        "deviation, and not the number of rated matches. It stays in the players' records. "
        "Otherwise, a tie pulls the ratings of the tied players together.",
        source="Elo-MMR reference implementation",
    )


def all_tied(batch: Batch) -> Booleans:
    """Return ``(m,)`` in which matches all sides tie."""
    return np.asarray((batch.places == batch.places[:, :1]).all(axis=-1))


def without_surprise(
    terms: Mapping[str, Floats], before: States, rows: Booleans
) -> dict[str, Floats]:
    """Return the terms of a rated batch, where ``rows`` ``(m, p)`` were ignored."""
    blank = {
        name: np.where(rows, 0.0, values) if name in ZERO else values
        for name, values in terms.items()
    }
    if "performance" in blank:
        own = blank.get("strength", before.rating)
        blank["performance"] = np.where(rows, own, blank["performance"])
    return blank
