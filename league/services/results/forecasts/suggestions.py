"""Suggestions of opponents near in rating or met often, with the chance to win."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

from cachetools import TTLCache
from django.conf import settings

from league.models import Player
from league.services.following.blocks import parted_from
from league.services.rating.forecasts import forecasts
from league.services.results.forecasts.candidates import (
    CONSIDERED,
    NOBODY,
    RIVALS,
    SUGGESTED,
    Candidate,
    Suggestion,
    choose,
)
from league.services.results.forecasts.roster_suggestions import roster_suggestions
from league.services.results.forecasts.stakes import own_stakes, ratings_of
from league.services.results.records.histories import history_of
from league.services.results.records.player_records import LEAST_MEETINGS
from league.services.standings.leaderboards import nearest

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Arena, Season
    from league.services.standings.leaderboard_rows import LeaderboardRow


KEPT = 500
SECONDS = 120
"""The time for which suggestions are kept, unless the player's own rating changes: the odds against
others move slowly, and computing them rates several matches."""

_kept: TTLCache[tuple[object, ...], list[Suggestion]] = TTLCache(KEPT, SECONDS)
_lock = Lock()


def is_suggested_in(arena: Arena) -> bool:
    """Return whether an arena suggests opponents: only one in which two sides meet."""
    return arena.is_open and arena.sides_min == 2


def kept_suggestions(
    season: Season, me: Player, row: LeaderboardRow | None, *, now: datetime
) -> list[Suggestion]:
    """Return suggestions for a player with this row, kept for a while.

    Kept ones leave out those whom a block has parted from the player since. One query.
    """
    if row is None:
        return []
    if not settings.FRONT_KEPT_FOR:
        return suggestions(season, me, row, now=now)
    rules = season.rules_version
    key = (season.pk, rules, me.pk, row.rating, row.games, row.last_played_at)
    with _lock:
        kept = _kept.get(key)
    if kept is None:
        found = suggestions(season, me, row, now=now)
        with _lock:
            _kept[key] = found
        return found
    if not kept:
        return []
    parted = parted_from(me, [other for one in kept for other in one.people])
    return [one for one in kept if parted.isdisjoint(other.pk for other in one.people)]


def suggestions(
    season: Season, me: Player, row: LeaderboardRow | None, *, now: datetime
) -> list[Suggestion]:
    """Return up to three opponents: a rival, an even one, and one against whom a win gains most.

    They are players where everybody plays alone, and elsewhere rosters for one of the player's own.
    Those with an account come before those without, none of them blocks the other or is unlisted.
    Empty where more than two sides have to play, and before the player's first rated match, when
    they have no ``row``.
    """
    if row is None or not is_suggested_in(season.arena):
        return []
    if season.arena.team_size_max > 1:
        return roster_suggestions(season, me, now=now)
    return player_suggestions(season, me, row, now)


def player_suggestions(
    season: Season, me: Player, row: LeaderboardRow, now: datetime
) -> list[Suggestion]:
    """Return the suggestions of an arena of duels."""
    met = {one.player_id: one.record for one in history_of(season, me).meetings}
    near = nearest(season, row.rating, now=now, count=CONSIDERED, without=me.pk)
    rivals = [player for player, record in met.items() if record.total >= LEAST_MEETINGS]
    ids = {*rivals[:RIVALS], *(one.player_id for one in near)}
    found = Player.objects.listed().filter(pk__in=ids).exclude(blocks__blocked=me)
    found = found.exclude(blocked_by__player=me).select_related("user", "profile").order_by("pk")
    players = list(found)
    reachable = [player for player in players if player.user and player.user.is_active]
    candidates = reachable if len(reachable) >= SUGGESTED else players
    if not candidates:
        return []
    chances = chances_against(season, me, candidates, now)
    chosen = choose(
        [Candidate(one, met.get(one.pk, NOBODY), chances[one.pk]) for one in candidates]
    )
    at_stake = own_stakes(season, me, [one.opponent for one, _kind in chosen], now)
    return [
        Suggestion(one.opponent, stakes, one.record, kind, people=[one.opponent])
        for (one, kind), stakes in zip(chosen, at_stake, strict=True)
        if stakes is not None
    ]


def chances_against(
    season: Season, me: Player, players: Sequence[Player], now: datetime
) -> dict[int, float]:
    """Return the rating system's forecasts of duels, by opponent; one half where it has none.

    The stakes of every candidate would take a rating of three matches each.
    """
    matches = [[[me.pk], [player.pk]] for player in players]
    held, _flags, _newcomers = ratings_of(season, matches)
    found = forecasts(season, matches, held, now)
    return {
        player.pk: chances[0] if chances else 0.5
        for player, chances in zip(players, found, strict=True)
    }
