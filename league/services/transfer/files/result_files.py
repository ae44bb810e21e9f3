"""Files of results that ``manage.py import_history`` brings into an arena."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING

from league.services.transfer.files.repeats import EACH, describe_repeat
from ratings.files.choices import Choices
from ratings.files.columns import COLUMNS
from ratings.files.histories import games_of, history_of, read_found, time_of
from ratings.files.names import fold
from ratings.files.rows import GameRules
from ratings.io import csvfile
from ratings.io.csvproblems import CsvError, Problem, Problems

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence
    from datetime import date, tzinfo
    from pathlib import Path

    from ratings.files.documents import Found
    from ratings.files.results import Result
    from ratings.history import History


@dataclass(frozen=True)
class ResultFile:
    """A history, with further information on each match."""

    history: History
    information: list[dict[str, str]]
    lines: list[int] = field(default_factory=list)
    """The line of each match, if the file has one line for each."""


def parse_mapping(text: str) -> dict[str, str]:
    """Return the columns of a mapping such as ``played_at=date,side_1=home``, by their meaning.

    Raises:
        CsvError: it is not written so, or a meaning is unknown.
    """
    names = [column.name for column in COLUMNS]
    given: dict[str, str] = {}
    for part in text.split(","):
        name, equals, column = (one.strip() for one in part.partition("="))
        if not equals or name not in names or not column:
            message = (
                f"invalid mapping “{part}”: write NAME=COLUMN, where NAME is one of "
                f"{', '.join(names)}"
            )
            raise CsvError([Problem(message)])
        given[name] = column
    return given


def read(
    path: Path,
    mapping: dict[str, str] | None = None,
    repeats: str = "",
    rules: GameRules | None = None,
    day: date | None = None,
    zone: tzinfo = UTC,
    encoding: str = "",
) -> ResultFile:
    """Read a file of any known format.

    ``mapping`` has the columns of a table by their meaning; the others are guessed. ``repeats``
    says what results are that repeat another one. They are refused if it is empty. Times without
    a zone are in ``zone``. Results without a date are of ``day``, in their order. A name that
    differs in case alone from an earlier one is the same. ``encoding`` is that of the
    text, if it is not guessed.

    Raises:
        CsvError: lists all problems by line.
        OSError: the file cannot be read.
    """
    if mapping is None and csvfile.is_history(path):
        history = csvfile.read_file(path)
        return ResultFile(history, [{} for _ in range(len(history))])
    choices = Choices(encoding=encoding, rules=rules or GameRules())
    found = read_found(path, choices, mapping)
    written: dict[str, str] = {}
    for result in found.results:
        for side in result.sides:
            side.names = [written.setdefault(fold(name), name) for name in side.names]
        if result.played_at is not None and result.played_at.tzinfo is None:
            result.played_at = result.played_at.replace(tzinfo=zone)
    games = games_of(found)
    if games[0].played_at is None:
        date_games(games, day, zone)
    return keep_games(found, games, repeats)


def date_games(games: Sequence[Result], day: date | None, zone: tzinfo) -> None:
    """Let games without a date be of a day, a second apart. Raises ``CsvError`` without one."""
    if day is None:
        message = "the file has no dates: give the day of its results, such as --day 2026-05-31"
        raise CsvError([Problem(message)])
    for number, game in enumerate(games):
        game.played_at = datetime.combine(day, time(), zone) + timedelta(seconds=number)


def keep_games(found: Found, games: Sequence[Result], repeats: str) -> ResultFile:
    """Return games with an id that is the same each time the file is read.

    Games that repeat another one are left out, or kept if each is a match of its own.
    """
    cells = dict(found.table.cells) if found.table else {}
    problems = Problems()
    firsts: dict[Hashable, int] = {}
    repetitions: Counter[str] = Counter()
    kept = []
    for game in games:
        identity = game.id or identity_of(game, found, cells.get(game.line))
        repetitions[identity] += 1
        first = firsts.setdefault(meaning_of(game), game.line)
        if first != game.line and repeats != EACH and game.played_at is not None:
            if not repeats:
                repeat = describe_repeat(game.line, first)
                problems.add(f"{repeat}; choose whether it counts: --repeats once or each")
            continue
        count = repetitions[identity]
        game.id = identity if count == 1 else f"{identity}:{count}"
        kept.append(game)
    problems.raise_problems()
    header = found.table.header if found.table else []
    extra = [
        (name, at) for at, name in enumerate(header) if name and at not in found.columns.values()
    ]
    information = [
        {name: row[at] for name, at in extra if row[at]} if (row := cells.get(game.line)) else {}
        for game in kept
    ]
    return ResultFile(history_of(kept), information, [game.line for game in kept])


def identity_of(game: Result, found: Found, cells: Sequence[str] | None) -> str:
    """Return a text that names a game: its date as it is written, and its players."""
    at = found.columns.get("played_at")
    when = str(game.played_at or game.line) if cells is None or at is None else cells[at]
    return ":".join([when, *(name for side in game.sides for name in side.names)])


def meaning_of(game: Result) -> Hashable:
    """Return the content of a game, in whatever order it names its sides."""
    sides = {(tuple(sorted(map(fold, side.names))), side.place, side.score) for side in game.sides}
    return time_of(game), game.mode, game.round, frozenset(sides)
