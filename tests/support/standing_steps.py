"""Test steps for standings."""

from datetime import datetime

from django.db import connection

from league.models import Arena, Player, Rating, Season
from league.services.results.forecasts.candidates import Suggestion
from league.services.results.forecasts.suggestions import suggestions
from league.services.standings.leaderboards import player_row
from tests.support.cast import NOW, put_in_order


def rated(player: Player, arena: Arena, rating: float) -> None:
    """Give a player a rating in an arena that the board shows at once."""
    Rating.objects.update_or_create(
        season=arena.seasons.get(),
        player=player,
        defaults={"rating": rating, "deviation": 50, "games": 3, "last_played_at": NOW},
    )
    put_in_order()


def write(season: Season, players: list[int], ratings: list[float], *, games: int = 3) -> None:
    """Insert or update ratings directly in the database, bypassing the site's rules."""
    with connection.cursor() as cursor:
        cursor.execute(
            """INSERT INTO league_rating
                (season_id, player_id, rating, games, last_played_at, memory)
            SELECT %s, u.*, %s, %s, '{}' FROM unnest(%s::bigint[], %s::float8[]) AS u
            ON CONFLICT (season_id, player_id) DO UPDATE
            SET rating = excluded.rating, games = league_rating.games + 1,
                last_played_at = excluded.last_played_at""",
            [season.pk, games, NOW, players, ratings],
        )


def suggested_to(season: Season, player: Player, *, now: datetime) -> list[Suggestion]:
    """Return the opponents suggested to a player with their rating as it is."""
    return suggestions(season, player, player_row(season, player, now=now), now=now)
