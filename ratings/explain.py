"""Explanations of rating changes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ratings.contests.first_side import all_terms
from ratings.contests.limits import BOUND, CAP

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ratings.replay import Replay
    from ratings.system import RatingSystem
    from ratings.types import Term


NEARLY = 1 - 1e-9
"""A change at its cap may be off by the last digits."""


@dataclass(frozen=True)
class ExplainedTerm:
    """A term with its value."""

    term: Term
    value: float


def participant_terms(replayed: Replay, participant: int) -> dict[str, float]:
    """Return one participant's terms by name, without those that say nothing, as in an event."""
    found = ((name, float(values[participant])) for name, values in replayed.terms.items())
    return {name: value for name, value in found if not math.isnan(value)}


def limit_of(terms: Mapping[str, float], before: float) -> ExplainedTerm | None:
    """Return the cap or limit that stopped a change, from its terms and the rating before it."""
    if BOUND.name in terms:
        return ExplainedTerm(BOUND, terms[BOUND.name])
    cap = terms.get(CAP.name, math.inf)
    moved = before + terms["change"] - terms.get("start", before)
    return ExplainedTerm(CAP, cap) if abs(moved) >= cap * NEARLY else None


def explain(system: type[RatingSystem], terms: Mapping[str, float]) -> list[ExplainedTerm]:
    """Return the available terms of a change in the system's reading order."""
    return [
        ExplainedTerm(term, terms[term.name])
        for term in all_terms(system)
        if not math.isnan(terms.get(term.name, math.nan))
    ]
