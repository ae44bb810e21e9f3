"""The last visits of players, and those who have overtaken them since."""

from __future__ import annotations

from datetime import timedelta
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, NamedTuple

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, Q, Subquery

from league.models import Player, Standing, Visit

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    Places = dict[str, list[int]]
    """The players right behind, by season id."""

PAUSE = timedelta(minutes=30)
"""After so long without opening the home page, a player's next visit begins."""
STEP = timedelta(minutes=5)
"""The least time between two noted visits."""
BEHIND = 5
"""The most players right behind that are remembered."""


class Overtaking(NamedTuple):
    """A player who was right behind and is ahead now."""

    season_id: int
    player_id: int
    name: str
    key: float
    """Of their standing: their effective rating, negated where the highest is best."""


def note_visit(player: Player, seasons: Collection[int], now: datetime) -> Visit:
    """Return a player's visit at ``now``, noted if the last note is some minutes old.

    Of two pages opened at once, the later one notes the same visit again.
    """
    known = Visit.objects.filter(player=player).first()
    if known is not None and known.seen_at >= now - STEP:
        return known
    visit = known or Visit(player=player)
    if known is not None and known.seen_at < now - PAUSE:
        visit.before, visit.places = known.seen_at, known.seen_places
    visit.seen_at, visit.seen_places = now, places_of(player, seasons)
    Visit.objects.bulk_create(
        [visit],
        update_conflicts=True,
        unique_fields=["player"],
        update_fields=["seen_at", "seen_places", "before", "places"],
    )
    return visit


def places_of(player: Player, seasons: Collection[int]) -> Places:
    """Return the players right behind a player, by season id as text."""
    ranked = Standing.objects.filter(active=True)
    behind = ranked.filter(season_id=OuterRef("season_id"), key__gte=OuterRef("key")).filter(
        Q(key__gt=OuterRef("key")) | Q(player_id__gt=OuterRef("player_id"))
    )
    nearest = ArraySubquery(behind.order_by("key", "player_id").values("player_id")[:BEHIND])
    own = ranked.filter(player_id=player.pk, season_id__in=seasons)
    return {str(one): those for one, those in own.values_list("season_id", nearest)}


def overtaken_by(player: Player, visit: Visit, seasons: Collection[int]) -> list[Overtaking]:
    """Return the players right behind at the last visit who are ahead now, nearest first."""
    then = {int(season): behind for season, behind in visit.places.items()}
    asked = [
        Q(season_id=season, player_id__in=behind)
        for season, behind in then.items()
        if season in seasons and behind
    ]
    if not asked:
        return []
    ranked = Standing.objects.filter(active=True)
    own = ranked.filter(player_id=player.pk, season_id=OuterRef("season_id")).values("key")
    ahead = ranked.filter(reduce(or_, asked), key__lt=Subquery(own))
    names = Player.objects.filter(pk=OuterRef("player_id")).values("name")
    rows = ahead.annotate(name=Subquery(names)).filter(name__isnull=False)
    rows = rows.order_by("-key", "player_id")
    return [Overtaking(*row) for row in rows.values_list("season_id", "player_id", "name", "key")]
