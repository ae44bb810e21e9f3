"""Cached chances of each entrant of a competition.

Workers compute them whenever results have changed (``simulating``). A page without them shows no
chances.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from django.core.cache import cache

from league.models import Competition

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from league.services.competitions.outcomes import Outcome

    Floats = npt.NDArray[np.float64]
    Integers = npt.NDArray[np.intp]

KEPT = 7 * 24 * 3600
"""Seconds. Results that change replace it earlier."""


class Column(NamedTuple):
    """The subject of a column of chances: a place, or being among the best of a number."""

    kind: str
    """``place``, ``top``, and in a bracket ``final`` and ``wins``."""
    number: int


@dataclass(frozen=True)
class Chances:
    """The chances of a competition."""

    first: Mapping[int, float]
    """To win a table, by entrant id."""
    columns: Sequence[Column]
    rows: Mapping[int, Sequence[float]]
    """For each column, by entrant id."""
    too_long: bool = False
    """Whether too much is left for chances that say anything."""


NONE = Chances({}, [], {})
TOO_LONG = Chances({}, [], {}, too_long=True)


def key(one: Competition) -> str:
    # The number grows when the class changes: a pickle of an older release cannot be read.
    return f"competition-chances-4-{one.pk}"


def version_key(one: Competition) -> str:
    """Return the cache's key of a text that is new whenever the chances are."""
    return f"{key(one)}-version"


def chances_of(one: Competition) -> Chances:
    """Return the chances of a running competition, empty if they are not known."""
    kept: tuple[str, Chances] | None = cache.get(key(one))
    return kept[1] if kept and one.state == Competition.State.RUNNING else NONE


def is_stale(one: Competition, ended: Mapping[int, Outcome]) -> bool:
    """Return whether chances were computed from other results or entrants, or never."""
    states = dict(one.entrants.values_list("pk", "state"))
    return kept_digest(one) != digest_of(ended, states)


def kept_digest(one: Competition) -> str | None:
    kept: tuple[str, Chances] | None = cache.get(key(one))
    return kept[0] if kept else None


def digest_of(ended: Mapping[int, Outcome], states: Mapping[int, str]) -> str:
    """Return a text that changes with the results, and with who has entered or withdrawn."""
    results = (f"{number}{each.result}" for number, each in sorted(ended.items()))
    return " ".join([*results, *(f"{pk}{state}" for pk, state in sorted(states.items()))])
