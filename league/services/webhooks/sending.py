"""Send the events that are due, with pauses that grow after each failure.

One worker at a time sends to a webhook. It claims the webhook before each attempt, for as long as
that can take, so another continues soon after a worker is killed. A receiver gets each event at
least once, in no promised order.
"""

from __future__ import annotations

import logging
import time
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import DatabaseError, transaction
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from league.models import NoticeKind, Player, Webhook, WebhookAttempt, WebhookDelivery, WebhookEvent
from league.services.core.clock import database_now
from league.services.notices.writing import notify
from league.services.webhooks import posting, signing
from league.services.webhooks.messages import message_of
from league.services.webhooks.posting import Outcome

if TYPE_CHECKING:
    import random
    from datetime import datetime

logger = logging.getLogger(__name__)

PAUSES = [
    timedelta(seconds=5),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=5),
    timedelta(hours=10),
    timedelta(hours=14),
    timedelta(hours=18),
    timedelta(hours=20),
]
"""The pause after each failed attempt, 70 hours in all. After one more, an event is given up."""
JITTER = 0.2
"""The largest random part that is added to a pause, so that receivers are not hit all at once."""
LONGEST_WISH = 3600
"""The most seconds for which a receiver is left alone because it asked for it."""
PATIENCE = 2
"""Failures in a row after which nothing is sent to a webhook for a while."""
FIRST_REST, LONGEST_REST = timedelta(seconds=10), timedelta(minutes=15)
FAILURES_TO_PAUSE, TIME_TO_PAUSE = 10, timedelta(hours=24)
"""A webhook is paused after so many failures in a row, over so long."""
LEASE = timedelta(seconds=posting.DEADLINE + 2)
SPELL = 20.0
"""Seconds for which a worker sends to one webhook before others have their turn."""
KEPT = timedelta(days=30)
"""The time for which deliveries stay listed."""
KEPT_WAITING = timedelta(days=7)
"""The longest wait of an event, such as for a paused webhook, before it is given up."""
# Deleted in parts, so that no lock is held for long.
BATCH = 5_000
State = WebhookDelivery.State


def due_webhooks(now: datetime) -> list[int]:
    """Return the ids of the webhooks for which something is due and that no worker sends to."""
    due = WebhookDelivery.objects.filter(
        webhook=OuterRef("pk"), state=State.WAITING, next_attempt_at__lte=now
    )
    found = Webhook.objects.filter(free(now)).filter(Exists(due))
    return list(found.order_by("pk").values_list("pk", flat=True))


def free(now: datetime) -> Q:
    unclaimed = Q(claimed_until=None) | Q(claimed_until__lte=now)
    rested = Q(waits_until=None) | Q(waits_until__lte=now)
    return Q(paused="") & unclaimed & rested


def send_due(webhook_id: int, chance: random.Random) -> int:
    """Send what is due for a webhook and return the number of attempts. Safe to run concurrently.

    It ends after a while, or when the receiver fails, so that it occupies no worker for long.
    """
    began, attempts = time.monotonic(), 0
    while time.monotonic() - began < SPELL:
        # Read anew each time, as an attempt may take seconds.
        now = database_now()
        if not claim(webhook_id, now):
            break
        delivery = next_due(webhook_id, now)
        if delivery is None:
            break
        outcome = attempt(delivery, now)
        note(delivery.pk, outcome, database_now(), chance)
        attempts += 1
        # Nobody answered: what else is due would only wait for the same time-out.
        if not outcome.is_delivered and outcome.status is None:
            break
    return attempts


def claim(webhook_id: int, now: datetime) -> bool:
    """Claim a webhook for one attempt. Return whether nobody else has it."""
    rows = Webhook.objects.filter(free(now), pk=webhook_id)
    # One conditional update: of two workers, one changes the row. A dead one's lease runs out.
    return bool(rows.update(claimed_until=now + LEASE))


def release(webhook_id: int) -> None:
    Webhook.objects.filter(pk=webhook_id).update(claimed_until=None)


def next_due(webhook_id: int, now: datetime) -> WebhookDelivery | None:
    """Return the next delivery of a claimed webhook, ``None`` and no claim if nothing is due."""
    rows = WebhookDelivery.objects.due(now).filter(webhook=webhook_id)
    delivery = rows.select_related("webhook", "event").first()
    if delivery is None:
        release(webhook_id)
    return delivery


def attempt(delivery: WebhookDelivery, now: datetime) -> Outcome:
    """Send an event once, outside any transaction."""
    try:
        body = message_of(delivery.event)
    except DatabaseError:
        raise
    except Exception:  # one such event must not keep the others waiting
        logger.exception("The message of event %s could not be made.", delivery.event_id)
        return Outcome(None, _("The message could not be made."), "", 0)
    headers = signing.headers_of(delivery.webhook, delivery.event.message_id, body, now)
    return posting.post(delivery.webhook.address, headers, body)


def note(delivery_id: int, outcome: Outcome, now: datetime, chance: random.Random) -> None:
    """Record what became of an attempt, and end the claim. What was deleted meanwhile stays so."""
    with transaction.atomic():
        locked = Webhook.objects.select_for_update(no_key=True)  # as triggers refer to it
        webhook = locked.filter(deliveries=delivery_id).first()
        delivery = WebhookDelivery.objects.select_for_update().filter(pk=delivery_id).first()
        if webhook is None or delivery is None:
            return
        WebhookAttempt.objects.create(
            delivery=delivery,
            at=now,
            status=outcome.status,
            milliseconds=outcome.milliseconds,
            problem=outcome.problem,
            answer=outcome.answer,
        )
        webhook.claimed_until = None
        delivery.attempts += 1
        if outcome.is_delivered:
            close(delivery, State.DELIVERED, now)
            webhook.failures, webhook.failing_since, webhook.waits_until = 0, None, None
        else:
            note_failure(webhook, outcome, now)
            wait = pause(delivery.attempts, outcome, chance)
            if wait is None and webhook.paused:
                wait = timedelta()  # it is sent once more when staff resume the webhook
            if wait is None:
                close(delivery, State.FAILED, now)
            elif delivery.state == State.WAITING:
                delivery.next_attempt_at = now + wait
        delivery.save()
        webhook.save(
            update_fields=[
                "claimed_until",
                "failures",
                "failing_since",
                "waits_until",
                "paused",
                "paused_at",
            ]
        )


def pause(attempts: int, outcome: Outcome, chance: random.Random) -> timedelta | None:
    """Return how long an event waits after its failed attempt, ``None`` after the last one."""
    if attempts > len(PAUSES):
        return None
    wait = PAUSES[attempts - 1] * (1 + chance.uniform(0, JITTER))
    return max(wait, timedelta(seconds=min(outcome.retry_after, LONGEST_WISH)))


def note_failure(webhook: Webhook, outcome: Outcome, now: datetime) -> None:
    """Let a failing webhook rest, and pause it once it has failed for too long."""
    webhook.failures += 1
    webhook.failing_since = webhook.failing_since or now
    beyond = webhook.failures - PATIENCE
    if beyond > 0:
        webhook.waits_until = now + min(LONGEST_REST, FIRST_REST * 2 ** min(beyond - 1, 10))
    if webhook.paused:
        return
    if outcome.status == posting.GONE:
        stop(webhook, Webhook.Paused.GONE, now)
    elif webhook.failures >= FAILURES_TO_PAUSE and now - webhook.failing_since >= TIME_TO_PAUSE:
        stop(webhook, Webhook.Paused.FAILING, now)


def stop(webhook: Webhook, why: Webhook.Paused, now: datetime) -> None:
    """Pause a webhook and tell those who look after it."""
    webhook.paused, webhook.paused_at = why, now
    owners = Q(user=webhook.made_by_id)
    if webhook.arena_id is not None:
        owners |= Q(user__organised__arena=webhook.arena_id)
    told = Player.objects.filter(owners, user__is_active=True, user__is_staff=True).distinct()
    notify(told, NoticeKind.WEBHOOK, now, arena=webhook.arena_id)


def close(delivery: WebhookDelivery, state: WebhookDelivery.State, now: datetime) -> None:
    delivery.state, delivery.next_attempt_at = state, None
    delivery.closed_at = max(now, delivery.created_at)


def forget_old(now: datetime) -> int:
    """Give up what has waited for too long, and delete old deliveries. Return how many."""
    late = WebhookDelivery.objects.filter(
        state=State.WAITING, next_attempt_at__lt=now - KEPT_WAITING
    )
    late.update(state=State.FAILED, next_attempt_at=None, closed_at=now)
    closed = WebhookDelivery.objects.exclude(state=State.WAITING)
    old = list(closed.filter(created_at__lt=now - KEPT).order_by("pk").values_list("pk")[:BATCH])
    keys = [key for (key,) in old]
    WebhookAttempt.objects.filter(delivery__in=keys).delete()
    WebhookDelivery.objects.filter(pk__in=keys).delete()
    unused = ~Exists(WebhookDelivery.objects.filter(event=OuterRef("pk")))
    events = WebhookEvent.objects.filter(unused, at__lt=now - KEPT).order_by("pk")[:BATCH]
    WebhookEvent.objects.filter(pk__in=list(events.values_list("pk", flat=True))).delete()
    return len(keys)
