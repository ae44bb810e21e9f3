"""Debates: ballots of Tabbycat's API, and tables with the teams of each room.

A debate of four is an order of finish of its teams (opening government and opposition, closing
government and opposition), one of two a match. A table has a row for each team, with the columns
``round``, ``room`` (or ``venue``, ``debate``), ``team``, and ``rank`` or ``points``, as tabs are
kept in spreadsheets; ``speaks`` break no ties.
"""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any

from pydantic import AliasChoices, AwareDatetime, BaseModel, Field

from ratings.files import dates
from ratings.files.documents import Format, LeftOut, read_entries
from ratings.files.formats.ranks import places_of
from ratings.files.names import fold
from ratings.files.problems import Problem, UnreadableFile, UnreadablePart
from ratings.files.results import Result, ResultSide
from ratings.files.tables import MOST_ROWS
from ratings.files.text_rows import delimiter_of, text_rows
from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ratings.files.documents import Document, Found

ROOMS = ("room", "venue", "debate")
RANKS = ("rank", "place", "position")
POINTS = ("points", "team points")
OF_PEOPLE = {"player", "speaker", "name"}
"""Columns of tables with a row for each person, which are no debates of teams."""


class DebateTeam(BaseModel):
    """A team on a ballot."""

    team: str | dict[str, Any]
    points: float | None = Field(None, allow_inf_nan=False)
    win: bool | None = None


class DebateSheet(BaseModel):
    """A sheet of a ballot."""

    teams: list[DebateTeam]


class Ballot(BaseModel):
    """A ballot."""

    confirmed: bool = True
    discarded: bool = False
    forfeit: str | None = None
    at: AwareDatetime | None = Field(
        None, validation_alias=AliasChoices("confirm_timestamp", "timestamp")
    )
    sheets: list[DebateSheet]


def recognises(document: Document) -> bool:
    if document.json is not None:
        return ballots_of(document) is not None
    first = document.text.lstrip("\r\n \ufeff")[:2_000].splitlines()
    return bool(first) and columns_of(header_of(first[0])) is not None


def header_of(line: str) -> list[str]:
    cells = next(csv.reader([line], delimiter=delimiter_of(line)), [])
    return [fold(cell).replace("_", " ") for cell in cells]


def columns_of(header: list[str]) -> dict[str, int] | None:
    """Return the columns of a table of debates, None if it is none."""
    found = {}
    for name, names in (("room", ROOMS), ("rank", RANKS), ("points", POINTS)):
        at = next((header.index(each) for each in names if each in header), None)
        if at is not None:
            found[name] = at
    for name in ("round", "team", "date"):
        if name in header:
            found[name] = header.index(name)
    needed = {"round", "room", "team"} <= found.keys() and OF_PEOPLE.isdisjoint(header)
    return found if needed and {"rank", "points"} & found.keys() else None


def ballots_of(document: Document) -> list[Any] | None:
    """Return the ballots in a list, or below ``ballots``."""
    given = document.json
    given = given.get("ballots", [given]) if isinstance(given, dict) else given
    first = given[0] if isinstance(given, list) and given else None
    result = first.get("result") if isinstance(first, dict) else None
    return given if isinstance(result, dict) and "sheets" in result else None


def read(document: Document, found: Found) -> None:
    ballots = ballots_of(document) if document.json is not None else None
    if ballots is None:
        read_rows(document, found)
        return
    given = document.json
    names = names_of(given.get("teams") if isinstance(given, dict) else None)

    def read_ballot(line: int, entry: dict[str, Any]) -> Result:
        result = entry.get("result")
        sheets = result.get("sheets") if isinstance(result, dict) else None
        return of_ballot(line, Ballot.model_validate({**entry, "sheets": sheets}), names)

    read_entries(ballots, read_ballot, found)


def names_of(teams: Any) -> dict[str, str]:
    """Return the names of teams by their addresses."""
    rows = [one for one in teams if isinstance(one, dict)] if isinstance(teams, list) else []
    return {str(one.get("url")): name for one in rows if (name := name_of(one))}


def name_of(team: Mapping[str, Any]) -> str:
    shown = team.get("short_name") or team.get("name") or team.get("long_name")
    return shown if isinstance(shown, str) else ""


def of_ballot(line: int, ballot: Ballot, names: Mapping[str, str]) -> Result:
    """Return the result of a ballot. Its first sheet decides, as all of a debate of four do."""
    if not ballot.confirmed or ballot.discarded or ballot.forfeit or not ballot.sheets:
        raise LeftOut
    teams = ballot.sheets[0].teams
    if len(teams) < 2:
        raise LeftOut
    shown = [
        names.get(one.team, "") if isinstance(one.team, str) else name_of(one.team) for one in teams
    ]
    if not all(shown):
        raise UnreadablePart(
            "The names of its teams are missing. Put the teams into the same file: "
            '{"teams": […], "ballots": […]}.'
        )
    points = [one.points if one.points is not None else one.win for one in teams]
    if None in points:
        raise UnreadablePart("It has no result.")
    places = places_of([-(one or 0) for one in points])
    sides = [ResultSide([name], place) for name, place in zip(shown, places, strict=True)]
    return Result(line, sides, ballot.at)


def read_rows(document: Document, found: Found) -> None:
    """Read a table with a row for each team of a room."""
    rows = text_rows(document.text, found.remarks)
    header = next((cells for _line, cells in rows if any(cells)), [])
    columns = columns_of([fold(cell).replace("_", " ") for cell in header]) or {}
    rooms: dict[tuple[str, str], list[tuple[int, list[str]]]] = {}
    for line, cells in rows:
        if not any(cells):
            continue
        if line > MOST_ROWS:
            raise UnreadableFile(
                "The file has more than %(most)s results. Divide it.", most=f"{MOST_ROWS:,}"
            )
        if len(cells) < len(header):
            found.problems.append(Problem(line, Sentence("has fewer cells than the first line.")))
            continue
        rooms.setdefault((cells[columns["round"]], cells[columns["room"]]), []).append(
            (line, cells)
        )
    for (round_, _room), teams in rooms.items():
        try:
            found.results.append(of_room(round_, teams, columns))
        except UnreadablePart as error:
            found.problems.append(Problem(teams[0][0], error.sentence))


def of_room(round_: str, teams: list[tuple[int, list[str]]], columns: Mapping[str, int]) -> Result:
    if len(teams) < 2:
        raise UnreadablePart("The room has only one team.")
    by = "rank" if "rank" in columns else "points"
    sign = 1 if by == "rank" else -1
    numbers = []
    for _line, cells in teams:
        text = cells[columns[by]].replace(",", ".")
        try:
            numbers.append(sign * float(text))
        except ValueError:
            raise UnreadablePart("“%(text)s” is not a number.", text=text[:40]) from None
        if not abs(numbers[-1]) < 1e9:
            raise UnreadablePart("“%(text)s” is not a number.", text=text[:40])
    names = [cells[columns["team"]] for _line, cells in teams]
    sides = [
        ResultSide([name], place) for name, place in zip(names, places_of(numbers), strict=True)
    ]
    line, cells = teams[0]
    day = cells[columns["date"]] if "date" in columns else ""
    try:
        when = dates.read(day) if day else None
    except ValueError:
        raise UnreadablePart("“%(text)s” is not a date.", text=day[:40]) from None
    at, has_hour = (when.at, when.has_hour) if when else (None, False)
    return Result(line, sides, at, has_hour=has_hour, round=round_)


FORMAT = Format(
    "debates",
    Sentence("It has debates with the places of teams."),
    recognises,
    read,
    programs='JSON of the Tabbycat API (`{"teams": […], "ballots": […]}`); CSV with `round`, '
    "`room`, `team` and `points` or `rank`",
    reads="debates of two teams as matches, of four as orders of finish",
    leaves_out="ballots that are not confirmed, and forfeits; speaker scores",
)
