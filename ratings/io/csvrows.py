"""A strict streaming reader for the rows of any CSV file.

The file is read line by line, so that files of any size take little memory. Anything that is not
UTF-8 CSV is rejected with its line number.
"""

from __future__ import annotations

import csv
import difflib
import os
import stat
from typing import TYPE_CHECKING, BinaryIO

from ratings.io.csvproblems import CsvError, Problem, Problems

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LARGEST_FILE = 256_000_000
"""In bytes. About five million rows, which take some 2 GB of memory in a replay."""

LONGEST_LINE = 100_000
"""In bytes."""

_NOT_TEXT = (
    "the file is not text in UTF-8 but looks like UTF-16; save it as “CSV UTF-8”, with commas"
)


class Rows:
    """The header of a CSV file and, by iteration, its rows as ``(line, cells)``.

    Blank lines are skipped. Raises ``CsvError`` as soon as the file turns out not to be UTF-8 CSV,
    or to be larger than ``LARGEST_FILE``. Rows with too few or too many cells go to ``problems``.
    """

    def __init__(self, stream: BinaryIO, problems: Problems) -> None:
        refuse_large(stream)
        self._problems = problems
        self._reader = csv.reader(_lines(stream), strict=True)
        self.header = self._header()

    def _header(self) -> list[str]:
        for cells in self._parse():
            if any(cell.strip() for cell in cells):
                return [cell.strip() for cell in cells]
        raise CsvError([Problem("the file is empty; its first line must name the columns")])

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        width = len(self.header)
        for cells in self._parse():
            if len(cells) == width:
                yield self._reader.line_num, cells
            elif cells:
                self._problems.add(
                    f"has {len(cells)} cells but the header has {width}",
                    line=self._reader.line_num,
                )

    def _parse(self) -> Iterator[list[str]]:
        try:
            yield from self._reader
        except csv.Error as error:
            message = f"cannot be read as CSV ({error}); look for a stray quotation mark"
            raise CsvError([Problem(message, line=self._reader.line_num)]) from None


def refuse_large(stream: BinaryIO) -> None:
    """Raise ``CsvError`` for a file of more than ``LARGEST_FILE`` bytes, before it is read."""
    try:
        described = os.fstat(stream.fileno())
    except OSError:  # a stream in memory is not a file
        return
    if stat.S_ISREG(described.st_mode) and described.st_size > LARGEST_FILE:
        raise CsvError([too_large(described.st_size)])


def too_large(size: int | None = None) -> Problem:
    """Return the problem of a file with more than ``LARGEST_FILE`` bytes."""
    has = f"has {size / 1e6:,.0f} MB" if size else "is too large"
    return Problem(
        f"the file {has}; the limit is {LARGEST_FILE / 1e6:.0f} MB. "
        "If it is a history of matches, rate it in parts"
    )


def _lines(stream: BinaryIO) -> Iterator[str]:
    read = 0
    number = 0
    while line := stream.readline(LONGEST_LINE + 1):
        number += 1
        read += len(line)
        if number == 1:
            if line.startswith((b"\xff\xfe", b"\xfe\xff")):
                raise CsvError([Problem(_NOT_TEXT)])
            line = line.removeprefix(b"\xef\xbb\xbf")
        if b"\0" in line:
            message = _NOT_TEXT if number == 1 else "has a NUL byte; the file may be damaged"
            raise CsvError([Problem(message, line=number)])
        if len(line) > LONGEST_LINE:
            message = f"is longer than {LONGEST_LINE:,} bytes; is this a CSV file?"
            raise CsvError([Problem(message, line=number)])
        if read > LARGEST_FILE:
            raise CsvError([too_large()])
        yield _decode(line, number)


def _decode(line: bytes, number: int) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        message = (
            f"byte {error.start + 1} (0x{line[error.start]:02X}) is not UTF-8; "
            "save the file as “CSV UTF-8”"
        )
        raise CsvError([Problem(message, line=number)]) from None


def positions(
    header: Sequence[str],
    required: Sequence[str],
    optional: Sequence[str],
    problems: Problems,
    *,
    others: bool = False,
) -> dict[str, int]:
    """Return the index of each known column.

    Missing and duplicate columns are problems, and so are unknown ones without ``others``.
    """
    known = [*required, *optional]
    for at, name in enumerate(header):
        if name not in known and others:
            continue
        if name not in known:
            problems.add(_unknown_column(name, known), line=1)
        elif name in header[:at]:
            problems.add(f"column {name} appears twice", line=1)
    missing = [name for name in required if name not in header]
    if missing:
        hint = ""
        if len(header) == 1 and (";" in header[0] or "\t" in header[0]):
            hint = "; cells must be separated by commas"
        columns = "column" if len(missing) == 1 else "columns"
        problems.add(f"missing {columns} {', '.join(missing)}{hint}", line=1)
    return {name: header.index(name) for name in known if name in header}


def _unknown_column(name: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(name.casefold(), known, n=1)
    hint = f"did you mean {near[0]}?" if near else f"choose from {', '.join(known)}"
    return f"unknown column “{name[:40]}”; {hint}"
