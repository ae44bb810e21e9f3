"""Anchors in a season: players whose rating stays what staff have set.

Source: B. Kreimeier, "Rising from the Ranks", Gamasutra 2000, under "Closed System": ratings keep
their meaning over the years only if they are measured against a bot.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from django.db import transaction

from league.models import Anchor, Rating, RatingEvent, Season
from league.services.seasons.given_ratings import place as place_given

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Arena, Player

CERTAINTY = 10.0
"""An anchor's deviation is a newcomer's divided by this."""


def place(season: Season) -> None:
    """Give a season that has just opened the anchors of its arena. The caller holds it."""
    anchors = [] if season.lowest_first else list(Anchor.objects.filter(arena=season.arena_id))
    if not anchors and not season.anchors:
        return
    season.anchors = sorted(anchor.player_id for anchor in anchors)
    season.save(update_fields=["anchors"])
    for anchor in anchors:
        hold(season, anchor)


def follow(arena: Arena, now: datetime) -> list[Player]:
    """Give the running season the arena's anchors as they are now.

    Returns the players for whom it applies only from the next season on, as they have a rating of
    their own in this one, or results as an anchor.
    """
    with transaction.atomic():
        running = Season.objects.running(now).filter(arena=arena)
        season = running.select_for_update(of=["self"]).first()
        if season is None or season.lowest_first:
            return []
        wanted = {anchor.player_id: anchor for anchor in arena.anchors.select_related("player")}
        held = set(season.anchors)
        rows = Rating.objects.filter(season=season, player__in=held | set(wanted))
        rated = set(rows.values_list("player", flat=True))
        played = held & set(
            RatingEvent.ever.filter(season=season, player__in=held).values_list("player", flat=True)
        )
        dropped = held - set(wanted) - played
        rows.filter(player__in=dropped).delete()
        new = {player for player in wanted if player in held - played or player not in rated}
        season.anchors = sorted(played | new)
        season.save(update_fields=["anchors"])
        place_given(season, dropped)
        for player in new:
            hold(season, wanted[player])
        return [wanted[player].player for player in wanted if late(season, wanted[player])]


def late(season: Season, anchor: Anchor) -> bool:
    """Return whether the season has another rating for an anchor than the arena."""
    fixed = Rating.objects.filter(season=season, player=anchor.player_id, rating=anchor.rating)
    return anchor.player_id not in season.anchors or not fixed.exists()


def hold(season: Season, anchor: Anchor) -> None:
    """Write the rating of an anchor without results in the season."""
    newcomer = season.system().newcomers(1)
    deviation, volatility = (
        None if math.isnan(value) else value
        for value in (float(newcomer.deviation[0]) / CERTAINTY, float(newcomer.volatility[0]))
    )
    Rating.objects.update_or_create(
        season=season,
        player_id=anchor.player_id,
        defaults={
            "rating": anchor.rating,
            "deviation": deviation,
            "volatility": volatility,
            "memory": [],
            "opening": [anchor.rating, deviation, volatility],
            "games": 0,
            "last_played_at": None,
            "played_before": None,
        },
    )
