"""What earns a place on the board of a season."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from league.services.core.clock import microseconds
from ratings.seasons.decay import decay_begins, decay_time, effective_rating
from ratings.types import MICROSECONDS_PER_SECOND, NEVER, States

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Season
    from ratings.seasons.decay import Decay
    from ratings.types import Booleans, Floats, Integers

SLICES = 7
"""In how many steps decay is taken: of a week's, one a day."""


@dataclass(frozen=True)
class Rules:
    """Who is ranked, and by what."""

    lowest_first: bool = False
    placement_matches: int = 1
    """Rated matches after which a player is ranked; at least one."""
    returning_matches: int = 1
    """The same of those whom the season took over."""
    window: float | None = None
    """Seconds after the last match in which a player is still ranked; none: for ever."""
    decay: Decay | None = None
    ends: int | None = None
    """When time stops for this season, in microseconds since 1970."""


@dataclass(frozen=True)
class Played:
    """What of the ratings of ``n`` players their places depend on."""

    rating: Floats
    games: Integers
    last_played: Integers
    """Microseconds since 1970; ``NEVER`` without a match."""
    decaying: Floats
    """Seconds of decay time that were left right after the last match; zeros without decay."""
    returning: Booleans
    """Whom the season took over from the one before."""


@dataclass(frozen=True)
class Places:
    """What ``n`` players earn at a moment."""

    placed: Booleans
    """Whether they have played enough; the rest is without meaning where they have not."""
    key: Floats
    """The effective rating, signed so that the least is best."""
    active: Booleans
    decaying: Floats
    due: Integers
    """When this changes by itself, in microseconds since 1970; ``NEVER`` if it does not."""


def rules_of(season: Season) -> Rules:
    """The rules of a season's board. A ladder's ranks are what its players hold: all of them are
    on the board, in that order."""
    ends = microseconds(season.ends_at) if season.ends_at else None
    if season.lowest_first:
        return Rules(lowest_first=True, ends=ends)
    rules = season.season_rules()
    return Rules(
        placement_matches=rules.ranked.needed(returning=False),
        returning_matches=rules.ranked.needed(returning=True),
        window=rules.ranked.window,
        decay=rules.decay if rules.decays else None,
        ends=ends,
    )


def places(rules: Rules, played: Played, now: datetime) -> Places:
    """The places of ``n`` players at ``now``, or at the end of a season that is over."""
    moment = microseconds(now) if rules.ends is None else min(microseconds(now), rules.ends)
    needed = np.where(played.returning, rules.returning_matches, rules.placement_matches)
    placed = (played.games >= np.maximum(needed, 1)) & (played.last_played != NEVER)
    effective, due = played.rating, np.full(len(played.rating), NEVER)
    if rules.decay:
        effective, due = decayed(rules.decay, played, moment)
    active = placed.copy()
    if rules.window is not None:
        window = round(rules.window * MICROSECONDS_PER_SECOND)
        active &= played.last_played >= moment - window
        leaves = np.where(active, played.last_played + window + 1, NEVER)
        due = earlier(due, leaves)
    if rules.ends is not None:
        due = np.where(due > rules.ends, NEVER, due)
    key = effective if rules.lowest_first else -effective
    return Places(placed, key, active, played.decaying, due)


def decayed(decay: Decay, played: Played, moment: int) -> tuple[Floats, Integers]:
    """``(n,)`` effective ratings as of the last slice before ``moment``, and when the next is due.

    Absence takes its points slice by slice, so that the order changes for a few at a time and a
    rating stays what it is between two looks.
    """
    slice_ = max(round(decay.decay_period / SLICES * MICROSECONDS_PER_SECOND), 1)
    begins = decay_begins(decay, played.last_played)
    taken = np.where(begins == NEVER, 0, np.maximum(moment - begins, 0) // slice_)
    last_slice = begins + taken * slice_
    states = States(
        rating=played.rating,
        deviation=played.rating,
        volatility=played.rating,
        games=played.games,
        last_played=played.last_played,
        memory=np.empty((len(played.rating), 0)),
    )
    effective = effective_rating(decay, states, played.decaying, last_slice)
    time = decay_time(decay, played.decaying, played.last_played, last_slice)
    more = (begins != NEVER) & (time < decay.decay_period) & (decay.points > 0)
    return effective, np.where(more, last_slice + slice_, NEVER)


def earlier(one: Integers, other: Integers) -> Integers:
    """The earlier of two moments each, where ``NEVER`` is none."""
    both = np.minimum(one, other)
    return np.where(one == NEVER, other, np.where(other == NEVER, one, both))
