"""Ratings at the start of a season: resets and placement from the season before.

Source: "PvP Matchmaking Algorithm", Guild Wars 2 Wiki, the attributes of ``<Ratings>`` and
``<Placement>``. Times are whole microseconds since 1970 (UTC). Everything is computed for ``n``
players at once.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from ratings import numerics
from ratings.tunables.parameters import Parameters, parameter

if TYPE_CHECKING:
    from ratings.types import Booleans, Floats, States

SOURCE = "GW2 <Ratings>"


def full_reset(states: States, newcomers: States, before: int) -> States:
    """Replace players who last played before that time by ``newcomers`` ``(n,)``."""
    return _where(states.last_played < before, newcomers, states)


def partial_reset(states: States, newcomers: States, before: int) -> States:
    """Reset only the deviation of players who last played before that time.

    A system's memory is reset too, as it holds the evidence behind the deviation.
    """
    old = states.last_played < before
    return replace(
        states,
        deviation=np.where(old, newcomers.deviation, states.deviation),
        memory=np.where(old[:, None], np.nan, states.memory),
    )


def _where(chosen: Booleans, these: States, others: States) -> States:
    """Return ``these`` where chosen, else ``others``. Both are ``(n,)``."""
    result = others.copy()
    index = np.flatnonzero(chosen)
    result.put(index, these.take(index))
    return result


class SeasonStart(Parameters):
    """The carrying over of ratings from one season to the next."""

    placement: Literal["linear-scale", "carry-over", "fresh"] = parameter(
        "linear-scale",
        label="Ratings at the start",
        description="How players' ratings from last season are used.",
        choices={
            "linear-scale": "ratings move towards the centre",
            "carry-over": "ratings are kept",
            "fresh": "everyone starts as a newcomer",
        },
        source=f"{SOURCE} Placement/@type",
    )
    center: float = parameter(
        1200.0,
        label="Centre (param1)",
        description="The rating towards which ratings move.",
        unit="rating points",
        minimum=-1_000_000,
        maximum=1_000_000,
        source=f"{SOURCE} Placement/@param1",
    )
    ratio: float = parameter(
        0.5,
        label="Ratio (param2)",
        description="How much of the distance to the centre is kept: 1 keeps ratings as they are, "
        "0 moves everyone to the centre.",
        minimum=0,
        maximum=1,
        source=f"{SOURCE} Placement/@param2",
    )
    reset_deviation: bool = parameter(
        default=False,
        label="Reset deviations",
        description="If enabled, everyone's rating is as uncertain as a newcomer's.",
        source=f"{SOURCE} @partial-reset",
    )


def linear_scale(rating: Floats, center: float, ratio: float) -> Floats:
    """Return ``center + ratio · (rating - center)``."""
    return center + ratio * (rating - center)


def lead_missing(chances: Floats, results: Floats) -> float:
    """Return the lead, in units of T, that sides lacked in matches with these ``(m,)`` chances.

    With it, they would have been expected to get the results they got, each 1, ½ or 0. One win and
    one loss as expected are added, so that a few results do not say much.
    """
    from scipy.optimize import brentq  # noqa: PLC0415  takes half a second to import

    leads = np.append(np.log(chances) - np.log1p(-chances), [0.0, 0.0])
    points = results.sum() + 1.0

    def surplus(lead: float) -> float:
        return float(points - numerics.chances(leads + lead)[0].sum())

    lead = brentq(surplus, -1000.0, 1000.0, xtol=1e-12)  # type: ignore[no-untyped-call] # SciPy's
    return float(lead)


def starting_states(start: SeasonStart, states: States, newcomers: States) -> States:
    """Return the states ``(n,)`` of last season's players at the start of a new season.

    ``games`` starts at 0. ``last_played`` is kept, so absence counts across seasons. A system's
    memory is dropped if ratings or deviations change, as it refers to the old ones.
    """
    if start.placement == "fresh":
        return newcomers.copy()
    scaled = start.placement == "linear-scale"
    changed = (scaled and start.ratio != 1.0) or start.reset_deviation
    rating = linear_scale(states.rating, start.center, start.ratio) if scaled else states.rating
    return replace(
        states.copy(),
        rating=np.array(rating),
        deviation=(newcomers if start.reset_deviation else states).deviation.copy(),
        games=np.zeros_like(states.games),
        memory=np.full_like(states.memory, np.nan) if changed else states.memory.copy(),
    )
