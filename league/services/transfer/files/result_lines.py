"""Read the lines of a file of results."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, time
from typing import TYPE_CHECKING

from league.models.explained import translate
from league.models.names import fold
from league.services.core.clock import microseconds
from league.services.core.errors import Refused
from league.services.core.isolation import gettext as _
from league.services.results.rules import formats, written
from league.services.results.rules.modes import mode_of_result
from ratings.system import UnsupportedMatch

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from zoneinfo import ZoneInfo

    from league.models import Arena
    from league.services.transfer.files.tables import Table
    from ratings.system import RatingSystem

MOST_ERRORS = 1_000
"""Errors that are listed. All are counted."""

YES = {"yes", "y", "x", "1", "true", "void", "ja"}
DRAWS = {"draw", "tie", "tied", "drawn", "=", "½", "1/2", "0.5", "remis", "x"}
HALVES = {"½": 0.5, "1/2": 0.5}
GERMAN = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})(?:[ T,]+(.*))?\Z")
RESULT = re.compile(r"\s*(½|1/2|[0-9.]+)\s*[:\-–]\s*(½|1/2|[0-9.]+)\s*\Z")
STEPS = re.compile(r"\s+([>=])\s+|\s*\n\s*")


@dataclass
class Errors:
    """Problems with lines of a file, and their remedies."""

    count: int = 0
    found: list[tuple[int, str]] = field(default_factory=list)

    def add(self, line: int, text: str) -> None:
        self.count += 1
        if len(self.found) < MOST_ERRORS:
            self.found.append((line, text))


@dataclass(slots=True)
class Line:
    """A line of a file: a result, as it is written."""

    line: int
    time: int
    """In microseconds since 1970."""
    names: list[list[str]]
    """The players of each side, folded. A roster has one entry until it is found."""
    places: list[int]
    scores: list[float | None]
    mode: str = ""
    weight: float = 1.0
    match: int | None = None
    void: bool = False
    has_hour: bool = True
    """Whether the time of day is known."""
    round: str = ""
    walkover: str = ""
    """The winner without a game, as :class:`~written.Written` says. Empty for games."""
    problems: list[str] = field(default_factory=list)
    """Its errors. Only the names of such a line can be relied on."""


class LineError(Exception):
    """A problem with a line."""


@dataclass
class Reader:
    """Reads the lines of a file of results by a mapping of its columns."""

    arena: Arena
    system: RatingSystem
    mapping: Mapping[str, int]
    takes_walkovers: bool = False
    written: dict[str, str] = field(default_factory=dict)
    """The names in the file by folded name, as they are written first."""
    errors: Errors = field(default_factory=Errors)
    homeless: list[int] = field(default_factory=list)
    """The times of results for which there is no season."""

    def __post_init__(self) -> None:
        self.zone: ZoneInfo = self.arena.zone
        self.solo = self.arena.team_size_max == 1
        self.lower_wins = self.arena.result_settings().scores == "lower"

    def read(self, table: Table) -> list[Line]:
        """Return the lines that can be read. ``errors`` lists the others."""
        for line, text in table.wrong:
            self.errors.add(line, text)
        lines = []
        for line, cells in table.cells:
            found = self.line(line, cells)
            for text in found.problems:
                self.errors.add(line, text)
            if not found.problems:
                lines.append(found)
        return lines

    def cell(self, cells: Sequence[str], name: str) -> str:
        at = self.mapping.get(name)
        return "" if at is None else cells[at].strip()

    def line(self, line: int, cells: Sequence[str]) -> Line:
        """Return a line with everything that is wrong with it."""
        found = Line(line, 0, [], [], [])
        self.try_step(found, self.read_match, cells)
        self.try_step(found, self.read_time, cells)
        self.try_step(found, self.read_sides, cells)
        self.try_step(found, self.read_result, cells)
        self.try_step(found, self.read_mode, cells)
        self.try_step(found, self.read_weight, cells)
        found.round = self.cell(cells, "round")
        return found

    def try_step(
        self, line: Line, step: Callable[[Line, Sequence[str]], None], cells: Sequence[str]
    ) -> None:
        """Read a part of a line, and note what is wrong with it."""
        try:
            step(line, cells)
        except LineError as error:
            line.problems.append(str(error))
        except Refused as refusal:
            line.problems.append(refusal.message)

    def read_match(self, line: Line, cells: Sequence[str]) -> None:
        line.match = self.match(self.cell(cells, "match"))
        line.void = self.cell(cells, "void").casefold() in YES
        if line.void and line.match is None:
            raise LineError(_("A line that makes a result void needs its match number."))

    def read_time(self, line: Line, cells: Sequence[str]) -> None:
        line.time, line.has_hour = self.time(cells)

    def read_sides(self, line: Line, cells: Sequence[str]) -> None:
        line.names = [self.side(side) for side in self.sides(cells) if side]
        if not all(self.sides(cells)):
            if self.is_order(cells):
                raise LineError(_("Write the order of finish as Alice > Bob = Charlie."))
            raise LineError(_("Name both sides."))

    def read_result(self, line: Line, cells: Sequence[str]) -> None:
        if self.takes_walkovers and (found := self.walkover(cells)):
            line.walkover = found
            return
        read = self.order if self.is_order(cells) else self.duel
        line.places, line.scores = read(cells)
        formats.check_result(self.arena, list(zip(line.places, line.scores, strict=True)))

    def read_mode(self, line: Line, cells: Sequence[str]) -> None:
        line.mode = mode_of_result(self.arena, self.cell(cells, "mode"))

    def read_weight(self, line: Line, cells: Sequence[str]) -> None:
        line.weight = self.weight(self.cell(cells, "weight"))

    def is_order(self, cells: Sequence[str]) -> bool:
        return "order" in self.mapping and bool(self.cell(cells, "order"))

    def sides(self, cells: Sequence[str]) -> list[str]:
        """Return the sides as they are written, an empty text for one that is missing."""
        if self.is_order(cells):
            return [part or "" for part in STEPS.split(self.cell(cells, "order"))[::2]]
        return [self.cell(cells, "side_1"), self.cell(cells, "side_2")]

    def match(self, text: str) -> int | None:
        if not text:
            return None
        number = text.removeprefix("#")
        if not number.isdecimal() or len(number) > 15:
            raise LineError(_("“%(text)s” is no match number.") % {"text": text[:40]})
        return int(number)

    def time(self, cells: Sequence[str]) -> tuple[int, bool]:
        """Return when a match was played, and whether the time of day is known.

        Times without an offset are in the arena's time zone.
        """
        text = self.cell(cells, "played_at")
        hour = self.cell(cells, "time")
        try:
            moment, has_hour = written_time(f"{text} {hour}".strip())
        except ValueError:
            raise LineError(
                _("“%(text)s” is not a date. Write 2024-05-31 or 2024-05-31 19:30.")
                % {"text": f"{text} {hour}".strip()[:40]}
            ) from None
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=self.zone)
        try:
            return microseconds(moment.astimezone(UTC)), has_hour
        except OverflowError:
            raise LineError(_("“%(text)s” is out of range.") % {"text": text[:40]}) from None

    def duel(self, cells: Sequence[str]) -> tuple[list[int], list[float | None]]:
        """Return the places and scores of a match of two sides."""
        result, winner = self.cell(cells, "result"), self.cell(cells, "winner")
        if result and not winner and RESULT.match(result) is None:
            return self.as_written(result)
        scores = self.scores(cells)
        if winner:
            return self.won_by(winner, self.sides(cells)), scores
        if scores[0] is None or scores[1] is None:
            raise LineError(_("Give both scores, or the winner."))
        first, second = (-one if self.lower_wins else one for one in (scores[0], scores[1]))
        return [int(first < second), int(second < first)], scores

    def walkover(self, cells: Sequence[str]) -> str:
        """Return which side won without a game, empty for a result that was played."""
        if self.is_order(cells):
            return ""
        try:
            found = written.read(self.cell(cells, "result"), lower_wins=self.lower_wins)
        except Refused:
            return ""
        return found.winner if found.forfeit else ""

    def as_written(self, result: str) -> tuple[list[int], list[float | None]]:
        """Return the places and scores of a result as people write it, such as 11:7 9:11 11:5."""
        try:
            found = written.read(result, lower_wins=self.lower_wins)
        except Refused:
            text = _("“%(text)s” is not a result. Write 3:1.") % {"text": result[:40]}
            raise LineError(text) from None
        if found.forfeit:
            raise LineError(
                _(
                    "“%(text)s” is no game that could be rated. Enter a walkover as the result of "
                    "its fixture, on the page of its competition."
                )
                % {"text": result[:40]}
            )
        places = {written.FIRST: [0, 1], written.SECOND: [1, 0]}.get(found.winner, [0, 0])
        return places, list(found.score or (None, None))

    def scores(self, cells: Sequence[str]) -> list[float | None]:
        if parts := RESULT.match(self.cell(cells, "result")):
            return [HALVES.get(part) or number(part) for part in parts.groups()]
        return [number(self.cell(cells, name)) for name in ("score_1", "score_2")]

    def won_by(self, winner: str, sides: list[str]) -> list[int]:
        said = fold(winner)
        if said in DRAWS:
            return [0, 0]
        for at, side in enumerate(sides):
            if said in {str(at + 1), fold(side)}:
                return [at, 1 - at]
        raise LineError(
            _("“%(text)s” is not the winner. Write 1, 2, draw, or the name of a side.")
            % {"text": winner[:40]}
        )

    def order(self, cells: Sequence[str]) -> tuple[list[int], list[float | None]]:
        """Return the places and scores of an order of finish."""
        signs = STEPS.split(self.cell(cells, "order"))[1::2]
        places = [0]
        for at, sign in enumerate(signs, start=1):
            places.append(places[-1] if sign == "=" else at)
        scores: list[float | None] = [None] * len(places)
        if result := self.cell(cells, "result"):
            values = [number(part) for part in re.split(r"\s*[;:/|]\s*", result)]
            if len(values) != len(places):
                raise LineError(_("Give a score for each side, separated by colons."))
            scores = values
        return places, scores

    def side(self, text: str) -> list[str]:
        """Return the folded names of a side as it is written."""
        parts = [text] if self.solo else [part.strip() for part in text.split(",")]
        names = []
        for part in parts:
            folded = fold(part)
            if not folded:
                raise LineError(_("A name is empty."))
            self.written.setdefault(folded, part)
            names.append(folded)
        return names

    def weight(self, text: str) -> float:
        weight = number(text) if text else 1.0
        formats.check_weight(self.system, 1.0 if weight is None else weight)
        return 1.0 if weight is None else weight

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


def number(text: str) -> float | None:
    """Return a number as it is written, with a point or a comma. None if there is none."""
    if not text:
        return None
    try:
        value = float(text.replace(",", "."))
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise LineError(_("“%(text)s” is not a number.") % {"text": text[:40]})
    return value


def written_time(text: str) -> tuple[datetime, bool]:
    """Return a time as it is written, and whether it has a time of day. Raises ``ValueError``."""
    if german := GERMAN.match(text):
        day, month, year, hour = german.groups()
        moment = datetime(int(year), int(month), int(day))  # noqa: DTZ001 - local, as written
        if not hour:
            return moment, False
        return datetime.combine(moment, time.fromisoformat(hour.rjust(5, "0"))), True
    if len(text) == len("2024-05-31 9:30") and text[12:13] == ":":
        text = f"{text[:11]}0{text[11:]}"
    return datetime.fromisoformat(text), len(text) > len("2024-05-31")


def is_written_time(text: str) -> bool:
    """Return whether a text is a day or a time. A number alone is none."""
    try:
        return not text.isdecimal() and bool(written_time(text))
    except ValueError:
        return False
