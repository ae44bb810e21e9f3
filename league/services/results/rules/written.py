"""Results of two sides as people write them, with errors in the reader's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.services.core.errors import Refused
from league.services.core.isolation import gettext
from ratings.files import scores
from ratings.files.problems import UnreadablePart

if TYPE_CHECKING:
    from ratings.files.scores import Written


def read(text: str, *, lower_wins: bool = False) -> Written:
    """Return a written result of two sides. Raises ``Refused`` if it cannot be read."""
    try:
        return scores.read(text, lower_wins=lower_wins)
    except UnreadablePart as error:
        raise Refused("result", error.sentence.say(gettext)) from None
