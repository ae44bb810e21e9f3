"""Changes of a season's rated history, as values that can be combined."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from league.models import Settlement, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from league.models import Match, Side
    from league.services.rating.tail import Placings


@dataclass(frozen=True)
class MatchState:
    """Everything that an edit changes of a match, so that it can be undone."""

    status: str
    rated_order: int
    """The place in the order of rating that it has, or had until it became void."""
    settlement: str
    settled_at: datetime | None
    weight: float
    one_sided: float | None
    mode: str
    placings: Placings

    @classmethod
    def of(cls, match: Match, rated_order: int, sides: Iterable[Side]) -> MatchState:
        """Return the state of a match with these sides, which was last rated at this place."""
        return cls(
            status=match.status,
            rated_order=rated_order,
            settlement=match.settlement,
            settled_at=match.settled_at,
            weight=match.weight,
            one_sided=match.one_sided,
            mode=match.mode,
            placings=[(side.place or 0, side.score) for side in sides],
        )

    @classmethod
    def read(cls, stored: dict[str, Any]) -> MatchState:
        at = stored["settled_at"]
        return cls(
            **{
                **stored,
                "settled_at": datetime.fromisoformat(at) if at else None,
                "placings": [(place, score) for place, score in stored["placings"]],
            }
        )

    def as_json(self) -> dict[str, Any]:
        at = self.settled_at
        return {**vars(self), "settled_at": at.isoformat() if at else None}

    def after(self, change: Change, at: datetime) -> MatchState:
        """Return what a change of this state makes of it, by staff at a time."""
        if change.back_to is not None:
            # An import may have given a match that counts another place since.
            return replace(change.back_to, rated_order=self.rated_order)
        staff = replace(self, settlement=Settlement.STAFF, settled_at=at)
        if change.placings is None:
            return replace(staff, status=Status.VOID)
        if change.weight is not None:
            staff = replace(staff, weight=change.weight, one_sided=None)
        return replace(
            staff,
            mode=self.mode if change.mode is None else change.mode,
            placings=change.placings,
        )

    def give_to(self, match: Match, sides: Sequence[Side]) -> None:
        """Give a match this state, without saving it."""
        match.status, match.mode = self.status, self.mode
        match.rated_order = self.rated_order if self.status == Status.RATED else None
        match.settlement, match.settled_at = self.settlement, self.settled_at
        match.weight, match.one_sided = self.weight, self.one_sided
        for side, (place, score) in zip(sides, self.placings, strict=True):
            side.place, side.score = place, score


@dataclass(frozen=True)
class Change:
    """The change to a match: a new result, or void (no ``placings``)."""

    match: int
    rated_order: int
    """Its place in the order of rating, which it keeps or gets back."""
    placings: Placings | None = None
    weight: float | None = None
    """The new weight, if it changes."""
    mode: str | None = None
    """The new game mode, if it changes."""
    returns: bool = False
    """Whether the match is void now, and counts again."""
    back_to: MatchState | None = None
    """The state that the match gets back, if this undoes something."""

    @property
    def voids(self) -> bool:
        return self.placings is None


def change_back(match: int, state: MatchState, now: MatchState) -> Change:
    """Return the change that gives a match a former state."""
    if state.status != Status.RATED:
        return Change(match, now.rated_order, back_to=state)
    return Change(
        match,
        now.rated_order,
        state.placings,
        # None leaves it as it is, which keeps how it came about.
        weight=state.weight if state.weight != now.weight else None,
        mode=state.mode if state.mode != now.mode else None,
        returns=now.status != Status.RATED,
        back_to=state,
    )


class Part(NamedTuple):
    """A player's part in a match to add."""

    player: int
    """Their id, or a negative number for a player who is not created yet."""
    seconds: float | None = None
    quit: bool = False
    profession: str = ""


@dataclass(frozen=True, slots=True)
class Added:
    """A match to add: a new one, or a void one that counts again after a certain match.

    It is rated after all that were played before it or with it.
    """

    match: int
    """Its id, or a negative number while nothing is written."""
    time: int
    """In microseconds since 1970."""
    sides: Sequence[Sequence[Part]]
    places: Sequence[int]
    scores: Sequence[float | None]
    weight: float = 1.0
    ceiling: float = math.inf
    mode: str = ""
    first: int | None = None
    """The first side, ``None`` on neutral ground."""
    after: int | None = None
    """The id of the match after which it is rated, 0 for the first. None for the order of time."""


class Joined(NamedTuple):
    """Two players who have always been one."""

    kept: int
    gone: int
    starts_anew: bool
    """Whether the rating with which ``kept`` started the season has changed."""


@dataclass(frozen=True)
class Edit:
    """A change of a season's history. An undo is the edit back."""

    changes: Sequence[Change] = ()
    added: Sequence[Added] = ()
    joined: Joined | None = None
    anew: bool = False
    """Whether the season's rules or starting ratings have changed, or its events may be wrong."""
    system_changed: bool = False
    """Whether the rating system or its parameters have changed. Every event is then replaced, as
    its explanation can differ where no rating does."""

    @property
    def is_empty(self) -> bool:
        return not (self.changes or self.added or self.joined or self.anew)

    @property
    def is_whole(self) -> bool:
        """Whether the season is replayed from its start."""
        return bool(self.added or self.joined or self.anew)

    @property
    def first(self) -> Change:
        """The change of the match that was rated first."""
        return min(self.changes, key=lambda change: change.rated_order)

    @property
    def matches(self) -> list[int]:
        """The ids of the matches that change."""
        return [change.match for change in self.changes]

    @property
    def voided(self) -> list[int]:
        return [change.match for change in self.changes if change.voids]

    @property
    def returning(self) -> dict[int, int]:
        """The void matches that count again, each with its place in the order of rating."""
        return {change.match: change.rated_order for change in self.changes if change.returns}
