"""What a match was before a correction, so that the correction can be undone."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from league.models import Match, Side, Status
from league.services.core.id_lists import any_of
from league.services.corrections.changes import Change

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from league.services.rating.tail import Placings

    Outcomes = Sequence[tuple[int | None, float | None]]


@dataclass(frozen=True)
class MatchState:
    """Everything that a correction changes of a match."""

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
    def of(cls, match: Match, rated_order: int) -> MatchState:
        """Return the state of a match, which was last rated at this place."""
        sides = match.sides.order_by("index").values_list("place", "score")
        return cls.with_sides(match, rated_order, list(sides))

    @classmethod
    def of_all(cls, ids: Collection[int]) -> dict[int, MatchState]:
        """Return the states of rated matches, by id."""
        placings: dict[int, list[tuple[int | None, float | None]]] = defaultdict(list)
        sides = Side.objects.filter(match__in=any_of(ids)).order_by("match", "index")
        for match, place, score in sides.values_list("match", "place", "score"):
            placings[match].append((place, score))
        matches = Match.objects.rated().filter(pk__in=any_of(ids))
        return {
            match.pk: cls.with_sides(match, match.rated_order or 0, placings[match.pk])
            for match in matches
        }

    @classmethod
    def with_sides(cls, match: Match, rated_order: int, sides: Outcomes) -> MatchState:
        return cls(
            status=match.status,
            rated_order=rated_order,
            settlement=match.settlement,
            settled_at=match.settled_at,
            weight=match.weight,
            one_sided=match.one_sided,
            mode=match.mode,
            placings=[(place or 0, score) for place, score in sides],
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

    def write(self, match: Match) -> None:
        """Give a match this state."""
        match.status, match.mode = self.status, self.mode
        # An import may have given a match that counts another place since.
        order = match.rated_order or self.rated_order
        match.rated_order = order if self.status == Status.RATED else None
        match.settlement, match.settled_at = self.settlement, self.settled_at
        match.weight, match.one_sided = self.weight, self.one_sided
        match.save(update_fields=FIELDS)
        for index, (place, score) in enumerate(self.placings):
            Side.objects.filter(match=match, index=index).update(place=place, score=score)

    def change_from(self, match: Match, now: MatchState) -> Change:
        """Return the change that makes this of a match that is ``now`` something else."""
        if self.status != Status.RATED:
            return Change(match.pk, now.rated_order)
        return Change(
            match.pk,
            now.rated_order,
            self.placings,
            self.weight if self.weight != now.weight else None,
            self.mode if self.mode != now.mode else None,
            returns=now.status != Status.RATED,
        )


FIELDS = ["status", "rated_order", "settlement", "settled_at", "weight", "one_sided", "mode"]
"""The fields of a match that a correction writes."""
