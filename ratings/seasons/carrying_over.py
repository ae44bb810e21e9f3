"""What a season does to ratings: resets, placement from the season before, and decay on read.

Source: "PvP Matchmaking Algorithm", Guild Wars 2 Wiki, the attributes of ``<Ratings>``, ``<Decay>``
and ``<Placement>``.

Decay takes points from the *effective* rating, the one that is shown and matched by; the rating
itself stays, so nothing is lost that playing again does not bring back. A player who has not played
for longer than the grace period gathers *active decay time*, as much as has passed since, up to the
decay period; at the decay period all points are taken, before it the same share of them. Each game
takes ``recover_per_game`` of that time away and starts the grace period anew.

All times are whole microseconds since 1970 (UTC) and come in as arguments; durations are seconds.
Everything is worked out for ``n`` players at once.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from ratings.tunables.kinds import Duration
from ratings.tunables.parameters import Parameters, parameter
from ratings.types import MICROSECONDS_PER_SECOND, NEVER

if TYPE_CHECKING:
    from ratings.history import History
    from ratings.types import Booleans, Floats, Integers, States

SOURCE = "GW2 <Ratings>"


class Decay(Parameters):
    """What absence takes from the effective rating; the defaults are Ranked's as published."""

    points: float = parameter(
        700.0,
        label="Decay: points",
        description="The most that absence takes from the effective rating. 0 turns decay off.",
        unit="rating points",
        minimum=0,
        maximum=1_000_000,
        source=f"{SOURCE} Decay/@points",
    )
    grace_period: Duration = parameter(
        "3d",
        label="Decay: grace period",
        description="How long a player may be away before anything is taken.",
        unit="time",
        minimum=0,
        maximum="3650d",
        source=f"{SOURCE} Decay/@grace-period",
    )
    decay_period: Duration = parameter(
        "1w",
        label="Decay: period",
        description="How long after the grace period all of the points are taken; half of them "
        "after half of it.",
        unit="time",
        minimum="1s",
        maximum="3650d",
        source=f"{SOURCE} Decay/@decay-period",
    )
    recover_per_game: Duration = parameter(
        "1d",
        label="Decay: recovery for each game",
        description="How much of the decay time one game takes away again.",
        unit="time",
        minimum=0,
        maximum="3650d",
        source=f"{SOURCE} Decay/@recover-per-game",
    )


def decay_time(decay: Decay, active: Floats, last_played: Integers, now: Integers) -> Floats:
    """``(n,)`` seconds of active decay at ``now``.

    ``active`` is what was left right after each player's last game, at ``last_played``. Who has
    never played does not decay.
    """
    away = np.where(last_played == NEVER, 0, now - last_played) / MICROSECONDS_PER_SECOND
    gathered = active + np.maximum(away - decay.grace_period, 0.0)
    return np.minimum(gathered, decay.decay_period)


def after_game(decay: Decay, active: Floats, last_played: Integers, now: Integers) -> Floats:
    """``(n,)`` seconds of active decay that are left right after a game at ``now``."""
    return np.maximum(decay_time(decay, active, last_played, now) - decay.recover_per_game, 0.0)


def active_after(decay: Decay, history: History) -> Floats:
    """``(n,)`` seconds of active decay of all players right after their last game."""
    match = np.repeat(np.arange(len(history)), np.diff(history.match_offsets))
    return after_games(decay, history.player, history.times[match], len(history.players))


def after_games(decay: Decay, player: Integers, times: Integers, count: int) -> Floats:
    """``(count,)`` seconds of active decay right after the last of games in the order of play.

    ``player`` ``(g,)`` says whose game each is, from 0, and ``times`` ``(g,)`` when it was.
    """
    order = np.argsort(player, kind="stable")
    times = times[order]
    counts = np.bincount(player, minlength=count)
    starts = np.cumsum(counts) - counts
    active = np.zeros(count)
    last = np.full(count, NEVER, dtype=np.int64)
    # Game by game: everybody's first, then the second of those who have one, and so on.
    for number in range(int(counts.max(initial=0))):
        who = np.flatnonzero(counts > number)
        now = times[starts[who] + number]
        active[who] = after_game(decay, active[who], last[who], now)
        last[who] = np.maximum(last[who], now)
    return active


def decayed_points(decay: Decay, active: Floats, last_played: Integers, now: Integers) -> Floats:
    """``(n,)`` points that absence takes from the effective rating at ``now``."""
    return decay.points * decay_time(decay, active, last_played, now) / decay.decay_period


def effective_rating(
    decay: Decay, states: States, active: Floats, now: Integers | int, floor: float = -np.inf
) -> Floats:
    """``(n,)`` ratings less what absence takes at ``now``, not below ``floor``.

    A rating that is below ``floor`` itself stays as it is.
    """
    at = np.broadcast_to(np.asarray(now, dtype=np.int64), states.rating.shape)
    left = states.rating - decayed_points(decay, active, states.last_played, at)
    return np.maximum(left, np.minimum(floor, states.rating))


def decay_begins(decay: Decay, last_played: Integers) -> Integers:
    """``(n,)`` when the grace period ends; ``NEVER`` for who has not played."""
    grace = round(decay.grace_period * MICROSECONDS_PER_SECOND)
    return np.where(last_played == NEVER, NEVER, last_played + grace)


def full_reset(states: States, newcomers: States, before: int) -> States:
    """Everyone who last played before that time starts anew, as ``newcomers`` ``(n,)`` do."""
    return _where(states.last_played < before, newcomers, states)


def partial_reset(states: States, newcomers: States, before: int) -> States:
    """The deviation alone of everyone who last played before that time starts anew.

    What a system remembers beside rating, deviation and volatility goes with it: it is the
    evidence that the deviation stood for.
    """
    old = states.last_played < before
    return replace(
        states,
        deviation=np.where(old, newcomers.deviation, states.deviation),
        memory=np.where(old[:, None], np.nan, states.memory),
    )


def _where(chosen: Booleans, these: States, others: States) -> States:
    """``these`` where chosen, else ``others``; both ``(n,)``."""
    result = others.copy()
    index = np.flatnonzero(chosen)
    result.put(index, these.take(index))
    return result


class SeasonStart(Parameters):
    """With what ratings the players of one season enter the next."""

    placement: Literal["linear-scale", "carry-over", "fresh"] = parameter(
        "linear-scale",
        label="Ratings at the start",
        description="What becomes of last season's ratings.",
        choices={
            "linear-scale": "drawn towards the centre",
            "carry-over": "kept as they are",
            "fresh": "everyone starts anew",
        },
        source=f"{SOURCE} Placement/@type",
    )
    center: float = parameter(
        1200.0,
        label="Centre (param1)",
        description="The rating towards which ratings are drawn.",
        unit="rating points",
        minimum=-1_000_000,
        maximum=1_000_000,
        source=f"{SOURCE} Placement/@param1",
    )
    ratio: float = parameter(
        0.5,
        label="Ratio (param2)",
        description="How much of the distance to the centre is kept: 1 keeps ratings as they are, "
        "0 puts everyone at the centre.",
        minimum=0,
        maximum=1,
        source=f"{SOURCE} Placement/@param2",
    )
    reset_deviation: bool = parameter(
        default=False,
        label="Start with new deviations",
        description="Whether everyone's rating counts as unsure as a newcomer's.",
        source=f"{SOURCE} @partial-reset",
    )


def linear_scale(rating: Floats, center: float, ratio: float) -> Floats:
    """``center + ratio · (rating - center)``."""
    return center + ratio * (rating - center)


def opened(start: SeasonStart, states: States, newcomers: States) -> States:
    """The states ``(n,)`` in which last season's players enter the new one, no game played yet.

    When they last played is kept, so absence counts across seasons. What a system remembers beside
    is dropped where ratings or deviations change, as it speaks of the old ones.
    """
    if start.placement == "fresh":
        return newcomers.copy()
    scaled = start.placement == "linear-scale"
    changed = (scaled and start.ratio != 1.0) or start.reset_deviation
    rating = linear_scale(states.rating, start.center, start.ratio) if scaled else states.rating
    return replace(
        states.copy(),
        rating=np.array(rating),
        deviation=(newcomers if start.reset_deviation else states).deviation.copy(),
        games=np.zeros_like(states.games),
        memory=np.full_like(states.memory, np.nan) if changed else states.memory.copy(),
    )
