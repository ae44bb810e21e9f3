"""The inputs of commands: a system with its parameters, and a history."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from ratings.files import histories
from ratings.files.text_rows import Encoding
from ratings.io.csvproblems import CsvError
from ratings.registry import UnknownSystem, build, read_name
from ratings.tunables.reading import ParameterError, read_object

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path
    from typing import TypeAlias

    from ratings.history import History
    from ratings.system import RatingSystem
    from ratings.types import States

    Bar: TypeAlias = Callable[[int], AbstractContextManager[Callable[[int], object]]]
    """Opens a progress bar of so many matches, which is called with the number just rated."""

HISTORY = (
    "a file of results in any format that docs/importing.md lists, or with the columns match_id, "
    "played_at, side, place (0 is best) and player, and optionally score, seconds, quit, "
    "profession, weight, perf_ceiling, and first or neutral"
)


START = (
    "a list of names with ratings, and perhaps deviations, with which players start; or the file "
    "of results itself, if it has ratings as tournament reports do"
)


def add_encoding(parser: ArgumentParser) -> None:
    """Add the encoding of a file."""
    parser.add_argument(
        "--encoding",
        choices=[*Encoding],
        default="",
        help="the encoding of the text, where the letters with accents are wrong; default: guessed",
    )


class CommandProblem(Exception):
    """A command that cannot be carried out. The message says why, for a person at a terminal."""


def read_system(name: str, params: Path | None) -> RatingSystem:
    """Return a system with the parameters in a file, or with the defaults.

    A name such as ``glicko-2:gw2`` has published parameters in place of the defaults.
    """
    try:
        plain, published = read_name(name)
        given = read_object(_text(params)) if params else {}
        return build(plain, {**published, **given})
    except UnknownSystem as error:
        raise CommandProblem(f"{error}.") from None
    except ParameterError as error:
        raise CommandProblem(f"The parameters in {params} cannot be used:\n{error}") from None


def read_history(
    file: Path, context: str = "", first_side: str = "", encoding: str = ""
) -> History:
    """Return the history in a file of results, as ``ratings.files.histories`` reads it."""
    with _reading(file):
        return histories.read_history(file, context, first_side, encoding)


def read_starting_states(file: Path, system: RatingSystem, history: History) -> States:
    """Return the states of a history's players before it, by the ratings in a file."""
    with _reading(file):
        return histories.starting_states(file, system, history)


@contextmanager
def _reading(file: Path) -> Iterator[None]:
    try:
        yield
    except CsvError as error:
        raise CommandProblem(f"{file} cannot be rated:\n{error}") from None
    except OSError as error:
        raise CommandProblem(f"Cannot read {file}: {error.strerror}.") from None


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise CommandProblem(f"Cannot read {file}: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise CommandProblem(f"Cannot read {file}: it is not text in UTF-8.") from None
