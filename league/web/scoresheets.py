"""Matches as a page shows them: who stood on which side, how it ended, what it did and why."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from league.models import Match, Participant, Player, RatingEvent, Side
    from ratings.system import RatingSystem

SIDES_ON_A_LINE = 4


@dataclass(frozen=True)
class Reason:
    """One term of an explanation."""

    label: str
    help: str
    value: float


@dataclass(frozen=True)
class Seat:
    """A participant and what the match did to their rating, if it is rated."""

    part: Participant
    event: RatingEvent | None
    reasons: list[Reason] = field(default_factory=list)

    @property
    def expected(self) -> float | None:
        return self.event.why.get("expected") if self.event else None

    @property
    def actual(self) -> float | None:
        return self.event.why.get("actual") if self.event else None


@dataclass(frozen=True)
class SideSheet:
    side: Side
    seats: list[Seat]

    @property
    def name(self) -> str:
        """The roster's name, or the players'."""
        if self.side.roster:
            return self.side.roster.name
        return ", ".join(seat.part.player.name for seat in self.seats)

    @property
    def lone_player(self) -> Player | None:
        """The player of a side of one."""
        return self.seats[0].part.player if len(self.seats) == 1 else None

    @property
    def place(self) -> int | None:
        """From 1, as people count."""
        return None if self.side.place is None else self.side.place + 1


@dataclass(frozen=True)
class Sheet:
    """A match that :func:`league.services.profiles.with_sides` loaded."""

    match: Match
    sides: list[SideSheet]
    viewer: Player | None = None

    @cached_property
    def ranked(self) -> list[SideSheet]:
        """The sides, best first; in their own order while there is no result."""
        return sorted(self.sides, key=lambda side: side.side.place or 0)

    @property
    def is_two_sided(self) -> bool:
        return len(self.sides) == 2

    @property
    def has_scores(self) -> bool:
        return all(side.side.score is not None for side in self.sides)

    @property
    def has_result(self) -> bool:
        return all(side.side.place is not None for side in self.sides)

    @cached_property
    def winners(self) -> list[SideSheet]:
        return [side for side in self.sides if side.side.place == 0]

    @property
    def is_draw(self) -> bool:
        """Whether all sides share the first place."""
        return self.has_result and len(self.winners) == len(self.sides)

    @property
    def shown(self) -> list[SideSheet]:
        """The sides that a line has room for."""
        return self.ranked[:SIDES_ON_A_LINE]

    @property
    def hidden(self) -> int:
        return max(0, len(self.sides) - SIDES_ON_A_LINE)

    @cached_property
    def own_side(self) -> SideSheet | None:
        """The side on which ``viewer`` played."""
        if self.viewer is None:
            return None
        for side in self.sides:
            if any(seat.part.player_id == self.viewer.pk for seat in side.seats):
                return side
        return None

    @property
    def own_event(self) -> RatingEvent | None:
        """What the match did to ``viewer``."""
        if self.own_side is None or self.viewer is None:
            return None
        mine = (seat for seat in self.own_side.seats if seat.part.player_id == self.viewer.pk)
        return next(mine).event

    @property
    def outcome(self) -> str:
        """``win``, ``draw`` or ``loss`` of ``viewer``; empty without a result."""
        if self.own_side is None or not self.has_result:
            return ""
        if self.own_side.side.place != 0:
            return "loss"
        return "win" if len(self.winners) == 1 else "draw"


def sheets(matches: Iterable[Match], viewer: Player | None = None) -> list[Sheet]:
    return [sheet(match, viewer) for match in matches]


def sheet(match: Match, viewer: Player | None = None, system: RatingSystem | None = None) -> Sheet:
    """The scoresheet of a loaded match; with ``system``, its changes come with their reasons."""
    events = {event.player_id: event for event in match.events.all()}
    return Sheet(
        match,
        [
            SideSheet(
                side,
                [
                    Seat(part, event, reasons(system, event) if system and event else [])
                    for part in side.participants.all()
                    for event in [events.get(part.player_id)]
                ],
            )
            for side in match.sides.all()
        ],
        viewer,
    )


def reasons(system: RatingSystem, event: RatingEvent) -> list[Reason]:
    """The terms of a change, as the rating system words them, in its reading order."""
    return [
        Reason(term.label, term.help, event.why[term.name])
        for term in system.terms
        if term.name in event.why
    ]
