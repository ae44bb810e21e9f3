"""Orders of finish as people write them: Alice > Bob = Charlie."""

from __future__ import annotations

import re

from ratings.files.problems import UnreadablePart

STEPS = re.compile(r"\s+([>=])\s+|\s*\n\s*")
"""The signs between sides. A sign without spaces can be a part of a name."""
CLOSE_STEPS = re.compile(r"([>=])")
STRAY = re.compile(r"(?:\A|\s)[>=]+(?:\s|\Z)|\s>\w|\w>\s")


def read_order(text: str) -> tuple[list[str], list[int]]:
    """Return the sides of an order of finish as they are written, and their places.

    Raises:
        UnreadablePart: a side is missing, or a sign too many is beside it.
    """
    parts = STEPS.split(text.strip())
    if len(parts) == 1 and not STRAY.search(text.strip()):
        parts = CLOSE_STEPS.split(text.strip())
    sides, places = [part.strip() for part in parts[::2]], [0]
    for at, sign in enumerate(parts[1::2], start=1):
        places.append(places[-1] if sign == "=" else at)
    for at, side in enumerate(sides, start=1):
        if not side:
            raise UnreadablePart(
                "Entry %(number)s of the order of finish is empty. Write it as Alice > Bob = "
                "Charlie.",
                number=at,
            )
        if STRAY.search(side):
            raise UnreadablePart(
                "Entry %(number)s of the order of finish, “%(text)s”, has a sign too many. Write "
                "it as Alice > Bob = Charlie.",
                number=at,
                text=side[:40],
            )
    if len(sides) < 2:
        raise UnreadablePart("Write the order of finish as Alice > Bob = Charlie.")
    return sides, places
