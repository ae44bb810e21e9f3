"""Background tasks. They take only ids and are safe to run twice."""

import random
import secrets

from celery import shared_task

from league.models import (
    Season,
)
from league.services import corrections
from league.services.apps import connecting
from league.services.apps import keys as app_keys
from league.services.competitions import progress as competitions
from league.services.core.clock import database_now
from league.services.dates import deadlines as dates
from league.services.decay import steps
from league.services.demo import requests as demo
from league.services.discord import boards as discord_boards
from league.services.discord import messages as discord_messages
from league.services.discord import signing as discord_signing
from league.services.frontpage import days as front_days
from league.services.home import weekly
from league.services.integrity import addresses, flags
from league.services.jobs import jobs
from league.services.ladder import deadlines
from league.services.maps import vetoes
from league.services.merging import requests as merges
from league.services.notices import delivery, mailing, reading
from league.services.operations import keeping
from league.services.people import inviting, sent_once, signing
from league.services.points import awarding
from league.services.privacy import deleting, exporting
from league.services.push import sending as push
from league.services.queue import kept_ticks, ready_checks, ticks
from league.services.rating import checkpoints
from league.services.results.records import badge_notices
from league.services.results.reports.answers import confirm_expired
from league.services.seasons import accuracy, ending, hindsight, opening, planning
from league.services.standings import connections, days
from league.services.standings.updating import update_pending
from league.services.teams import rating as team_ratings
from league.services.webhooks import sending
from league.work import WORK

TICK_EXPIRES = 5.0
"""Seconds after which a started tick that no worker has taken is dropped."""
SENDING_EXPIRES = 10.0
"""Seconds after which a webhook that no worker has taken is left to the next sweep."""


@shared_task
def confirm_expired_reports() -> int:
    """Confirm the reports whose confirmation window has passed. Return how many."""
    return confirm_expired(database_now())


@shared_task
def start_due_ticks() -> int:
    """Start the tick of each queue that is due. Return how many."""
    arenas = ticks.due_arenas(database_now())
    for arena in arenas:
        tick_queue.apply_async((arena,), expires=TICK_EXPIRES)
    return len(arenas)


@shared_task
def tick_queue(arena_id: int) -> None:
    """Match the waiting players of an arena. A tick that is not due does nothing."""
    ticks.tick(arena_id, now=database_now(), seed=secrets.randbits(63))


@shared_task
def forget_old_ticks() -> int:
    """Delete old ticks. Return how many."""
    return kept_ticks.forget_old_ticks(database_now())


@shared_task
def cancel_expired_ready_checks() -> int:
    """Close expired ready checks, and those with a banned player. Return how many."""
    now = database_now()
    return ready_checks.remove_banned(now) + ready_checks.cancel_expired(now)


@shared_task
def store_drawn_maps() -> int:
    """Store the turns of map vetoes that nobody used in time. Return how many vetoes have ended."""
    return vetoes.sweep(database_now())


@shared_task
def process_challenges() -> int:
    """Process the challenges whose deadline has passed. Return how many."""
    return deadlines.sweep(database_now())


@shared_task
def process_arrangements() -> int:
    """Let the proposals and dates lapse whose time has passed. Return how many."""
    return dates.sweep(database_now())


@shared_task
def process_competitions() -> int:
    """Start competitions, open and close their rounds, and let winners advance. Return how many
    have changed."""
    return competitions.sweep(database_now())


@shared_task
def take_decay_steps() -> int:
    """Take a decay step for each period that has ended. Return how many."""
    return steps.take_due(database_now())


@shared_task
def open_due_seasons() -> list[int]:
    """Plan seasons that follow others, and start opening those due. Return their ids."""
    now = database_now()
    planning.plan_following(now)
    due = list(Season.objects.due(now).values_list("pk", flat=True))
    for season in due:
        open_season.delay(season)
    return due


@shared_task
def open_season(season_id: int) -> None:
    """Open a planned season that is due."""
    opening.open_planned(season_id, now=database_now())


@shared_task
def update_standings() -> int:
    """Update the standings of players whose ratings have changed. Return how many."""
    return update_pending(database_now())


@shared_task
def rate_teams() -> int:
    """Rate the teams of seasons whose results have changed. Return the number of seasons."""
    return team_ratings.refresh_all(database_now())


@shared_task
def compute_connections() -> int:
    """Compute which players have enough different opponents to be ranked. Return the number of
    seasons."""
    return connections.refresh_due(database_now())


@shared_task
def raise_flags() -> int:
    """Flag recent results that look arranged. Return how many flags are new."""
    return flags.raise_all(database_now())


@shared_task
def forget_addresses() -> int:
    """Clear the hashed addresses of old reports and answers. Return how many."""
    return addresses.forget_old(database_now())


@shared_task
def tally_points() -> int:
    """Add new results to the boards of ladder points. Return the number of seasons."""
    return awarding.compact()


@shared_task
def note_standings_of_the_day() -> int:
    """Record the ranks at the start of a day. Return the number of seasons."""
    return days.record_all(database_now())


@shared_task
def note_days() -> int:
    """Compute the figures of the last days for the admin's first page. Return the days."""
    return front_days.note_days(database_now())


@shared_task
def measure_forecasts() -> int:
    """Measure how well seasons were predicted that have changed. Return how many."""
    return accuracy.measure_due(database_now())


@shared_task
def compute_hindsight() -> int:
    """Compute the ratings in hindsight of the seasons that are due tonight. Return how many."""
    return hindsight.compute_due(database_now())


@shared_task
def freeze_due_seasons() -> list[int]:
    """Settle late results, and start archiving the seasons that are due. Return their ids."""
    now = database_now()
    ending.settle_late(now)
    due = ending.freeze_due(now)
    for season in due:
        freeze_season.delay(season)
    return due


@shared_task
def freeze_season(season_id: int) -> None:
    """Archive a season that is over, and settle its late results."""
    now = database_now()
    if ending.freeze(season_id, now=now):
        ending.settle_late(now)


@shared_task
def carry_out_corrections() -> int:
    """Make the waiting corrections one after the other. Return how many."""
    waiting = corrections.waiting()
    for request in waiting:
        carry_out_correction(request)
    return len(waiting)


@shared_task
def carry_out_correction(request_id: int) -> None:
    """Make a correction that staff requested, unless it is done or another worker has it."""
    corrections.carry_out(request_id, database_now())


@shared_task
def carry_out_merges() -> int:
    """Make the waiting merges of players one after the other. Return how many."""
    waiting = merges.waiting()
    for request in waiting:
        carry_out_merge(request)
    return len(waiting)


@shared_task
def carry_out_merge(request_id: int) -> None:
    """Merge two players as staff requested, unless it is done or another worker does it."""
    merges.carry_out(request_id, database_now())


@shared_task
def mail_notices() -> int:
    """Write the mails about unseen notices that are due. Return how many."""
    return mailing.mail_due(database_now())


@shared_task
def mail_weekly() -> int:
    """Write the mails of the week where it is Monday morning. Return how many."""
    return weekly.mail_due(database_now())


@shared_task
def deliver_mail() -> int:
    """Send the mails that are due. Return how many were sent."""
    return delivery.deliver_due(database_now())


@shared_task
def forget_old_mail() -> int:
    """Delete old notices, mails sent or given up long ago, and the addresses of invitations that
    ended long ago. Return how many."""
    now = database_now()
    ended = inviting.forget_addresses(now)
    return delivery.forget_old(now) + reading.forget_old(now) + ended


@shared_task
def forget_old_requests() -> int:
    """Delete the records of requests too old to be replayed, and expired tokens and keys of apps.

    Return how many rows were deleted.
    """
    now = database_now()
    of_apps = connecting.forget_old(now) + app_keys.forget_old(now)
    of_others = signing.forget_old(now) + discord_signing.forget_old(now)
    return sent_once.forget_old(now) + of_apps + of_others


@shared_task
def back_up() -> bool:
    """Make a backup if one is due, prove it and delete old ones. Return whether it was."""
    return keeping.back_up_if_due(database_now())


@shared_task
def back_up_now() -> bool:
    """Make a backup that staff asked for, and prove it. Return whether it was made."""
    return keeping.back_up(database_now())


@shared_task
def note_memories() -> int:
    """Save checkpoints of rating systems, for corrections. Return the number of seasons."""
    return checkpoints.save_all(database_now())


@shared_task
def create_requested_demo() -> int:
    """Create the demo league if an admin has asked for it. Return the number of requests."""
    waiting = demo.waiting()
    for request in waiting:
        demo.carry_out(request, database_now())
    if waiting:
        note_days.delay()
        compute_hindsight.delay()
    return len(waiting)


@shared_task
def make_exports() -> int:
    """Make the data exports that accounts wait for, and forget the expired ones. Return how many
    were made."""
    now = database_now()
    exporting.forget_expired(now)
    return sum(exporting.attempt(user_id, now) for user_id in exporting.waiting())


@shared_task
def delete_accounts() -> int:
    """Delete the accounts whose owners have had time to change their mind. Return how many."""
    now = database_now()
    deleting.forget_ended_bans(now)
    return sum(deleting.attempt(user_id, now) for user_id in deleting.due(now))


@shared_task
def carry_out_jobs() -> int:
    """Do the waiting jobs one after the other. Return how many."""
    found = jobs.waiting()
    for job in found:
        carry_out_job(job)
    return len(found)


@shared_task
def carry_out_job(job_id: int) -> None:
    """Do the work of a job that staff started, unless it is done or another worker does it."""
    jobs.carry_out(job_id, WORK, database_now())


@shared_task
def send_webhooks() -> int:
    """Start sending to each webhook for which something is due. Return how many."""
    due = sending.due_webhooks(database_now())
    for webhook in due:
        send_to_webhook.apply_async((webhook,), expires=SENDING_EXPIRES)
    return len(due)


@shared_task
def send_to_webhook(webhook_id: int) -> int:
    """Send what is due for a webhook, unless another worker does. Return the number of attempts."""
    return sending.send_due(webhook_id, random.SystemRandom())


@shared_task
def forget_old_deliveries() -> int:
    """Delete old deliveries of webhooks. Return how many."""
    return sending.forget_old(database_now())


@shared_task
def tell_badges() -> int:
    """Tell players of new badges. Return how many."""
    return badge_notices.tell_new(database_now())


@shared_task
def send_discord_messages() -> int:
    """Send the direct messages that are due. Return the number of attempts."""
    return discord_messages.send_due()


@shared_task
def send_push_messages() -> int:
    """Send the push messages that are due. Return the number of attempts."""
    return push.send_due()


@shared_task
def update_discord_boards() -> int:
    """Update the boards on Discord that are due. Return how many."""
    return discord_boards.update_due()
