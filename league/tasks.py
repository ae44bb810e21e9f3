"""What happens by itself. Tasks carry ids only and are safe to run twice."""

import secrets
from contextlib import suppress

from celery import shared_task
from kombu.exceptions import OperationalError

from league.models import CorrectionRequest, Season
from league.services import corrections
from league.services.core.clock import database_now
from league.services.decay import steps
from league.services.ladder import deadlines
from league.services.points import awarding
from league.services.queue import pairing, ready_checks
from league.services.rating import checkpoints
from league.services.results.answers import confirm_expired
from league.services.seasons import end, seasons
from league.services.standings import days
from league.services.standings.updating import update_pending

TICK_EXPIRES = 5.0
"""Seconds after which a started tick that no worker took is left to the next one."""


@shared_task
def confirm_expired_reports() -> int:
    """Sweep up the reports whose confirmation window has passed."""
    return confirm_expired(database_now())


@shared_task
def start_due_ticks() -> int:
    """Start the tick of each queue whose turn it is; how many."""
    arenas = pairing.due_arenas(database_now())
    for arena in arenas:
        tick_queue.apply_async((arena,), expires=TICK_EXPIRES)
    return len(arenas)


@shared_task
def tick_queue(arena_id: int) -> None:
    """Make matches of those who wait in an arena. A tick that is not due does nothing."""
    pairing.tick(arena_id, now=database_now(), seed=secrets.randbits(63))


@shared_task
def forget_old_ticks() -> int:
    """Delete what nobody will ask about any more."""
    return pairing.forget_old_ticks(database_now())


@shared_task
def cancel_expired_ready_checks() -> int:
    """Sweep up the ready checks whose time is up, and those that a ban has put an end to."""
    now = database_now()
    return ready_checks.remove_banned(now) + ready_checks.cancel_expired(now)


@shared_task
def process_challenges() -> int:
    """Sweep up the challenges whose time has come; how many."""
    return deadlines.sweep(database_now())


@shared_task
def take_decay_steps() -> int:
    """Let the ratings of the absent decay for each period that has ended; how many steps."""
    return steps.take_due(database_now())


@shared_task
def open_due_seasons() -> list[int]:
    """Plan seasons that follow others, and see to it that each opens on its day; their ids."""
    now = database_now()
    seasons.plan_following(now)
    due = list(Season.objects.due(now).values_list("pk", flat=True))
    for season in due:
        open_season.delay(season)
    return due


@shared_task
def open_season(season_id: int) -> None:
    """Open a planned season whose day has come."""
    seasons.open_planned(season_id, now=database_now())


@shared_task
def update_standings() -> int:
    """Put the players whose ratings have changed in their places; how many."""
    return update_pending(database_now())


@shared_task
def tally_points() -> int:
    """Add together what results have noted of the boards of points; of how many seasons."""
    return awarding.compact()


@shared_task
def note_standings_of_the_day() -> int:
    """Write down who stands where as a day begins; in how many seasons."""
    return days.note_all(database_now())


@shared_task
def freeze_due_seasons() -> list[int]:
    """See to it that each season that is over is archived on its day; their ids."""
    now = database_now()
    end.settle_late(now)
    due = end.freeze_due(now)
    for season in due:
        freeze_season.delay(season)
    return due


@shared_task
def freeze_season(season_id: int) -> None:
    """Write the archive of a season that is over, and put its late results where they belong."""
    now = database_now()
    if end.freeze(season_id, now=now):
        end.settle_late(now)


@shared_task
def carry_out_corrections() -> int:
    """Make the corrections that are still waiting, one after the other; how many there were."""
    waiting = corrections.waiting()
    for request in waiting:
        carry_out_correction(request)
    return len(waiting)


@shared_task
def carry_out_correction(request_id: int) -> None:
    """Make a correction that staff asked for, unless it is made or another worker is at it."""
    corrections.carry_out(request_id, database_now())


@shared_task
def note_memories() -> int:
    """Note what rating systems remember, for corrections to begin from; of how many seasons."""
    return checkpoints.note_all(database_now())


def begin_correction(request: CorrectionRequest) -> CorrectionRequest:
    """Carry out a quick correction at once and leave another to a worker; how it stands.

    If the broker cannot be reached, the sweeper finds it.
    """
    if corrections.is_quick(request):
        return corrections.carry_out(request.pk, database_now()) or request
    with suppress(OperationalError):
        carry_out_correction.apply_async((request.pk,), retry=False)
    return request
