"""The order of names that readers expect: the Unicode collation algorithm, in every list alike.

PostgreSQL has it only where it was built with ICU, which the embedded one is not. So each row
stores the key of its name, and lists are ordered by an index of these keys.
"""

from __future__ import annotations

from functools import cache

from pyuca.collator import Collator_10_0_0  # type: ignore[import-untyped] # it has no types

LONGEST_KEY = 600
"""Weights of a key, so that an index takes it. A name of 60 letters has some 180."""


@cache
def collator() -> Collator_10_0_0:
    """Return the collator with its table, which takes a tenth of a second to read."""
    return Collator_10_0_0()


def sort_key(name: str) -> str:
    """Return a text whose place among others, by code points, is that of ``name``.

    Each weight becomes a character: not 0, which PostgreSQL does not store, and no surrogate.
    """
    weights = collator().sort_key(name)[:LONGEST_KEY]
    return "".join(chr(weight + (1 if weight < 0xD7FF else 0x801)) for weight in weights)
