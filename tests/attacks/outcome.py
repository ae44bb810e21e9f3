"""How an attack ended."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Outcome:
    """How an attack ended."""

    tried: int
    accepted: int
    effect: str
    """What the cheat has won, or the victims have lost."""
    failed: bool
    """Whether the attack failed, as it should."""


Attack = Callable[[str], Outcome]
