"""The sets of a start.gg event, as its API answers a query for them.

Sets with a disqualification and sets to come are left out.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pydantic import AliasPath, BaseModel, Field, model_validator

from ratings.files.documents import LATEST, Format, LeftOut, read_entries
from ratings.files.formats.pairs import make_pair
from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from ratings.files.documents import Document, Found
    from ratings.files.results import Result


class StartggSlot(BaseModel):
    """One of the two sides of a set."""

    entrant: int | str = Field(validation_alias=AliasPath("entrant", "id"))
    name: str = Field(validation_alias=AliasPath("entrant", "name"))
    score: float | None = Field(
        None, validation_alias=AliasPath("standing", "stats", "score", "value")
    )

    @model_validator(mode="before")
    @classmethod
    def without_missing_parts(cls, given: Any) -> Any:
        """Leave out a standing that is null somewhere inside, as of sets without scores."""
        part = given.get("standing") if isinstance(given, dict) else None
        for name in ("stats", "score"):
            part = part.get(name) if isinstance(part, dict) else None
        return given if isinstance(part, dict) else {**given, "standing": {}}


class StartggSet(BaseModel):
    """A set of an event."""

    completed: int | None = Field(None, validation_alias="completedAt", ge=0, le=LATEST)
    winner: int | str | None = Field(None, validation_alias="winnerId")
    round: str | None = Field("", validation_alias="fullRoundText")
    slots: list[dict[str, Any]] = []


def recognises(document: Document) -> bool:
    return sets_of(document) is not None


def sets_of(document: Document) -> tuple[str, list[Any]] | None:
    """Return the name of the event, and its sets."""
    data = document.json
    data = data.get("data", data) if isinstance(data, dict) else {}
    event = data.get("event") if isinstance(data, dict) else None
    sets = event.get("sets") if isinstance(event, dict) else None
    nodes = sets.get("nodes") if isinstance(sets, dict) else None
    return (str(event.get("name", "")), nodes) if event and isinstance(nodes, list) else None


def read(document: Document, found: Found) -> None:
    event, nodes = sets_of(document) or ("", [])

    def read_set(line: int, entry: dict[str, Any]) -> Result:
        return result_of(line, StartggSet.model_validate(entry), event)

    read_entries(nodes, read_set, found)


def result_of(line: int, one: StartggSet, event: str) -> Result:
    if one.completed is None or one.winner is None or len(one.slots) != 2:
        raise LeftOut
    if any(slot.get("entrant") is None for slot in one.slots):
        raise LeftOut
    sides = [StartggSlot.model_validate(slot) for slot in one.slots]
    points = [side.score for side in sides]
    if -1 in points:  # disqualified
        raise LeftOut
    result = make_pair(
        line,
        datetime.fromtimestamp(one.completed, UTC),
        [side.name for side in sides],
        winner=one.winner,
        ids=[side.entrant for side in sides],
        scores=None if None in points else (points[0] or 0.0, points[1] or 0.0),
    )
    result.round, result.event = one.round or "", event
    return result


FORMAT = Format("startgg", Sentence("It has the sets of a start.gg event."), recognises, read)
