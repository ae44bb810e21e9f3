"""Draws that nobody chooses and everybody can check.

When a match begins, the site makes a seed of 128 random bits. The match page shows the seed's
SHA-256 at once, and the seed itself when the map is chosen. So neither captains nor staff can try
another seed afterwards, and nobody can compute a draw before it is made.
"""

from __future__ import annotations

import secrets
from hashlib import sha256
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

One = TypeVar("One")
BYTES = 16


def new_seed() -> str:
    """Return a seed of 32 hexadecimal digits."""
    return secrets.token_hex(BYTES)


def promise_of(seed: str) -> str:
    """Return the SHA-256 of a seed, which tells nothing of it."""
    return sha256(seed.encode()).hexdigest()


def draw(seed: str, number: int, among: Sequence[One]) -> One:
    """Return the one that a seed draws in turn ``number`` (0 for what is drawn at the start).

    The first eight bytes of the SHA-256 of "seed number", as a big-endian whole number, modulo the
    length of the list, are its place in the list, from 0.
    """
    digest = sha256(f"{seed} {number}".encode()).digest()
    return among[int.from_bytes(digest[:8], "big") % len(among)]
