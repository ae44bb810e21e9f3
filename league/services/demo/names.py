"""Invented names of people."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from league.models import Player
from league.models.skeletons import skeleton

if TYPE_CHECKING:
    from numpy.random import Generator

NAMES = Path(__file__).resolve().parents[2] / "demo"


def invent_names(count: int, chance: Generator) -> list[str]:
    """Return ``count`` full names that look like no name of the league."""
    given, family = (
        (NAMES / f"{kind}_names.txt").read_text().split() for kind in ("given", "family")
    )
    pairs = [" ".join(pair) for pair in product(given, family)]
    drawn = [pairs[at] for at in chance.permutation(len(pairs))]
    free = {skeleton(name): name for name in drawn}
    taken = Player.ever.filter(skeleton__in=free).values_list("skeleton", flat=True)
    for bones in taken:
        free.pop(bones, None)
    return list(free.values())[:count]
