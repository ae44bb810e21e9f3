"""Results of a table that has a row for each participant: races, contests, debates.

Rows with the same match, or without such a column with the same date and time, are one result. Its
rows can be anywhere in the table. ``ratings.io.csvfile`` reads the same rows in our own exact form,
one after the other, for histories of millions.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ratings.files import dates
from ratings.files.column_guesses import bare, guess_among
from ratings.files.columns import Column
from ratings.files.names import fold
from ratings.files.problems import Problem, UnreadablePart
from ratings.files.results import Result, ResultSide
from ratings.files.rows import number
from ratings.history import NEITHER
from ratings.io import firstside
from ratings.matches import LARGEST_WEIGHT, LOWEST_CEILING
from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ratings.files.dates import DateOrder
    from ratings.files.rows import GameRules
    from ratings.files.tables import Table

    Row = tuple[int, Sequence[str]]

COLUMNS = [
    Column(
        "group",
        Sentence("Match or race"),
        Sentence(
            "Rows with the same text, and round, are one match. Without it, those of the same time "
            "are."
        ),
        ("matchid", "match", "raceid", "race", "contestid", "contest", "eventid", "event",
         "gameid", "game", "room", "venue", "heat", "debate", "rennen"),
    ),
    Column(
        "played_at",
        Sentence("Date"),
        Sentence("2024-05-31, 2024-05-31 19:30, 31.05.2024, 31/5/24 or 31 May 2024."),
        ("playedat", "date", "datetime", "day", "when", "datum", "matchdate", "racedate",
         "utcdate"),
    ),
    Column(
        "time",
        Sentence("Time of day"),
        Sentence("If it has a column of its own."),
        ("time", "timeofday", "hour", "uhrzeit", "start"),
    ),
    Column(
        "player",
        Sentence("Player"),
        Sentence("One name on each row."),
        ("player", "playername", "name", "driver", "driverid", "racer", "handle", "user",
         "username", "competitor", "contestant", "participant", "pilot", "runner", "fahrer",
         "spieler", "team", "teamname", "squad", "crew", "club"),
    ),
    Column(
        "side",
        Sentence("Side"),
        Sentence("Rows of a match with the same side played together."),
        ("side", "team", "teamname", "squad"),
    ),
    Column(
        "place",
        Sentence("Place"),
        Sentence("A whole number, the lowest for the best. Equal places tie; DNF is last."),
        ("place", "positionorder", "position", "rank", "pos", "placing", "finish", "platz"),
    ),
    Column(
        "score",
        Sentence("Score"),
        Sentence("A number. Without places, the highest wins."),
        ("score", "points", "pts", "teampoints", "punkte", "total"),
    ),
    Column("seconds", Sentence("Seconds played"), Sentence("Of this player."), ("seconds",)),
    Column("quit", Sentence("Quit"), Sentence("1 for a player who quit."), ("quit",)),
    Column("profession", Sentence("Profession"), Sentence("Of this player."), ("profession",)),
    Column("first", Sentence("First side"),
           Sentence("1 for the side at home or with White, or its name."), ("first", "home")),
    Column("neutral", Sentence("Neutral ground"),
           Sentence("“yes” if no side is at home. Otherwise the one listed first is."),
           ("neutral",)),
    Column("mode", Sentence("Game mode"), Sentence("One of the arena’s."), ("mode", "gamemode")),
    Column("round", Sentence("Round"), Sentence("Of the competition."), ("round", "matchday")),
    Column("weight", Sentence("Weight"),
           Sentence("2 for a result that says as much as two others."), ("weight",)),
    Column("ceiling", Sentence("Performance ceiling"),
           Sentence("The rating above which nobody can perform."), ("perfceiling",)),
]  # fmt: skip
OF_MATCH = ("played_at", "time", "mode", "round", "weight", "ceiling")
OF_SIDE = ("place", "score")
NOT_FINISHED = {"dnf", "ret", "r", "dsq", "dq", "d", "nc"}
"""Places of those who began and are last: retired, disqualified, not classified."""
NOT_STARTED = {"dns", "dnq", "w", "wd", "n.p."}
"""Places of those who did not begin, and are left out."""
LARGEST_PLACE = 10**9


OF_SEASONS = {
    *{"played", "gp", "mp", "games", "matches", "p", "w", "d", "l", "won", "drawn", "lost"},
    *{"wins", "draws", "losses", "win", "loss", "gf", "ga", "gd", "spiele", "siege"},
}
"""Columns of the standings of a season, which are no result."""


def guess(
    header: Sequence[str],
    rows: Sequence[Sequence[str]] = (),
    chosen: Mapping[str, int] | None = None,
) -> dict[str, int]:
    """Return the column of each meaning, by the names of the columns and by some rows, or as
    ``chosen``."""
    found = guess_among(COLUMNS, header, chosen)
    if "time" in found and "time" not in (chosen or {}) and not is_time_of_matches(found, rows):
        del found["time"]  # that of a race
    return found


def is_time_of_matches(columns: Mapping[str, int], rows: Sequence[Sequence[str]]) -> bool:
    """Return whether a column has the time of day, which the rows of a match have in common."""
    if "played_at" not in columns or "group" not in columns:
        return "played_at" in columns
    times: dict[str, str] = {}
    return all(
        times.setdefault(row[columns["group"]], row[columns["time"]]) == row[columns["time"]]
        for row in rows
    )


def is_one_event(table: Table, columns: Mapping[str, int]) -> bool:
    """Return whether all rows of a table are the places of one event."""
    if {"group", "played_at"} & set(columns) or not {"player", "place"} <= set(columns):
        return False
    names = [fold(cells[columns["player"]]) for _line, cells in table.cells]
    return len(set(names)) == len(names) and OF_SEASONS.isdisjoint(map(bare, table.header))


def find_missing(columns: Mapping[str, int]) -> Sentence | None:
    """Return what the columns do not say, None if they say enough."""
    if "player" not in columns:
        return Sentence("Choose the column with the players.")
    if not {"place", "score"} & set(columns):
        return Sentence("Choose the column with the places, or with the scores.")
    if not {"group", "played_at", "place"} & set(columns):
        return Sentence("Choose the column that says which rows are one match.")
    return None


@dataclass
class ParticipantReader:
    """Reads rows by the meanings of their columns."""

    columns: Mapping[str, int]
    rules: GameRules
    date_order: DateOrder | None = None
    problems: list[Problem] = field(default_factory=list)
    unplayed: list[int] = field(default_factory=list)
    """Lines without a place and a score."""

    def read_table(self, table: Table) -> Iterator[Result]:
        """Yield the results that can be read. ``problems`` has the others."""
        groups: dict[tuple[str, ...], list[Row]] = defaultdict(list)
        for line, cells in table.cells:
            if self.cell(cells, "place") or self.cell(cells, "score"):
                groups[self.key_of(cells)].append((line, cells))
            else:
                self.unplayed.append(line)
        for rows in groups.values():
            started = [row for row in rows if fold(self.cell(row[1], "place")) not in NOT_STARTED]
            before = len(self.problems)
            result = self.read(started or rows)
            if len(result.sides) < 2 and len(self.problems) == before:
                self.note(result.line, "This match has only one side.")
            if len(self.problems) == before:
                yield result

    def cell(self, cells: Sequence[str], name: str) -> str:
        at = self.columns.get(name)
        return "" if at is None else cells[at].strip()

    def key_of(self, cells: Sequence[str]) -> tuple[str, ...]:
        """Return what the rows of one match have in common."""
        if "group" in self.columns:
            return self.cell(cells, "group"), self.cell(cells, "round")
        return self.cell(cells, "played_at"), self.cell(cells, "time")

    def note(self, line: int, message: str, **values: object) -> None:
        self.problems.append(Problem(line, Sentence(message, **values)))

    def read(self, rows: Sequence[Row]) -> Result:
        """Return the result of the rows of a match, after noting all that is wrong with them."""
        line, first = rows[0]
        result = Result(
            line,
            [],
            id=self.cell(first, "group"),
            mode=self.cell(first, "mode"),
            round=self.cell(first, "round"),
        )
        if "group" in self.columns and not result.id:
            self.note(line, "The match is empty. Every row must name its match.")
        self.read_time(result, first)
        for other, cells in rows[1:]:
            self.check_same(OF_MATCH, (other, cells), rows[0])
        weight = self.number(line, first, "weight")
        result.weight = 1.0 if weight is None else weight
        if not 0 < result.weight <= LARGEST_WEIGHT:
            self.note(line, "“%(text)s” is no weight.", text=self.cell(first, "weight")[:40])
        result.ceiling = self.ceiling(line, first)
        self.read_sides(result, rows)
        return result

    def read_time(self, result: Result, cells: Sequence[str]) -> None:
        text = f"{self.cell(cells, 'played_at')} {self.cell(cells, 'time')}".strip()
        if "played_at" not in self.columns:
            return
        try:
            read = dates.read(text, self.date_order)
        except ValueError:
            self.note(
                result.line,
                "“%(text)s” is not a date. Write 2024-05-31 or 2024-05-31 19:30.",
                text=text[:40],
            )
            return
        result.played_at, result.has_hour = read.at, read.has_hour

    def check_same(self, names: Sequence[str], row: Row, first: Row) -> None:
        """Note cells that differ between rows of one match, or of one side."""
        for name in names:
            here, there = self.cell(row[1], name), self.cell(first[1], name)
            if here != there:
                self.note(
                    row[0],
                    "“%(here)s” here, but “%(there)s” on line %(other)s of the same match.",
                    here=here[:40],
                    there=there[:40],
                    other=first[0],
                )

    def read_sides(self, result: Result, rows: Sequence[Row]) -> None:
        sides: dict[str, list[Row]] = defaultdict(list)
        for at, row in enumerate(rows):
            name = self.cell(row[1], "side") if "side" in self.columns else str(at)
            if not name:
                self.note(row[0], "The side is empty. Name it, such as 1 or red.")
            sides[name].append(row)
        ranks = []
        for own in sides.values():
            for row in own[1:]:
                self.check_same(OF_SIDE, row, own[0])
            line, cells = own[0]
            score = self.number(line, cells, "score")
            ranks.append(self.rank(line, cells, score))
            result.sides.append(self.side(own, score))
        for side, rank in zip(result.sides, ranks, strict=True):
            side.place = sum(other < rank for other in ranks)
        result.first = self.first_side(result.line, rows, list(sides))

    def rank(self, line: int, cells: Sequence[str], score: float | None) -> float:
        """Return a number that is lower for a better side."""
        text = self.cell(cells, "place")
        if fold(text) in NOT_FINISHED:
            return math.inf
        if text.isascii() and text.isdigit() and int(text) <= LARGEST_PLACE:
            return int(text)
        if "place" not in self.columns and score is not None:
            return score if self.rules.lower_wins else -score
        if "place" in self.columns:
            self.note(line, "“%(text)s” is not a place. Write a whole number.", text=text[:40])
        else:
            self.note(line, "Give every side a score.")
        return math.inf

    def side(self, rows: Sequence[Row], score: float | None) -> ResultSide:
        side = ResultSide([], 0, score)
        for line, cells in rows:
            name = self.cell(cells, "player")
            if not name:
                self.note(line, "The player is empty.")
            side.names.append(name)
        if "seconds" in self.columns:
            found = [self.number(line, cells, "seconds") for line, cells in rows]
            side.seconds = [math.nan if one is None else one for one in found]
            if any(one is not None and one < 0 for one in found):
                self.note(rows[0][0], "Seconds must be at least 0.")
        if "quit" in self.columns:
            side.quits = [self.quit(line, cells) for line, cells in rows]
        if "profession" in self.columns:
            side.professions = [self.cell(cells, "profession") for _line, cells in rows]
        return side

    def number(self, line: int, cells: Sequence[str], name: str) -> float | None:
        try:
            return number(self.cell(cells, name))
        except UnreadablePart as error:
            self.problems.append(Problem(line, error.sentence))
            return None

    def quit(self, line: int, cells: Sequence[str]) -> bool:
        text = fold(self.cell(cells, "quit"))
        if text and text not in firstside.YES | firstside.NO:
            self.note(line, "“%(text)s” is not yes or no.", text=text[:40])
        return text in firstside.YES

    def ceiling(self, line: int, cells: Sequence[str]) -> float:
        if fold(self.cell(cells, "ceiling")) in {"inf", "infinity"}:
            return math.inf
        found = self.number(line, cells, "ceiling")
        if found is not None and found < LOWEST_CEILING:
            self.note(line, "A performance ceiling is at least %(least)s.", least=LOWEST_CEILING)
        return math.inf if found is None else found

    def first_side(self, line: int, rows: Sequence[Row], sides: Sequence[str]) -> int:
        """Return the index of the side at home, -1 for neither."""
        column = next((name for name in firstside.COLUMNS if name in self.columns), "")
        if not column or len(sides) != 2:
            return NEITHER
        cells = [(self.cell(row, "side"), self.cell(row, column)) for _line, row in rows]
        try:
            return firstside.find(column, cells, sides)
        except firstside.NotASide as error:
            self.problems.append(Problem(line, error.sentence))
            return NEITHER
