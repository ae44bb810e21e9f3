"""Where the answers to an open report stand, for pages and the API."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from league.models import Confirmation, Status
from league.services.results.reports.agreement import silence_confirms
from league.services.results.reports.quorum import tally

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.models import Match, Player

MOST_NAMED = 20
"""Up to this many captains who confirmed are named."""


@dataclass(frozen=True)
class Progress:
    """What an open report still needs."""

    silence_confirms: bool
    """Whether it counts if nobody answers any more."""
    others: int = 1
    """The sides other than the reporting one."""
    needed: int = 1
    """How many of them have to confirm."""
    confirmed: int = 0
    lacks_a_worse_side: bool = False
    """Whether a side placed below the reporting one still has to confirm."""
    named: Sequence[Player] = field(default_factory=list)
    """Captains who confirmed, first come first, up to ``MOST_NAMED``."""


def progress(match: Match) -> Progress | None:
    """Return what a report still needs, or ``None`` if the match is not waiting for answers."""
    if match.status != Status.REPORTED:
        return None
    rules = match.arena.accepts()
    count = tally(match.pk)
    named: list[Player] = []
    if count.confirmed:
        answers = (
            Confirmation.objects.filter(match=match).select_related("player").order_by("at", "id")
        )
        named = [one.player for one in answers[:MOST_NAMED]]
    return Progress(
        silence_confirms=silence_confirms(match),
        others=count.others,
        needed=count.needed(rules),
        confirmed=count.confirmed,
        lacks_a_worse_side=count.lacks_a_worse_side,
        named=named,
    )
