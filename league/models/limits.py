"""The most that one account may send in an arena, declared once."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ratings.tunables.parameters import Parameters, parameter
from ratings.tunables.reading import read_parameters

if TYPE_CHECKING:
    from collections.abc import Mapping


class Limits(Parameters):
    """Limits that no busy player meets, and that a flood of requests does."""

    open_reports: int = parameter(
        20,
        label="Unanswered reports",
        description="The most unanswered reports that one player can have, in all arenas.",
        unit="reports",
        minimum=1,
        maximum=10_000,
        source="Laurel: more than an evening of a busy player",
    )
    recent_reports: int = parameter(
        10,
        label="Reports in ten minutes",
        description="The most results that one player can report within ten minutes, in all "
        "arenas.",
        unit="reports",
        minimum=1,
        maximum=10_000,
        source="Laurel: one a minute, faster than any game ends",
    )
    open_invitations: int = parameter(
        20,
        label="Open invitations of a roster",
        description="The most unanswered invitations that a roster can have. Rosters may "
        "always invite twice the size of a team.",
        unit="invitations",
        minimum=1,
        maximum=10_000,
        source="Laurel: four full teams of five",
    )
    invitations_per_day: int = parameter(
        50,
        label="Invitations per day",
        description="The most invitations that a captain can send on a day (UTC), withdrawn ones "
        "included, and at least twice the size of a team.",
        unit="invitations",
        minimum=1,
        maximum=10_000,
        source="Laurel: enough for several rosters, not for the whole league",
    )
    challenges_per_day: int = parameter(
        10,
        label="Challenges per day",
        description="The most challenges that one player can send in 24 hours, withdrawn ones "
        "included.",
        unit="challenges",
        minimum=1,
        maximum=10_000,
        source="Laurel: only players who keep withdrawing and resending come near it",
    )


def read_limits(values: Mapping[str, Any]) -> Limits:
    """Return the limits in a JSON object.

    Raises:
        ParameterError: with a sentence for each wrong value.
    """
    return read_parameters(Limits, values)


@lru_cache(maxsize=256)
def limits_from_json(limits: str) -> Limits:
    """Return limits from JSON. Cached: they are immutable."""
    return read_limits(json.loads(limits))
