"""What a match was before a correction, so that the correction can be undone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from league.models import Match, Settlement, Side, Status
from league.services.core.id_lists import any_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from league.services.rating.tail import Placings
    from league.services.replay.edits import Change

BATCH = 1_000
FIELDS = ["status", "rated_order", "settlement", "settled_at", "weight", "one_sided", "mode"]
"""The fields of a match that an edit writes."""


@dataclass(frozen=True)
class MatchState:
    """Everything that an edit changes of a match."""

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


class Changing(NamedTuple):
    """A match that a change is about, as it is before it."""

    change: Change
    match: Match
    sides: list[Side]
    before: MatchState


def read_changing(changes: Collection[Change]) -> list[Changing]:
    """Return the matches that changes are about."""
    matches = Match.objects.in_bulk(change.match for change in changes)
    sides: dict[int, list[Side]] = {match: [] for match in matches}
    for side in Side.objects.filter(match__in=any_of(matches)).order_by("match", "index"):
        sides[side.match_id].append(side)
    return [
        Changing(
            change,
            match := matches[change.match],
            own := sides[change.match],
            MatchState.of(match, match.rated_order or change.rated_order, own),
        )
        for change in changes
    ]


def write_changes(changing: Collection[Changing], at: datetime) -> None:
    """Write what changes of matches."""
    for change, match, sides, before in changing:
        before.after(change, at).give_to(match, sides)
    matches = [one.match for one in changing]
    Match.objects.bulk_update(matches, FIELDS, batch_size=BATCH)
    placed = [side for one in changing if one.change.placings for side in one.sides]
    Side.objects.bulk_update(placed, ["place", "score"], batch_size=BATCH)
