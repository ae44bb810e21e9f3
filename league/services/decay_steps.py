"""Kreimeier's zero-sum decay: at the end of each period the ratings of the absent go to the mean.

It moves everybody of a season, so it is in the ledger like everything that does: as a match that
nobody played, in which those who had played in the period share the first place and the absent the
second. The season's rating system rates it as a step of decay, so replay, verification, previews
and corrections take it at its place in the order of rating.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Q

from league.models import Match, Participant, Rating, Season, Settlement, Side, Status
from league.services.locking import lock
from league.services.rating import Settled, rate
from ratings.systems.fermi import Fermi

if TYPE_CHECKING:
    from datetime import datetime

AT_ONCE = 5_000
"""Rows that are written in one statement."""
MOST_SIDES = 30_000
"""Of more players, several are written on one side: it makes no difference to a step."""


def take_due(now: datetime) -> int:
    """Take the step of each running season whose period has ended; in how many. Safe to run twice.

    A period that nobody was swept up after before the next one ended takes nothing.
    """
    decaying = Season.objects.running(now).filter(rating_parameters__decay__gt=0)
    return sum(take(season.pk, now) is not None for season in decaying)


def take(season_id: int, now: datetime) -> Match | None:
    """The step of the last period that ended in a season; none if it is taken, or nobody was
    active or nobody away. Results of the season wait meanwhile."""
    season = Season.objects.get(pk=season_id)
    if not is_due(season, now):
        return None
    with transaction.atomic():
        season = Season.objects.select_for_update(of=["self"]).get(pk=season_id)
        if season.archived_at is not None or not is_due(season, now):
            return None
        return write(season, now)


def ended(season: Season, now: datetime) -> tuple[datetime, datetime] | None:
    """The last period that has ended by ``now``: from when to when; none before the first has, and
    for systems that know no decay."""
    system = season.system()
    if not isinstance(system, Fermi) or not system.parameters.decay:
        return None
    length = timedelta(seconds=system.parameters.decay_period)
    count = (now - season.starts_at) // length
    return (
        None
        if count < 1
        else (season.starts_at + (count - 1) * length, season.starts_at + count * length)
    )


def is_due(season: Season, now: datetime) -> bool:
    """Whether a period has ended whose step is not taken, and somebody played and somebody not."""
    period = ended(season, now)
    if period is None:
        return False
    since, at = period
    held = Rating.objects.filter(season=season)
    taken = Match.objects.filter(season=season, played=False, played_at=at)
    active = held.filter(last_played_at__gte=since)
    away = held.filter(Q(last_played_at=None) | Q(last_played_at__lt=since))
    return active.exists() and away.exists() and not taken.exists()


def write(season: Season, now: datetime) -> Match:
    """Write and rate the step; the caller holds the season alone."""
    period = ended(season, now)
    assert period is not None  # noqa: S101 - it is due
    since, at = period
    held = Rating.objects.filter(season=season).order_by("player")
    everybody = list(held.values_list("player", "last_played_at"))
    entry = Match.objects.create(
        arena_id=season.arena_id, season=season, status=Status.LIVE, played_at=at, played=False
    )
    places: list[list[int]] = [[], []]
    for player, last_played in everybody:
        places[0 if last_played is not None and last_played >= since else 1].append(player)
    size = 1 + len(everybody) // MOST_SIDES
    groups = [
        (place, players[start : start + size])
        for place, players in enumerate(places)
        for start in range(0, len(players), size)
    ]
    sides = Side.objects.bulk_create(
        (
            Side(match=entry, index=index, place=place, captain_id=players[0])
            for index, (place, players) in enumerate(groups)
        ),
        batch_size=AT_ONCE,
    )
    Participant.objects.bulk_create(
        (
            Participant(match=entry, side=side, player_id=player, position=position)
            for side, (_place, players) in zip(sides, groups, strict=True)
            for position, player in enumerate(players)
        ),
        batch_size=AT_ONCE,
    )
    return rate(lock(entry.pk), Settled(Settlement.DECAY), now)
