"""What a player is told about a rating: what it takes to be ranked, and what absence will take."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

import numpy as np

from league.models import Rating
from league.services.core.clock import microseconds, moment
from ratings.seasons.decay import decay_begins

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Player, Season
    from league.services.standings.leaderboards import Row


@dataclass(frozen=True)
class Outlook:
    """Of one player's rating in a season."""

    missing: int = 0
    """Placement matches that are still to be played; 0 for who has played them."""
    inactive_for: timedelta | None = None
    """The time within which a match would bring the player back onto the board."""
    decays_in: timedelta | None = None
    """When absence begins to take points, if nothing is played before and the season lasts."""
    taken: float = 0.0
    """Points that absence has taken."""
    regained: float = 0.0
    """How many of these the next match brings back."""
    holds: timedelta | None = None
    """For how long a match keeps absence from taking more."""


def outlook(season: Season, player: Player, row: Row, *, now: datetime) -> Outlook:
    """What lies before a player as seen at ``now``. One query.

    Nothing of a season that is over: there time has stopped.
    """
    if season.lowest_first:
        return Outlook()
    rules = season.season_rules()
    rating, opening, last = Rating.objects.values_list("rating", "opening", "last_played_at").get(
        season=season, player=player
    )
    if season.ends_at is not None and season.ends_at <= now:
        return Outlook()
    if row.provisional:
        needed = rules.ranked.needed(returning=opening is not None)
        return Outlook(missing=max(max(needed, 1) - row.games, 0))
    inactive = timedelta(seconds=rules.ranked.window) if row.rank is None else None
    if not rules.decays or last is None:
        return Outlook(inactive_for=inactive)
    decay = rules.decay
    begins = moment(int(decay_begins(decay, np.array([microseconds(last)]))[0]))
    in_time = season.ends_at is None or begins < season.ends_at
    taken = max(rating - row.rating, 0.0)
    return Outlook(
        inactive_for=inactive,
        decays_in=begins - now if begins > now and in_time else None,
        taken=taken,
        regained=min(taken, decay.points * decay.recover_per_game / decay.decay_period),
        holds=timedelta(seconds=decay.grace_period),
    )
