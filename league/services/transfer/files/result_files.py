"""Read files of results with one row for each match: two sides and their scores.

A ``Mapping`` names the columns. In a file with a column ``neutral``, the first side is at home
unless it says yes. All other columns are stored with the match as information. Files in the replay
format (one row for each participant) are read by ``ratings.io.csvfile``.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING

from league.models.names import fold
from league.services.transfer.files.repeats import EACH, describe_repeat
from ratings.history import NEITHER, Columns, History
from ratings.io import csvfile, firstside
from ratings.io.csvproblems import CsvError, Problem, Problems
from ratings.io.csvrows import Rows
from ratings.io.firstside import NEUTRAL

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence
    from pathlib import Path


@dataclass(frozen=True)
class Mapping:
    """The columns of a file. The higher score wins, and equal scores are a draw."""

    played_at: str = "date"
    first: str = "home_team"
    second: str = "away_team"
    first_score: str = "home_score"
    second_score: str = "away_score"

    @classmethod
    def parse(cls, text: str) -> Mapping:
        """Parse a mapping such as ``played_at=date,first=home,…``. Raises ``CsvError``."""
        names = {one.name for one in fields(cls)}
        given: dict[str, str] = {}
        for part in text.split(","):
            name, equals, column = part.partition("=")
            if not equals or name.strip() not in names or not column.strip():
                raise CsvError(
                    [
                        Problem(
                            f"invalid mapping “{part}”: write NAME=COLUMN, where NAME is one of "
                            f"{', '.join(sorted(names))}"
                        )
                    ]
                )
            given[name.strip()] = column.strip()
        return cls(**given)

    @property
    def columns(self) -> list[str]:
        return [getattr(self, one.name) for one in fields(self)]


@dataclass(frozen=True)
class ResultFile:
    """A history, with further information on each match."""

    history: History
    information: list[dict[str, str]]
    lines: list[int] = field(default_factory=list)
    """The line of each match, if the file has one line for each."""


def read(path: Path, mapping: Mapping | None = None, repeats: str = "") -> ResultFile:
    """Read a file of either format; its header shows which one it is.

    ``repeats`` says what lines are that repeat another one. They are refused if it is empty.

    Raises:
        CsvError: lists all problems by line.
        OSError: the file cannot be read.
    """
    with path.open("rb") as stream:
        header = Rows(stream, Problems()).header
    if mapping is None and "match_id" in header:
        history = csvfile.read_file(path)
        return ResultFile(history, [{} for _ in range(len(history))])
    return read_results(path, mapping or Mapping(), repeats)


def read_results(path: Path, mapping: Mapping, repeats: str) -> ResultFile:
    """Read a file with one row for each match. Raises as :func:`read`."""
    problems = Problems()
    with path.open("rb") as stream:
        rows = Rows(stream, problems)
        check_header(rows.header, mapping, problems)
        reader = Reader(rows.header, mapping, problems, repeats)
        for line, cells in rows:
            reader.row(line, cells)
    problems.raise_problems()
    if not reader.lines:
        raise CsvError([Problem("there are no matches below the header")])
    return ResultFile(reader.columns.history(), reader.information, reader.lines)


def check_header(header: Sequence[str], mapping: Mapping, problems: Problems) -> None:
    missing = [column for column in mapping.columns if column not in header]
    if missing:
        problems.add(
            f"no column {', '.join(missing)}; the file needs match_id, played_at, side, place and "
            f"player (one row for each player), or {', '.join(mapping.columns)} (one row for each "
            "match)",
            line=1,
        )
    twice = [name for name, count in Counter(header).items() if count > 1]
    if twice:
        problems.add(f"column {twice[0]} appears twice", line=1)
    problems.raise_problems()


class Reader:
    """Convert rows to columns and collect their problems."""

    def __init__(
        self, header: list[str], mapping: Mapping, problems: Problems, repeats: str
    ) -> None:
        self.columns = Columns()
        self.information: list[dict[str, str]] = []
        self.lines: list[int] = []
        self.mapping = mapping
        self.problems = problems
        self.repeats = repeats
        self.firsts: dict[Hashable, int] = {}
        self.where = {column: header.index(column) for column in mapping.columns}
        self.neutral = header.index(NEUTRAL) if NEUTRAL in header else None
        self.extra = [
            (name, at) for at, name in enumerate(header) if name and name not in self.where
        ]
        self.repetitions: Counter[str] = Counter()
        self.latest = -math.inf

    def row(self, line: int, cells: list[str]) -> None:
        found = len(self.problems.found)
        time = self.time(line, cells)
        players = [self.player(line, cells, name) for name in ("first", "second")]
        scores = [self.score(line, cells, name) for name in ("first_score", "second_score")]
        first = self.first(line, cells)
        if players[0] == players[1]:
            self.problems.add(f"{players[0]} is in this match twice", line, self.mapping.second)
        if len(self.problems.found) == found:
            self.columns.first.append(first)
            self.keep(line, time, players, scores, cells)

    def first(self, line: int, cells: list[str]) -> int:
        """Return 0 if the first side is at home, -1 on neutral ground and if the file is silent."""
        if self.neutral is None:
            return NEITHER
        try:
            return firstside.find(NEUTRAL, [("", cells[self.neutral])], ["", ""])
        except firstside.NotASide as error:
            self.problems.add(str(error), line, NEUTRAL)
            return NEITHER

    def cell(self, cells: list[str], name: str) -> tuple[str, str]:
        column = getattr(self.mapping, name)
        return column, cells[self.where[column]].strip()

    def time(self, line: int, cells: list[str]) -> int:
        column, written = self.cell(cells, "played_at")
        try:
            time = csvfile.microseconds(written)
        except (ValueError, OverflowError):
            self.problems.add(
                f"“{written[:40]}” is not a date; write 2024-05-31 or 2024-05-31T19:30:00Z",
                line,
                column,
            )
            return 0
        if time < self.latest:
            self.problems.add(
                f"{written} is before the match above it; sort the file by date, oldest first",
                line,
                column,
            )
        self.latest = max(self.latest, time)
        return time

    def player(self, line: int, cells: list[str], name: str) -> str:
        column, written = self.cell(cells, name)
        if not written:
            self.problems.add("is empty; every row must name both sides", line, column)
        return written

    def score(self, line: int, cells: list[str], name: str) -> float:
        column, written = self.cell(cells, name)
        try:
            score = float(written)
        except ValueError:
            score = math.nan
        if not math.isfinite(score):
            self.problems.add(f"“{written[:40]}” is not a score; write a number", line, column)
        return score

    def keep(
        self, line: int, time: int, players: list[str], scores: list[float], cells: list[str]
    ) -> None:
        """Add the match, unless it only repeats one. Its id is the same each time it is read."""
        identity = ":".join([self.cell(cells, "played_at")[1], *players])
        self.repetitions[identity] += 1
        result = time, frozenset(zip(map(fold, players), scores, strict=True))
        if (first := self.firsts.setdefault(result, line)) != line and self.repeats != EACH:
            if not self.repeats:
                repeat = describe_repeat(line, first)
                self.problems.add(f"{repeat}; choose whether it counts: --repeats once or each")
            return
        if self.repetitions[identity] > 1:
            identity = f"{identity}:{self.repetitions[identity]}"
        columns = self.columns
        columns.match_ids.append(identity)
        columns.times.append(time)
        columns.weights.append(1.0)
        columns.perf_ceilings.append(math.inf)
        columns.side_counts.append(2)
        best = max(scores)
        for player, score in zip(players, scores, strict=True):
            columns.places.append(0 if score == best else 1)
            columns.scores.append(score)
            columns.sizes.append(1)
            columns.player.append(columns.player_code(player))
            columns.seconds.append(math.nan)
            columns.quits.append(False)
            columns.profession.append(0)
        self.lines.append(line)
        self.information.append({name: cells[at] for name, at in self.extra if cells[at]})
