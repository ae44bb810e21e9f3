"""A file to read, a format that reads it, and what is found in it."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from ratings.files.problems import Problem, UnreadableFile, UnreadablePart
from ratings.files.tables import MOST_ROWS
from ratings.files.text_rows import decode
from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ratings.files.dates import DateOrder
    from ratings.files.results import Result, StartingRating
    from ratings.files.tables import Table

LATEST = 9_000_000_000
"""Seconds until the year 2255."""


class LeftOut(Exception):
    """An entry that is no result of two sides who played, such as a bye."""


@dataclass
class Found:
    """The results in a file."""

    format: str = ""
    """The name of the format that read it; empty for a table."""
    results: list[Result] = field(default_factory=list)
    ratings: list[StartingRating] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    remarks: list[Sentence] = field(default_factory=list)
    table: Table | None = None
    columns: dict[str, int] = field(default_factory=dict)
    """The column of each meaning in the table."""
    date_order: DateOrder | None = None
    better_order: DateOrder | None = None
    """The order in which all dates of the table can be read, where another one was chosen."""


class Document:
    """The content of a file, decoded when it is asked for."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.remarks: list[Sentence] = []

    @cached_property
    def text(self) -> str:
        """Its text. Raises ``UnreadableFile``."""
        return decode(self.content, self.remarks)

    @cached_property
    def json(self) -> Any:
        """The document in it, the list of those on each line, or None if it is no JSON.

        Raises:
            UnreadableFile: it begins as JSON does, and is none.
        """
        begins = self.text.lstrip()[:1]
        return parse(self.text) if begins in {"{", "["} else None

    def entries(self, key: str) -> list[Any] | None:
        """Return its JSON objects, of which the first has a key; None if it is otherwise."""
        found = self.json if isinstance(self.json, list) else [self.json]
        first = found[0] if found else None
        return found if isinstance(first, dict) and key in first else None


@dataclass(frozen=True)
class Format:
    """A format of another program, recognised by content."""

    name: str
    label: Sentence
    """A sentence that says so to people."""
    recognises: Callable[[Document], bool]
    """Whether a file has the format. Raises ``UnreadableFile``."""
    read: Callable[[Document, Found], None]
    """Adds the results of such a file. Raises ``UnreadableFile``."""
    programs: str
    """The programs and sites that write it, and the kind of file, for ``docs/importing.md``."""
    reads: str
    """The parts that are read."""
    leaves_out: str
    """The parts that are left out."""


def parse(text: str) -> Any:
    """Return a JSON document, or the list of those on each line. Raises ``UnreadableFile``."""
    try:
        return json.loads(text)
    except RecursionError:
        raise UnreadableFile("The JSON is nested too deeply.") from None
    except ValueError as error:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) < 2 or not lines[0].rstrip().endswith("}"):
            raise UnreadableFile("The file is not valid JSON: %(why)s.", why=str(error)) from None
    documents = []
    for number, line in enumerate(lines, start=1):
        try:
            documents.append(json.loads(line))
        except (ValueError, RecursionError):
            raise UnreadableFile(
                "Line %(line)s is not valid JSON. Is the file cut off?", line=number
            ) from None
    return documents


def read_entries(
    entries: Iterable[Any], read: Callable[[int, dict[str, Any]], Result], found: Found
) -> None:
    """Add the results of JSON objects, numbered from 1 as they are in the file.

    ``read`` raises ``LeftOut``, ``UnreadablePart`` or a ``ValidationError``.
    """
    counts = Counter[str]()
    for number, entry in enumerate(entries, start=1):
        if number > MOST_ROWS:
            raise UnreadableFile(
                "The file has more than %(most)s results. Divide it.", most=f"{MOST_ROWS:,}"
            )
        if not isinstance(entry, dict):
            found.problems.append(Problem(number, Sentence("is not a JSON object.")))
            continue
        try:
            found.results.append(read(number, entry))
        except LeftOut:
            counts["left out"] += 1
        except ValidationError as error:
            found.problems.append(Problem(number, describe_invalid(error)))
        except UnreadablePart as error:
            found.problems.append(Problem(number, error.sentence))
    found.remarks.append(Sentence("Line numbers count its entries, from 1."))
    if left := counts["left out"]:
        found.remarks.append(
            Sentence("Entries without a played result, which are left out: %(count)s.", count=left)
        )


def describe_invalid(error: ValidationError) -> Sentence:
    """Return the place and the reason of the first fault of an object."""
    first = error.errors()[0]
    place = ".".join(map(str, first["loc"]))
    return Sentence(
        "%(place)s: %(why)s", place=place, why=first["msg"].removeprefix("Value error, ")
    )
