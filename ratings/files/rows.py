"""Results of a table that has a row for each match."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ratings.files import dates, scores
from ratings.files.names import fold
from ratings.files.problems import Problem, UnreadablePart
from ratings.files.results import Result, ResultSide
from ratings.history import NEITHER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ratings.files.dates import DateOrder
    from ratings.files.tables import Table

YES = {"yes", "y", "x", "1", "true", "void", "ja"}
DRAWS = {"draw", "tie", "tied", "drawn", "=", "½", "1/2", "0.5", "remis", "x"}
FIRST_WORDS = {"1", "first", "home", "h", "white", "w", "yes", "true"}
SECOND_WORDS = {"2", "second", "away", "a", "black", "b", "0", "no", "false"}
HALVES = {"½": 0.5, "1/2": 0.5}
RESULT = re.compile(r"\s*(½|1/2|[0-9.]+)\s*[:\-–]\s*(½|1/2|[0-9.]+)\s*\Z")
STEPS = re.compile(r"\s+([>=])\s+|\s*\n\s*")


@dataclass(frozen=True)
class GameRules:
    """The rules of a game that its files depend on."""

    lower_wins: bool = False
    """Whether the lower score wins, as in golf."""
    teams: bool = False
    """Whether a side can have several players, whom a cell names with commas between them."""


@dataclass
class RowReader:
    """Reads rows by the meanings of their columns."""

    columns: Mapping[str, int]
    rules: GameRules
    date_order: DateOrder | None = None
    has_home: bool = False
    """Whether the first side is at home, or has White, where no cell says otherwise."""
    problems: list[Problem] = field(default_factory=list)

    def read_table(self, table: Table) -> Iterator[Result]:
        """Yield the results that can be read. ``problems`` has the others."""
        for line, cells in table.cells:
            before = len(self.problems)
            result = self.read(line, cells)
            if len(self.problems) == before:
                yield result

    def read(self, line: int, cells: Sequence[str]) -> Result:
        """Return the result of a row, after noting everything that is wrong with it."""
        result = Result(line, [], round=self.cell(cells, "round"))
        for step in (
            self.read_number,
            self.read_time,
            self.read_sides,
            self.read_result,
            self.read_first_side,
            self.read_weight,
        ):
            self.try_step(step, result, cells)
        result.mode = self.cell(cells, "mode")
        if context := self.cell(cells, "profession"):
            for side in result.sides:
                side.professions = [context] * len(side.names)
        return result

    def try_step(
        self,
        step: Callable[[Result, Sequence[str]], None],
        result: Result,
        cells: Sequence[str],
    ) -> None:
        try:
            step(result, cells)
        except UnreadablePart as error:
            self.problems.append(Problem(result.line, error.sentence))

    def cell(self, cells: Sequence[str], name: str) -> str:
        at = self.columns.get(name)
        return "" if at is None else cells[at].strip()

    def read_number(self, result: Result, cells: Sequence[str]) -> None:
        text = self.cell(cells, "match").removeprefix("#")
        if text and (not text.isdecimal() or len(text) > 15):
            raise UnreadablePart("“%(text)s” is no match number.", text=text[:40])
        result.number = int(text) if text else None
        result.void = self.cell(cells, "void").casefold() in YES
        if result.void and result.number is None:
            raise UnreadablePart("A line that makes a result void needs its match number.")

    def read_time(self, result: Result, cells: Sequence[str]) -> None:
        text = f"{self.cell(cells, 'played_at')} {self.cell(cells, 'time')}".strip()
        try:
            read = dates.read(text, self.date_order)
        except ValueError:
            raise UnreadablePart(
                "“%(text)s” is not a date. Write 2024-05-31 or 2024-05-31 19:30.", text=text[:40]
            ) from None
        result.played_at, result.has_hour = read.at, read.has_hour

    def read_sides(self, result: Result, cells: Sequence[str]) -> None:
        written = self.sides(cells)
        result.sides = [ResultSide(self.names(side), 0) for side in written if side]
        if all(written):
            return
        if self.is_order(cells):
            raise UnreadablePart("Write the order of finish as Alice > Bob = Charlie.")
        raise UnreadablePart("Name both sides.")

    def names(self, text: str) -> list[str]:
        """Return the players of a side."""
        return [part.strip() for part in text.split(",")] if self.rules.teams else [text]

    def read_result(self, result: Result, cells: Sequence[str]) -> None:
        if self.is_order(cells):
            places, points = self.order(cells)
        else:
            places, points, result.forfeit = self.duel(cells)
        for side, place, score in zip(result.sides, places, points, strict=False):
            side.place, side.score = place, score

    def read_first_side(self, result: Result, cells: Sequence[str]) -> None:
        """Note which side is at home: the first one, or the one that a cell names or counts."""
        said = fold(self.cell(cells, "first"))
        neutral = fold(self.cell(cells, "neutral"))
        if len(result.sides) != 2:
            return
        if neutral in YES or said in {"neutral", "none", "n"}:
            return
        if not said:
            result.first = 0 if self.has_home or "neutral" in self.columns else NEITHER
            return
        names = [fold(text) for text in self.sides(cells)]
        for at, words in enumerate((FIRST_WORDS, SECOND_WORDS)):
            if said == names[at] or said in words:
                result.first = at
                return
        raise UnreadablePart(
            "“%(text)s” does not say which side is first. Write 1, 2, none, or the name of a side.",
            text=said[:40],
        )

    def read_weight(self, result: Result, cells: Sequence[str]) -> None:
        weight = number(self.cell(cells, "weight"))
        result.weight = 1.0 if weight is None else weight

    def is_order(self, cells: Sequence[str]) -> bool:
        return bool(self.cell(cells, "order"))

    def sides(self, cells: Sequence[str]) -> list[str]:
        """Return the sides as they are written, an empty text for one that is missing."""
        if self.is_order(cells):
            return [part or "" for part in STEPS.split(self.cell(cells, "order"))[::2]]
        return [self.cell(cells, "side_1"), self.cell(cells, "side_2")]

    def duel(self, cells: Sequence[str]) -> tuple[list[int], list[float | None], bool]:
        """Return the places and scores of a match of two sides, and whether it is a forfeit."""
        result, winner = self.cell(cells, "result"), self.cell(cells, "winner")
        if result and not winner and RESULT.match(result) is None:
            return self.as_written(result)
        points = self.scores(cells)
        if winner:
            return self.won_by(winner, self.sides(cells)), points, False
        if points[0] is None or points[1] is None:
            raise UnreadablePart("Give both scores, or the winner.")
        first, second = (-one if self.rules.lower_wins else one for one in (points[0], points[1]))
        return [int(first < second), int(second < first)], points, False

    def as_written(self, result: str) -> tuple[list[int], list[float | None], bool]:
        """Return the places and scores of a result as people write it, such as 11:7 9:11 11:5."""
        try:
            found = scores.read(result, lower_wins=self.rules.lower_wins)
        except UnreadablePart:
            text = "“%(text)s” is not a result. Write 3:1."
            raise UnreadablePart(text, text=result[:40]) from None
        return found.places, list(found.score or (None, None)), found.forfeit

    def scores(self, cells: Sequence[str]) -> list[float | None]:
        if parts := RESULT.match(self.cell(cells, "result")):
            return [HALVES.get(part) or number(part) for part in parts.groups()]
        return [number(self.cell(cells, name)) for name in ("score_1", "score_2")]

    def won_by(self, winner: str, sides: Sequence[str]) -> list[int]:
        said = fold(winner)
        if said in DRAWS:
            return [0, 0]
        for at, side in enumerate(sides):
            if said in {str(at + 1), fold(side)}:
                return [at, 1 - at]
        raise UnreadablePart(
            "“%(text)s” is not the winner. Write 1, 2, draw, or the name of a side.",
            text=winner[:40],
        )

    def order(self, cells: Sequence[str]) -> tuple[list[int], list[float | None]]:
        """Return the places and scores of an order of finish."""
        signs = STEPS.split(self.cell(cells, "order"))[1::2]
        places = [0]
        for at, sign in enumerate(signs, start=1):
            places.append(places[-1] if sign == "=" else at)
        if not (result := self.cell(cells, "result")):
            return places, [None] * len(places)
        values = [number(part) for part in re.split(r"\s*[;:/|]\s*", result)]
        if len(values) != len(places):
            raise UnreadablePart("Give a score for each side, separated by colons.")
        return places, values


def number(text: str) -> float | None:
    """Return a number as it is written, with a point or a comma. None if there is none."""
    if not text:
        return None
    try:
        value = float(text.replace(",", "."))
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise UnreadablePart("“%(text)s” is not a number.", text=text[:40])
    return value
