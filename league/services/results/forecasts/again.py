"""The meaning of a player's last match if the same sides met again, and what an even win is
worth to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from league.models import Match, Participant
from league.services.core.clock import microseconds
from league.services.rating.rate import states_of
from league.services.results.forecasts.examples import NOBODY
from league.services.results.forecasts.outcomes import cases_of
from league.services.results.forecasts.stakes import WIN, own, ratings_of, stakes_of
from ratings.seasons.even_wins import even_wins

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Player, Season
    from league.services.results.forecasts.stakes import OwnStakes


@dataclass(frozen=True)
class Again:
    """A match of a player's own team against the team that they played last."""

    opponents: list[Player]
    stakes: OwnStakes
    weight: float
    """The share that a win would count."""


def again(season: Season, me: Player, now: datetime) -> Again | None:
    """Return what it would mean to play the last match of two sides in a season again."""
    played = Match.objects.rated().games().filter(season=season, participants__player=me)
    last = played.order_by("-rated_order").first()
    if last is None:
        return None
    teams: dict[int, list[Player]] = {}
    parts = Participant.objects.filter(match=last).select_related("player", "side")
    for part in parts.order_by("side__index", "position"):
        teams.setdefault(part.side.index, []).append(part.player)
    if len(teams) != 2:
        return None
    mine, theirs = sorted(teams.values(), key=lambda team: me not in team)
    line_ups = [[player.pk for player in team] for team in (mine, theirs)]
    held, flags, [fresh] = ratings_of(season, [line_ups])
    rows = {**held, **fresh}
    [found] = stakes_of(season, [line_ups], [rows], flags, now)
    if found is None:
        return None
    [case] = cases_of(season, line_ups, rows, flags, now, [WIN])
    return Again(theirs, own(found, me.pk, season.shows), case.match.match.weight)


def even_win(season: Season, me: Player | None, now: datetime) -> float:
    """Return rating points that a win over an equal is worth to a player, or to a newcomer."""
    reader = me.pk if me else NOBODY
    held, _flags, [fresh] = ratings_of(season, [[[reader]]])
    _ids, states = states_of([{**held, **fresh}[reader]])
    return float(even_wins(season.system(), states, np.array([microseconds(now)]))[0])
