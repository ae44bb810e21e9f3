"""A player's rating with each profession, where the season's system keeps them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Count

from league.models import Participant, Rating, Status
from league.services.rating.rate import states_of
from ratings.professions import key
from ratings.systems.glicko2.system import Glicko2

if TYPE_CHECKING:
    from league.models import Player, Season


@dataclass(frozen=True)
class Profession:
    """A player's rating with a profession played in rated matches of a season."""

    name: str
    matches: int
    rating: float
    deviation: float
    """As of the last match with the profession."""


def professions_of(season: Season, player: Player) -> list[Profession]:
    """Return the professions of a rated player, most played first. Two queries.

    Empty where the season's system does not keep such ratings.
    """
    system = season.system()
    if not isinstance(system, Glicko2) or not system.keeps_professions:
        return []
    columns = ("pk", "rating", "deviation", "volatility", "games", "last_played_at", "memory")
    _ids, states = states_of(
        Rating.objects.filter(season=season, player=player).values_list(*columns)
    )
    rated = system.professions(states, 0)
    played = (
        Participant.objects.filter(player=player, match__season=season, match__status=Status.RATED)
        .exclude(profession="")
        .values_list("profession")
        .annotate(matches=Count("pk"))
        .order_by("-matches", "profession")
    )
    return [
        Profession(name, matches, rated[key(name)].rating, rated[key(name)].deviation)
        for name, matches in played
        if key(name) in rated
    ]
