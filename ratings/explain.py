"""What made up one participant's change, in reading order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ratings.replay import Replay
    from ratings.system import RatingSystem
    from ratings.types import Term


@dataclass(frozen=True)
class Explained:
    """A term with the value that it had."""

    term: Term
    value: float


def terms_of(replayed: Replay, participant: int) -> dict[str, float]:
    """The terms of one participant by name, as an event keeps them."""
    return {name: float(values[participant]) for name, values in replayed.terms.items()}


def explain(system: type[RatingSystem], terms: Mapping[str, float]) -> list[Explained]:
    """The terms of one change as the system words them, those that are there."""
    return [Explained(term, terms[term.name]) for term in system.terms if term.name in terms]
