"""Games in Portable Game Notation: their tags and results. Moves are not checked.

After the Portable Game Notation standard of 1994, sections 8.1 and 8.2. White is the first side.
Games that are not over (``*``), and those of programs (``BOT``), are left out. A date without a
month or a day is the first day that fits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ratings.files import dates
from ratings.files.documents import Format
from ratings.files.problems import Problem, UnreadableFile
from ratings.files.results import Result, ResultSide
from ratings.files.tables import LONGEST_CELL, MOST_ROWS
from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ratings.files.dates import WrittenTime
    from ratings.files.documents import Document, Found

UNKNOWN = {"?", "-", "????.??.??"}
TAG = re.compile(r'\[\s*([A-Za-z0-9_]+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*\Z')
FIRST = re.compile(r'\s*(?:%[^\n]*\n\s*)*\[\s*[A-Za-z0-9_]+\s+"')
SIGNS = re.compile("[{};]")
PLACES = {"1-0": (0, 1), "0-1": (1, 0), "1/2-1/2": (0, 0)}
RESULTS = {*PLACES, "*"}
PARTIAL = re.compile(r"(\d{4})[./-](\d{2}|\?\?)[./-](\d{2}|\?\?)")
COMPUTER = re.compile(r"lichess AI level \d+")


def recognises(document: Document) -> bool:
    """Return whether a text begins as games do, with a tag."""
    return FIRST.match(document.text) is not None


def read(document: Document, found: Found) -> None:
    to_come = of_bots = partial = 0
    for number, game in enumerate(games(document.text)):
        if number == MOST_ROWS:
            raise UnreadableFile(
                "The file has more than %(most)s games. Divide it.", most=f"{MOST_ROWS:,}"
            )
        if game.is_to_come:
            to_come += 1
        elif problem := game.wrong():
            found.problems.append(Problem(game.line, problem))
        elif game.is_of_bot:
            of_bots += 1
        else:
            partial += add_result(game, found)
    if to_come:
        found.remarks.append(
            Sentence("Games that are not over, which are left out: %(count)s.", count=to_come)
        )
    if of_bots:
        found.remarks.append(
            Sentence("Games of computers, which are left out: %(count)s.", count=of_bots)
        )
    if partial:
        found.remarks.append(
            Sentence(
                "Dates without a month or a day, read as the first day that fits: %(count)s.",
                count=partial,
            )
        )


def add_result(game: Game, found: Found) -> bool:
    """Add a game, or what is wrong with it. Return whether a part of its date is missing."""
    names = [game.tag("White"), game.tag("Black")]
    try:
        when = game.time()
    except ValueError:
        text = Sentence("“%(text)s” is not a date.", text=game.tag("Date")[:40])
        found.problems.append(Problem(game.line, text))
        return False
    if not all(names):
        found.problems.append(Problem(game.line, Sentence("Name both sides.")))
        return False
    sides = [
        ResultSide([name], place)
        for name, place in zip(names, PLACES[game.tag("Result")], strict=True)
    ]
    found.results.append(
        Result(
            game.line,
            sides,
            when.at if when else None,
            has_hour=bool(when and when.has_hour),
            first=0,
            round=game.tag("Round"),
            event=game.tag("Event"),
        )
    )
    return when is not None and "?" in game.date


@dataclass
class Game:
    """A game as it is written."""

    line: int
    tags: dict[str, str] = field(default_factory=dict)
    last_word: str = ""
    """Of the moves, which is the result."""
    problem: Sentence | None = None

    @property
    def has_moves(self) -> bool:
        return bool(self.last_word)

    def tag(self, name: str) -> str:
        value = self.tags.get(name, "").strip()
        return "" if value in UNKNOWN else value

    def note(self, problem: Sentence) -> None:
        self.problem = self.problem or problem

    def wrong(self) -> Sentence | None:
        """Return what is wrong with it, None if it can be read."""
        result = self.tags.get("Result", "").strip()
        if self.problem:
            return self.problem
        if any(len(value) > LONGEST_CELL for value in self.tags.values()):
            return Sentence("has a tag of more than %(most)s characters.", most=LONGEST_CELL)
        if result not in RESULTS:
            return Sentence("has no tag Result with 1-0, 0-1 or 1/2-1/2.")
        if self.has_moves and self.last_word not in RESULTS:
            return Sentence("has no result after its moves. Is the end of the file missing?")
        if self.has_moves and self.last_word != result:
            return Sentence(
                "has the result %(one)s in its tags, but %(other)s after its moves.",
                one=result,
                other=self.last_word,
            )
        return None

    @property
    def is_to_come(self) -> bool:
        """Return whether it is not over, so that it has no result to read."""
        return self.tags.get("Result", "").strip() == "*" and not self.wrong()

    @property
    def is_of_bot(self) -> bool:
        """Return whether a program played it."""
        titles = {self.tag("WhiteTitle").upper(), self.tag("BlackTitle").upper()}
        names = (self.tag("White"), self.tag("Black"))
        return "BOT" in titles or any(map(COMPUTER.fullmatch, names))

    @property
    def date(self) -> str:
        """Return the day as it is written, empty without one."""
        return self.tag("Date") or self.tag("UTCDate")

    def time(self) -> WrittenTime | None:
        """Return when it was played. A time in UTC goes before a local one.

        Raises:
            ValueError: the date is none.
        """
        utc = (self.tag("UTCDate"), self.tag("UTCTime"))
        if all(utc) and "?" not in "".join(utc):
            return dates.read(f"{utc[0]} {utc[1]}Z")
        if not self.date or self.date.startswith("????"):
            return None
        if "?" in self.date:
            return first_day(self.date)
        hour = self.tag("Time") if self.tag("Date") and "?" not in self.tag("Time") else ""
        return dates.read(f"{self.date} {hour}".strip())


def first_day(text: str) -> WrittenTime:
    """Return the first day that fits a date with question marks. Raises ``ValueError``."""
    found = PARTIAL.fullmatch(text)
    if found is None or (found[2] == "??" and found[3] != "??"):
        raise ValueError("no date")
    return dates.read(text.replace("??", "01"))


def games(text: str) -> Iterator[Game]:
    """Yield the games of a file in their order."""
    game: Game | None = None
    in_comment = False
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("%") and not in_comment:
            continue
        if line.lstrip().startswith("[") and not in_comment:
            if game is not None and game.has_moves:
                yield game
                game = None
            game = game or Game(number)
            add_tag(game, line.strip())
            continue
        words, in_comment = without_comments(line, in_comment)
        if not words:
            continue
        game = game or Game(number)
        if game.last_word in RESULTS or not RESULTS.isdisjoint(words[:-1]):
            game.note(Sentence("has text after its result."))
        game.last_word = words[-1]
    if game is not None:
        if in_comment:
            game.note(Sentence("has a comment that is never closed."))
        yield game


def add_tag(game: Game, line: str) -> None:
    found = TAG.match(line)
    if found is None:
        game.note(Sentence("has a line that is no tag: %(line)s", line=line[:60]))
        return
    name, value = found.groups()
    if name in game.tags:
        game.note(Sentence("has the tag %(name)s twice.", name=name[:40]))
    game.tags[name] = re.sub(r"\\(.)", r"\1", value)


def without_comments(line: str, in_comment: bool) -> tuple[list[str], bool]:
    """Return the words of a line outside comments, and whether it ends within one."""
    kept, begin = [], 0
    for found in SIGNS.finditer(line):
        sign = found.group()
        if in_comment and sign == "}":
            in_comment, begin = False, found.end()
        elif not in_comment and sign != "}":
            kept.append(line[begin : found.start()])
            begin = len(line)
            if sign == ";":
                break
            in_comment = True
    if not in_comment:
        kept.append(line[begin:])
    return " ".join(kept).split(), in_comment


FORMAT = Format(
    "pgn",
    Sentence("It is a PGN file. The players and results of its games are read."),
    recognises,
    read,
    programs="PGN (`.pgn`): chess programs, lichess, chess.com, ChessBase, [a round of a "
    "competition](competitions.md#chess)",
    reads="players, results, dates, rounds and events; White is the first side; `UTCDate` and "
    "`UTCTime` go before the local date; of a date such as `1997.??.??`, the first day "
    "that fits",
    leaves_out="moves; games that are not over (`*`); games of bots and computers",
)
