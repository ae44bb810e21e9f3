"""The penalty of a first offence in an arena, as its rules say."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.utils.text import capfirst

from league.models import Offence
from matchmaking.dishonor import displayed_end, timeout

if TYPE_CHECKING:
    from collections.abc import Iterable

    from league.models import PenaltyReason
    from matchmaking.dishonor import DishonorRules
    from matchmaking.rules.readings import Choices


class FirstOffence(NamedTuple):
    """The stacks and the timeout for an offence of a player without dishonor."""

    name: str
    stacks: int
    timeout: float | None
    """In seconds; ``None`` for one without end."""


def first_offences(
    reasons: Iterable[PenaltyReason], law: DishonorRules, readings: Choices, *, queues: bool
) -> list[FirstOffence]:
    """Return the first offences of an arena: those of its queue, then those that it declares."""
    offences = (Offence.QUEUE_DODGE, Offence.ABANDON) if queues else ()
    costs = [(capfirst(str(offence.label)), law.penalty(offence).stacks) for offence in offences]
    costs += [(reason.name, reason.stacks) for reason in reasons]
    return [
        FirstOffence(name, stacks, displayed_end(timeout(stacks, law, readings), now=0.0))
        for name, stacks in costs
    ]
