"""Lists of rosters as people write them: the name, a colon and the members."""

from __future__ import annotations

import csv
import io
import re

LINE = re.compile(r"\s*([^:;\t]+?)\s*:\s*([^:\t]*?)\s*")


def as_table(content: bytes) -> bytes | None:
    """Return a list such as “Owls: Ann, Bob” as CSV of the same lines, ``None`` for other files."""
    try:
        lines = content.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        return None
    rows = [LINE.fullmatch(line) for line in lines if line.strip()]
    if not rows or not all(rows):
        return None
    written = io.StringIO()
    writer = csv.writer(written)
    for line in lines:
        row = LINE.fullmatch(line)
        members = row[2].replace(";", ",") if row else ""
        writer.writerow([row[1], members or ","] if row else [])  # a column even if nobody has any
    return written.getvalue().encode()
