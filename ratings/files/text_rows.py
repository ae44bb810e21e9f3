"""Text files: their encoding, and the rows of those that have cells (CSV)."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

from ratings.files.problems import UnreadableFile
from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

DELIMITERS = {",": "", ";": "semicolons", "\t": "tabs"}
ESCAPED = re.compile(r"((?:\A|[;\t\r\n])[\s\"]*)'('*[=+\-@])")
ESCAPED_START = re.compile(r"'+[\t\r]")


def decode(content: bytes, remarks: list[Sentence]) -> str:
    """Return the text of a file, and remark on the encoding if it had to be guessed.

    Raises:
        UnreadableFile: it is no text.
    """
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return in_utf16(content, "utf-16")
    if b"\0" in content[:1000]:
        return in_utf16(content, "utf-16-le" if content[1:2] == b"\0" else "utf-16-be")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        try:
            text = content.decode("cp1252")
        except UnicodeDecodeError:
            raise UnreadableFile(
                "Line %(line)s is not text that can be read. Save the file as “CSV UTF-8”.",
                line=line,
            ) from None
        remarks.append(
            Sentence(
                "The file is not UTF-8 (see line %(line)s). It was read as Windows-1252: check "
                "the letters with accents.",
                line=line,
            )
        )
    return without_nul(text)


def in_utf16(content: bytes, encoding: str) -> str:
    try:
        text = content.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError:
        text = "\0"
    return without_nul(text)


def without_nul(text: str) -> str:
    if "\0" in text:
        raise UnreadableFile("The file is not text. Save it as .xlsx or as CSV and try again.")
    return text


def text_rows(text: str, remarks: list[Sentence]) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a CSV file with the line that each begins on.

    Raises:
        UnreadableFile: a quotation mark is never closed.
    """
    delimiter = delimiter_of(text)
    if delimiter != ",":
        what = Sentence(DELIMITERS[delimiter])
        remarks.append(Sentence("Cells are separated by %(what)s.", what=what))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            if "field limit" in str(error):
                raise UnreadableFile(
                    "Line %(line)s has a cell that is too long. Is a quotation mark missing?",
                    line=line,
                ) from None
            raise UnreadableFile(
                "Line %(line)s has a quotation mark that is never closed. Remove or double it.",
                line=line,
            ) from None
        yield line, [unescape(cell.strip()) for cell in cells]
        line = reader.line_num + 1


def delimiter_of(text: str) -> str:
    """Return the delimiter that the header has most often outside quotation marks."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    bare = re.sub(r'"[^"]*"', "", first)
    return max(DELIMITERS, key=bare.count)


def unescape(text: str) -> str:
    """Return a text without the apostrophe that our own files have before a formula."""
    return ESCAPED.sub(r"\1\2", text[1:] if ESCAPED_START.match(text) else text)
