"""The weight of a match by the margin of its score, as a factor.

Only matches of two sides with a winner and two scores have a margin. All others count once, and so
do those with a negative score. No match counts more than ``MOST`` times: otherwise two captains who
agree on a score of a million to nothing could move a rating as far as they like.

- ``clear``: half of a match counts by its places, half by ``|a - b| / sqrt(a + b)``. For sides that
  score at random and equally often, the quotient is about 1, whether they score goals, sets or a
  hundred points.
- ``goals``: the factor of the World Football Elo Ratings: 1 for one goal, 1.5 for two, and
  ``(11 + n) / 8`` for n, three or more, which reaches the limit at 9 (a departure).
- ``log``: ``log2(1 + |a - b|)``, the shape of FiveThirtyEight's ratings for American football, but
  1 for a margin of one, and without their correction for favourites.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ratings.tunables.parameters import parameter

if TYPE_CHECKING:
    from ratings.system import RatingSystem
    from ratings.types import Batch, Floats, Integers

Margin = Literal["none", "clear", "goals", "log"]
CHOICES = {
    "none": "does not count",
    "clear": "counts in proportion to the total score",
    "goals": "counts like goals in football",
    "log": "counts by its logarithm",
}
MOST = 2.5


def margin(default: Margin = "none", source: str = "World Football Elo Ratings; own") -> Any:
    """Return the declaration of a system's ``margin`` parameter."""
    return parameter(
        default,
        label="Margin of the score",
        description="Whether a clear win moves ratings more than a narrow one, if matches have "
        "scores. In proportion to the total score, a 3:0 counts more than a 5:2, which suits any "
        "game that counts points. The other two go by the difference alone. No win counts more "
        "than two and a half times.",
        choices=CHOICES,
        source=source,
    )


def counts_margins(system: RatingSystem) -> bool:
    """Return whether the margin of a score makes a difference to ``system``."""
    return bool(getattr(system.parameters, "margin", "none") != "none")


def find_factor(system: RatingSystem) -> Margin:
    """Return by which factor margins are weights to ``system``: none for Laurel, which learns."""
    how: Margin = getattr(system.parameters, "margin", "none")
    return how if how in CHOICES else "none"


def weigh(system: RatingSystem, batch: Batch) -> Batch:
    """Return the batch with weights by the margins of its scores, as the system counts them."""
    how = find_factor(system)
    if how == "none" or len(batch.sizes) != 2:
        return batch
    weights: Floats = batch.weights * clarity(batch.scores, batch.places, how)
    return replace(batch, weights=weights)


def clarity(scores: Floats, places: Integers, how: Margin) -> Floats:
    """Return ``(m,)`` how many matches each match counts as, from two sides' columns ``(m, 2)``."""
    own, other = scores[:, 0], scores[:, 1]
    counts = (own >= 0) & (other >= 0) & (own != other)
    counts &= places[:, 0] != places[:, 1]
    own, other = np.where(counts, own, 1.0), np.where(counts, other, 0.0)
    difference = np.abs(own - other)
    if how == "goals":
        factor = np.where(difference < 3.0, 0.5 * (1.0 + difference), (11.0 + difference) / 8.0)
        factor = np.maximum(factor, 1.0)
    elif how == "log":
        factor = np.log2(1.0 + difference)
    else:
        # Each by itself, as the largest numbers have no sum.
        factor = 0.5 + 0.5 * difference / np.hypot(np.sqrt(own), np.sqrt(other))
    return np.where(counts, np.minimum(factor, MOST), 1.0)
