"""Crosstables as clubs keep them: names down and across, and results in the cells.

In a table of a single round, the cells of a pair on both sides of the diagonal are the same game,
seen by each player. In one of two legs they are two games, and the side of the row is at home.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

from ratings.files import scores
from ratings.files.names import fold
from ratings.files.problems import NotPlayed, Problem, UnreadablePart
from ratings.files.results import Result, ResultSide
from ratings.history import NEITHER
from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ratings.files.documents import Found
    from ratings.files.scores import Written
    from ratings.files.tables import Table

FEWEST, MOST = 3, 250
"""Rows of a crosstable."""
DIAGONAL = re.compile(r"[\Wx_0]*", re.IGNORECASE)
DASHES = set("-–— ")
POINTS = re.compile(r"\d{1,6}(?:[.,]\d)?½?|½")
CHESS_POINTS = {"0", "½", "1", "0.5", "0,5"}
SEVERAL = re.compile(r"[10½=+-](?:[\s,/]*[10½=+-])+")
"""Points of several games of chess in a cell, such as 1½ or 1 0."""
AGREEING = 0.8
"""The share of pairs from which cells on both sides of the diagonal are the same game."""

Cells = dict[tuple[int, int], str]


@dataclass
class Crosstable:
    """The part of a table that is a crosstable."""

    names: list[str]
    lines: list[int]
    cells: Cells
    """The texts by row and column. Empty cells are not there."""
    lower_wins: bool = False

    @cached_property
    def has_own_scores(self) -> bool:
        """Whether each cell has the score of its row alone, and its mirror that of the other."""
        texts = {text for (down, across), text in self.cells.items() if down != across}
        return all(map(POINTS.fullmatch, texts)) and not texts <= CHESS_POINTS

    def games(self, at: tuple[int, int]) -> list[Written]:
        """Return the games in a cell, none if they were not played. Raises ``UnreadablePart``."""
        text = self.cells.get(at, "")
        if not text or set(text) <= DASHES:
            return []
        if self.has_own_scores:
            return self.by_own_scores(at)
        if text in CHESS_POINTS:
            return [by_points(text)]
        try:
            return [scores.read(text, lower_wins=self.lower_wins)]
        except NotPlayed:
            return []
        except UnreadablePart:
            if not SEVERAL.fullmatch(text):
                raise
        return [by_points(one) for one in re.sub(r"[\s,/]", "", text)]

    def by_own_scores(self, at: tuple[int, int]) -> list[Written]:
        other = self.cells.get(at[::-1])
        if not other:
            return []
        points = (scores.number(self.cells[at]), scores.number(other))
        return [scores.Written(scores.winner_of(points, lower_wins=self.lower_wins), points)]

    def is_mirrored(self, pair: tuple[int, int]) -> bool | None:
        """Return whether both cells of a pair tell the same game, None if one is empty."""
        one, other = self.games(pair), self.games(pair[::-1])
        if not one or not other:
            return None
        return [view(game) for game in one] == [view(game)[::-1] for game in other]


def by_points(text: str) -> Written:
    """Return a game of chess by the points of one player. Raises ``UnreadablePart``."""
    if text not in CHESS_POINTS:
        return scores.read(text)
    points = scores.number(text)
    both = (points, 1 - points)
    return scores.Written(scores.winner_of(both, lower_wins=False), both)


def view(game: Written) -> tuple[object, object]:
    """Return what a game gives each side."""
    return (game.places[0], game.score and game.score[0]), (
        game.places[1],
        game.score and game.score[1],
    )


def find(table: Table, *, lower_wins: bool = False) -> Crosstable | None:
    """Return the crosstable in a table, None if it has none.

    Its columns are called as its rows, or by their numbers.
    """
    if not FEWEST <= len(table.cells) <= MOST:
        return None
    by_name = {fold(name): at for at, name in enumerate(table.header) if name}
    for names_at in range(min(len(table.header), 4)):
        named = [
            (line, row)
            for line, row in table.cells
            if (at := by_name.get(fold(row[names_at]))) is not None and DIAGONAL.fullmatch(row[at])
        ]
        rows = named if len(named) >= FEWEST else list(table.cells)
        names = [row[names_at] for _line, row in rows]
        if len({fold(name) for name in names}) < len(names) or any(map(str.isdecimal, names)):
            continue
        across = [by_name.get(fold(name), -1) for name in names]
        if rows is not named:
            across = number_columns(table.header, names)
        if -1 in across or names_at in across or not across:
            continue
        found = make(rows, names, across, lower_wins=lower_wins)
        if is_crosstable(found):
            return found
    return None


def number_columns(header: Sequence[str], names: Sequence[str]) -> list[int]:
    """Return the columns that are called 1, 2, 3 and so on, one for each name; none otherwise."""
    wanted = [str(number) for number in range(1, len(names) + 1)]
    start = header.index("1") if "1" in header else len(header)
    plain = [name.strip(" .#") for name in header]
    if plain[start : start + len(wanted)] != wanted:
        return []
    return list(range(start, start + len(wanted)))


def make(
    rows: Sequence[tuple[int, list[str]]],
    names: Sequence[str],
    across: Sequence[int],
    *,
    lower_wins: bool,
) -> Crosstable:
    cells = {
        (down, at): row[column].strip()
        for down, (_line, row) in enumerate(rows)
        for at, column in enumerate(across)
        if row[column].strip()
    }
    return Crosstable(list(names), [line for line, _row in rows], cells, lower_wins)


def is_crosstable(table: Crosstable) -> bool:
    """Return whether the diagonal has nothing to say, and most other cells have results."""
    own = [table.cells.get((at, at), "") for at in range(len(table.names))]
    if not all(map(DIAGONAL.fullmatch, own)):
        return False
    others = [at for at in table.cells if at[0] != at[1]]
    return bool(others) and sum(is_readable(table, at) for at in others) >= AGREEING * len(others)


def is_readable(table: Crosstable, at: tuple[int, int]) -> bool:
    try:
        table.games(at)
    except UnreadablePart:
        return False
    return True


def has_legs(table: Crosstable) -> bool:
    """Return whether cells on both sides of the diagonal are two games."""
    pairs = [pair for pair in combinations(range(len(table.names)), 2) if both(table, pair)]
    agreeing = [pair for pair in pairs if table.is_mirrored(pair) is not False]
    return len(agreeing) < AGREEING * len(pairs)


def both(table: Crosstable, pair: tuple[int, int]) -> bool:
    return is_readable(table, pair) and is_readable(table, pair[::-1])


def read(table: Crosstable, found: Found, *, legs: bool) -> None:
    """Add the results of a crosstable, of one game for each pair or of two legs."""
    for down, line in enumerate(table.lines):
        for across in range(len(table.names)):
            pair = (down, across)
            if down == across or (not legs and down > across and pair[::-1] in table.cells):
                continue
            try:
                games = games_of(table, pair, legs=legs)
            except UnreadablePart as error:
                found.problems.append(Problem(line, in_cell(table, pair, error.sentence)))
                continue
            found.results += results_of(table, pair, games, first=0 if legs else NEITHER)
    found.remarks.append(
        Sentence(
            "This is a crosstable of two legs: the cells of a pair are two games, and the side of "
            "the row is at home."
        )
        if legs
        else Sentence("This is a crosstable: both cells of a pair are the same game.")
    )


def games_of(table: Crosstable, pair: tuple[int, int], *, legs: bool) -> list[Written]:
    """Return the games in a cell. Raises ``UnreadablePart`` if its mirror tells another game."""
    if not legs and table.is_mirrored(pair) is False:
        raise UnreadablePart(
            "says “%(one)s”, and its mirror says “%(other)s”.",
            one=table.cells[pair][:40],
            other=table.cells[pair[::-1]][:40],
        )
    return table.games(pair)


def in_cell(table: Crosstable, pair: tuple[int, int], sentence: Sentence) -> Sentence:
    row, column = (table.names[at][:40] for at in pair)
    return Sentence(
        "The cell of “%(row)s” against “%(column)s”: %(why)s", row=row, column=column, why=sentence
    )


def results_of(
    table: Crosstable, pair: tuple[int, int], games: Sequence[Written], *, first: int
) -> Iterator[Result]:
    for game in games:
        points = game.score or (None, None)
        sides = [
            ResultSide([table.names[at]], place, score)
            for at, place, score in zip(pair, game.places, points, strict=True)
        ]
        yield Result(table.lines[pair[0]], sides, first=first, forfeit=game.forfeit, has_hour=False)
