"""What a player is rated at with each profession, where a season's system rates them."""

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
    """A profession that a player has played in rated matches of a season."""

    name: str
    matches: int
    rating: float
    deviation: float
    """As of the last match with it."""


def professions_of(season: Season, player: Player) -> list[Profession]:
    """The professions of a rated player, those played most first.

    None where the season's system has no rating for them. Two queries where it has.
    """
    system = season.system()
    if not isinstance(system, Glicko2) or not system.parameters.rating_profession_ratio:
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
