"""First steps for newcomers: an arena, how it ranks, and a first opponent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from league.models import ArenaQueue, Player
from league.services.ladder.challenges import takes_challenges
from league.services.results.forecasts.examples import newcomer
from league.services.standings.leaderboards import nearest, player_row
from league.services.standings.outlook import placement

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Season
    from league.services.home.front import ArenaEntry, Front
    from league.services.results.forecasts.examples import Newcomer
    from league.services.standings.outlook import Placement

NEAR = 3
CONSIDERED = 12
"""The most players near in rating that are considered: not all of them have an account."""


@dataclass(frozen=True)
class Start:
    """The way in which a player begins in an arena."""

    season: Season
    placement: Placement
    """The conditions that they still need to be ranked."""
    newcomer: Newcomer
    """The rating with which they start."""
    opponents: Sequence[Player]
    """Players near it who have an account, where two players meet."""
    has_queue: bool
    has_challenges: bool
    has_played: bool


def to_choose_from(shown: Front) -> list[ArenaEntry]:
    """Return the arenas in which newcomers can begin, those with most players first."""
    running = [entry for entry in shown.arenas if entry.season and entry.arena.is_open]
    return sorted(running, key=lambda entry: -entry.players)


def start_in(season: Season, me: Player, now: datetime) -> Start:
    """Return how a player begins in a season, with at most nine queries."""
    fresh = newcomer(season)
    row = player_row(season, me, now=now)
    duels = season.arena.team_size_max == 1 and season.arena.sides_min == 2
    return Start(
        season=season,
        placement=placement(season, me),
        newcomer=fresh,
        opponents=first_opponents(season, me, fresh.rating, now) if duels else [],
        has_queue=ArenaQueue.objects.filter(arena=season.arena, is_open=True).exists(),
        has_challenges=takes_challenges(season),
        has_played=row is not None and row.last_played_at is not None,
    )


def first_opponents(season: Season, me: Player, rating: float, now: datetime) -> list[Player]:
    """Return listed players near a rating who can answer, and of whom none blocks the other."""
    near = nearest(season, rating, now=now, count=CONSIDERED, without=me.pk)
    order = {row.player_id: abs(row.rating - rating) for row in near}
    able = Player.objects.listed().filter(pk__in=order, user__is_active=True)
    able = able.exclude(blocks__blocked=me).exclude(blocked_by__player=me)
    return sorted(able, key=lambda player: (order[player.pk], player.pk))[:NEAR]
