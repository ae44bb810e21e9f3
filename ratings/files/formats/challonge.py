"""A Challonge tournament, as versions 1 and 2.1 of its API write it: whole or in parts.

Of version 1: the tournament with participants and matches, both lists in one object, or the list
of matches alone if these name their players. Of version 2.1: ``data`` and ``included``
(``challonge_v2.py``). Byes, forfeits and matches to come are left out, as Challonge leaves them out
of its own counts.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from ratings.files.documents import Format, LeftOut, read_entries
from ratings.files.formats import challonge_v2
from ratings.files.formats.pairs import make_pair
from ratings.files.problems import UnreadableFile, UnreadablePart
from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from ratings.files.documents import Document, Found
    from ratings.files.formats.challonge_v2 import Parts
    from ratings.files.results import Result


class ChallongeMatch(BaseModel):
    """A match of a tournament."""

    state: str
    player1_id: int | str | None = None
    player2_id: int | str | None = None
    player1_name: str | None = None
    player2_name: str | None = None
    winner_id: int | str | None = None
    scores_csv: str | None = ""
    round: int = 0
    completed_at: datetime | None = None
    updated_at: datetime | None = None
    forfeited: bool | None = None


def recognises(document: Document) -> bool:
    return parts_of(document) is not None


def parts_of(document: Document) -> Parts | None:
    """Return the parts of a tournament, None if it is none."""
    given = document.json
    if isinstance(given, list):
        given = {"matches": given}
    if not isinstance(given, dict):
        return None
    if (found := challonge_v2.parts_of(given)) is not None:
        return found
    one = given.get("tournament", given)
    if not isinstance(one, dict):
        return None
    people = unwrap(one.get("participants", []), "participant")
    matches = unwrap(one.get("matches"), "match")
    if people is None or matches is None or not all("player1_id" in one for one in matches[:1]):
        return None
    if not matches and "participants" not in one:
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
            if isinstance(number, int | str) and shown:
                names[number] = str(shown)
    if not names and matches and not any(match.get("player1_name") for match in matches):
        raise UnreadableFile(
            "The matches have only the numbers of their players. Put the participants into the "
            'same file: {"participants": […], "matches": […]}.'
        )

    def read_match(line: int, entry: dict[str, Any]) -> Result:
        return result_of(line, ChallongeMatch.model_validate(entry), names, event)

    read_entries(matches, read_match, found)


def result_of(line: int, match: ChallongeMatch, names: dict[Any, str], event: str) -> Result:
    at = match.completed_at or match.updated_at
    if match.state != "complete" or match.forfeited:
        raise LeftOut
    ids = (match.player1_id, match.player2_id)
    if None in ids:
        raise LeftOut
    shown = (match.player1_name, match.player2_name)
    players = [name or names.get(one) for name, one in zip(shown, ids, strict=True)]
    if None in players:
        raise UnreadablePart("It names an unknown player.")
    result = make_pair(
        line,
        at,
        [name or "" for name in players],
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
    for part in scores.replace(" ", "").split(","):
        one, dash, other = part.partition("-")
        if not (dash and one.isdecimal() and other.isdecimal() and one.isascii()):
            return None
        sets.append((int(one), int(other)))
    if len(sets) == 1:
        return sets[0]
    return sum(a > b for a, b in sets), sum(a < b for a, b in sets)


FORMAT = Format(
    "challonge",
    Sentence("It is a tournament of Challonge."),
    recognises,
    read,
    programs="JSON of the Challonge API, version 1 (`include_participants=1&include_matches=1`, "
    'or `matches.json` with `participants.json` as `{"participants": […], "matches": '
    "[…]}`) and version 2.1 (`data` and `included`)",
    reads="matches with scores, of several sets the sets won; rounds",
    leaves_out="byes, forfeits and matches to come; scores that name another winner",
)
