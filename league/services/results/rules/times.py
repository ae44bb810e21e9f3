"""Time played in matches with quitters, where the rating system counts it.

Without the times of all players such a system can only count a match as if nobody had left. So a
report says how long those who quit played, and one time for those who stayed: all of them played to
the end.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from league.services.core.errors import Refused
from league.services.core.isolation import gettext as _
from league.services.core.types import PlayedBy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.models import Match, Participant
    from league.services.core.types import ReportedSide
    from ratings.system import RatingSystem


def with_times(system: RatingSystem, sides: Sequence[ReportedSide]) -> list[ReportedSide]:
    """Return the sides of a report with the times that follow from others.

    Raises as :func:`completed`.
    """
    parts = complete_times(system, [side.participants for side in sides])
    return [replace(side, participants=played) for side, played in zip(sides, parts, strict=True)]


def complete_times(
    system: RatingSystem, sides: Sequence[Sequence[PlayedBy]], longest: float | None = None
) -> list[list[PlayedBy]]:
    """Return the parts of each side, where those who stayed have played for the longest time.

    ``longest`` is how long the match was, if that is known and no part says more.

    Raises:
        Refused: a player quit, and their time or everybody else's is missing. It names the field
            as ``sides.<side>.participants.<part>.seconds``.
    """
    if not system.counts_time or not any(part.quit for side in sides for part in side):
        return [list(side) for side in sides]
    for index, side in enumerate(sides):
        for nth, part in enumerate(side):
            if part.quit and part.seconds is None:
                message = _("Enter how long %(player)s played. It decides what the quit costs.")
                raise missing(message % {"player": part.player}, index, nth)
    stayed = [part.seconds for side in sides for part in side if not part.quit]
    known = [seconds for seconds in stayed if seconds is not None]
    end = max(known, default=longest)
    if end is None and stayed:
        index, nth = next(
            (index, nth)
            for index, side in enumerate(sides)
            for nth, part in enumerate(side)
            if not part.quit
        )
        raise missing(_("Enter how long the match was, because a player quit."), index, nth)
    return [
        [replace(part, seconds=end) if part.seconds is None else part for part in side]
        for side in sides
    ]


def complete_rows(
    match: Match, sides: Sequence[Sequence[Participant]], longest: float | None = None
) -> None:
    """Give times to the participants of each side who stayed in a match that somebody quit.

    The caller saves them. Takes ``longest`` and raises as :func:`completed`.
    """
    if not any(row.quit for side in sides for row in side):
        return
    given = [[PlayedBy(row.player, row.seconds, row.quit) for row in side] for side in sides]
    parts = complete_times(match.season.system(), given, longest)
    for side, played in zip(sides, parts, strict=True):
        for row, part in zip(side, played, strict=True):
            row.seconds = part.seconds


def missing(message: str, side: int, part: int) -> Refused:
    return Refused("time_played", message, field=f"sides.{side}.participants.{part}.seconds")
