"""Games in Portable Game Notation: their tags and results. Moves are not checked.

After the Portable Game Notation standard of 1994, sections 8.1 and 8.2. White is the first side.
Games that are not over (``*``) are left out.
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


def recognises(document: Document) -> bool:
    """Return whether a text begins as games do, with a tag."""
    return FIRST.match(document.text) is not None


def read(document: Document, found: Found) -> None:
    to_come = 0
    for number, game in enumerate(games(document.text)):
        if number == MOST_ROWS:
            raise UnreadableFile(
                "The file has more than %(most)s games. Divide it.", most=f"{MOST_ROWS:,}"
            )
        if game.is_to_come:
            to_come += 1
        elif problem := game.wrong():
            found.problems.append(Problem(game.line, problem))
        else:
            add_result(game, found)
    if to_come:
        found.remarks.append(
            Sentence("Games that are not over, which are left out: %(count)s.", count=to_come)
        )


def add_result(game: Game, found: Found) -> None:
    names = [game.tag("White"), game.tag("Black")]
    try:
        when = game.time()
    except ValueError:
        text = Sentence("“%(text)s” is not a date.", text=game.tag("Date")[:40])
        found.problems.append(Problem(game.line, text))
        return
    if not all(names):
        found.problems.append(Problem(game.line, Sentence("Name both sides.")))
        return
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

    def time(self) -> WrittenTime | None:
        """Return when it was played. A time in UTC goes before a local one.

        Raises:
            ValueError: the date is none.
        """
        if self.tag("UTCDate") and self.tag("UTCTime"):
            return dates.read(f"{self.tag('UTCDate')} {self.tag('UTCTime')}Z")
        if not self.tag("Date"):
            return None
        return dates.read(f"{self.tag('Date')} {self.tag('Time')}".strip())


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
)
