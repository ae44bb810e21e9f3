"""Kreimeier's zero-sum decay: at the end of each period the ratings of the absent go to the mean.

It moves everybody of a season, so it is in the ledger like everything that does: as a match that
nobody played, in which those who had played in the period share the first place and the absent the
second. The season's rating system rates it as a step of decay, so replay, verification, previews
and corrections take it at its place in the order of rating.

Periods are seen to in their order, and a season notes how far that has come: to the last step, or
to the beginning of the last period that has ended, whose results may still come in. So what a
standstill of the site left out is made up for, and old results that somebody brings in call for no
step.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import connection, transaction
from django.db.models import Q

from league.models import Match, Season
from league.services.decay import writing
from ratings.systems.fermi.system import Fermi

if TYPE_CHECKING:
    from datetime import datetime

    from league.services.decay.writing import Step

MOST_STEPS = 30
"""How many are taken in one go: what a longer standstill has left is for the next."""

TRY_TURN = "SELECT pg_try_advisory_xact_lock(hashtextextended('decay steps of a season', %s))"

Period = tuple["datetime", "datetime"]
"""From when to when, the end not included."""


def take_due(now: datetime, most: int = MOST_STEPS) -> int:
    """Take the steps of all seasons whose periods have ended, ``most`` at most; how many.

    The steps of a season are taken one after the other, each dated at the end of its own period;
    results are rated between them. Safe to run twice, and at once.
    """
    begun = Season.objects.opened().filter(archived_at=None, starts_at__lte=now)
    taken = 0
    for season in begun.filter(rating_parameters__decay__gt=0).order_by("pk"):
        while taken < most and take(season.pk, now) is not None:
            taken += 1
    return taken


def take(season_id: int, now: datetime) -> Match | None:
    """The earliest step of a season that is due; none if none is, or somebody is taking it.

    Results of the season wait while their ratings are written.
    """
    season = Season.objects.get(pk=season_id)
    if next_period(season, now) is None:
        close(season, now)
        return None
    with transaction.atomic():
        if not is_alone(season_id):
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
    """Take a prepared step with the season held alone; none if something came before it, so that
    it is to be prepared anew."""
    season = Season.objects.select_for_update(of=["self"]).get(pk=step.season.pk)
    return None if season.archived_at else writing.carry_out(step, now)


def is_alone(season_id: int) -> bool:
    """Whether nobody else is at the steps of a season; nobody will until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute(TRY_TURN, [season_id])
        return bool(cursor.fetchone()[0])


def next_step(season: Season, now: datetime) -> Step | None:
    """The next step, prepared; how far ``season`` is seen to after it is not saved yet."""
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
    """Whether there is a step of the period that ended then, be it void."""
    return Match.objects.filter(season=season, kind=Match.Kind.DECAY, played_at=at).exists()


def close(season: Season, now: datetime) -> None:
    """Note that all periods are seen to but the last, of which results may still come."""
    opens = last_opening(season, now)
    if opens and (season.decayed_until is None or season.decayed_until < opens):
        behind = Q(decayed_until=None) | Q(decayed_until__lt=opens)
        Season.objects.filter(behind, pk=season.pk).update(decayed_until=opens)


def next_period(season: Season, now: datetime) -> Period | None:
    """The next period to see to that has ended and in which anybody played, by what is rated.

    In a season in which none has been seen to yet, that can only be the last that has ended.
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
    """When the last period ended of those that have by ``now``, before the season's own end.

    The season's start before the first has; none for systems that know no decay.
    """
    length = period_of(season)
    if length is None:
        return None
    until = now if season.ends_at is None else min(now, season.ends_at - timedelta.resolution)
    return season.starts_at + max((until - season.starts_at) // length, 0) * length


def last_opening(season: Season, now: datetime) -> datetime | None:
    """When that period began; the same where none has ended yet."""
    length, end = period_of(season), last_end(season, now)
    return max(end - length, season.starts_at) if length and end else None


def period_of(season: Season) -> timedelta | None:
    """The length of a season's periods of decay; none for systems that know no decay."""
    system = season.system()
    if not isinstance(system, Fermi) or not system.parameters.decay:
        return None
    return timedelta(seconds=system.parameters.decay_period)
