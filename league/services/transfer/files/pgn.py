"""Read the games of a PGN file as rows: their tags and results. Moves are not checked.

After the Portable Game Notation standard of 1994, sections 8.1 and 8.2.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from league.services.core.isolation import gettext as _

if TYPE_CHECKING:
    from collections.abc import Iterator

HEADER = ["Date", "Time", "White", "Black", "Winner", "Event", "Site", "Round"]
UNKNOWN = {"?", "-", "????.??.??"}
TAG = re.compile(r'\[\s*([A-Za-z0-9_]+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*\Z')
FIRST = re.compile(r'\s*(?:%[^\n]*\n\s*)*\[\s*[A-Za-z0-9_]+\s+"')
SIGNS = re.compile("[{};]")
WINNERS = {"1-0": "1", "0-1": "2", "1/2-1/2": "draw"}
RESULTS = {*WINNERS, "*"}


@dataclass
class Game:
    """A game as it is written."""

    line: int
    tags: dict[str, str] = field(default_factory=dict)
    last_word: str = ""
    """Of the moves, which is the result."""
    problem: str = ""

    @property
    def has_moves(self) -> bool:
        return bool(self.last_word)

    def tag(self, name: str) -> str:
        value = self.tags.get(name, "").strip()
        return "" if value in UNKNOWN else value

    def note(self, problem: str) -> None:
        self.problem = self.problem or problem

    def wrong(self) -> str:
        """Return what is wrong with it, empty if it can be read."""
        result = self.tags.get("Result", "").strip()
        if self.problem:
            return self.problem
        if result not in RESULTS:
            return _("has no tag Result with 1-0, 0-1 or 1/2-1/2.")
        if self.has_moves and self.last_word not in RESULTS:
            return _("has no result after its moves. Is the end of the file missing?")
        if self.has_moves and self.last_word != result:
            return _("has the result %(one)s in its tags, but %(other)s after its moves.") % {
                "one": result,
                "other": self.last_word,
            }
        return ""

    @property
    def is_to_come(self) -> bool:
        """Return whether it is not over, so that it has no result to read."""
        return self.tags.get("Result", "").strip() == "*" and not self.wrong()

    def cells(self) -> list[str]:
        """Return its row, without scores. A time in UTC goes before a local one."""
        date, time = self.tag("UTCDate").replace(".", "-"), self.tag("UTCTime")
        if date and time:
            moment = [f"{date} {time}Z", ""]
        else:
            moment = [self.tag("Date").replace(".", "-"), self.tag("Time")]
        names = [self.tag("White"), self.tag("Black")]
        winner = WINNERS.get(self.tag("Result"), "")
        return [*moment, *names, winner, *(self.tag(name) for name in HEADER[5:])]


def is_pgn(text: str) -> bool:
    """Return whether a text begins as games do, with a tag."""
    return FIRST.match(text) is not None


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
            game.note(_("has text after its result."))
        game.last_word = words[-1]
    if game is not None:
        if in_comment:
            game.note(_("has a comment that is never closed."))
        yield game


def add_tag(game: Game, line: str) -> None:
    found = TAG.match(line)
    if found is None:
        game.note(_("has a line that is no tag: %(line)s") % {"line": line[:60]})
        return
    name, value = found.groups()
    if name in game.tags:
        game.note(_("has the tag %(name)s twice.") % {"name": name[:40]})
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
