"""A Challonge tournament with its participants and matches, as version 1 of its API writes it.

Byes, forfeits and matches to come are left out, as Challonge leaves them out of its own counts.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from ratings.files.documents import Format, LeftOut, read_entries
from ratings.files.formats.pairs import make_pair
from ratings.files.problems import UnreadablePart
from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from ratings.files.documents import Document, Found
    from ratings.files.results import Result


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


def recognises(document: Document) -> bool:
    return parts_of(document) is not None


def parts_of(document: Document) -> tuple[str, list[dict[str, Any]], list[dict[str, Any]]] | None:
    """Return the name, the participants and the matches of a tournament."""
    given = document.json
    one = given.get("tournament", given) if isinstance(given, dict) else {}
    if not isinstance(one, dict):
        return None
    people = unwrap(one.get("participants"), "participant")
    matches = unwrap(one.get("matches"), "match")
    if people is None or matches is None:
        return None
    return str(one.get("name", "")), people, matches


def unwrap(entries: Any, name: str) -> list[dict[str, Any]] | None:
    """Return the entries of a list without the object that Challonge wraps each in."""
    if not isinstance(entries, list):
        return None
    found = [one.get(name, one) if isinstance(one, dict) else one for one in entries]
    return found if all(isinstance(one, dict) for one in found) else None


def read(document: Document, found: Found) -> None:
    parts = parts_of(document)
    if parts is None:
        return
    event, people, matches = parts
    names: dict[Any, str] = {}
    for person in people:
        shown = person.get("display_name") or person.get("name") or person.get("username")
        others = person.get("group_player_ids")
        for number in (person.get("id"), *(others if isinstance(others, list) else ())):
            if isinstance(number, int):
                names[number] = str(shown or "")

    def read_match(line: int, entry: dict[str, Any]) -> Result:
        return result_of(line, ChallongeMatch.model_validate(entry), names, event)

    read_entries(matches, read_match, found)


def result_of(line: int, match: ChallongeMatch, names: dict[Any, str], event: str) -> Result:
    at = match.completed_at or match.updated_at
    if match.state != "complete" or match.forfeited or at is None:
        raise LeftOut
    ids = (match.player1_id, match.player2_id)
    if None in ids:
        raise LeftOut
    if not set(ids) <= names.keys():
        raise UnreadablePart("It names an unknown player.")
    result = make_pair(
        line,
        at,
        [names[one] for one in ids],
        winner=match.winner_id,
        ids=ids,
        scores=sets_won(match.scores_csv or ""),
    )
    result.round = str(abs(match.round)) if match.round else ""
    result.event = event
    return result


def sets_won(scores: str) -> tuple[float, float] | None:
    """Return the score of one set, or how many sets each side won, from ``3-1`` or ``3-1,2-3``."""
    sets = []
    for part in scores.split(","):
        one, dash, other = part.strip().partition("-")
        if not (dash and one.isdecimal() and other.isdecimal() and one.isascii()):
            return None
        sets.append((int(one), int(other)))
    if len(sets) == 1:
        return sets[0]
    return sum(a > b for a, b in sets), sum(a < b for a, b in sets)


FORMAT = Format("challonge", Sentence("It is a tournament of Challonge."), recognises, read)
