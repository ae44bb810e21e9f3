"""The possible meanings of the columns of a table of results, and guesses at them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ratings.files import scores
from ratings.files.dates import is_written_time
from ratings.files.problems import UnreadablePart
from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


class Named(Protocol):
    """A meaning with the names that columns have for it."""

    @property
    def name(self) -> str: ...

    @property
    def guesses(self) -> tuple[str, ...]: ...


@dataclass(frozen=True)
class Column:
    """A possible meaning of a column."""

    name: str
    label: Sentence
    help: Sentence
    guesses: tuple[str, ...]
    """Names of columns, without case, spaces and signs."""


HOME = {"home", "hometeam", "homeplayer", "heim", "white", "server"}
"""Names of the first side's column that make it the side at home."""
COLUMNS = [
    Column(
        "match",
        Sentence("Match number"),
        Sentence("Of a result that is here already, as an export writes it."),
        ("match", "matchnumber", "matchid"),
    ),
    Column(
        "played_at",
        Sentence("Date"),
        Sentence("2024-05-31, 2024-05-31 19:30, 31.05.2024, 31/5/24, 31 May 2024, or with an "
                 "offset such as Z."),
        ("playedat", "date", "datetime", "day", "when", "datum", "played", "matchdate",
         "tourneydate", "utcdate"),
    ),
    Column(
        "time",
        Sentence("Time of day"),
        Sentence("If it has a column of its own."),
        ("time", "timeofday", "hour", "uhrzeit", "kickoff"),
    ),
    Column(
        "side_1",
        Sentence("First side"),
        Sentence("A player, a roster, or players separated by commas."),
        ("side1", "first", "home", "hometeam", "player1", "team1", "white", "playera", "winner",
         "homeplayer", "winnername", "heim"),
    ),
    Column(
        "side_2",
        Sentence("Second side"),
        Sentence("As the first side."),
        ("side2", "second", "away", "awayteam", "player2", "team2", "black", "playerb", "loser",
         "opponent", "awayplayer", "guest", "losername", "gast"),
    ),
    Column(
        "score_1",
        Sentence("Score of the first side"),
        Sentence("A number."),
        ("score1", "homescore", "firstscore", "homegoals", "pointsa", "scorea", "winnerscore",
         "fthg", "hg", "wscore", "wpts"),
    ),
    Column(
        "score_2",
        Sentence("Score of the second side"),
        Sentence("A number."),
        ("score2", "awayscore", "secondscore", "awaygoals", "pointsb", "scoreb", "loserscore",
         "ftag", "ag", "lscore", "lpts"),
    ),
    Column(
        "result",
        Sentence("Result"),
        Sentence("3:1, 1-0 or ½-½; for a free-for-all, the scores in order of finish."),
        ("result", "score", "scores", "ergebnis", "outcome", "ft"),
    ),
    Column(
        "winner",
        Sentence("Winner"),
        Sentence("1, 2, draw, or the name of a side. Not needed where scores say it."),
        ("won", "winningside", "winnerside", "ftr", "res", "winner"),
    ),
    Column(
        "order",
        Sentence("Order of finish"),
        Sentence("All sides of a match, the best first: Alice > Bob = Charlie > Dora."),
        ("order", "orderoffinish", "finish", "standings", "places"),
    ),
    Column(
        "first",
        Sentence("Side at home"),
        Sentence("1, 2, none, or the name of the side at home, with White or with the serve."),
        ("atvenue", "serving", "server", "homeside", "firstside"),
    ),
    Column(
        "neutral",
        Sentence("Neutral ground"),
        Sentence("“yes” if no side is at home. Otherwise the first one is."),
        ("neutral", "neutralground", "neutralsite"),
    ),
    Column(
        "mode", Sentence("Game mode"), Sentence("One of the arena’s."), ("mode", "gamemode")
    ),
    Column(
        "round",
        Sentence("Round"),
        Sentence("Of the competition, if a result counts for one of several fixtures."),
        ("round", "matchday", "spieltag"),
    ),
    Column(
        "weight",
        Sentence("Weight"),
        Sentence("2 for a result that says as much as two others."),
        ("weight", "contestweight"),
    ),
    Column(
        "void",
        Sentence("Void"),
        Sentence("“yes” makes the result with this match number void."),
        ("void", "delete", "remove"),
    ),
]  # fmt: skip


def has_home(column: str) -> bool:
    """Return whether the name of the first side's column says that it is at home, or has White."""
    return bare(column) in HOME


def guess(header: Sequence[str], chosen: Mapping[str, int] | None = None) -> dict[str, int]:
    """Return the column of each meaning, by the names of the columns."""
    return guess_among(COLUMNS, header, chosen)


def guess_among(
    columns: Iterable[Named], header: Sequence[str], chosen: Mapping[str, int] | None = None
) -> dict[str, int]:
    """Return the columns of some meanings by their names, with those that are ``chosen``."""
    found = dict(chosen or {})
    plain = [bare(name) for name in header]
    for column in columns:
        if column.name in found:
            continue
        for wanted in (bare(column.name), *column.guesses):
            if wanted in plain and plain.index(wanted) not in found.values():
                found[column.name] = plain.index(wanted)
                break
    return found


def guess_by_cells(rows: Sequence[Sequence[str]]) -> dict[str, int]:
    """Return the columns of results without a header, by what their cells look like."""
    columns = [[cell for cell in column if cell] for column in zip(*rows, strict=True)]
    tests = {
        "played_at": is_written_time,
        "score": str.isdecimal,
        "result": is_result,
        "side": bool,
    }
    kinds = {
        at: next(kind for kind, test in tests.items() if all(map(test, cells)))
        for at, cells in enumerate(columns)
        if cells
    }
    numbered = {"score": ("score_1", "score_2"), "side": ("side_1", "side_2")}
    found: dict[str, int] = {}
    for at, kind in kinds.items():
        names = numbered.get(kind, (kind,))
        name = next((each for each in names if each not in found), None)
        if name is not None:
            found[name] = at
    if "result" in found:  # other numbers are not scores
        found.pop("score_1", None)
        found.pop("score_2", None)
    return found


def is_result(cell: str) -> bool:
    try:
        return bool(scores.read(cell))
    except UnreadablePart:
        return False


def bare(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()


def find_missing(columns: Mapping[str, int]) -> Sentence | None:
    """Return what the columns do not say, None if they say enough."""
    if "played_at" not in columns:
        return Sentence("Choose the column with the dates.")
    if "order" in columns:
        return None
    if not {"side_1", "side_2"} <= set(columns):
        return Sentence("Choose the columns of both sides, or one with the order of finish.")
    if {"score_1", "score_2"} <= set(columns) or {"result", "winner"} & set(columns):
        return None
    return Sentence("Choose the columns of both scores, or of the result or the winner.")
