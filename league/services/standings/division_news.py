"""Promotions and demotions to show: of a player, of a match, and as news."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import connection

from league.models import DivisionChange, Status
from ratings.percentile import Division

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from league.models import Match, Player, Season

SHOWN = 20
"""The most moves listed."""

DISMISS = """
    INSERT INTO league_divisionnews (player_id, upto)
    SELECT player_id, id FROM league_divisionchange WHERE id = %s AND player_id = %s
    ON CONFLICT (player_id) DO UPDATE SET upto = greatest(league_divisionnews.upto, excluded.upto)
"""


@dataclass(frozen=True)
class Move:
    """A player's move between divisions."""

    pk: int
    season: Season
    player: Player
    at: datetime
    was: Division | None
    becomes: Division | None
    """None if the player is no longer ranked."""
    up: bool
    """Whether the division is higher than before."""
    match_id: int | None
    is_news: bool
    """Whether it was announced to the reader, who has not dismissed it since."""

    @property
    def kind(self) -> str:
        """``placed``, ``promoted``, ``demoted`` or ``left``."""
        if self.becomes is None:
            return "left"
        if self.was is None:
            return "placed"
        return "promoted" if self.up else "demoted"


def moves_of(season: Season, player: Player, limit: int = SHOWN) -> list[Move]:
    """Return a player's moves between the divisions of a season, latest first. One query."""
    changes = DivisionChange.objects.filter(season=season, player=player)
    latest = list(changes.select_related("player__division_news")[:limit])
    return moves(season, latest, seen=seen_of(latest))


def moves_in(match: Match) -> list[Move]:
    """Return the moves caused by a match; none if it is not rated. One query."""
    if match.status != Status.RATED:
        return []
    changes = DivisionChange.objects.filter(match=match).select_related("player")
    return moves(match.season, changes.order_by("id")[:SHOWN])


def news_of(seasons: Iterable[Season], player: Player) -> Move | None:
    """Return a player's latest move in some seasons, unless they have dismissed it. One query."""
    known = {season.pk: season for season in seasons}
    changes = DivisionChange.objects.filter(season__in=list(known), player=player, told=True)
    latest = changes.select_related("player__division_news").first()
    if latest is None:
        return None
    (move,) = moves(known[latest.season_id], [latest], seen=seen_of([latest]))
    return move if move.is_news else None


def dismiss(change_id: int, *, by: Player) -> None:
    """Hide the news up to a change from its player; nothing if it is another player's."""
    with connection.cursor() as cursor:
        cursor.execute(DISMISS, [change_id, by.pk])


def seen_of(changes: Sequence[DivisionChange]) -> int:
    """Return up to which change a player, whose changes are given, has dismissed their news."""
    news = getattr(changes[0].player, "division_news", None) if changes else None
    return news.upto if news else 0


def moves(
    season: Season, changes: Iterable[DivisionChange], *, seen: float = math.inf
) -> list[Move]:
    """Return changes as moves. Announced ones after the change ``seen`` are news."""
    known = season.season_rules().divisions.divisions
    heights = {division.name: height for height, division in enumerate(known)}

    def find_division(name: str) -> Division | None:
        if not name:
            return None
        return known[heights[name]] if name in heights else Division(name, 0)

    return [
        Move(
            change.pk,
            season,
            change.player,
            change.at,
            find_division(change.was),
            find_division(change.becomes),
            heights.get(change.becomes, 0) > heights.get(change.was, 0),
            change.match_id,
            change.told and change.pk > seen,
        )
        for change in changes
    ]
