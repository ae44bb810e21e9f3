"""Games of lichess, one on each line (NDJSON), as its API and its database write them.

Games against the computer or somebody without an account, and games that did not begin, are left
out.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, Field

from ratings.files.documents import LATEST, Format, LeftOut, read_entries
from ratings.files.results import Result, ResultSide
from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from ratings.files.documents import Document, Found

UNPLAYED = {"created", "started", "aborted", "noStart", "unknownFinish"}
PLACES = {"white": (0, 1), "black": (1, 0), None: (0, 0)}


class LichessGame(BaseModel):
    """A game."""

    id: str
    status: str = ""
    winner: Literal["white", "black"] | None = None
    begun: int = Field(validation_alias="createdAt", ge=0, le=LATEST * 1000)
    ended: int | None = Field(None, validation_alias="lastMoveAt", ge=0, le=LATEST * 1000)
    players: dict[str, dict[str, Any]]


def recognises(document: Document) -> bool:
    return document.entries("players") is not None


def read(document: Document, found: Found) -> None:
    read_entries(document.entries("players") or [], read_game, found)


def read_game(line: int, entry: dict[str, Any]) -> Result:
    game = LichessGame.model_validate(entry)
    if game.status in UNPLAYED:
        raise LeftOut
    names = [game.players.get(colour, {}).get("user") for colour in ("white", "black")]
    if not all(isinstance(name, dict) and name.get("name") for name in names):
        raise LeftOut  # a computer, or somebody without an account
    return Result(
        line,
        [
            ResultSide([str(name["name"])], place)
            for name, place in zip(names, PLACES[game.winner], strict=True)
            if name
        ],
        datetime.fromtimestamp((game.ended or game.begun) / 1000, UTC),
        first=0,
        id=game.id,
        event=f"lichess.org/{game.id}",
    )


FORMAT = Format("lichess", Sentence("It has games of lichess."), recognises, read)
