"""Results of a file as lines of an import: checked against the rules of an arena."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, time
from typing import TYPE_CHECKING, TypeVar

from league.models.explained import translate
from league.services.core.clock import microseconds
from league.services.core.errors import Refused
from league.services.core.isolation import gettext as _
from league.services.results.rules import formats
from league.services.results.rules.modes import mode_of_result
from league.services.transfer.files.reading import say
from ratings.files.names import fold
from ratings.files.scores import FIRST, NEITHER, SECOND
from ratings.history import NEITHER as NO_FIRST_SIDE
from ratings.system import UnsupportedMatch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import date
    from zoneinfo import ZoneInfo

    from league.models import Arena
    from league.services.core.types import Progress
    from ratings.files.documents import Found
    from ratings.files.results import Result
    from ratings.system import RatingSystem

Item = TypeVar("Item")
A_SECOND = 1_000_000
"""In microseconds."""
DETAILS = re.compile(r"[“„«‘‹\"].*?[”“»’›\"]|\d[\d.,:/\s-]*")
"""The parts of an error that differ from line to line: quoted texts and numbers."""
MOST_GROUPS = 30
MOST_GROUP_LINES = 5
MOST_ERRORS = 1_000
"""Errors that are listed. All are counted."""


@dataclass
class ErrorGroup:
    """Errors of one kind, which differ by numbers and quoted texts alone."""

    kind: str
    text: str
    """The first of them."""
    count: int = 0
    lines: list[int] = field(default_factory=list)
    """The first ones."""


@dataclass
class Errors:
    """Problems with lines of a file."""

    count: int = 0
    found: list[tuple[int, str]] = field(default_factory=list)
    left_out: frozenset[str] = frozenset()
    """Kinds of errors whose lines are left out by choice."""
    left: int = 0
    """Errors of lines that are left out."""
    groups: dict[str, ErrorGroup] = field(default_factory=dict)
    """By kind. Only the first ``MOST_GROUPS`` are here."""

    def add(self, line: int, text: str) -> None:
        kind = DETAILS.sub("…", text)
        if kind in self.left_out:
            self.left += 1
            return
        self.count += 1
        if len(self.found) < MOST_ERRORS:
            self.found.append((line, text))
        if kind not in self.groups and len(self.groups) < MOST_GROUPS:
            self.groups[kind] = ErrorGroup(kind, text)
        if group := self.groups.get(kind):
            group.count += 1
            if len(group.lines) < MOST_GROUP_LINES:
                group.lines.append(line)


@dataclass(slots=True)
class Line:
    """A line of a file: a result. There can be many, so it has tuples, which need less memory."""

    line: int
    time: int
    """In microseconds since 1970."""
    names: Sequence[Sequence[str]]
    """The players of each side, folded. A roster has one entry until it is found."""
    places: Sequence[int]
    scores: Sequence[float | None]
    mode: str = ""
    weight: float = 1.0
    match: int | None = None
    void: bool = False
    has_hour: bool = True
    """Whether the time of day is known."""
    round: str = ""
    first: int = NO_FIRST_SIDE
    """The index of the side at home or with White; -1 for neither."""
    walkover: str = ""
    """The winner without a game, as ``ratings.files.scores`` says. Empty for games."""
    after: int = 0
    """Microseconds after the start of its day, for a result without a date."""
    problems: Sequence[str] = ()
    """Its errors. Only the names of such a line can be relied on."""


class LineError(Exception):
    """A problem with a line."""


@dataclass
class Reader:
    """Checks the results of a file, one by one."""

    arena: Arena
    system: RatingSystem
    written: dict[str, str] = field(default_factory=dict)
    """The names in the file by folded name, as they are written first."""
    folded: dict[str, str] = field(default_factory=dict)
    """The folded names by name, so that those that come often are kept once."""
    count: int = 0
    """Results that were read."""
    errors: Errors = field(default_factory=Errors)
    day: date | None = None
    """The day of results without a date, which are a second apart in the order of the file."""
    undated: int = 0
    """Results without a date that were read."""
    walkovers: list[int] = field(default_factory=list)
    """Lines that nobody played, which are left out."""
    homeless: list[int] = field(default_factory=list)
    """The times of results for which there is no season."""

    def __post_init__(self) -> None:
        self.zone: ZoneInfo = self.arena.zone

    def read(self, found: Found, progress: Progress) -> list[Line]:
        """Return the lines of games that fit the arena. ``errors`` lists the others.

        This takes the results out of ``found``, because those of a long file need much memory.
        """
        for problem in found.problems:
            self.errors.add(problem.line, say(problem.sentence))
        lines = []
        self.count = len(found.results)
        step = _("Checking the lines")
        for done, result in enumerate(taken_out(found.results)):
            progress(step, done, self.count)
            if result.forfeit:
                self.walkovers.append(result.line)
                continue
            line = self.line(result)
            for text in line.problems:
                self.errors.add(line.line, text)
            if not line.problems:
                lines.append(line)
        return lines

    def line(self, result: Result, problems: Sequence[str] = ()) -> Line:
        """Return the line of a result, with ``problems`` and everything else that is wrong."""
        line = Line(
            result.line,
            0,
            (),
            tuple([side.place for side in result.sides]),
            tuple([side.score for side in result.sides]),
            match=result.number,
            void=result.void,
            has_hour=result.has_hour,
            round=result.round,
            weight=result.weight,
            first=result.first,
            walkover=walkover_of(result) if result.forfeit else "",
            problems=problems,
        )
        self.try_step(line, self.read_time, result)
        self.try_step(line, self.read_names, result)
        if not line.problems:
            self.try_step(line, self.check_result, result)
        self.try_step(line, self.read_mode, result)
        self.try_step(line, self.check_weight, result)
        return line

    def try_step(self, line: Line, step: Callable[[Line, Result], None], result: Result) -> None:
        """Read or check a part of a result, and note what is wrong with it."""
        try:
            step(line, result)
        except LineError as error:
            line.problems = [*line.problems, str(error)]
        except Refused as refusal:
            line.problems = [*line.problems, refusal.message]

    def read_time(self, line: Line, result: Result) -> None:
        """Note when a match was played. Times without a zone are in the arena's."""
        at = result.played_at
        if at is None and self.day is not None:
            at, line.has_hour = datetime.combine(self.day, time()), False
            self.undated += 1
            line.after = self.undated * A_SECOND
        if at is None:
            if not line.problems:
                raise LineError(_("has no date."))
            return
        try:
            line.time = microseconds(at.replace(tzinfo=at.tzinfo or self.zone).astimezone(UTC))
        except OverflowError:
            text = at.isoformat(" ")
            raise LineError(_("“%(text)s” is out of range.") % {"text": text}) from None

    def read_names(self, line: Line, result: Result) -> None:
        sides = (map(self.fold, side.names) for side in result.sides)
        line.names = tuple([tuple(side) for side in sides])

    def fold(self, name: str) -> str:
        folded = self.folded.get(name)
        if folded is None:
            folded = fold(name)
            if not folded:
                raise LineError(_("A name is empty."))
            self.written.setdefault(folded, name)
            self.folded[name] = folded
        return folded

    def check_result(self, line: Line, result: Result) -> None:
        if not result.forfeit:
            formats.check_result(self.arena, list(zip(line.places, line.scores, strict=True)))

    def read_mode(self, line: Line, result: Result) -> None:
        line.mode = mode_of_result(self.arena, result.mode)

    def check_weight(self, line: Line, _result: Result) -> None:
        formats.check_weight(self.system, line.weight)

    def check_line_up(self, line: Line, players: Sequence[Sequence[int]]) -> None:
        """Refuse sides that do not fit the arena or the system. Raises ``Refused``."""
        sizes = [len(side) for side in players]
        formats.check_sides(self.arena, sizes)
        try:
            self.system.check_sizes(sizes)
        except UnsupportedMatch as error:
            raise Refused("unsupported", translate(error.sentence)) from error
        seen: dict[int, str] = {}
        for side, names in zip(players, line.names, strict=True):
            for at, player in enumerate(side):
                if player in seen:
                    name = names[at] if len(names) == len(side) else names[0]
                    raise Refused(
                        "twice",
                        _("%(player)s is in this match twice.")
                        % {"player": self.written.get(name, name)},
                    )
                seen[player] = ""


def taken_out(items: list[Item]) -> Iterator[Item]:
    """Yield the items of a list, which loses them: those of a long file need much memory."""
    items.reverse()
    while items:
        yield items.pop()


def walkover_of(result: Result) -> str:
    """Return which side won without a game."""
    first, second = (side.place for side in result.sides)
    return NEITHER if first == second else FIRST if first < second else SECOND
