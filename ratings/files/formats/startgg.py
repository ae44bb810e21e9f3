"""Sets of start.gg, as its API answers a query for them: of an event, a tournament or a phase.

Whole answers are read, several of them in a list (its pages), and lists of sets alone. Sets with a
disqualification and sets to come are left out.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pydantic import AliasPath, BaseModel, Field, model_validator

from ratings.files.documents import LATEST, Format, LeftOut, read_entries
from ratings.files.formats.pairs import make_pair
from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    updated: int | None = Field(None, validation_alias="updatedAt", ge=0, le=LATEST)
    winner: int | str | None = Field(None, validation_alias="winnerId")
    round: str | None = Field("", validation_alias="fullRoundText")
    slots: list[dict[str, Any]] = []


WRAPPERS = (
    *("data", "tournament", "tournaments", "event", "events", "phase", "phases", "phaseGroup"),
    *("phaseGroups", "sets", "nodes"),
)
"""The keys that sets are below, in answers to different queries."""
DEEPEST = 12


def recognises(document: Document) -> bool:
    return next(sets_below(document.json), None) is not None


def sets_below(part: Any, event: str = "", depth: int = 0) -> Iterator[tuple[str, list[Any]]]:
    """Yield the lists of sets in an answer, with the names of their events."""
    if depth > DEEPEST:
        return
    if isinstance(part, list):
        if part and isinstance(part[0], dict) and "slots" in part[0]:
            yield event, part
            return
        for one in part:
            yield from sets_below(one, event, depth + 1)
    elif isinstance(part, dict):
        if isinstance(part.get("name"), str):
            event = part["name"]
        for key in WRAPPERS:
            yield from sets_below(part.get(key), event, depth + 1)
        sets = part.get("sets")
        nodes = sets.get("nodes") if isinstance(sets, dict) else None
        if nodes == []:
            yield event, nodes


def read(document: Document, found: Found) -> None:
    entries = [(event, entry) for event, nodes in sets_below(document.json) for entry in nodes]
    events = [event for event, _entry in entries]

    def read_set(line: int, entry: dict[str, Any]) -> Result:
        return result_of(line, StartggSet.model_validate(entry), events[line - 1])

    read_entries([entry for _event, entry in entries], read_set, found)


def result_of(line: int, one: StartggSet, event: str) -> Result:
    if one.winner is None or len(one.slots) != 2:
        raise LeftOut
    if any(slot.get("entrant") is None for slot in one.slots):
        raise LeftOut
    sides = [StartggSlot.model_validate(slot) for slot in one.slots]
    points = [side.score for side in sides]
    if -1 in points:  # disqualified
        raise LeftOut
    at = one.completed if one.completed is not None else one.updated
    result = make_pair(
        line,
        None if at is None else datetime.fromtimestamp(at, UTC),
        [side.name for side in sides],
        winner=one.winner,
        ids=[side.entrant for side in sides],
        scores=None if None in points else (points[0] or 0.0, points[1] or 0.0),
    )
    result.round, result.event = one.round or "", event
    return result


FORMAT = Format(
    "startgg",
    Sentence("It has sets of start.gg."),
    recognises,
    read,
    programs="JSON of the start.gg API: sets of an event, a phase or a tournament (`sets { nodes "
    "{ completedAt winnerId fullRoundText slots { entrant { id name } standing { stats { "
    "score { value } } } } } }`)",
    reads="sets with scores and rounds; whole answers, several pages in a list, or a list of sets",
    leaves_out="byes, disqualifications and sets that are not over",
)
