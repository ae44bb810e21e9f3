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
    from collections.abc import Sequence

    from league.models import Player, Season


@dataclass(frozen=True)
class Profession:
    """A player's rating with a profession played in rated matches of a season."""

    name: str
    matches: int
    rating: float
    deviation: float
    """As of the last match with the profession."""


def played_with(season: Season, player: Player) -> list[tuple[str, int]]:
    """Return the professions of a player's rated matches with their numbers, most played first.

    Empty where the season's system does not keep their ratings.
    """
    if keeping_system(season) is None:
        return []
    played = Participant.objects.filter(
        player=player, match__season=season, match__status=Status.RATED
    ).exclude(profession="")
    counted = played.values_list("profession").annotate(matches=Count("pk"))
    return list(counted.order_by("-matches", "profession"))


def professions_of(
    season: Season, player: Player, played: Sequence[tuple[str, int]]
) -> list[Profession]:
    """Return a player's rating with each profession that :func:`played_with` returned."""
    system = keeping_system(season)
    if system is None or not played:
        return []
    columns = ("pk", "rating", "deviation", "volatility", "games", "last_played_at", "memory")
    _ids, states = states_of(
        Rating.objects.filter(season=season, player=player).values_list(*columns)
    )
    rated = system.professions(states, 0)
    return [
        Profession(name, matches, rated[key(name)].rating, rated[key(name)].deviation)
        for name, matches in played
        if key(name) in rated
    ]


def keeping_system(season: Season) -> Glicko2 | None:
    """Return the season's system if it keeps a rating for each profession."""
    system = season.system()
    return system if isinstance(system, Glicko2) and system.keeps_professions else None
