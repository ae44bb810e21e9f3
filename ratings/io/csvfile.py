"""CSV files of match histories, with one row per participant of each match.

Columns are ``match_id, played_at, side, place, player``, and optionally ``score, seconds, quit,
profession, weight, perf_ceiling, first, neutral``, in any order. ``played_at`` is ISO 8601, in UTC
by default. ``side`` is any name that distinguishes a match's sides. ``place`` is 0 for the best.
Equal places tie. ``first`` or ``neutral`` says which side is first (``ratings.io.firstside``). The
rows of a match must be together, and matches must be ordered by time. Matches at the same time are
rated in the order of the file.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, BinaryIO

from ratings.history import NEITHER, Columns, History
from ratings.io import firstside
from ratings.io.csvproblems import CsvError, Problem, Problems
from ratings.io.csvrows import Rows, positions
from ratings.io.packed import open_file
from ratings.matches import LARGEST_PLACE, LARGEST_WEIGHT, LOWEST_CEILING

if TYPE_CHECKING:
    from pathlib import Path

REQUIRED = ("match_id", "played_at", "side", "place", "player")
OPTIONAL = (
    "score",
    "seconds",
    "quit",
    "profession",
    "weight",
    "perf_ceiling",
    *firstside.COLUMNS,
)
OF_MATCH = ("played_at", "weight", "perf_ceiling")
OF_SIDE = ("place", "score")

YES = {"1", "true", "yes"}
NO = {"0", "false", "no"}
LONGEST_NAME = 200

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True)
class Layout:
    """The columns of a file to read, if not only those of their own name."""

    context: str = ""
    """The column read as the profession, such as the surface or the map."""
    first_side: str = ""
    """The column that says which side is first."""
    others: bool = False
    """Whether the file may have further columns, which are ignored."""

    def positions(self, header: list[str], problems: Problems) -> dict[str, int]:
        """Return the index of each column to read. Raises ``CsvError``."""
        chosen = [name for name in (self.context, self.first_side) if name]
        known = [*OPTIONAL, *(name for name in chosen if name not in (*REQUIRED, *OPTIONAL))]
        where = positions(header, REQUIRED, known, problems, others=self.others)
        for name in chosen:
            if name not in header:
                problems.add(f"there is no column “{name[:40]}”", line=1)
        problems.raise_problems()
        if self.context:
            where["profession"] = where[self.context]
        return where


def is_history(path: Path) -> bool:
    """Return whether the header of a file has the required columns. Raises ``OSError``."""
    try:
        with open_file(path) as stream:
            header = Rows(stream, Problems()).header
    except CsvError:
        return False
    return set(REQUIRED) <= set(header)


def read_file(path: Path, layout: Layout | None = None) -> History:
    """Read the history in a file. Raises ``CsvError`` with all its problems, or ``OSError``."""
    with open_file(path) as stream:
        return read(stream, layout)


def read(stream: BinaryIO, layout: Layout | None = None) -> History:
    """Read the history in a stream of bytes. Raises ``CsvError`` with all its problems."""
    layout = layout or Layout()
    problems = Problems()
    rows = Rows(stream, problems)
    reader = _Reader(layout.positions(rows.header, problems), problems, layout.first_side)
    for line, cells in rows:
        reader.row(line, cells)
    reader.end()
    problems.raise_problems()
    if not reader.columns.match_ids:
        raise CsvError([Problem("there are no matches below the header")])
    return reader.columns.history()


@lru_cache(maxsize=1024)
def microseconds(text: str) -> int:
    """Return an ISO 8601 time, in UTC by default, as microseconds since 1970.

    Raises ``ValueError``.
    """
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    try:
        moment = moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("the time is before the year 1 or after 9999 in UTC") from None
    return (moment - EPOCH) // _MICROSECOND


@dataclass
class _Side:
    line: int
    cells: list[str]
    place: int
    score: float
    player: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    quits: list[bool] = field(default_factory=list)
    profession: list[int] = field(default_factory=list)


class _Reader:
    """Collects the rows of a match, then checks it as a whole and adds it to the columns."""

    def __init__(self, where: dict[str, int], problems: Problems, first_side: str) -> None:
        given = [name for name in firstside.COLUMNS if name in where]
        self._first_side = first_side or (given[0] if given else "")
        self.columns = Columns()
        self._where = where
        self._problems = problems
        self._id_at = where["match_id"]
        self._of_match = [(name, where[name]) for name in OF_MATCH if name in where]
        self._of_side = [(name, where[name]) for name in OF_SIDE if name in where]
        self._match_id = ""
        self._rows: list[tuple[int, list[str]]] = []
        self._ended: dict[str, int] = {}
        self._latest: tuple[int, str] | None = None

    def row(self, line: int, cells: list[str]) -> None:
        match_id = cells[self._id_at].strip()
        if match_id != self._match_id or not self._rows:
            self.end()
            self._match_id = match_id
        self._rows.append((line, cells))

    def end(self) -> None:
        """Complete the match whose rows were collected."""
        if not self._rows:
            return
        line = self._rows[0][0]
        found = len(self._problems.found)
        self._check_id(line)
        time = self._time()
        weight = self._number(line, self._rows[0][1], "weight", 1.0, above=0, most=LARGEST_WEIGHT)
        ceiling = self._ceiling()
        sides = self._sides()
        first = self._first(list(sides))
        if len(sides) == 1 and len(self._problems.found) == found:
            message = f"match {self._match_id} has only one side; a match needs at least two"
            self._problems.add(message, line, "side")
        if len(self._problems.found) == found:
            self.columns.first.append(first)
            self._keep(time, weight, ceiling, list(sides.values()))
        self._rows = []

    def _check_id(self, line: int) -> None:
        if not self._match_id:
            self._problems.add("is empty; every row must name its match", line, "match_id")
        elif self._match_id in self._ended:
            message = (
                f"match {self._match_id} was already on line {self._ended[self._match_id]}; "
                "keep the rows of a match together, and give each match its own id"
            )
            self._problems.add(message, line, "match_id")
        else:
            self._ended[self._match_id] = line

    def _time(self) -> int:
        line, first = self._rows[0]
        text = first[self._where["played_at"]].strip()
        try:
            time = microseconds(text)
        except (ValueError, OverflowError):
            message = (
                f"“{text[:40]}” is not a date; write it like 2024-05-31 or 2024-05-31T19:30:00Z"
            )
            self._problems.add(message, line, "played_at")
            return 0
        if self._latest and time < self._latest[0]:
            message = (
                f"{text} is before the match above it ({self._latest[1]}); "
                "sort the file by played_at, oldest first"
            )
            self._problems.add(message, line, "played_at")
        else:
            self._latest = (time, text)
        return time

    def _sides(self) -> dict[str, _Side]:
        sides: dict[str, _Side] = {}
        at = self._where["side"]
        first_line, first = self._rows[0]
        seen: set[int] = set()
        for line, cells in self._rows:
            for name, column in self._of_match:
                if cells[column] != first[column]:
                    self._differs(line, name, f"match {self._match_id}", first_line, first, cells)
            name = cells[at].strip()
            side = sides.get(name)
            if side is None:
                side = sides[name] = self._side(line, cells, name)
            else:
                for column_name, column in self._of_side:
                    if cells[column] != side.cells[column]:
                        self._differs(
                            line, column_name, f"side {name}", side.line, side.cells, cells
                        )
            self._participant(side, line, cells, seen)
        return sides

    def _differs(
        self, line: int, name: str, of: str, first_line: int, first: list[str], cells: list[str]
    ) -> None:
        here, there = (row[self._where[name]].strip() for row in (cells, first))
        if here != there:
            message = f"“{here[:40]}” here but “{there[:40]}” on line {first_line}, for {of}"
            self._problems.add(message, line, name)

    def _side(self, line: int, cells: list[str], name: str) -> _Side:
        if not name:
            self._problems.add("is empty; name the side, such as 1 or red", line, "side")
        place = cells[self._where["place"]].strip()
        # int() alone would accept 1_0 and the digits of every script.
        if not (place.isascii() and place.isdigit() and len(place) <= len(str(LARGEST_PLACE))):
            message = f"“{place[:40]}” is not a place; write a whole number, 0 for the best"
            self._problems.add(message, line, "place")
            place = "0"
        return _Side(line, cells, int(place), self._number(line, cells, "score", math.nan))

    def _participant(self, side: _Side, line: int, cells: list[str], seen: set[int]) -> None:
        player = cells[self._where["player"]].strip()
        code = self.columns.players.get(player)
        if code is None:
            self._check_name(line, player)
            code = self.columns.player_code(player)
        if code in seen:
            message = f"{player} is in match {self._match_id} twice"
            self._problems.add(message, line, "player")
        seen.add(code)
        side.player.append(code)
        side.seconds.append(self._number(line, cells, "seconds", math.nan, least=0))
        side.quits.append(self._quit(line, cells))
        profession = self._cell(cells, "profession")
        side.profession.append(self.columns.profession_code(profession) if profession else 0)

    def _check_name(self, line: int, player: str) -> None:
        if not player:
            self._problems.add("is empty; every row must name its player", line, "player")
        elif not player.isprintable():
            hidden = next(letter for letter in player if not letter.isprintable())
            message = f"has an invisible character (U+{ord(hidden):04X}); remove it"
            self._problems.add(message, line, "player")
        elif len(player) > LONGEST_NAME:
            message = f"is longer than {LONGEST_NAME} characters"
            self._problems.add(message, line, "player")

    def _cell(self, cells: list[str], column: str) -> str:
        at = self._where.get(column)
        return "" if at is None else cells[at].strip()

    def _quit(self, line: int, cells: list[str]) -> bool:
        text = self._cell(cells, "quit").casefold()
        if text and text not in YES | NO:
            message = f"“{text[:40]}” is not yes or no; write 1 for players who quit, 0 otherwise"
            self._problems.add(message, line, "quit")
        return text in YES

    def _ceiling(self) -> float:
        line, cells = self._rows[0]
        if self._cell(cells, "perf_ceiling").casefold() in {"inf", "infinity"}:
            return math.inf
        return self._number(line, cells, "perf_ceiling", math.inf, least=LOWEST_CEILING)

    def _number(
        self,
        line: int,
        cells: list[str],
        column: str,
        default: float,
        *,
        above: float = -math.inf,
        least: float = -math.inf,
        most: float = math.inf,
    ) -> float:
        text = self._cell(cells, column)
        if not text:
            return default
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if math.isfinite(number) and above < number and least <= number <= most:
            return number
        bounds = [
            f"more than {above:g}" if above > -math.inf else "",
            f"at least {least:.0f}" if least > -math.inf else "",
            f"at most {most:.0f}" if most < math.inf else "",
        ]
        wanted = " and ".join(bound for bound in bounds if bound)
        message = f"“{text[:40]}” must be a number {wanted}".rstrip()
        self._problems.add(message, line, column)
        return default

    def _first(self, sides: list[str]) -> int:
        """Return the index of the first side, or -1."""
        if not self._first_side:
            return NEITHER
        side, column = self._where["side"], self._where[self._first_side]
        cells = [(row[side].strip(), row[column]) for _, row in self._rows]
        try:
            return firstside.find(self._first_side, cells, sides)
        except firstside.NotASide as error:
            self._problems.add(str(error), self._rows[0][0], self._first_side)
            return NEITHER

    def _keep(self, time: int, weight: float, ceiling: float, sides: list[_Side]) -> None:
        columns = self.columns
        columns.match_ids.append(self._match_id)
        columns.times.append(time)
        columns.weights.append(weight)
        columns.perf_ceilings.append(ceiling)
        columns.side_counts.append(len(sides))
        for side in sides:
            columns.places.append(side.place)
            columns.scores.append(side.score)
            columns.sizes.append(len(side.player))
            columns.player.extend(side.player)
            columns.seconds.extend(side.seconds)
            columns.quits.extend(side.quits)
            columns.profession.extend(side.profession)
