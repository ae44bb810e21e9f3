"""Invented names of people."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from league.models import Player
from league.models.names import fold

if TYPE_CHECKING:
    from numpy.random import Generator

NAMES = Path(__file__).resolve().parents[2] / "demo"


def invented(count: int, chance: Generator) -> list[str]:
    """Return ``count`` full names that no player of the league has."""
    given, family = (
        (NAMES / f"{kind}_names.txt").read_text().split() for kind in ("given", "family")
    )
    pairs = [" ".join(pair) for pair in product(given, family)]
    drawn = [pairs[at] for at in chance.permutation(len(pairs))]
    taken = set(
        Player.objects.filter(folded_name__in=[fold(name) for name in drawn]).values_list(
            "folded_name", flat=True
        )
    )
    free = [name for name in drawn if fold(name) not in taken]
    return free[:count]
