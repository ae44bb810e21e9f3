"""One match as an object, and what makes one impossible."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ratings.types import NEVER

LARGEST_WEIGHT = 1_000_000.0
LARGEST_PLACE = 1_000_000_000
LOWEST_CEILING = -1_000_000_000.0


class HistoryError(ValueError):
    """An impossible match. The message names it and says why."""


@dataclass(frozen=True, slots=True)
class Participant:
    """One player's part in a match."""

    player: str
    seconds: float | None = None
    """Seconds played, ``None`` if unknown."""
    quit: bool = False
    profession: str = ""


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a match. Place 0 is the best, equal places tie."""

    place: int
    participants: Sequence[Participant]
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """One match of two or more sides."""

    match_id: str
    played_at_us: int
    """Microseconds since 1970 (UTC)."""
    sides: Sequence[Side]
    weight: float = 1.0
    perf_ceiling: float = math.inf
    played: bool = True
    """Whether it was actually played. Others, such as the penalty for an ignored challenge, change
    ratings by their places but do not count as games."""
    mode: str = ""
    """The game mode. It changes ladder points, never ratings."""
    first: int | None = None
    """The side that is first, such as the home team, White or the server, as an index of ``sides``.
    ``None`` on neutral ground. Only matches of two sides have one."""
    events: Sequence[tuple[int, int] | tuple[int, int, int]] = ()
    """Single victories within the match, in order: the winner's and the loser's side, and the kind
    of event, which is 1 if left out. Systems that rate each event use them in place of the
    places."""


def problem_of(match: Match) -> str:
    """Return why a match is impossible, empty if it is not."""
    if problem := _terms_problem(match):
        return problem
    if len(match.sides) < 2:
        return "a match needs at least two sides"
    for number, side in enumerate(match.sides, start=1):
        if problem := _side_problem(side):
            return f"side {number}: {problem}"
    names = [one.player for side in match.sides for one in side.participants]
    if len(set(names)) < len(names):
        twice = next(name for at, name in enumerate(names) if name in names[:at])
        return f"{twice} plays twice"
    if match.first is not None and (len(match.sides) > 2 or match.first not in (0, 1)):
        return "the first side must be 0 or 1, and only matches of two sides have one"
    return _events_problem(match)


def _events_problem(match: Match) -> str:
    if not match.events:
        return ""
    if any(len(side.participants) > 1 for side in match.sides):
        return "events are between single players, not teams"
    sides = len(match.sides)
    for number, (winner, loser, *_kind) in enumerate(match.events, start=1):
        if not (0 <= winner < sides and 0 <= loser < sides and winner != loser):
            return f"event {number} must be between two of its {sides} sides"
    return ""


def _terms_problem(match: Match) -> str:
    if not _is_whole(match.played_at_us) or not NEVER < match.played_at_us < -NEVER:
        return "the time must be a whole number of microseconds since 1970"
    if not 0 < match.weight <= LARGEST_WEIGHT:
        return f"the weight must be more than 0 and at most {LARGEST_WEIGHT:.0f}"
    if not match.perf_ceiling >= LOWEST_CEILING:
        return f"the performance ceiling must be a number of at least {LOWEST_CEILING:.0f}"
    return ""


def _side_problem(side: Side) -> str:
    if not _is_whole(side.place) or not 0 <= side.place <= LARGEST_PLACE:
        return "the place must be a whole number, 0 for the best"
    if not side.participants:
        return "a side needs at least one player"
    if side.score is not None and not math.isfinite(side.score):
        return "the score must be a number"
    for one in side.participants:
        if not one.player:
            return "a player needs a name"
        if one.seconds is not None and not 0 <= one.seconds < math.inf:
            return f"the seconds {one.player} played must be 0 or more"
    return ""


def _is_whole(number: object) -> bool:
    return isinstance(number, int | np.integer) and not isinstance(number, bool)
