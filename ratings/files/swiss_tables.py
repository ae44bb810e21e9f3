"""Swiss crosstables: a row for each player, and in each round the opponent's number.

Chess-Results and Swiss-Manager write ``12w1`` or ``3b½``, Vega ``+W12``, and American programs
``W  12`` or ``D 4b``. The numbers are those of the rows, or of a column such as the starting rank:
whichever lets most opponents name each other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ratings.files import rating_lists, scores
from ratings.files.column_guesses import bare
from ratings.files.problems import Problem
from ratings.files.results import Result, ResultSide, StartingRating
from ratings.history import NEITHER
from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ratings.files.documents import Found
    from ratings.files.tables import Table

FEWEST = 2
ROUND = re.compile(r"\D{0,8}(\d{1,2})\D{0,8}")
NUMBER_FIRST = re.compile(r"(\d{1,4})([wbsn-])([10½=+-]|0[.,]5|1/2)(k?)")
"""12w1, 3b½, 7s0, 5w+, 9-1K."""
RESULT_FIRST = re.compile(
    r"([wldxf])([wbsn]?)(\d{1,4})([wbsn]?)|([+=-])(?:([wbsn])(\d{1,4})|(\d{1,4})([wbsn]))"
)
"""W12, D4b, X7, +W12, =3b. A sign needs a colour: -1 is a bye."""
BYE = re.compile(
    r"-?([01½]|0[.,]5|1/2|)(?:bye)?|[-+=]?(?:bye|b|h|u|z|f|spielfrei)(?:-*|-?[01½])|-+"
)
"""A round without an opponent: -1, -½, bye, H---, U---."""
POINTS = {"1": 1.0, "+": 1.0, "w": 1.0, "x": 1.0, "0": 0.0, "-": 0.0, "l": 0.0, "f": 0.0}
FORFEITS = set("+-")
COLOURS = {"w": "w", "b": "b", "s": "b", "n": "b"}
"""Schwarz and negras are Black, too."""
NUMBERS = {"no", "nr", "sno", "snr", "startno", "startnr", "rk", "rg", "rank", "rang", "pos", "id"}
NUMBERS |= {"place", "platz", "pairno", "pairnr", "start", "", "num", "number"}
TOTALS = ("pts", "points", "score", "total", "punkte", "pkt", "pkte", "puntos", "tot")
POINTS_OF_ALL = re.compile(r"\d{1,3}(?:[.,][05]|½)?|½")
BYE_POINTS = re.compile(r"[01½](?:[.,]5|/2)?")
FEW = 5
"""Names in a remark."""


@dataclass(frozen=True)
class SwissCell:
    """A round of a player."""

    opponent: int
    colour: str
    """``w``, ``b``, or empty if the table has no colours."""
    points: float
    forfeit: bool


@dataclass
class SwissTable:
    """The part of a table that is a Swiss crosstable."""

    names: dict[int, str]
    """The players by their numbers."""
    lines: dict[int, int]
    rounds: list[dict[int, SwissCell]]
    """The pairings of each round, by the number of a player."""
    byes: dict[int, float] = field(default_factory=dict)
    """The points of rounds without an opponent."""
    points: dict[int, float] = field(default_factory=dict)
    """The points that the table gives each player."""
    ratings: dict[int, float] = field(default_factory=dict)


def find(table: Table) -> SwissTable | None:
    """Return the Swiss crosstable in a table, None if it has none."""
    columns = round_columns(table)
    name_at = rating_lists.guess_columns(table.header).get("player")
    if not columns or name_at is None or name_at in columns:
        return None
    rows = [row for row in table.cells if row[1][name_at]]
    if len(rows) < FEWEST:
        return None
    read = [make(rows, numbers, name_at, columns) for numbers in possible_numbers(table, rows)]
    found = max(read, key=count_mutual)
    if not count_mutual(found):
        return None
    add_totals(table, found, [cells for _line, cells in rows])
    return found


def add_totals(table: Table, found: SwissTable, rows: Sequence[Sequence[str]]) -> None:
    """Note the ratings and the points of each player."""
    rating_at = rating_lists.guess_columns(table.header).get("rating")
    names = list(map(bare, table.header))
    points_at = next((names.index(name) for name in TOTALS if name in names), None)
    for number, cells in zip(found.names, rows, strict=True):
        rating = "" if rating_at is None else cells[rating_at]
        if rating.isdecimal() and int(rating):
            found.ratings[number] = float(rating)
        points = "" if points_at is None else cells[points_at]
        if POINTS_OF_ALL.fullmatch(points):
            found.points[number] = scores.number(points)


def round_columns(table: Table) -> list[int]:
    """Return the columns of the rounds, which are numbered from 1 and have nothing but rounds."""
    found: dict[int, int] = {}
    for at, name in enumerate(table.header):
        numbered = ROUND.fullmatch(name.strip())
        if numbered is None or int(numbered[1]) != len(found) + 1:
            continue
        cells = [plain for _line, row in table.cells if (plain := strip(row[at]))]
        paired = [cell for cell in cells if read_cell(cell)]
        others = sum(not BYE.fullmatch(cell) for cell in cells if not read_cell(cell))
        if paired and not others:
            found[len(found) + 1] = at
    return list(found.values())


def strip(text: str) -> str:
    """Return a cell in the form in which it is read."""
    plain = re.sub(r"[\s.]", "", text).casefold()
    return plain.translate(str.maketrans("–—−", "---"))


def read_cell(plain: str) -> SwissCell | None:
    """Return the pairing in a cell, None for a bye and for anything else."""
    if found := NUMBER_FIRST.fullmatch(plain):
        number, colour, sign, kontumaz = found.groups()
        forfeit = sign in FORFEITS or bool(kontumaz)
    elif found := RESULT_FIRST.fullmatch(plain):
        sign, *rest = filter(None, found.groups())
        number = next(filter(str.isdecimal, rest))
        colour, forfeit = "".join(rest).replace(number, ""), sign in "xf"
    else:
        return None
    return SwissCell(int(number), COLOURS.get(colour, ""), POINTS.get(sign, 0.5), forfeit)


def possible_numbers(table: Table, rows: Sequence[tuple[int, list[str]]]) -> Iterator[list[int]]:
    """Yield what the numbers of opponents can mean: a column, or the order of the rows."""
    for at, name in enumerate(table.header):
        cells = [row[at].strip(" .#") for _line, row in rows]
        if bare(name) not in NUMBERS or not all(map(str.isdecimal, cells)):
            continue
        numbers = list(map(int, cells))
        if len(set(numbers)) == len(numbers) and max(numbers) < 10_000:
            yield numbers
    yield list(range(1, len(rows) + 1))


def make(
    rows: Sequence[tuple[int, list[str]]],
    numbers: Sequence[int],
    name_at: int,
    columns: Sequence[int],
) -> SwissTable:
    table = SwissTable({}, {}, [{} for _column in columns])
    for number, (line, cells) in zip(numbers, rows, strict=True):
        table.names[number] = " ".join(cells[name_at].split())
        table.lines[number] = line
        for at, column in enumerate(columns):
            plain = strip(cells[column])
            if cell := read_cell(plain):
                table.rounds[at][number] = cell
            else:
                table.byes[number] = table.byes.get(number, 0) + points_of_bye(plain)
        table.byes.setdefault(number, 0)
    return table


def points_of_bye(plain: str) -> float:
    """Return the points of a round without an opponent."""
    written = BYE_POINTS.search(plain)
    if written:
        return scores.number(written[0])
    return {"b": 1.0, "f": 1.0, "x": 1.0, "+": 1.0, "s": 1.0, "h": 0.5, "=": 0.5}.get(plain[:1], 0)


def count_mutual(table: SwissTable) -> int:
    """Return the number of cells that fit those of their opponents."""
    return sum(
        (back := cells.get(cell.opponent)) is not None
        and back.opponent == number
        and fit(cell, back)
        for cells in table.rounds
        for number, cell in cells.items()
    )


def read(table: SwissTable, found: Found) -> None:
    """Add the games and ratings of a Swiss crosstable, round by round."""
    left_out = 0
    for at, cells in enumerate(table.rounds):
        seen: set[int] = set()
        for number, cell in sorted(cells.items(), key=lambda pair: pair[1].colour != "w"):
            if number in seen:
                continue
            seen |= {number, cell.opponent}
            if cell.opponent in table.names:
                add_game(table, at, number, found)
            else:
                left_out += 1
    found.ratings += [
        StartingRating(table.lines[number], table.names[number], rating)
        for number, rating in table.ratings.items()
    ]
    found.remarks.append(
        Sentence("This is a Swiss crosstable: the cells of a round name the opponent by number.")
    )
    if left_out:
        found.remarks.append(
            Sentence(
                "Games against players who are not in the table are left out: %(count)s.",
                count=left_out,
            )
        )
    if wrong := [
        table.names[number] for number in table.points if not has_its_points(table, number)
    ]:
        listed = ", ".join([*wrong[:FEW], *(["…"] if len(wrong) > FEW else [])])
        found.remarks.append(
            Sentence(
                "The points in the file are not those of its results for: %(names)s.", names=listed
            )
        )


def add_game(table: SwissTable, at: int, number: int, found: Found) -> None:
    """Add a game, or the problem with it. ``number`` has White if the table has colours."""
    cell = table.rounds[at][number]
    back = table.rounds[at].get(cell.opponent)
    names = [table.names[one] for one in (number, cell.opponent)]
    if back is None or back.opponent != number or cell.opponent == number:
        sentence = Sentence(
            "Round %(round)s of %(name)s: the opponent, number %(number)s, was not paired with "
            "them.",
            round=at + 1,
            name=names[0],
            number=cell.opponent,
        )
    elif not fit(cell, back):
        sentence = Sentence(
            "Round %(round)s: the results or colours of %(one)s and %(other)s do not fit together.",
            round=at + 1,
            one=names[0],
            other=names[1],
        )
    else:
        points = (cell.points, back.points)
        forfeit = cell.forfeit or back.forfeit
        sides = [
            ResultSide([name], int(own < max(points)), None if forfeit else own)
            for name, own in zip(names, points, strict=True)
        ]
        first = 0 if cell.colour == "w" else NEITHER
        found.results.append(
            Result(
                table.lines[number],
                sides,
                has_hour=False,
                first=first,
                forfeit=forfeit,
                round=str(at + 1),
            )
        )
        return
    found.problems.append(Problem(table.lines[number], sentence))


def fit(cell: SwissCell, back: SwissCell) -> bool:
    """Return whether two players say the same about their game."""
    has_colours = bool(cell.colour or back.colour)
    whole = cell.points + back.points == 1 or (cell.forfeit and back.forfeit)
    return whole and not (has_colours and cell.colour == back.colour)


def has_its_points(table: SwissTable, number: int) -> bool:
    played = sum(cells[number].points for cells in table.rounds if number in cells)
    return abs(played + table.byes[number] - table.points[number]) < 0.01
