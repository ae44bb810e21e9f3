"""Results of a table that has a row for each match."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ratings.files import dates, scores
from ratings.files.columns import players_of
from ratings.files.names import fold
from ratings.files.orders import read_order
from ratings.files.problems import NotPlayed, Problem, UnreadablePart
from ratings.files.results import Result, ResultSide
from ratings.files.scores import (
    DRAW,
    DRAWS,
    FIRST,
    FIRST_WORDS,
    HALVES,
    SECOND,
    SECOND_WORDS,
    Ending,
)
from ratings.files.sides import COMMAS, split_names
from ratings.history import NEITHER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ratings.files.dates import DateOrder
    from ratings.files.tables import Table

YES = {"yes", "y", "x", "1", "true", "void", "ja"}
AWAY = "@"
"""A sign between the sides that the second one is at home, as in lists of American leagues."""
SCORES = ("score_1", "score_2")
CLOCK = re.compile(r"(\d{1,2})(\d{2})")
Placings = tuple[list[int], list[float | None], bool]
"""The places and scores of the sides, and whether it is a forfeit."""


@dataclass(frozen=True)
class GameRules:
    """The rules of a game that its files depend on."""

    lower_wins: bool = False
    """Whether the lower score wins, as in golf."""
    teams: bool = False
    """Whether a side can have several players, whom a cell names with signs between them."""
    names_of_teams: frozenset[str] = frozenset()
    """Folded names of teams, which are never divided at a sign."""


@dataclass
class RowReader:
    """Reads rows by the meanings of their columns."""

    columns: Mapping[str, int]
    rules: GameRules
    date_order: DateOrder | None = None
    has_home: bool = False
    """Whether the first side is at home, or has White, where no cell says otherwise."""
    has_ties: bool = False
    """Whether a winner and a loser with the same score drew."""
    calls: tuple[set[str], set[str]] = (set(), set())
    """The names by which a cell can call both sides, from those of their columns."""
    separators: re.Pattern[str] = COMMAS
    """The separators of the names in a cell of a side."""
    problems: list[Problem] = field(default_factory=list)
    unplayed: list[int] = field(default_factory=list)
    """Lines of matches that were not played, or whose result is missing."""
    is_unplayed: bool = False
    """Whether the row that was read last is such a line."""

    def read_table(self, table: Table) -> Iterator[Result]:
        """Yield the results that can be read. ``problems`` and ``unplayed`` have the others."""
        for line, cells in table.cells:
            before = len(self.problems)
            result = self.read(line, cells)
            if len(self.problems) == before:
                yield result
            elif self.is_unplayed and len(result.sides) == 2:
                del self.problems[before:]
                self.unplayed.append(line)

    def read(self, line: int, cells: Sequence[str]) -> Result:
        """Return the result of a row, after noting everything that is wrong with it."""
        result, self.is_unplayed = Result(line, [], round=self.cell(cells, "round")), False
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
            self.is_unplayed = self.is_unplayed or isinstance(error, NotPlayed)
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
        if "played_at" not in self.columns:
            return
        hour = self.cell(cells, "time")
        if found := CLOCK.fullmatch(hour):
            hour = f"{found[1]}:{found[2]}"
        text = f"{self.cell(cells, 'played_at')} {hour}".strip()
        try:
            read = dates.read(text, self.date_order)
        except ValueError:
            raise UnreadablePart(
                "“%(text)s” is not a date. Write 2024-05-31 or 2024-05-31 19:30.", text=text[:40]
            ) from None
        result.played_at, result.has_hour = read.at, read.has_hour

    def read_sides(self, result: Result, cells: Sequence[str]) -> None:
        sides = self.sides(cells)
        result.sides = [ResultSide(names, 0) for names in sides if names]
        if not all(sides):
            raise UnreadablePart("Name both sides.")

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
        words = (FIRST_WORDS | {"yes", "true"}, SECOND_WORDS | {"0", "no", "false", AWAY})
        for at, side in enumerate(result.sides):
            if said in map(fold, side.names) or said in words[at]:
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

    def names_winner(self) -> bool:
        """Return whether columns name the winner and the loser instead of two sides."""
        return "loser" in self.columns and "side_2" not in self.columns

    def sides(self, cells: Sequence[str]) -> list[list[str]]:
        """Return the players of each side, none of one that is missing."""
        if self.is_order(cells):
            written, _places = read_order(self.cell(cells, "order"))
            return [split_names(side, self.rules, self.separators) for side in written]
        pair = ("winner", "loser") if self.names_winner() else ("side_1", "side_2")
        return [self.side(cells, name) for name in pair]

    def side(self, cells: Sequence[str], name: str) -> list[str]:
        """Return the players of a side, who have a column together or one each."""
        columns = players_of(name, self.columns)
        if len(columns) > 1:
            return [cells[at].strip() for at in columns if cells[at].strip()]
        text = self.cell(cells, name)
        return split_names(text, self.rules, self.separators) if text else []

    def duel(self, cells: Sequence[str]) -> Placings:
        """Return the places and scores of a match of two sides, and whether it is a forfeit."""
        ending = scores.ending_of(self.cell(cells, "ending"))
        if not ending:
            return self.of_winner(cells) if self.names_winner() else self.of_sides(cells)
        if self.names_winner():
            return [0, 1], [None, None], ending is Ending.WALKOVER
        if ending is Ending.RETIRED and not self.cell(cells, "winner"):
            raise UnreadablePart("A side retired, and no column says which one won.")
        places, _points, _forfeit = self.of_sides(cells)
        if places[0] == places[1]:
            raise UnreadablePart("No game was played, and nothing says which side won.")
        return places, [None, None], ending is Ending.WALKOVER

    def of_sides(self, cells: Sequence[str]) -> Placings:
        """Return the places and scores of two sides of which either can have won."""
        result, winner = self.cell(cells, "result"), self.cell(cells, "winner")
        won = self.won_by(winner, self.sides(cells)) if winner else ""
        absent = [scores.is_absent(self.cell(cells, name)) for name in SCORES]
        if any(absent):
            return list(map(int, absent)) if not all(absent) else [0, 0], [None, None], True
        if result:
            return self.of_result(cells, result, won)
        points = self.scores(cells)
        if won:
            return scores.Written(won).places, points, False
        places = self.places_of(points)
        if places is None:
            raise NotPlayed("Give both scores, or the winner.")
        return places, points, False

    def places_of(self, points: Sequence[float | None]) -> list[int] | None:
        """Return the places for two scores, None if one is unknown."""
        if points[0] is None or points[1] is None:
            return None
        first, second = (-one if self.rules.lower_wins else one for one in (points[0], points[1]))
        return [int(first < second), int(second < first)]

    def of_result(self, cells: Sequence[str], result: str, won: str) -> Placings:
        """Return the places and scores of a cell with a result, or with the name of the winner.

        Columns of scores beside it count if it has none itself, and more than it if they differ:
        in some files 0 is a win of the first side.
        """
        try:
            places, points, forfeit = self.as_written(result, won)
        except NotPlayed:
            raise
        except UnreadablePart:
            try:
                won = won or self.won_by(result, self.sides(cells))
            except UnreadablePart:
                won = ""
            if not won:
                raise
            places, points, forfeit = scores.Written(won).places, [None, None], False
        if points == [None, None] and not forfeit:
            points = self.scores(cells)
            if not won and points[0] != points[1]:
                places = self.places_of(points) or places
        return places, points, forfeit

    def of_winner(self, cells: Sequence[str]) -> Placings:
        """Return the places and scores of the winner and the loser.

        A score of 0 for both is that of a walkover.
        """
        result = self.cell(cells, "result")
        if any(scores.is_absent(self.cell(cells, name)) for name in SCORES):
            return [0, 1], [None, None], True
        places, points, forfeit = (
            self.as_written(result, FIRST) if result else ([0, 1], self.scores(cells), False)
        )
        if points[0] is None or points[0] != points[1]:
            return places, points, forfeit
        if not any(points):
            return [0, 1], [None, None], True
        return ([0, 0] if self.has_ties else places), points, forfeit

    def as_written(self, result: str, winner: str) -> Placings:
        """Return the places and scores of a result as people write it, such as 11:7 9:11 11:5."""
        found = scores.read(result, lower_wins=self.rules.lower_wins, winner=winner)
        return found.places, list(found.score or (None, None)), found.forfeit

    def scores(self, cells: Sequence[str]) -> list[float | None]:
        return [number(self.cell(cells, name)) for name in SCORES]

    def won_by(self, winner: str, sides: Sequence[Sequence[str]]) -> str:
        """Return which side a cell with the winner means, by name or by a word for it."""
        said = fold(winner)
        for side, names in zip((FIRST, SECOND), sides, strict=False):
            if said in {*map(fold, names), fold(", ".join(names))}:
                return side
        for side, called in zip((FIRST, SECOND), self.calls, strict=True):
            if said in called:
                return side
        if said in DRAWS | HALVES:
            return DRAW
        if said in FIRST_WORDS | SECOND_WORDS:
            return FIRST if said in FIRST_WORDS else SECOND
        raise UnreadablePart(
            "“%(text)s” is not the winner. Write 1, 2, draw, or the name of a side.",
            text=winner[:40],
        )

    def order(self, cells: Sequence[str]) -> tuple[list[int], list[float | None]]:
        """Return the places and scores of an order of finish."""
        try:
            _sides, places = read_order(self.cell(cells, "order"))
        except UnreadablePart:  # which is said once
            return [], []
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
