"""Files that are read as they are, or unpacked if gzip has packed them."""

from __future__ import annotations

import gzip
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, cast

from ratings.io.csvproblems import CsvError, Problem
from ratings.io.csvrows import LARGEST_FILE, refuse_large, too_large

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MAGIC = b"\x1f\x8b"


@contextmanager
def open_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file to read its bytes, unpacked.

    Raises:
        OSError: it cannot be read.
        CsvError: what gzip has packed is damaged.
    """
    with path.open("rb") as stream:
        if stream.peek(len(MAGIC))[: len(MAGIC)] != MAGIC:
            yield stream
            return
        try:
            with gzip.open(stream) as unpacked:
                yield cast("BinaryIO", unpacked)
        except (EOFError, zlib.error, gzip.BadGzipFile):
            text = "the file is packed with gzip, and damaged or cut off; get it once more"
            raise CsvError([Problem(text)]) from None


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a file, unpacked.

    Raises:
        OSError: it cannot be read.
        CsvError: it is damaged, or has more than ``LARGEST_FILE`` bytes.
    """
    with open_file(path) as stream:
        refuse_large(stream)
        content = stream.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        raise CsvError([too_large()])
    return content
