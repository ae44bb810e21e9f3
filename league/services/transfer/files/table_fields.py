"""The possible meanings of columns in an imported file, and guesses at them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.models import FileImport
from league.services.core.errors import Refused
from league.services.results.rules import written
from league.services.transfer.files.result_lines import is_written_time

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.utils.functional import _StrPromise

What = FileImport.What


@dataclass(frozen=True)
class Field:
    """A possible meaning of a column."""

    name: str
    label: str | _StrPromise
    help: str | _StrPromise
    guesses: tuple[str, ...]
    """Names of columns, without case, spaces and signs."""


RESULT_FIELDS = [
    Field(
        "match",
        gettext_lazy("Match number"),
        gettext_lazy("Of a result that is here already, as an export writes it."),
        ("match", "matchnumber", "matchid"),
    ),
    Field(
        "played_at",
        gettext_lazy("Date"),
        gettext_lazy("2024-05-31, 2024-05-31 19:30, 31.05.2024 or with an offset such as Z."),
        ("playedat", "date", "datetime", "day", "when", "datum", "played"),
    ),
    Field(
        "time",
        gettext_lazy("Time of day"),
        gettext_lazy("If it has a column of its own."),
        ("time", "timeofday", "hour", "uhrzeit", "kickoff"),
    ),
    Field(
        "side_1",
        gettext_lazy("First side"),
        gettext_lazy("A player, a roster, or players separated by commas."),
        ("side1", "first", "home", "hometeam", "player1", "team1", "white", "playera", "winner",
         "homeplayer"),
    ),
    Field(
        "side_2",
        gettext_lazy("Second side"),
        gettext_lazy("As the first side."),
        ("side2", "second", "away", "awayteam", "player2", "team2", "black", "playerb", "loser",
         "opponent", "awayplayer", "guest"),
    ),
    Field(
        "score_1",
        gettext_lazy("Score of the first side"),
        gettext_lazy("A number."),
        ("score1", "homescore", "firstscore", "homegoals", "pointsa", "scorea", "winnerscore"),
    ),
    Field(
        "score_2",
        gettext_lazy("Score of the second side"),
        gettext_lazy("A number."),
        ("score2", "awayscore", "secondscore", "awaygoals", "pointsb", "scoreb", "loserscore"),
    ),
    Field(
        "result",
        gettext_lazy("Result"),
        gettext_lazy("3:1, 1-0 or ½-½; for a free-for-all, the scores in order of finish."),
        ("result", "score", "scores", "ergebnis", "outcome"),
    ),
    Field(
        "winner",
        gettext_lazy("Winner"),
        gettext_lazy("1, 2, draw, or the name of a side. Not needed where scores say it."),
        ("won", "winningside", "winnerside"),
    ),
    Field(
        "order",
        gettext_lazy("Order of finish"),
        gettext_lazy("All sides of a match, the best first: Alice > Bob = Charlie > Dora."),
        ("order", "orderoffinish", "finish", "standings", "places"),
    ),
    Field("mode", gettext_lazy("Game mode"), gettext_lazy("One of the arena’s."), ("mode",
          "gamemode")),
    Field(
        "round",
        gettext_lazy("Round"),
        gettext_lazy("Of the competition, if a result counts for one of several fixtures."),
        ("round", "matchday", "spieltag"),
    ),
    Field(
        "weight",
        gettext_lazy("Weight"),
        gettext_lazy("2 for a result that says as much as two others."),
        ("weight", "contestweight"),
    ),
    Field(
        "void",
        gettext_lazy("Void"),
        gettext_lazy("“yes” makes the result with this match number void."),
        ("void", "delete", "remove"),
    ),
]  # fmt: skip
PLAYER_FIELDS = [
    Field(
        "player",
        gettext_lazy("Player number"),
        gettext_lazy("Of a player who is here already, as an export writes it."),
        ("player", "id", "playernumber", "playerid"),
    ),
    Field(
        "name",
        gettext_lazy("Name"),
        gettext_lazy("The name that everyone sees."),
        ("name", "playername", "nick", "nickname"),
    ),
    Field(
        "level", gettext_lazy("Level"), gettext_lazy("A whole number from 0, or empty."), ("level",)
    ),
    Field(
        "roster",
        gettext_lazy("Roster"),
        gettext_lazy(
            "The roster in this arena that the player joins, or empty. New ones are created."
        ),
        ("roster", "team", "rostername", "club"),
    ),
]
ROSTER_FIELDS = [
    Field(
        "roster",
        gettext_lazy("Roster"),
        gettext_lazy("Its name in this arena."),
        ("roster", "team", "name", "rostername", "club"),
    ),
    Field(
        "captain",
        gettext_lazy("Captain"),
        gettext_lazy("A player. Empty for the first member."),
        ("captain", "leader"),
    ),
    Field(
        "members",
        gettext_lazy("Members"),
        gettext_lazy("Players separated by commas, or one on each line of the roster."),
        ("members", "players", "member", "player"),
    ),
]
FIXTURE_FIELDS = [
    Field(
        "competition",
        gettext_lazy("Competition"),
        gettext_lazy("The name of a running competition of this arena."),
        ("competition", "league", "cup"),
    ),
    Field(
        "number",
        gettext_lazy("Fixture number"),
        gettext_lazy("Within the competition, as an export writes it."),
        ("number", "fixture", "fixturenumber"),
    ),
    Field(
        "home",
        gettext_lazy("Home"),
        gettext_lazy("To check that the number is right. A file cannot change the sides."),
        ("home", "hometeam", "side1", "white"),
    ),
    Field("away", gettext_lazy("Away"), gettext_lazy("As the home side."), ("away", "awayteam",
          "side2", "black")),
    Field(
        "date",
        gettext_lazy("Date"),
        gettext_lazy("2024-05-31 19:30, 31.05.2024 19:30 or with an offset. Empty to leave it."),
        ("date", "datetime", "playat", "datum", "when"),
    ),
    Field(
        "decision",
        gettext_lazy("Decision"),
        gettext_lazy(
            "home, away, draw, neither (both lose), none (does not count), or games to leave it to "
            "its games again. Empty to leave it."
        ),
        ("decision", "result"),
    ),
    Field(
        "forfeit",
        gettext_lazy("Forfeit"),
        gettext_lazy("“yes” if the loser did not play."),
        ("forfeit", "walkover"),
    ),
    Field(
        "reason",
        gettext_lazy("Reason"),
        gettext_lazy("Everybody can read it. Empty to name the file."),
        ("reason", "comment"),
    ),
]  # fmt: skip
FIELDS: dict[str, list[Field]] = {
    What.RESULTS: RESULT_FIELDS,
    What.PLAYERS: PLAYER_FIELDS,
    What.ROSTERS: ROSTER_FIELDS,
    What.FIXTURES: FIXTURE_FIELDS,
}


def guess(file: FileImport) -> dict[str, int]:
    """Return the column of each field: as in the last file of this kind, or by its name."""
    remembered = remembered_for(file)
    found: dict[str, int] = {}
    plain = [bare(name) for name in file.header]
    for field in FIELDS[file.what]:
        named = remembered.get(field.name)
        if named is not None:
            if named in file.header:
                found[field.name] = file.header.index(named)
            continue
        for wanted in (bare(field.name), *field.guesses):
            if wanted in plain and plain.index(wanted) not in found.values():
                found[field.name] = plain.index(wanted)
                break
    return found


def guess_by_cells(what: str, rows: Sequence[Sequence[str]]) -> dict[str, int]:
    """Return the columns of results without a header, by what their cells look like."""
    if what != What.RESULTS or not rows:
        return {}
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
        return bool(written.read(cell))
    except Refused:
        return False


def bare(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()


def remembered_for(file: FileImport) -> dict[str, str]:
    """Return the names of the columns in the last file of this kind, if it had such columns."""
    earlier = FileImport.objects.filter(arena=file.arena_id, what=file.what).exclude(pk=file.pk)
    for one in earlier.exclude(mapping={}).order_by("-id")[:5]:
        columns = one.mapping.get("columns", {})
        names = {name: one.header[at] for name, at in columns.items() if at < len(one.header)}
        if names and set(names.values()) <= set(file.header):
            return names
    return {}


def missing(what: str, mapping: Mapping[str, int]) -> str:
    """Return what the columns do not say, in words, or an empty string."""
    if what == What.PLAYERS:
        return "" if "name" in mapping else _("Choose the column with the names.")
    if what == What.ROSTERS:
        wanted = {"roster", "members"}
        return "" if wanted <= set(mapping) else _("Choose the columns of rosters and members.")
    if what == What.FIXTURES:
        return missing_of_fixtures(mapping)
    return missing_of_results(mapping)


def missing_of_fixtures(mapping: Mapping[str, int]) -> str:
    if not {"competition", "number"} <= set(mapping):
        return _("Choose the columns of competitions and fixture numbers.")
    if not {"date", "decision"} & set(mapping):
        return _("Choose the column of dates or of decisions.")
    return ""


def missing_of_results(mapping: Mapping[str, int]) -> str:
    if "played_at" not in mapping:
        return _("Choose the column with the dates.")
    if "order" in mapping:
        return ""
    if not {"side_1", "side_2"} <= set(mapping):
        return _("Choose the columns of both sides, or one with the order of finish.")
    says = {"score_1", "score_2"} <= set(mapping) or {"result", "winner"} & set(mapping)
    return "" if says else _("Choose the columns of both scores, or of the result or the winner.")


def twice(mapping: Mapping[str, int], header: Sequence[str]) -> str:
    """Return what is wrong with a mapping in which two fields have the same column."""
    seen: set[int] = set()
    for at in mapping.values():
        if at in seen:
            return _("“%(column)s” is chosen twice.") % {"column": header[at]}
        seen.add(at)
    return ""
