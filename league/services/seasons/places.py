"""Players' places in a season of matches with more than two sides."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Avg, Count, Q

from league.models import Match, Participant

if TYPE_CHECKING:
    from collections.abc import Collection

    from league.models import Season


class Places(NamedTuple):
    """The number of first, second and third places of a player, shared or not, and the average
    place.
    """

    first: int
    second: int
    third: int
    average: float


def places_of(season: Season, players: Collection[int]) -> dict[int, Places]:
    """Return the places of these players in a season's rated matches, by player id."""
    matches = Match.objects.rated().games().filter(season=season)
    played = Participant.objects.filter(player__in=players, match__in=matches)
    counted = played.values("player").annotate(
        first=Count("pk", filter=Q(side__place=0)),
        second=Count("pk", filter=Q(side__place=1)),
        third=Count("pk", filter=Q(side__place=2)),
        average=Avg("side__place") + 1.0,
    )
    rows = counted.values_list("player", "first", "second", "third", "average")
    return {player: Places(*row) for player, *row in rows}
