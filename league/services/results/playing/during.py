"""A match in play: its players' ratings, its odds, and its reporters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from league.models import ArenaQueue, Challenge
from league.services.core.shown_ratings import as_shown, decayed_ratings
from league.services.rating.forecasts import forecasts
from league.services.results.forecasts.stakes import ratings_of
from league.services.results.reports import live

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from league.models import Match, Side
    from league.services.rating.forecasts import LineUps

MOST_PLAYERS = 100
"""The most players of whom ratings and odds are read."""
MOST_NAMED = 3


@dataclass(frozen=True)
class Ratings:
    """The ratings before a match, by player id, and each side's chance to win, if it is known."""

    of: Mapping[int, float]
    provisional: frozenset[int]
    chances: Sequence[float] | None


@dataclass(frozen=True)
class Reporting:
    """The reporters of a match in play."""

    by: str
    """``server``, ``organisers`` or ``captains``."""
    captains: Sequence[str]
    """Their names, empty if they are many."""
    until: datetime | None
    """Until when, ``None`` if there is no limit."""


def ratings_before(match: Match, sides: LineUps, now: datetime) -> Ratings:
    """Return the ratings of the players of a match that is being played, and its odds.

    The odds are those that its players have read, if they have. The number of statements does not
    depend on the players.
    """
    if sum(map(len, sides)) > MOST_PLAYERS:
        return Ratings({}, frozenset(), match.forecast)
    held, _flags, newcomers = ratings_of(match.season, [sides])
    rows = {**held, **newcomers[0]}
    chances: Sequence[float] | None = match.forecast
    if chances is None:
        queue = ArenaQueue.objects.filter(arena=match.arena_id).first()
        prediction = queue.prediction_rules() if queue else None
        firsts = [match.first_side]
        [chances] = forecasts(match.season, [sides], rows, now, prediction, firsts)
    shown = decayed_ratings(match.season, rows)
    needed = match.season.season_rules().ranked.placement_matches
    provisional = frozenset(player for player, row in rows.items() if row[4] < needed)
    return Ratings(
        {player: row[1] for player, row in as_shown(rows, shown).items()}, provisional, chances
    )


def reporting(match: Match, sides: Sequence[Side], now: datetime) -> Reporting:
    """Return who reports a match that is being played, and until when.

    A challenge has its own limit. Other matches count until their season is archived.
    """
    names = [side.captain.name for side in sides]
    captains = names if len(names) <= MOST_NAMED else []
    if live.awaits_server(match, now):
        return Reporting("server", captains, match.played_at + live.SERVERS_TIME)
    challenge = Challenge.objects.filter(match=match).first() if match.arena.is_ladder else None
    until = challenge.play_by if challenge else match.season.archive_due_at
    by = "captains" if match.arena.result_settings().reporters == "captains" else "organisers"
    return Reporting(by, captains, until)
