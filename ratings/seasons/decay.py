"""Decay: the points that absence takes from the effective rating, computed on read.

Source: "PvP Matchmaking Algorithm", Guild Wars 2 Wiki, the attributes of ``<Decay>``.

Decay lowers the *effective* rating, which is used for display and matchmaking. The rating itself
does not change, so playing again brings everything back. Players absent for longer than the grace
period accumulate *active decay time* as time passes, up to the decay period. At the decay period
all points are taken, and before it the same share of them. Each game takes ``recover_per_game`` of
that time away and restarts the grace period.

All times are whole microseconds since 1970 (UTC) and come in as arguments. Durations are seconds.
Everything is computed for ``n`` players at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ratings.seasons.fair_play import DAY
from ratings.tunables.kinds import Duration
from ratings.tunables.parameters import Parameters, parameter
from ratings.types import MICROSECONDS_PER_SECOND, NEVER

if TYPE_CHECKING:
    from ratings.history import History
    from ratings.types import Floats, Integers, States

SOURCE = "GW2 <Ratings>"


class Decay(Parameters):
    """Decay of inactive players' effective ratings. The defaults are Ranked's published ones."""

    points: float = parameter(
        700.0,
        label="Decay: points",
        description="The most points that an inactive player's effective rating can lose. 0 turns "
        "decay off.",
        unit="rating points",
        minimum=0,
        maximum=1_000_000,
        source=f"{SOURCE} Decay/@points",
    )
    grace_period: Duration = parameter(
        "3d",
        label="Decay: grace period",
        description="How long a player may be inactive before decay begins.",
        unit="time",
        minimum=0,
        maximum="3650d",
        source=f"{SOURCE} Decay/@grace-period",
    )
    decay_period: Duration = parameter(
        "1w",
        label="Decay: period",
        description="Time after the grace period at which all points are lost. Half of them are "
        "lost after half of it.",
        unit="time",
        minimum="1s",
        maximum="3650d",
        source=f"{SOURCE} Decay/@decay-period",
    )
    recover_per_game: Duration = parameter(
        "1d",
        label="Decay: recovery per game",
        description="How much of the decay time one game takes back.",
        unit="time",
        minimum=0,
        maximum="3650d",
        source=f"{SOURCE} Decay/@recover-per-game",
    )

    @property
    def per_day(self) -> float:
        """Points lost in a day, at most all of them."""
        return self.points * min(DAY / self.decay_period, 1)

    @property
    def per_game(self) -> float:
        """Points that one game brings back."""
        return self.points * min(self.recover_per_game / self.decay_period, 1)


def decay_time(decay: Decay, active: Floats, last_played: Integers, now: Integers) -> Floats:
    """Return ``(n,)`` seconds of active decay time at ``now``.

    ``active`` is the time left right after each player's last game, at ``last_played``. Players who
    have never played do not decay.
    """
    away = np.where(last_played == NEVER, 0, now - last_played) / MICROSECONDS_PER_SECOND
    gathered = active + np.maximum(away - decay.grace_period, 0.0)
    return np.minimum(gathered, decay.decay_period)


def decay_time_after_game(
    decay: Decay, active: Floats, last_played: Integers, now: Integers
) -> Floats:
    """Return ``(n,)`` seconds of active decay time left right after a game at ``now``."""
    return np.maximum(decay_time(decay, active, last_played, now) - decay.recover_per_game, 0.0)


def decay_times_after_history(decay: Decay, history: History) -> Floats:
    """Return ``(n,)`` seconds of active decay time of all players after their last game."""
    match = np.repeat(np.arange(len(history)), np.diff(history.match_offsets))
    return decay_times_after_games(
        decay, history.player, history.times[match], len(history.players)
    )


def decay_times_after_games(decay: Decay, player: Integers, times: Integers, count: int) -> Floats:
    """Return ``(count,)`` seconds of active decay time after each player's last game.

    Games are in the order of play. ``player`` ``(g,)`` is the player of each, from 0, and ``times``
    ``(g,)`` its time.
    """
    order = np.argsort(player, kind="stable")
    times = times[order]
    counts = np.bincount(player, minlength=count)
    starts = np.cumsum(counts) - counts
    active = np.zeros(count)
    last = np.full(count, NEVER, dtype=np.int64)
    # Process everybody's first game, then the second games of players who have one, and so on.
    for number in range(int(counts.max(initial=0))):
        players = np.flatnonzero(counts > number)
        now = times[starts[players] + number]
        active[players] = decay_time_after_game(decay, active[players], last[players], now)
        last[players] = np.maximum(last[players], now)
    return active


def decayed_points(decay: Decay, active: Floats, last_played: Integers, now: Integers) -> Floats:
    """Return ``(n,)`` points that decay takes from the effective rating at ``now``."""
    return decay.points * decay_time(decay, active, last_played, now) / decay.decay_period


def effective_rating(
    decay: Decay, states: States, active: Floats, now: Integers | int, floor: float = -np.inf
) -> Floats:
    """Return ``(n,)`` ratings after decay at ``now``, but not below ``floor``.

    A rating that is already below ``floor`` stays as it is.
    """
    at = np.broadcast_to(np.asarray(now, dtype=np.int64), states.rating.shape)
    left = states.rating - decayed_points(decay, active, states.last_played, at)
    return np.maximum(left, np.minimum(floor, states.rating))


def decay_begins(decay: Decay, last_played: Integers) -> Integers:
    """Return ``(n,)`` ends of the grace period, ``NEVER`` for players who have not played."""
    grace = round(decay.grace_period * MICROSECONDS_PER_SECOND)
    return np.where(last_played == NEVER, NEVER, last_played + grace)
