"""Forfeits: ranks that a ladder player loses without playing.

Ranks are the replay of a season's matches, so a loss is stored as a match of the kind "forfeit".
The player who loses ranks is last in it, and the players who move up share the first place. On a
ladder, the places of a match distribute the ranks of its players, and tied players keep their
order. So this equals ``ratings.systems.ladder.events.ignore_challenge`` in a form that every
replay, check and correction understands. Forfeits do not count as games played.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.models import Match, Participant, Rating, Season, Settlement, Side, Status
from league.services.core.locking import lock
from league.services.rating.rate import Settled
from league.services.results.settling import settle

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Player


def drop(season_id: int, player: Player, ranks: int, now: datetime) -> Match | None:
    """Drop ``player`` by ``ranks``, at most to the bottom, and return the forfeit.

    Returns ``None`` if nobody is below, or the season is archived. Call it in a transaction:
    results of the season wait for its end, so that the ranks are current.
    """
    # FOR UPDATE waits for results that are being settled: they hold it FOR KEY SHARE.
    season = Season.objects.select_for_update(of=["self"]).get(pk=season_id)
    held = Rating.objects.filter(season=season)
    own = held.filter(player=player).values_list("rating", flat=True).first()
    if own is None or season.archived_at is not None:
        return None
    below = held.filter(rating__gt=own, rating__lte=own + ranks).order_by("rating")
    passed = list(below.values_list("player", flat=True))
    if not passed:
        return None
    forfeit = Match.objects.create(
        arena_id=season.arena_id,
        season=season,
        status=Status.LIVE,
        played_at=now,
        kind=Match.Kind.FORFEIT,
    )
    sides = Side.objects.bulk_create(
        Side(match=forfeit, index=index, place=0 if index else 1, captain_id=captain)
        for index, captain in enumerate([player.pk, *passed])
    )
    Participant.objects.bulk_create(
        Participant(match=forfeit, side=side, player_id=side.captain_id, position=0)
        for side in sides
    )
    return settle(lock(forfeit.pk), Settled(Settlement.CHALLENGE), now)
