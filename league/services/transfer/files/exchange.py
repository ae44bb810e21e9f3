"""Read results as other sites and programs write them, in JSON.

- contests of the Elo-MMR paper's program (Codeforces, Topcoder): ``ratings.io.contestfiles``
- a Challonge tournament with its participants and matches, as its API writes it (version 1)
- the sets of a start.gg event, as its API answers a query for them
- games of lichess, one on each line (NDJSON)

Each reader gives rows for :mod:`tables`. Where these sites leave a game out of their own counts,
so do we: byes, disqualifications, games that were not begun.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Self

from pydantic import AliasPath, BaseModel, Field, model_validator

from league.services.core.isolation import gettext as _
from league.services.transfer.files.exchange_rows import (
    ExchangeRow,
    Found,
    LeftOut,
    NotKnown,
    rows_of,
    says,
)
from ratings.io.contestfiles import LARGEST, Contest

if TYPE_CHECKING:
    from collections.abc import Sequence


LATEST = 9_000_000_000
"""Seconds until the year 2255."""
BEGINS = ("{", "[")


class ChallongeMatch(BaseModel):
    """A match of a tournament."""

    state: str
    player1_id: int | None = None
    player2_id: int | None = None
    winner_id: int | None = None
    scores_csv: str | None = ""
    round: int = 0
    completed_at: datetime | None = None
    updated_at: datetime | None = None
    forfeited: bool | None = None

    def row(self, names: dict[int, str], event: str) -> ExchangeRow:
        at = self.completed_at or self.updated_at
        if self.state != "complete" or self.forfeited or at is None:
            raise LeftOut
        if self.player1_id is None or self.player2_id is None:
            raise LeftOut
        ids = (self.player1_id, self.player2_id)
        scores = sets_won(self.scores_csv or "")
        winner = "draw" if self.winner_id is None else number_of(self.winner_id, ids)
        return ExchangeRow(
            at,
            (names[ids[0]], names[ids[1]]),
            scores if says(scores) == winner else ("", ""),
            winner,
            round=str(abs(self.round)) if self.round else "",
            event=event,
        )


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

    def row(self, event: str) -> ExchangeRow:
        if self.completed is None or self.winner is None or len(self.slots) != 2:
            raise LeftOut
        if any(slot.get("entrant") is None for slot in self.slots):
            raise LeftOut
        one, other = (StartggSlot.model_validate(slot) for slot in self.slots)
        if -1 in (one.score, other.score):  # disqualified
            raise LeftOut
        winner = number_of(self.winner, (one.entrant, other.entrant))
        scores = (write_score(one.score), write_score(other.score))
        return ExchangeRow(
            datetime.fromtimestamp(self.completed, UTC),
            (one.name, other.name),
            scores if says(scores) == winner else ("", ""),
            winner,
            round=self.round or "",
            event=event,
        )


class LichessGame(BaseModel):
    """A game."""

    id: str
    status: str = ""
    winner: str | None = None
    begun: int = Field(validation_alias="createdAt", ge=0, le=LATEST * 1000)
    ended: int | None = Field(None, validation_alias="lastMoveAt", ge=0, le=LATEST * 1000)
    players: dict[str, dict[str, Any]]

    @model_validator(mode="after")
    def winner_is_a_colour(self) -> Self:
        if self.winner not in {None, "white", "black"}:
            raise ValueError(_("The winner is neither white nor black."))
        return self

    def row(self) -> ExchangeRow:
        if self.status in {"created", "started", "aborted", "noStart", "unknownFinish"}:
            raise LeftOut
        names = [self.players.get(colour, {}).get("user") for colour in ("white", "black")]
        if not all(isinstance(name, dict) and name.get("name") for name in names):
            raise LeftOut  # a computer, or somebody without an account
        white, black = (str(name["name"]) for name in names if name)
        return ExchangeRow(
            datetime.fromtimestamp((self.ended or self.begun) / 1000, UTC),
            (white, black),
            winner={"white": "1", "black": "2", None: "draw"}[self.winner],
            event=f"lichess.org/{self.id}",
        )


def begins_json(text: str) -> bool:
    """Return whether a text begins as JSON does. A tag of PGN begins with a bracket, too."""
    return text.lstrip().startswith(BEGINS)


def read(text: str, most: int) -> Found:
    """Return the results of a file.

    Raises:
        NotKnown: it is no JSON, none of the known kinds, or has more than ``most`` entries.
    """
    given = parse(text)
    for kind in (contests, challonge, startgg, lichess):
        found = kind(given, most)
        if found is not None:
            return found
    raise NotKnown(
        _(
            "This JSON is in none of the supported formats: contests of the Elo-MMR program, a "
            "tournament of Challonge, the sets of a start.gg event, or games of lichess."
        )
    )


def parse(text: str) -> Any:
    """Return a document, or the list of those on each line. Raises ``NotKnown``."""
    try:
        return json.loads(text)
    except RecursionError:
        raise NotKnown(_("The JSON is nested too deeply.")) from None
    except ValueError as error:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) < 2 or not lines[0].rstrip().endswith("}"):
            raise NotKnown(_("The file is not valid JSON: %(why)s.") % {"why": error}) from None
    documents = []
    for number, line in enumerate(lines, start=1):
        try:
            documents.append(json.loads(line))
        except (ValueError, RecursionError):
            text = _("Line %(line)d is not valid JSON. Is the file cut off?")
            raise NotKnown(text % {"line": number}) from None
    return documents


def contests(given: Any, most: int) -> Found | None:
    """Read contests of the Elo-MMR program, one or a list."""
    entries = find_documents(given, "standings")
    if entries is None:
        return None
    has_ceilings = any(is_ceiling(one.get("perf_ceiling")) for one in entries if is_object(one))

    def row(entry: dict[str, Any]) -> ExchangeRow:
        one = Contest.model_validate(entry)
        if len(one.standings) < 2:
            raise LeftOut
        at = datetime.fromtimestamp(one.time_seconds, UTC)
        return ExchangeRow(
            at, order=order_of(one), weight=one.weight, event=str(entry.get("name", ""))
        )

    found = rows_of(entries, row, most, _("It has contests in the form of the Elo-MMR program."))
    if has_ceilings:
        found.remarks.append(_("Performance ceilings are not imported."))
    return found


def is_object(entry: Any) -> bool:
    return isinstance(entry, dict)


def is_ceiling(given: Any) -> bool:
    return isinstance(given, int | float) and given < LARGEST


def order_of(contest: Contest) -> str:
    """Return the order of finish in words. Raises ``ValueError`` for names that cannot be in it."""
    places = sorted(contest.standings, key=lambda one: one[1])
    for name, _low, _high in places:
        if " > " in name or " = " in name or "\n" in name:
            raise ValueError(
                _("“%(name)s” cannot be a name in an order of finish.") % {"name": name}
            )
    steps = [" = " if one[1] == other[1] else " > " for one, other in pairwise(places)]
    return places[0][0] + "".join(
        step + name for step, (name, _low, _high) in zip(steps, places[1:], strict=True)
    )


def challonge(given: Any, most: int) -> Found | None:
    """Read a Challonge tournament."""
    one = given.get("tournament", given) if isinstance(given, dict) else {}
    if not isinstance(one, dict) or not {"matches", "participants"} <= one.keys():
        return None
    people = unwrap(one["participants"], "participant")
    matches = unwrap(one["matches"], "match")
    if people is None or matches is None:
        return None
    names = {}
    for person in people:
        shown = person.get("display_name") or person.get("name") or person.get("username")
        for number in (person.get("id"), *(person.get("group_player_ids") or ())):
            names[number] = str(shown or "")
    event = str(one.get("name", ""))

    def row(entry: dict[str, Any]) -> ExchangeRow:
        return ChallongeMatch.model_validate(entry).row(names, event)

    return rows_of(matches, row, most, _("It is a tournament of Challonge."))


def startgg(given: Any, most: int) -> Found | None:
    """Read the answer of start.gg to a query for the sets of an event."""
    data = given.get("data", given) if isinstance(given, dict) else {}
    event = data.get("event") if isinstance(data, dict) else None
    sets = event.get("sets") if isinstance(event, dict) else None
    nodes = sets.get("nodes") if isinstance(sets, dict) else None
    if not isinstance(nodes, list):
        return None
    name = str(event.get("name", "")) if isinstance(event, dict) else ""

    def row(entry: dict[str, Any]) -> ExchangeRow:
        return StartggSet.model_validate(entry).row(name)

    return rows_of(nodes, row, most, _("It has the sets of a start.gg event."))


def lichess(given: Any, most: int) -> Found | None:
    """Read games of lichess."""
    entries = find_documents(given, "players")
    if entries is None:
        return None

    def row(entry: dict[str, Any]) -> ExchangeRow:
        return LichessGame.model_validate(entry).row()

    return rows_of(entries, row, most, _("It has games of lichess."))


def find_documents(given: Any, key: str) -> list[dict[str, Any]] | None:
    """Return the documents of a file of which the first has a key, ``None`` if it is otherwise."""
    entries = given if isinstance(given, list) else [given]
    first = entries[0] if entries else None
    return entries if isinstance(first, dict) and key in first else None


def unwrap(entries: Any, name: str) -> list[dict[str, Any]] | None:
    """Return the entries of a list without the object that Challonge wraps each in."""
    if not isinstance(entries, list):
        return None
    found = [one.get(name, one) if isinstance(one, dict) else one for one in entries]
    return found if all(isinstance(one, dict) for one in found) else None


def number_of(winner: int | str, sides: Sequence[int | str]) -> str:
    """Return the number of the winning side. Raises ``ValueError`` if it is neither."""
    if winner not in sides:
        raise ValueError(_("The winner is neither of the two sides."))
    return str(sides.index(winner) + 1)


def sets_won(scores: str) -> tuple[str, str]:
    """Return the score of one set, or how many sets each side won, from ``3-1`` or ``3-1,2-3``."""
    sets = []
    for part in scores.split(","):
        one, dash, other = part.strip().partition("-")
        if not (dash and one.isdecimal() and other.isdecimal() and one.isascii()):
            return "", ""
        sets.append((int(one), int(other)))
    if len(sets) == 1:
        return str(sets[0][0]), str(sets[0][1])
    return str(sum(a > b for a, b in sets)), str(sum(a < b for a, b in sets))


def write_score(score: float | None) -> str:
    return "" if score is None else f"{score:.15g}"
