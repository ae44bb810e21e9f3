"""Names of the players of a side, in one cell or in several."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ratings.files.names import fold

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ratings.files.rows import GameRules

SIGNS = re.compile(r"\s*[/+&]\s*|\s+and\s+", re.IGNORECASE)
COMMAS = re.compile(r"\s*,\s*")
ALL = re.compile(rf"{SIGNS.pattern}|{COMMAS.pattern}", re.IGNORECASE)


def find_separators(cells: Iterable[str], rules: GameRules) -> re.Pattern[str]:
    """Return what separates the names in cells of sides.

    A comma always does. Other signs, which are part of names such as Brighton & Hove, do where
    most cells have one.
    """
    written = [cell for cell in cells if cell and fold(cell) not in rules.names_of_teams]
    signed = sum(SIGNS.search(cell) is not None for cell in written)
    return ALL if signed * 2 > len(written) else COMMAS


def split_names(text: str, rules: GameRules, separators: re.Pattern[str]) -> list[str]:
    """Return the names of the players of a side that are written in a cell."""
    if not rules.teams or fold(text) in rules.names_of_teams:
        return [text]
    return [part.strip() for part in separators.split(text)]
