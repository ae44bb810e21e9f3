"""Professions as numbers that mean the same in every history.

A history numbers its professions in the order of their appearance, so a single match and a season
would number them differently. What a system remembers of a profession goes by its key.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.types import Integers


def key(profession: str) -> int:
    """The key of a profession: 0 for none, else from 1 to 2^48, which a float holds exactly.

    It is a hash of the name; that two of a thousand professions share one has a chance of 2e-9.
    """
    if not profession:
        return 0
    digest = hashlib.blake2b(profession.encode(), digest_size=6).digest()
    return int.from_bytes(digest, "big") + 1


def keys(professions: Sequence[str]) -> Integers:
    """The keys of professions, in their order."""
    return np.array([key(profession) for profession in professions], dtype=np.int64)
