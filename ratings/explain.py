"""Explanations of rating changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ratings.contests.first_side import all_terms

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ratings.replay import Replay
    from ratings.system import RatingSystem
    from ratings.types import Term


@dataclass(frozen=True)
class ExplainedTerm:
    """A term with its value."""

    term: Term
    value: float


def participant_terms(replayed: Replay, participant: int) -> dict[str, float]:
    """Return one participant's terms by name, as stored in an event."""
    return {name: float(values[participant]) for name, values in replayed.terms.items()}


def explain(system: type[RatingSystem], terms: Mapping[str, float]) -> list[ExplainedTerm]:
    """Return the available terms of a change in the system's reading order."""
    return [
        ExplainedTerm(term, terms[term.name]) for term in all_terms(system) if term.name in terms
    ]
