"""Games of lichess, one on each line (NDJSON), and the results of its tournaments.

The API and the database write games so, those of an arena, a Swiss or a player. Games against the
computer, a bot or somebody without an account, and games that did not begin, are left out. Results
of a tournament (``rank``, ``username``) are one order of finish, without a date.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, Field, ValidationError

from ratings.files.documents import LATEST, Format, LeftOut, describe_invalid, read_entries
from ratings.files.formats.ranks import places_of
from ratings.files.problems import UnreadableFile
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


class LichessStanding(BaseModel):
    """A line of the results of a tournament."""

    rank: int = Field(ge=1)
    username: str = Field(min_length=1)
    title: str | None = None
    absent: bool | None = None
    points: float | None = Field(None, allow_inf_nan=False)
    score: float | None = Field(None, allow_inf_nan=False)


def recognises(document: Document) -> bool:
    return games_in(document) is not None or document.entries("rank") is not None


def games_in(document: Document) -> list[Any] | None:
    """Return the games, whose players are called white and black."""
    games = document.entries("players")
    players = games[0]["players"] if games else None
    return games if isinstance(players, dict) and {"white", "black"} & set(players) else None


def read(document: Document, found: Found) -> None:
    games = games_in(document)
    if games is not None:
        read_entries(games, read_game, found)
    else:
        read_standings(document.entries("rank") or [], found)


def read_standings(entries: list[Any], found: Found) -> None:
    """Add the results of a tournament as one order of finish."""
    lines = []
    for number, entry in enumerate(entries, start=1):
        try:
            lines.append(LichessStanding.model_validate(entry))
        except ValidationError as error:
            raise UnreadableFile(
                "Line %(line)s is no result of a tournament: %(why)s",
                line=number,
                why=describe_invalid(error),
            ) from None
    lines = [line for line in lines if line.title != "BOT" and not line.absent]
    if len(lines) < 2:
        return
    places = places_of([line.rank for line in lines])
    points = [line.score if line.points is None else line.points for line in lines]
    sides = [
        ResultSide([line.username], place, score)
        for line, place, score in zip(lines, places, points, strict=True)
    ]
    found.results.append(Result(1, sides))
    found.remarks.append(Sentence("It has the places of a tournament, without its date."))


def read_game(line: int, entry: dict[str, Any]) -> Result:
    game = LichessGame.model_validate(entry)
    if game.status in UNPLAYED:
        raise LeftOut
    names = [game.players.get(colour, {}).get("user") for colour in ("white", "black")]
    if not all(
        isinstance(name, dict) and name.get("name") and name.get("title") != "BOT" for name in names
    ):
        raise LeftOut  # a computer, a bot, or somebody without an account
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


FORMAT = Format(
    "lichess",
    Sentence("It has games of lichess."),
    recognises,
    read,
    programs="NDJSON of lichess: games of a player, an arena, a Swiss or the database; results of "
    "an arena or a Swiss",
    reads="games with colours; results of a tournament as one order of finish, which has no date",
    leaves_out="games that were aborted, never began or are not over; games of bots, computers and "
    "anonymous players",
)
