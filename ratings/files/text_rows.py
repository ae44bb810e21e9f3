"""Text files: their encoding, and the rows of those that have cells (CSV)."""

from __future__ import annotations

import csv
import io
import re
from enum import StrEnum
from typing import TYPE_CHECKING

from ratings.files.problems import UnreadableFile
from ratings.tunables.sentences import Sentence, mark

if TYPE_CHECKING:
    from collections.abc import Iterator

DELIMITERS = {",": "", ";": mark("semicolons"), "\t": mark("tabs")}
ESCAPED = re.compile(r"((?:\A|[;\t\r\n])[\s\"]*)'('*[=+\-@])")
ESCAPED_START = re.compile(r"'+[\t\r]")
NOT_WINDOWS = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")
"""Bytes that Windows-1252 does not have."""
WITHIN_WORDS = re.compile(rb"(?<=[a-z])[\x80-\x91\x95-\xff]")


class Encoding(StrEnum):
    """An encoding of text that can be chosen, where the guess is wrong."""

    UTF_8 = "utf-8"
    UTF_16 = "utf-16"
    WINDOWS_1252 = "windows-1252"
    MAC_ROMAN = "mac-roman"

    @property
    def codec(self) -> str:
        """The name that Python has for it."""
        return {"utf-8": "utf-8-sig", "mac-roman": "mac_roman"}.get(self.value, self.value)

    @property
    def label(self) -> str:
        return {"utf-8": "UTF-8", "utf-16": "UTF-16", "mac-roman": "Mac Roman"}.get(
            self.value, "Windows-1252"
        )


def decode(content: bytes, remarks: list[Sentence]) -> str:
    """Return the text of a file, and remark on the encoding if it had to be guessed.

    Raises:
        UnreadableFile: it is no text.
    """
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return in_utf16(content, "utf-16")
    if half := half_of_nuls(content[:1000]):
        return in_utf16(content, half)
    try:
        return without_nul(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
    guessed = guess_encoding(content)
    remarks.append(
        Sentence(
            "The file is not UTF-8 (see line %(line)s). It was read as %(encoding)s: check the "
            "letters with accents.",
            line=line,
            encoding=guessed.label,
        )
    )
    return without_nul(content.decode(guessed.codec))


def guess_encoding(content: bytes) -> Encoding:
    """Return which of the encodings without Unicode has small letters within words.

    Where Windows-1252 has signs, Mac Roman has most letters with accents, and capitals where it
    has small ones. Bytes that are apostrophes in Windows-1252 say nothing.
    """
    if NOT_WINDOWS.search(content):
        return Encoding.MAC_ROMAN
    within = b"".join(WITHIN_WORDS.findall(content))

    def fit(encoding: Encoding) -> int:
        text = within.decode(encoding.codec)
        return sum(map(str.islower, text)) - sum(map(str.isupper, text))

    mac = fit(Encoding.MAC_ROMAN) > fit(Encoding.WINDOWS_1252)
    return Encoding.MAC_ROMAN if mac else Encoding.WINDOWS_1252


def find_guessed(content: bytes) -> str:
    """Return the ``Encoding`` that is guessed for a file, empty if it is Unicode or no text."""
    remarks: list[Sentence] = []
    try:
        decode(content, remarks)
    except UnreadableFile:
        return ""
    return guess_encoding(content).value if remarks else ""


def to_utf8(content: bytes, encoding: str) -> bytes:
    """Return a file in an ``Encoding`` that was chosen as one in UTF-8.

    Raises:
        UnreadableFile: it is not in this encoding.
    """
    chosen = Encoding(encoding)
    try:
        return content.decode(chosen.codec).encode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UnreadableFile(
            "Line %(line)s is not %(encoding)s. Choose another encoding, or save the file as “CSV "
            "UTF-8”.",
            line=line,
            encoding=chosen.label,
        ) from None


def half_of_nuls(sample: bytes) -> str:
    """Return the UTF-16 whose other bytes alone are NUL, empty if NULs are few or everywhere.

    One stray NUL makes no UTF-16: its letters would be read as signs of other scripts.
    """
    first, second = sample[::2].count(0), sample[1::2].count(0)
    few, most = sorted((first, second))
    if most < max(2, len(sample) // 16) or few > most // 8:
        return ""
    return "utf-16-le" if second == most else "utf-16-be"


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
