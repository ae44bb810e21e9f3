"""Kreimeier's zero-sum decay: each period, ratings of inactive players move towards the mean.

A step of decay moves every rating of a season, so the ledger has it as a match that nobody played:
players who were active in the period share first place, all others second place. The season's
rating system rates it as a step of decay, so replays, verification, previews and corrections take
it in the order of rating.

Periods are processed in order, and ``Season.decayed_until`` says how far: to the last step, or to
the start of the last period that has ended, as its results may still come in. So steps missed while
the site was down are caught up, and late results of processed periods cause no further step.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Q

from league.models import Match, Season
from league.services.core.kill_points import committing
from league.services.core.turns import try_turn
from league.services.decay import writing
from ratings.systems.fermi.system import Fermi

if TYPE_CHECKING:
    from datetime import datetime

    from league.services.decay.writing import Step

MOST_STEPS = 30
"""The most steps taken in one go; the next run takes the rest."""

Period = tuple["datetime", "datetime"]
"""The start and the end of a period, the end exclusive."""


def take_due(now: datetime, most: int = MOST_STEPS) -> int:
    """Take up to ``most`` steps in all seasons whose periods have ended; return how many.

    A season's steps are taken one by one, each dated at the end of its period, and results may be
    rated between them. Safe to run twice, also at the same time.
    """
    begun = Season.objects.opened().filter(archived_at=None, starts_at__lte=now)
    taken = 0
    for season in begun.filter(rating_parameters__decay__gt=0).order_by("pk"):
        while taken < most and take(season.pk, now) is not None:
            taken += 1
    return taken


def take(season_id: int, now: datetime) -> Match | None:
    """Take and return a season's next step; None if none is due or another worker is taking it.

    Results of the season wait while ratings are written.
    """
    season = Season.objects.get(pk=season_id)
    if next_period(season, now) is None:
        close(season, now)
        return None
    with committing("decay step"):
        if not try_turn("decay steps of a season", season_id):
            return None
        season = Season.objects.get(pk=season_id)
        step = next_step(season, now)
        taken = hold_and_take(step, now) if step else None
        if step and taken is None:
            transaction.set_rollback(True)
        else:
            season.save(update_fields=["decayed_until"])
    return taken


def hold_and_take(step: Step, now: datetime) -> Match | None:
    """Take a prepared step with the season locked; None if it has to be prepared again."""
    season = Season.objects.select_for_update(of=["self"]).get(pk=step.season.pk)
    if season.archived_at or season.anchors != step.season.anchors:
        return None
    if season.rules_version != step.season.rules_version:
        return None
    return writing.carry_out(step, now)


def next_step(season: Season, now: datetime) -> Step | None:
    """Prepare and return the next step; sets ``season.decayed_until`` without saving it."""
    while period := next_period(season, now):
        since, at = period
        season.decayed_until = at
        if is_taken(season, at):
            continue
        if step := writing.prepare(season, since, at):
            return step
        if at == last_end(season, now):
            season.decayed_until = since
            break
    return None


def is_taken(season: Season, at: datetime) -> bool:
    """Whether the period that ended then has a step, even a void one."""
    return Match.objects.filter(season=season, kind=Match.Kind.DECAY, played_at=at).exists()


def close(season: Season, now: datetime) -> None:
    """Mark all periods as processed but the last one, whose results may still come in."""
    opens = last_opening(season, now)
    if opens and (season.decayed_until is None or season.decayed_until < opens):
        behind = Q(decayed_until=None) | Q(decayed_until__lt=opens)
        Season.objects.filter(behind, pk=season.pk).update(decayed_until=opens)


def next_period(season: Season, now: datetime) -> Period | None:
    """Return the next unprocessed period that has ended and has a rated match.

    If none has been processed yet, only the last period that has ended qualifies.
    """
    length, end = period_of(season), last_end(season, now)
    since = season.decayed_until or last_opening(season, now)
    if length is None or end is None or since is None:
        return None
    played = Match.objects.rated().games().filter(arena=season.arena_id, season=season)
    within = played.filter(played_at__gte=since, played_at__lt=end)
    first = within.order_by("played_at").values_list("played_at", flat=True).first()
    if first is None:
        return None
    since = season.starts_at + (first - season.starts_at) // length * length
    return since, since + length


def last_end(season: Season, now: datetime) -> datetime | None:
    """Return the end of the last period that has ended by ``now``, before the season's own end.

    The season's start if none has ended yet; None for systems without decay.
    """
    length = period_of(season)
    if length is None:
        return None
    until = now if season.ends_at is None else min(now, season.ends_at - timedelta.resolution)
    return season.starts_at + max((until - season.starts_at) // length, 0) * length


def last_opening(season: Season, now: datetime) -> datetime | None:
    """Return the start of that period; the season's start if none has ended yet."""
    length, end = period_of(season), last_end(season, now)
    return max(end - length, season.starts_at) if length and end else None


def period_of(season: Season) -> timedelta | None:
    """Return the length of a season's decay periods; None for systems without decay."""
    system = season.system()
    if not isinstance(system, Fermi) or not system.parameters.decay:
        return None
    return timedelta(seconds=system.parameters.decay_period)
