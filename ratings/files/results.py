"""A result, as a file of any format describes it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ratings.history import NEITHER

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(slots=True)
class ResultSide:
    """A side of a result."""

    names: list[str]
    """As they are written: players, or one team."""
    place: int
    """0 for the best. Equal places tie."""
    score: float | None = None
    seconds: list[float] | None = None
    """The seconds that each player played, if the file knows them; NaN for one who is unknown."""
    quits: list[bool] | None = None
    professions: list[str] | None = None


@dataclass(slots=True)
class Result:
    """A result."""

    line: int
    """Counted from 1; the number of the entry in a file without lines."""
    sides: list[ResultSide]
    played_at: datetime | None = None
    """Without a time zone it is local to the league. None where the file has only an order."""
    has_hour: bool = True
    """Whether the time of day is known."""
    first: int = NEITHER
    """The index of the side at home, with White or with the serve; -1 for neither."""
    forfeit: bool = False
    """Whether nobody played, so that only the places are known."""
    id: str = ""
    """The name that the file gives the match."""
    number: int | None = None
    """The number of a result that the site has already, in a file that the site wrote."""
    void: bool = False
    """Whether the result with that number no longer counts."""
    mode: str = ""
    round: str = ""
    event: str = ""
    weight: float = 1.0
    ceiling: float = math.inf
    """The rating above which nobody can perform in it."""


@dataclass(frozen=True)
class StartingRating:
    """The rating that a player has before the first result."""

    line: int
    name: str
    rating: float
    deviation: float | None = None
