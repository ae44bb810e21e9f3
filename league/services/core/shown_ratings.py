"""The ratings that people see and are compared by: after decay, in seasons whose rules have it.

A result moves the stored rating, which decay leaves alone. Everything else goes by these: the
leaderboard, queues, seeds, limits of rosters and all odds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Case, F, OuterRef, Subquery, When
from django.db.models.functions import Coalesce

from league.models import Standing

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from django.db.models import QuerySet

    from league.models import Rating, Season

    Row = tuple[Any, ...]
    """A player's rating, whose second value is the stored rating."""


def decayed_rating(*, season: str, player: str) -> str:
    """Return an SQL expression for a player's rating after decay, NULL if it is the stored one.

    The arguments are expressions for ids. Players without a standing do not decay.
    """
    return f"""(SELECT -shown.key FROM league_standing AS shown
        JOIN league_season AS own ON own.id = shown.season_id
        WHERE shown.season_id = {season} AND shown.player_id = {player}
            AND coalesce((own.rules->'decay'->>'points')::float8, 0) > 0)"""  # noqa: S608 - expressions of ours


def decayed_ratings(season: Season, players: Collection[int]) -> dict[int, float]:
    """Return the ratings of players by id, without those for whom it is the stored one.

    One query in a season whose ratings decay, and none in others.
    """
    if season.lowest_first or not season.season_rules().decays:
        return {}
    standings = Standing.objects.filter(season_id=season.pk, player_id__in=list(players))
    return {player: -key for player, key in standings.values_list("player_id", "key")}


def with_shown(ratings: QuerySet[Rating]) -> QuerySet[Any]:
    """Add the rating that people see to each row, as ``shown``."""
    standing = Standing.objects.filter(
        season_id=OuterRef("season_id"), player_id=OuterRef("player_id")
    )
    after_decay = Subquery(standing.annotate(rating=-F("key")).values("rating"))
    decays = When(season__rules__decay__points__gt=0, then=Coalesce(after_decay, "rating"))
    return ratings.annotate(shown=Case(decays, default="rating"))


def as_shown(rows: Mapping[int, Row], decayed: Mapping[int, float]) -> dict[int, Row]:
    """Return the ratings of players with those after decay in place of the stored ones."""
    return {player: (row[0], decayed.get(player, row[1]), *row[2:]) for player, row in rows.items()}
