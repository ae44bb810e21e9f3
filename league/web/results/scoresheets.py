"""Matches as a page shows them: who stood on which side, how it ended, what it did and why."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from league.models import Match, Participant, Player, RatingEvent, Side
    from league.services.points.board import Explained
    from ratings.system import RatingSystem, Shows

HEADLINES = [
    ("expected", "actual"),
    ("seed", "finish"),
    ("opposition", "performance"),
    ("average", "opposition"),
]
"""Terms that say most about a change: the first of these pairs that a system has."""


@dataclass(frozen=True)
class Reason:
    """One term of an explanation."""

    name: str
    label: str
    help: str
    value: float


@dataclass(frozen=True)
class Seat:
    """A participant and what the match did to their rating, if it is rated."""

    part: Participant
    event: RatingEvent | None
    reasons: list[Reason] = field(default_factory=list)
    given: Explained | None = None
    """The ladder points that it gave, where the season gives any."""

    @property
    def headline(self) -> list[Reason]:
        """The two reasons to read first; none where the system has no such pair."""
        by_name = {reason.name: reason for reason in self.reasons}
        for pair in HEADLINES:
            if all(name in by_name for name in pair):
                return [by_name[name] for name in pair]
        return []


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
    """A match with some of its sides: all of them if there are two."""

    match: Match
    sides: list[SideSheet]
    side_count: int
    winner_count: int
    viewer: Player | None = None
    own_side: Side | None = None
    """The side on which ``viewer`` played."""
    own_event: RatingEvent | None = None
    """What the match did to ``viewer``."""

    @property
    def shows(self) -> Shows:
        """How ratings of its season are shown."""
        return self.match.season.system().shows

    @cached_property
    def ranked(self) -> list[SideSheet]:
        """The sides, best first; in their own order while there is no result."""
        return sorted(self.sides, key=lambda side: side.side.place or 0)

    @property
    def is_two_sided(self) -> bool:
        return self.side_count == 2

    @property
    def has_scores(self) -> bool:
        return all(side.side.score is not None for side in self.sides)

    @property
    def has_result(self) -> bool:
        return all(side.side.place is not None for side in self.sides)

    @property
    def is_draw(self) -> bool:
        """Whether all sides share the first place."""
        return self.winner_count == self.side_count

    @property
    def hidden(self) -> int:
        """How many sides are not among ``sides``."""
        return max(0, self.side_count - len(self.sides))

    @property
    def own_place(self) -> int | None:
        """The place of ``viewer``, from 1."""
        if self.own_side is None or self.own_side.place is None:
            return None
        return self.own_side.place + 1

    @property
    def outcome(self) -> str:
        """``win``, ``draw`` or ``loss`` of ``viewer``; empty without a result."""
        if self.own_place is None:
            return ""
        if self.own_place > 1:
            return "loss"
        return "win" if self.winner_count == 1 else "draw"


def sheets(matches: Iterable[Match], viewer: Player | None = None) -> list[Sheet]:
    return [sheet(match, viewer) for match in matches]


def sheet(match: Match, viewer: Player | None = None) -> Sheet:
    """Return the line of a match loaded by ``profiles.in_lines`` for ``viewer``."""
    listed: Any = match  # with what was loaded beside it
    sides = sorted(listed.best_sides, key=lambda side: side.index)
    if listed.side_count > 2:
        sides = listed.best_sides
    return Sheet(
        match,
        [side_sheet(side) for side in sides],
        listed.side_count,
        listed.winner_count,
        viewer,
        next(iter(listed.own_sides), None) if viewer else None,
        next(iter(listed.own_events), None) if viewer else None,
    )


def side_sheet(
    side: Side,
    events: Mapping[int, RatingEvent] | None = None,
    system: RatingSystem | None = None,
    points: Mapping[int, Explained] | None = None,
) -> SideSheet:
    """A loaded side; with ``events`` (by player id) and ``system``, what it did to each and why,
    and with ``points`` (by player id) the ladder points that it gave."""
    seats = []
    for part in side.participants.all():
        event = (events or {}).get(part.player_id)
        why = reasons(system, event) if system and event else []
        seats.append(Seat(part, event, why, (points or {}).get(part.player_id)))
    return SideSheet(side, seats)


def reasons(system: RatingSystem, event: RatingEvent) -> list[Reason]:
    """The terms of a change, as the rating system words them, in its reading order."""
    return [
        Reason(term.name, term.label, term.help, event.why[term.name])
        for term in system.terms
        if term.name in event.why
    ]
