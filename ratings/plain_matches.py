"""Matches written as plain values: names, ranks, scores and times."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np

from ratings.history import Match, Participant, Side
from ratings.io.csvfile import microseconds
from ratings.types import WITHOUT_TIME

if TYPE_CHECKING:
    from typing import TypeAlias

    Player: TypeAlias = str | Participant
    Members: TypeAlias = Player | Sequence[Player]
    """A side: one player, or a sequence of players."""
    Time: TypeAlias = datetime | str
    """A time, or one in ISO 8601. Without an offset it is in UTC."""


def match_of(
    sides: Sequence[Members],
    ranks: Sequence[float] | None = None,
    *,
    match_id: str,
    scores: Sequence[float] | None = None,
    at: Time | None = None,
    first: int | None = None,
    weight: float = 1.0,
) -> Match:
    """Return a match from the arguments of ``Ratings.rate``. Raises ``ValueError``."""
    members = [members_of(side) for side in sides]
    for name, values in (("ranks", ranks), ("scores", scores)):
        if values is not None and len(values) != len(members):
            raise ValueError(f"there are {len(members)} sides but {len(values)} {name}")
    return Match(
        match_id=match_id,
        played_at_us=WITHOUT_TIME if at is None else microseconds_of(at),
        sides=[
            Side(place, players, None if scores is None else float(scores[number]))
            for number, (place, players) in enumerate(
                zip(_places(len(members), ranks, scores), members, strict=True)
            )
        ],
        weight=weight,
        first=first,
    )


def members_of(side: Members) -> list[Participant]:
    """Return the players of a side. Raises ``TypeError``."""
    if isinstance(side, str | Participant):
        side = [side]
    if not isinstance(side, Iterable):
        raise TypeError(f"a side is a player's name or several names; you gave {side!r}")
    members = [Participant(one) if isinstance(one, str) else one for one in side]
    for one in members:
        if not isinstance(one, Participant):
            raise TypeError(f"a player is a name or a Participant; you gave {one!r}")
    return members


def _places(count: int, ranks: Sequence[float] | None, scores: Sequence[float] | None) -> list[int]:
    """Return the place of each side, which is the number of sides that were better."""
    if ranks is None:
        ranks = range(count) if scores is None else [-score for score in scores]
    if not np.isfinite(np.asarray(ranks, dtype=np.float64)).all():
        raise ValueError("ranks and scores must be numbers")
    return [sum(other < rank for other in ranks) for rank in ranks]


def microseconds_of(time: Time) -> int:
    """Return a time in microseconds since 1970. Raises ``ValueError``."""
    text = time.isoformat() if isinstance(time, datetime) else time
    try:
        return microseconds(text)
    except (ValueError, TypeError):
        raise ValueError(
            f"{time!r} is not a time; use a datetime, or text like 2024-05-31T19:30:00Z"
        ) from None
