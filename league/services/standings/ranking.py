"""The rules of a leaderboard: who is ranked, by which key, and when that changes."""

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
"""Steps in which a decay period is applied: one a day for a period of a week."""


@dataclass(frozen=True)
class RankingRules:
    """Rules of ranking: for whom, and in which order."""

    lowest_first: bool = False
    placement_matches: int = 1
    """Rated matches before a player is ranked."""
    returning_matches: int = 1
    """The same for players carried over from the season before. 0 ranks them at once."""
    window: float | None = None
    """Seconds without a match before a player becomes inactive; None for never."""
    decay: Decay | None = None
    opponents: int = 0
    """Different opponents that a player needs to be ranked; 0 for none."""
    ends: int | None = None
    """The end of the season, in microseconds since 1970: nothing changes with time after it."""

    def matches_needed(self, *, returning: bool) -> int:
        """Return the matches that a player needs to be ranked. Newcomers need one at least."""
        return self.returning_matches if returning else max(self.placement_matches, 1)


@dataclass(frozen=True)
class RatingInputs:
    """The columns of ``n`` players' ratings from which their standings are computed."""

    rating: Floats
    games: Integers
    last_played: Integers
    """Microseconds since 1970; ``NEVER`` without a match."""
    decaying: Floats
    """Seconds of decay time left right after the last match; zeros without decay."""
    returning: Booleans
    """Whether the player was carried over from the season before."""
    connected: Booleans
    """Whether the player has enough different opponents."""


@dataclass(frozen=True)
class ComputedStandings:
    """The standings of ``n`` players at a moment."""

    placed: Booleans
    """Whether they have played enough matches and opponents to have a standing; if not, the rest
    has no meaning."""
    key: Floats
    """The effective rating, negated where the highest is best, so that the lowest key is best."""
    active: Booleans
    decaying: Floats
    due: Integers
    """The time at which this next changes by itself, in microseconds since 1970, or ``NEVER``."""


def ranking_rules(season: Season) -> RankingRules:
    """Return the rules of a season's leaderboard. On a ladder every player is ranked, by the rank
    they hold, also if they hold it from the season before."""
    ends = microseconds(season.ends_at) if season.ends_at else None
    if season.lowest_first:
        return RankingRules(lowest_first=True, returning_matches=0, ends=ends)
    rules = season.season_rules()
    return RankingRules(
        placement_matches=rules.ranked.matches_needed(returning=False),
        returning_matches=rules.ranked.matches_needed(returning=True),
        window=rules.ranked.window,
        decay=rules.decay if rules.decays else None,
        opponents=rules.ranked.opponents,
        ends=ends,
    )


def compute_standings(
    rules: RankingRules, played: RatingInputs, now: datetime
) -> ComputedStandings:
    """Return the standings of ``n`` players at ``now``, or at the end of a season that is over."""
    moment = microseconds(now) if rules.ends is None else min(microseconds(now), rules.ends)
    needed = np.where(
        played.returning,
        rules.matches_needed(returning=True),
        rules.matches_needed(returning=False),
    )
    placed = (played.games >= needed) & (played.last_played != NEVER)
    if rules.lowest_first:
        placed = played.rating > 0  # a rank, also before the first match; 0 stands for none
    if rules.opponents:
        placed &= played.connected
    effective, due = played.rating, np.full(len(played.rating), NEVER)
    if rules.decay:
        effective, due = decay_ratings(rules.decay, played, moment)
    active = placed.copy()
    if rules.window is not None:
        window = round(rules.window * MICROSECONDS_PER_SECOND)
        active &= played.last_played >= moment - window
        leaves = np.where(active, played.last_played + window + 1, NEVER)
        due = earlier(due, leaves)
    if rules.ends is not None:
        due = np.where(due > rules.ends, NEVER, due)
    key = effective if rules.lowest_first else -effective
    return ComputedStandings(placed, key, active, played.decaying, due)


def decay_ratings(decay: Decay, played: RatingInputs, moment: int) -> tuple[Floats, Integers]:
    """Return ``(n,)`` effective ratings at the last slice before ``moment``, and the next slice.

    Decay is applied in slices, so that each update reorders few players and ratings are constant
    in between.
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
    """Return the earlier of two moments; ``NEVER`` is later than any."""
    both = np.minimum(one, other)
    return np.where(one == NEVER, other, np.where(other == NEVER, one, both))
