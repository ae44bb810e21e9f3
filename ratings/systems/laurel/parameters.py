"""The parameters of Laurel's own rating system."""

from __future__ import annotations

from typing import Literal

from ratings.contests.first_side import first_side
from ratings.tunables.parameters import Parameters, parameter

OWN = "docs/ratings.md, Laurel"


class LaurelParameters(Parameters):
    """The parameters of newcomers, of changing strength, and of everything else that decides a
    match.
    """

    initial_rating: float = parameter(
        1500.0,
        label="Initial rating",
        description="The rating of a newcomer.",
        unit="rating points",
        minimum=-100_000,
        maximum=100_000,
        source="the usual start of club ratings",
    )
    initial_deviation: float = parameter(
        200.0,
        label="Initial deviation",
        description="The uncertainty of a newcomer's rating. The larger it is, the further the "
        "first matches move the rating. No rating becomes less certain than this.",
        unit="rating points",
        minimum=1,
        maximum=1000,
        source=f"{OWN}: two thirds of the luck of a match",
    )
    drift: float = parameter(
        8.0,
        label="Drift per match",
        description="How much a player's strength changes from match to match. It keeps ratings "
        "from becoming so certain that they stop moving.",
        unit="rating points",
        minimum=0,
        maximum=1000,
        source=OWN,
    )
    drift_per_year: float = parameter(
        50.0,
        label="Drift per year",
        description="How much a player's strength changes in a year, played or not. The matches "
        "after a break then move the rating further.",
        unit="rating points",
        minimum=0,
        maximum=10_000,
        source=OWN,
    )
    context_deviation: float = parameter(
        75.0,
        label="Spread between contexts",
        description="How far a player's strength in one context, such as a surface or a map, "
        "typically is from their strength as a whole. It counts if everybody in the match has the "
        "same. At 0, contexts do not count.",
        unit="rating points",
        minimum=0,
        maximum=1000,
        source=OWN,
    )
    first_side: float = first_side(50.0, OWN)
    first_side_deviation: float = parameter(
        40.0,
        label="Spread of the first-side advantage",
        description="How far the first-side advantage of an arena typically is from the usual one. "
        "It is learnt from matches. At 0, it stays as it is.",
        unit="rating points",
        minimum=0,
        maximum=1000,
        source=OWN,
    )
    margin: Literal["none", "learnt"] = parameter(
        "learnt",
        label="Margin of the score",
        description="Whether a clear win moves ratings more than a narrow one, if matches have "
        "scores. How large a margin is usual, and how much margins say, is learnt from matches.",
        choices={"none": "does not count", "learnt": "counts as far as it says something"},
        source=f"{OWN}; Stern 1991",
    )
    draws: float = parameter(
        0.1,
        label="Draws between equals",
        description="The share of draws that is expected between two newcomers. How often players "
        "really draw is learnt from their matches.",
        minimum=0,
        maximum=0.9,
        source=f"{OWN}; Glenn and David 1960",
    )
