"""Value classes that several domains pass to each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.models import Player, Roster

Progress = Callable[[str, int, int], object]
"""Called with a step's name, the amount done and the total amount."""


@dataclass(frozen=True)
class PlayedBy:
    """One participant of a reported side."""

    player: Player
    seconds: float | None = None
    quit: bool = False
    profession: str = ""
    stand_in: bool = False
    """Whether they are in no roster of their captain."""


@dataclass(frozen=True)
class ReportedSide:
    """One side of a report. Places count from 0, the best; equal places tie."""

    captain: Player
    participants: Sequence[PlayedBy]
    place: int
    score: float | None = None
    roster: Roster | None = None
