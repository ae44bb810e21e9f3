"""Debates: ballots of Tabbycat's API.

A debate of four is an order of finish of its teams (opening government and opposition, closing
government and opposition), one of two a match. ``participants`` reads the tables of tab rooms.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import AliasChoices, AwareDatetime, BaseModel, Field

from ratings.files.documents import Format, LeftOut, read_entries
from ratings.files.formats.ranks import places_of
from ratings.files.problems import UnreadablePart
from ratings.files.results import Result, ResultSide
from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ratings.files.documents import Document, Found


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
    return document.json is not None and ballots_of(document) is not None


def ballots_of(document: Document) -> list[Any] | None:
    """Return the ballots in a list, or below ``ballots``."""
    given = document.json
    given = given.get("ballots", [given]) if isinstance(given, dict) else given
    first = given[0] if isinstance(given, list) and given else None
    result = first.get("result") if isinstance(first, dict) else None
    return given if isinstance(result, dict) and "sheets" in result else None


def read(document: Document, found: Found) -> None:
    given = document.json
    names = names_of(given.get("teams") if isinstance(given, dict) else None)

    def read_ballot(line: int, entry: dict[str, Any]) -> Result:
        result = entry.get("result")
        sheets = result.get("sheets") if isinstance(result, dict) else None
        return of_ballot(line, Ballot.model_validate({**entry, "sheets": sheets}), names)

    read_entries(ballots_of(document) or [], read_ballot, found)


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


FORMAT = Format(
    "debates",
    Sentence("It has debates with the places of teams."),
    recognises,
    read,
    programs='JSON of the Tabbycat API (`{"teams": […], "ballots": […]}`)',
    reads="debates of two teams as matches, of four as orders of finish",
    leaves_out="ballots that are not confirmed, and forfeits; speaker scores",
)
