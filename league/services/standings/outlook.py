"""The future of a player's rating: matches needed to be ranked, inactivity and decay."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from league.models import Rating
from league.services.core.clock import microseconds, moment
from league.services.standings import connections
from league.services.standings.ranking import ranking_rules
from ratings.seasons.connections import FEW
from ratings.seasons.decay import decay_begins
from ratings.seasons.even_wins import unconfirmed_kept
from ratings.seasons.unconfirmed import changes_to_confirm

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Player, Season
    from league.services.standings.leaderboard_rows import LeaderboardRow


@dataclass(frozen=True)
class Outlook:
    """The future of a player's rating in a season."""

    missing: int = 0
    """Placement matches still to be played."""
    opponents: int = 0
    """Different ranked opponents needed to be ranked, if only they are missing."""
    opponents_met: int = 0
    """The number of them that the player has met."""
    share: int = 0
    """The percentage of matches that must be against ranked players, if only that is missing."""
    supporting: int = 0
    """The number of the player's matches that were, but for the opponent met most."""
    matches: int = 0
    unconfirmed: float = 0.0
    """Points won from players without a rank that such matches have to confirm, if too many are."""
    kept: float = 0.0
    """The most of these points that may stay unconfirmed."""
    confirming: int = 0
    """Roughly how many such matches are needed for it."""
    inactive_for: timedelta | None = None
    """The time without a match after which players are inactive, if this player is."""
    decays_in: timedelta | None = None
    """Time until decay starts, if no match is played and the season lasts."""
    taken: float = 0.0
    """Rating lost to decay."""
    regained: float = 0.0
    """The part of it that the next match restores."""
    holds: timedelta | None = None
    """The time by which a match delays decay."""


class Placement(NamedTuple):
    """The matches that a player needs to be ranked."""

    matches: int
    """Rated matches, at least one but for players whose rating comes from the season before."""
    window: float | None
    """Seconds since one of them at most, ``None`` for any time."""
    opponents: int
    """Different ranked opponents, 0 for any."""


def placement(season: Season, player: Player) -> Placement:
    """Return what a player needs to be ranked in a season. One query."""
    rules, returned = ranking_rules(season), has_returned(season, player)
    return Placement(rules.matches_needed(returning=returned), rules.window, rules.opponents)


def has_returned(season: Season, player: Player) -> bool:
    """Return whether a player played before the season. A drawn starting rating does not say so."""
    mine = Rating.objects.filter(season=season, player=player)
    return mine.filter(played_before__isnull=False).exists()


def outlook(season: Season, player: Player, row: LeaderboardRow, *, now: datetime) -> Outlook:
    """Return the outlook of a player at ``now``, empty for a season that is over. Up to six
    queries."""
    if season.lowest_first:
        return Outlook()
    if season.ends_at is not None and season.ends_at <= now:
        return Outlook()
    if row.provisional:
        return before_rank(season, player, row)
    rules, last = season.season_rules(), row.last_played_at
    inactive = timedelta(seconds=rules.ranked.window) if row.rank is None else None
    if not rules.decays or last is None:
        return Outlook(inactive_for=inactive)
    decay = rules.decay
    begins = decay_start(season, last)
    in_time = season.ends_at is None or begins < season.ends_at
    taken = max(row.before_decay - row.rating, 0.0)
    return Outlook(
        inactive_for=inactive,
        decays_in=begins - now if begins > now and in_time else None,
        taken=taken,
        regained=min(taken, decay.points * decay.recover_per_game / decay.decay_period),
        holds=timedelta(seconds=decay.grace_period),
    )


def decay_start(season: Season, last: datetime) -> datetime:
    """Return when decay starts in a season whose ratings decay, after a player's last match."""
    decay = season.season_rules().decay
    return moment(int(decay_begins(decay, np.array([microseconds(last)]))[0]))


def before_rank(season: Season, player: Player, row: LeaderboardRow) -> Outlook:
    """Return what a player has to do to be ranked."""
    rules = season.season_rules()
    ranked = rules.ranked
    missing = max(placement(season, player).matches - row.games, 0)
    if missing:
        return Outlook(missing=missing)
    met, opponents = connections.connected_opponents(season, player.pk)
    if met >= opponents > FEW:
        support = connections.support_of(season, player.pk)
        system = season.system()
        scale = system.scale_at(row.before_decay)
        kept = unconfirmed_kept(system) if rules.fair_play.same_opponents else 0.0
        missing = support.against_ranked < ranked.others * support.matches
        changes = changes_to_confirm(support.unconfirmed, kept)
        if missing or changes:
            return Outlook(
                share=round(100 * ranked.others) if missing else 0,
                supporting=support.against_ranked,
                matches=support.matches,
                unconfirmed=support.unconfirmed * scale if changes else 0.0,
                kept=kept * scale,
                confirming=matches_like(support.usual, changes),
            )
    return Outlook(opponents=opponents, opponents_met=met)


def matches_like(usual: float, changes: float) -> int:
    """Return how many matches with the ``usual`` change change a rating so much, 0 if unknown."""
    return math.ceil(changes / usual) if usual > 0 else 0
