"""The scoring phase: a function for each metric of a roster's score for a seat.

Source: ``scoreRoster`` of the GW2 matchmaker and its configuration. Every function takes arrays of
K candidates and returns what the metric adds to the score of each, (K,). Averages are over players.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matchmaking.rules.arena import MatcherRules
    from matchmaking.types import Booleans, Floats, Integers


def age(waits: Floats, weight: float) -> Floats:
    """Score each second that the roster has waited."""
    return waits * weight


def games(games_mean: Floats, selected_mean: float, most: float, weight: float) -> Floats:
    """Score each game between the roster's average and that of the selected, up to ``most``."""
    return np.minimum(np.abs(selected_mean - games_mean), most) * weight


def rank(rank_mean: Floats, selected_mean: float, weight: float) -> Floats:
    """Score each rank between the roster's average and that of the selected."""
    return np.abs(selected_mean - rank_mean) * weight


def roster_size(sizes: Floats, largest: float, weight: float) -> Floats:
    """Score each player of difference in size from the largest selected roster."""
    return np.abs(sizes - largest) * weight


def rating_balance(
    effective_total: Floats,
    sizes: Floats,
    team_total: float,
    team_players: float,
    other_mean: float,
    weight: float,
) -> Floats:
    """New matcher: score each point between the team's average with the roster and the other's."""
    with_roster = (effective_total + team_total) / (sizes + team_players)
    return np.abs(with_roster - other_mean) * weight


def rating_likeness(effective_mean: Floats, team_mean: float, weight: float) -> Floats:
    """Old matcher: score each point between the roster's average and the team's."""
    return np.abs(team_mean - effective_mean) * weight


def profession_common(joining: Integers, team: Integers, rules: MatcherRules) -> Floats:
    """Score each player above the maximum of a profession that the roster has.

    ``joining`` and ``team`` are the players of the profession in the roster and in the team, in any
    shapes that broadcast; the same goes for the next two functions.
    """
    excess = np.maximum(joining + team - rules.profession_max, 0.0)
    return np.where(joining > 0, excess * rules.profession_common, 0.0)


def profession_unique(joining: Integers, team: Integers, rules: MatcherRules) -> Floats:
    """Score each profession that is new to the team and within the maximum."""
    new = (joining > 0) & (team == 0) & (joining + team <= rules.profession_max)
    return np.where(new, rules.profession_unique, 0.0)


def profession_matching(
    joining: Integers, team: Integers, other: Integers, rules: MatcherRules
) -> Floats:
    """New matcher: score each of the roster's professions that the other team has more of."""
    return np.where((joining > 0) & (team < other), rules.profession_matching, 0.0)


def dishonor_distance(stacks: Floats, selected: float, weight: float) -> Floats:
    """Score each stack between the roster and the selected, measured as the rules choose."""
    return np.abs(selected - stacks) * weight


def dishonor_stack(stacks_total: Floats, weight: float) -> Floats:
    """Score each stack in the roster."""
    return stacks_total * weight


def guild_team(is_guild_team: Booleans, *, other_has_one: bool, weight: float) -> Floats:
    """Score a guild team if the other team has one."""
    return np.where(is_guild_team & other_has_one, weight, 0.0)


def perfect_fit(sizes: Floats, seats: int, weight: float) -> Floats:
    """Score a roster that takes all remaining seats of the team."""
    return np.where(sizes == seats, weight, 0.0)
