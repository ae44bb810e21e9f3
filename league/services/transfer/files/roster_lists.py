"""Lists of rosters as people write them: the name, a colon and the members."""

from __future__ import annotations

import csv
import io
import re

LINE = re.compile(r"\s*([^:;\t]+?)\s*:\s*([^:\t]*?)\s*")


def as_table(content: bytes) -> bytes:
    """Return a list such as “Owls: Ann, Bob” as CSV, and any other file as it is."""
    try:
        lines = [line for line in content.decode("utf-8-sig").splitlines() if line.strip()]
    except UnicodeDecodeError:
        return content
    rows = [LINE.fullmatch(line) for line in lines]
    if not rows or not all(rows):
        return content
    written = io.StringIO()
    writer = csv.writer(written)
    writer.writerow(["roster", "members"])
    writer.writerows((row[1], row[2].replace(";", ",")) for row in rows if row)
    return written.getvalue().encode()
