"""The ratings by which entrants are seeded and admitted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from league.models import Rating, RosterMember
from league.services.core.shown_ratings import with_shown

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from league.models import Entrant, Season


def ratings_of(season: Season, players: Collection[int]) -> dict[int, float]:
    """Return the ratings of players by id, after decay. Unrated ones have that of a newcomer."""
    rated = with_shown(Rating.objects.filter(season=season, player__in=players))
    held = dict(rated.values_list("player", "shown"))
    population = season.ratings.count() if season.system().ranks_population else 0
    newcomer = float(season.system().newcomers(1, population).rating[0])
    return {player: held.get(player, newcomer) for player in players}


def strengths(season: Season, entrants: Sequence[Entrant]) -> dict[int, float]:
    """Return the mean rating of each entrant's players, by entrant id."""
    players: dict[int, set[int]] = {one.pk: {one.player_id} for one in entrants}
    by_roster = {one.roster_id: one.pk for one in entrants if one.roster_id}
    members = RosterMember.objects.filter(roster__in=by_roster)
    for roster, player in members.values_list("roster", "player"):
        players[by_roster[roster]].add(player)
    return mean_ratings(season, players)


def mean_ratings(season: Season, sides: Mapping[int, Collection[int]]) -> dict[int, float]:
    """Return the mean rating of the players of each side."""
    rated = ratings_of(season, {player for side in sides.values() for player in side})
    return {
        number: sum(rated[player] for player in sorted(side)) / len(side)
        for number, side in sides.items()
    }


def strength_of(season: Season, players: Collection[int]) -> float:
    """Return the rating of a side that is not in a competition yet, as :func:`strengths` does."""
    return mean_ratings(season, {0: players})[0]


def seed_order(
    entrants: Sequence[Entrant], rated: dict[int, float], *, lowest_first: bool, seed: int
) -> list[Entrant]:
    """Return the entrants in the order of their seeds, the best first.

    Those with the same rating are in a random order that follows from ``seed``.
    """
    lots = dict(
        zip(
            sorted(one.pk for one in entrants),
            np.random.default_rng(seed).permutation(len(entrants)).tolist(),
            strict=True,
        )
    )
    sign = 1 if lowest_first else -1
    return sorted(entrants, key=lambda one: (sign * rated[one.pk], lots[one.pk]))
