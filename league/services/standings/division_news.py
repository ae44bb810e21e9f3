"""What players are told of their divisions: how they moved between them, and the latest news."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import connection

from league.models import DivisionChange, Status
from ratings.percentile import Division

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from league.models import Match, Player, Season

SHOWN = 20

PUT_AWAY = """
    INSERT INTO league_divisionnews (player_id, upto)
    SELECT player_id, id FROM league_divisionchange WHERE id = %s AND player_id = %s
    ON CONFLICT (player_id) DO UPDATE SET upto = greatest(league_divisionnews.upto, excluded.upto)
"""


@dataclass(frozen=True)
class Move:
    """A step of a player from division to division."""

    pk: int
    season: Season
    player: Player
    at: datetime
    was: Division | None
    becomes: Division | None
    """None of who was not ranked any more."""
    up: bool
    """Whether it was a promotion, where it was one or a demotion."""
    match_id: int | None

    @property
    def kind(self) -> str:
        """``placed``, ``promoted``, ``demoted`` or ``left``."""
        if self.becomes is None:
            return "left"
        if self.was is None:
            return "placed"
        return "promoted" if self.up else "demoted"


def moves_of(season: Season, player: Player, limit: int = SHOWN) -> list[Move]:
    """A player's moves between the divisions of a season, the latest first. One query."""
    changes = DivisionChange.objects.filter(season=season, player=player)
    return moves(season, changes.select_related("player")[:limit])


def moves_in(match: Match) -> list[Move]:
    """The moves that a match brought about. One query; none of a match that does not count."""
    if match.status != Status.RATED:
        return []
    changes = DivisionChange.objects.filter(match=match).select_related("player")
    return moves(match.season, changes.order_by("id")[:SHOWN])


def news_of(seasons: Iterable[Season], player: Player) -> Move | None:
    """The player's latest move in some seasons, unless she has put it away. One query."""
    known = {season.pk: season for season in seasons}
    changes = DivisionChange.objects.filter(season__in=list(known), player=player, told=True)
    latest = changes.select_related("player__division_news").first()
    if latest is None:
        return None
    seen = getattr(latest.player, "division_news", None)
    if seen is not None and latest.pk <= seen.upto:
        return None
    (move,) = moves(known[latest.season_id], [latest])
    return move


def put_away(change_id: int, *, by: Player) -> None:
    """Show a player no more of the news up to this change; nothing of a change of another's."""
    with connection.cursor() as cursor:
        cursor.execute(PUT_AWAY, [change_id, by.pk])


def moves(season: Season, changes: Iterable[DivisionChange]) -> list[Move]:
    known = season.season_rules().divisions.divisions
    heights = {division.name: height for height, division in enumerate(known)}

    def named(name: str) -> Division | None:
        if not name:
            return None
        return known[heights[name]] if name in heights else Division(name, 0)

    return [
        Move(
            change.pk,
            season,
            change.player,
            change.at,
            named(change.was),
            named(change.becomes),
            heights.get(change.becomes, 0) > heights.get(change.was, 0),
            change.match_id,
        )
        for change in changes
    ]
