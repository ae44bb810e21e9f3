"""Profession keys that are the same in every history.

A history numbers its professions by first appearance, so a single match and a season would number
them differently. A system's memory of a profession therefore uses its key.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.types import Integers


def key(profession: str) -> int:
    """Return the key of a profession: 0 for none, else 1 to 2^48, which a float holds exactly.

    It is a hash of the name. Among a thousand professions, the chance of a collision is 2e-9.
    """
    if not profession:
        return 0
    digest = hashlib.blake2b(profession.encode(), digest_size=6).digest()
    return int.from_bytes(digest, "big") + 1


def keys(professions: Sequence[str]) -> Integers:
    """Return the keys of professions, in the same order."""
    return np.array([key(profession) for profession in professions], dtype=np.int64)
