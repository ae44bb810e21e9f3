"""A player's season in review: the best of it, from the same matches as their page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Count, F, Q

from league.models import FinalStanding, Match, Participant, Player, Status
from league.services.results.records import badges
from league.services.results.records.player_records import (
    LEAST_MEETINGS,
    longest,
    rivals_of,
    with_players,
)
from league.services.standings import leaderboards

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Season
    from league.services.results.records.badges import Badge, Result
    from league.services.results.records.histories import History
    from league.services.results.records.player_records import Streak
    from league.services.results.records.profiles import Opponent, SeasonPlayed


@dataclass(frozen=True)
class Partner:
    """A team mate and the matches on the same side."""

    player: Player
    games: int
    wins: int


@dataclass(frozen=True)
class Review:
    """A player's season."""

    played: SeasonPlayed
    rank: int | None
    """The final one of an archived season, or else that of now."""
    rating: float | None
    winning: Streak | None
    best_win: Result | None
    """The win at the longest odds, if they were against the player."""
    rival: Opponent | None
    partner: Partner | None
    badges: Sequence[Badge]


def review_of(
    person: Player, played: SeasonPlayed, history: History, found: Sequence[Badge], now: datetime
) -> Review:
    """Return a player's season in review. The number of statements does not grow with it."""
    season, player = played.season, played.player
    rank, rating = standing_in(season, player, now)
    results = [one for one in badges.results_of(person) if one.season_id == season.pk]
    return Review(
        played=played,
        rank=rank,
        rating=rating,
        winning=longest(history.played, "win"),
        best_win=best_win(results),
        rival=next(iter(rivals_met(season, player)), None),
        partner=best_partner(season, player) if season.arena.team_size_max > 1 else None,
        badges=[one for one in found if one.season_id == season.pk],
    )


def standing_in(season: Season, player: Player, now: datetime) -> tuple[int | None, float | None]:
    """Return a player's rank and rating at the end of a season, or now."""
    if season.archived_at:
        final = FinalStanding.objects.filter(season=season, player=player).first()
        return (final.rank, final.rating) if final else (None, None)
    row = leaderboards.player_row(season, player, now=now)
    return (row.rank, row.rating) if row else (None, None)


def best_win(results: Sequence[Result]) -> Result | None:
    """Return the win with the smallest chance, the first of several, if that was below a half."""
    wins = [one for one in results if one.outcome == "win" and one.chance is not None]
    best = min(wins, key=lambda one: one.chance or 0.0, default=None)
    return best if best and best.chance is not None and best.chance < 0.5 else None


def rivals_met(season: Season, player: Player) -> list[Opponent]:
    """Return the player's rivals, the one most met first. Two queries."""
    return with_players(rivals_of(season, player).most_met[:1])


def best_partner(season: Season, player: Player) -> Partner | None:
    """Return the team mate with whom the player won most, of those they played with several
    times. Two queries."""
    seats = Participant.objects.filter(
        match__season=season,
        match__status=Status.RATED,
        match__kind=Match.Kind.GAME,
        side__participants__player=player,
    ).exclude(player=player)
    together = (
        seats.order_by()
        .values("player")
        .annotate(games=Count("pk"), wins=Count("pk", filter=Q(side__place=0)))
    )
    often = together.filter(games__gte=LEAST_MEETINGS, wins__gt=0)
    best = often.order_by("-wins", "games", F("player").asc()).first()
    if best is None:
        return None
    return Partner(Player.ever.get(pk=best["player"]), best["games"], best["wins"])
