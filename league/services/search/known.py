"""Players as a search lists them: the best-known first, with where they play and their rating."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Case, F, IntegerField, Max, OuterRef, Subquery, Value, When

from league.models import Match, Participant, Player, Rating, Season, Status
from league.models.names import fold
from league.services.core.shown_ratings import with_shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.models import Arena
    from league.models.player import PlayerQuerySet
    from ratings.system import Shows

LATEST_MATCHES = 60
"""The matches whose players are listed before anything is typed."""


@dataclass(frozen=True)
class KnownPlayer:
    """A player with the running season in which they have played most."""

    player: Player
    arena: Arena | None = None
    rating: float | None = None
    """``None`` without a match, and in arenas whose ratings are ranks."""
    shows: Shows | None = None
    provisional: bool = False


def running_seasons() -> list[int]:
    """Return the ids of seasons of published arenas that have begun and have no archive."""
    open_ones = Season.objects.opened().filter(archived_at=None, arena__is_draft=False)
    return list(open_ones.values_list("pk", flat=True))


def exactly(text: str) -> Case:
    """Return an order in which rows of this very name come first."""
    return Case(When(folded_name=fold(text), then=Value(0)), default=Value(1))


def best_known_first(found: PlayerQuerySet, text: str, seasons: Sequence[int]) -> PlayerQuerySet:
    """Order players: those of this very name, then by games in these seasons, then by name."""
    theirs = Rating.objects.filter(player=OuterRef("pk"), season__in=seasons)
    most = theirs.order_by().values("player").annotate(most=Max("games")).values("most")
    return found.annotate(games=Subquery(most, output_field=IntegerField())).order_by(
        exactly(text), F("games").desc(nulls_last=True), "sort_name", "pk"
    )


def find_players(text: str, count: int) -> list[KnownPlayer]:
    """Return the first listed players whose name contains a text. Four statements at most."""
    seasons = running_seasons()
    found = best_known_first(Player.objects.listed().search(text), text, seasons)
    return know(list(found.select_related("profile")[:count]), seasons)


def latest_players(count: int) -> list[KnownPlayer]:
    """Return listed players who have just played, those of the latest match first."""
    seasons = running_seasons()
    rated = Match.objects.filter(season__in=seasons, status=Status.RATED)
    latest = list(rated.order_by("-id").values_list("pk", flat=True)[:LATEST_MATCHES])
    parts = Participant.objects.filter(match__in=latest, player__is_unlisted=False)
    ordered = parts.order_by("-match_id", "side_id", "position").values_list("player", flat=True)
    ids = list(dict.fromkeys(ordered))[:count]
    players = Player.objects.select_related("profile").in_bulk(ids)
    return know([players[pk] for pk in ids if pk in players], seasons)


def know(players: Sequence[Player], seasons: Sequence[int]) -> list[KnownPlayer]:
    """Return players with the season of these in which they have played most."""
    rows: dict[int, Any] = {}
    ratings = with_shown(Rating.objects.filter(player__in=players, season__in=seasons, games__gt=0))
    for row in ratings.select_related("season__arena").order_by("games", "-season_id"):
        rows[row.player_id] = row
    return [add_rating(player, rows.get(player.pk)) for player in players]


def add_rating(player: Player, row: Any) -> KnownPlayer:
    """Return a player with what their rating says, nothing without one."""
    if row is None:
        return KnownPlayer(player)
    season = row.season
    shows = season.shows_in(season.arena)
    needed = season.season_rules().ranked.placement_matches
    rating = None if shows.lowest_first else row.shown
    return KnownPlayer(player, season.arena, rating, shows, row.games < needed)
