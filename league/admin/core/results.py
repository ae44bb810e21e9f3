"""Results of matches in words, for lists and choices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.models.lists import list_of, list_with_and
from league.services.core.isolation import gettext as _
from league.services.core.numbers import write_score

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.models import Side

SIDES_IN_A_LIST = 2
"""The sides that a list names."""


def result_of(sides: Sequence[Side]) -> str:
    """Return the score of two sides, or who won. Empty without a result."""
    won = [side.captain.name for side in sides if side.place == 0]
    if not won:
        return ""
    if len(sides) == SIDES_IN_A_LIST:
        scores = [write_score(side.score) for side in sides if side.score is not None]
        if len(scores) == len(sides):
            return ":".join(scores)
        if len(won) == len(sides):
            return _("draw")
    names = (
        list_with_and(won)
        if len(won) <= SIDES_IN_A_LIST
        else list_of([*won[:SIDES_IN_A_LIST], "…"])
    )
    return _("%(names)s won") % {"names": names}
