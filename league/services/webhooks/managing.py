"""Acts of staff on webhooks. Each step is in the staff log."""

from __future__ import annotations

from copy import copy
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils.translation import gettext as _

from league.models import EventType, StaffAction, Webhook, WebhookDelivery, WebhookEvent
from league.models.own_words import own_words
from league.models.webhook import TEST, new_seed
from league.services.core.errors import Conflict, Forbidden, LimitReached, Refused
from league.services.core.staff_log import of_arena
from league.services.webhooks import addresses

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from league.models import Arena, User

MOST = 50
"""The most webhooks of an arena, or of the whole league."""
OVERLAP = timedelta(hours=24)
"""The time for which the previous secret signs, too."""
BETWEEN_TESTS = timedelta(seconds=5)
DOUBLE_CLICK = timedelta(seconds=5)
"""Within which nobody has read the page with the secret."""
PERMISSION = "league.change_webhook"
State = WebhookDelivery.State


def check_webhook(webhook: Webhook) -> None:
    """Check a webhook before it is stored.

    Raises:
        Refused: its address may not be sent to, or it is told nothing.
        LimitReached: its arena has as many as it may have.
    """
    if not webhook.events or not set(webhook.events) <= set(EventType.values):
        raise Refused("events", _("Choose at least one event."), field="events")
    addresses.resolve(addresses.read(webhook.address))
    if webhook.pk is None and Webhook.objects.filter(arena=webhook.arena_id).count() >= MOST:
        text = _("There are %(count)d webhooks already. Delete one first.")
        raise LimitReached("too_many", text % {"count": MOST})


def make(
    arena: Arena | None,
    name: str,
    address: str,
    events: list[str],
    *,
    by: User,
    now: datetime,
) -> Webhook:
    """Make a webhook, with a note in the staff log.

    Raises:
        Forbidden: ``by`` may make none there.
        Refused: its address may not be sent to.
        LimitReached: its arena has as many as it may have.
    """
    if not by.has_perm("league.add_webhook", arena):
        raise Forbidden("not_yours", _("You may not make a webhook there."))
    webhook = Webhook(
        arena=arena, name=name, address=address, events=events, made_by=by, made_at=now
    )
    check_webhook(webhook)
    with transaction.atomic():
        webhook.save()
        record(webhook, by, "webhook made", now)
    return webhook


def change(webhook: Webhook, changes: dict[str, Any], *, by: User, now: datetime) -> Webhook:
    """Change the name, the address or the events of a webhook, with a note in the staff log.

    Raises:
        Forbidden: ``by`` may not change it.
        Refused: its address may not be sent to.
    """
    wanted = copy(webhook)
    for name, value in changes.items():
        setattr(wanted, name, value)
    check_webhook(wanted)  # which may wait for a name server, so before anything is locked
    with transaction.atomic():
        locked = lock(webhook.pk, by)
        before = {name: getattr(locked, name) for name in changes}
        for name, value in changes.items():
            setattr(locked, name, value)
        locked.save(update_fields=list(changes))
        record(locked, by, "webhook changed", now, before=before, after=changes)
    return locked


def delete(webhook: Webhook, *, by: User, now: datetime) -> None:
    """Delete a webhook with its deliveries, with a note in the staff log.

    Raises:
        Forbidden: ``by`` may not.
    """
    with transaction.atomic():
        # FOR UPDATE: events that are written now refer to it, and must not be left without it.
        locked = Webhook.objects.select_related("arena").select_for_update(of=("self",))
        found = locked.filter(pk=webhook.pk).first()
        if found is None or not by.has_perm("league.delete_webhook", found):
            raise Forbidden("not_yours", _("You may not delete this webhook."))
        record(found, by, "webhook deleted", now)
        found.delete()


def forget_double_click(webhook: Webhook) -> None:
    """Delete what the first of two clicks has made: only the second shows its secret."""
    same = Webhook.objects.filter(
        made_by=webhook.made_by, arena=webhook.arena, name=webhook.name, address=webhook.address
    )
    same.filter(made_at__gte=webhook.made_at - DOUBLE_CLICK).delete()


def change_secret(webhook: Webhook, *, by: User, now: datetime) -> Webhook:
    """Give a webhook a new secret. The one before signs as well for a day.

    Changed again within that day, as by a double click, it is still the one that receivers know.
    """
    with transaction.atomic():
        locked = lock(webhook.pk, by)
        if locked.old_until is None or locked.old_until <= now:
            locked.old_secret_seed = locked.secret_seed
        locked.old_until = now + OVERLAP
        locked.secret_seed = new_seed()
        locked.save(update_fields=["secret_seed", "old_secret_seed", "old_until"])
        record(locked, by, "webhook secret", now)
    return locked


def pause(webhook: Webhook, *, by: User, now: datetime) -> Webhook:
    """Send nothing more to a webhook. What happens waits for it.

    Raises:
        Conflict: it is paused already.
    """
    with transaction.atomic():
        locked = lock(webhook.pk, by)
        if locked.paused:
            raise Conflict("paused", _("This webhook is paused already."))
        locked.paused, locked.paused_at = Webhook.Paused.STAFF, now
        locked.save(update_fields=["paused", "paused_at"])
        record(locked, by, "webhook paused", now)
    return locked


def resume(webhook: Webhook, *, by: User, now: datetime) -> Webhook:
    """Send to a paused webhook again, at once what has waited for it.

    Raises:
        Conflict: it is not paused.
    """
    with transaction.atomic():
        locked = lock(webhook.pk, by)
        if not locked.paused:
            raise Conflict("not_paused", _("This webhook is not paused."))
        locked.paused, locked.paused_at = Webhook.Paused.NOT, None
        locked.failures, locked.failing_since = 0, None
        locked.waits_until = None
        locked.save(
            update_fields=["paused", "paused_at", "failures", "failing_since", "waits_until"]
        )
        waiting = WebhookDelivery.objects.filter(webhook=locked, state=State.WAITING)
        waiting.filter(next_attempt_at__gt=now).update(next_attempt_at=now)
        record(locked, by, "webhook resumed", now)
    return locked


def send_test(webhook: Webhook, *, by: User, now: datetime) -> WebhookDelivery:
    """Send a test event to a webhook.

    Raises:
        Conflict: it is paused.
        LimitReached: a test was sent just now.
    """
    with transaction.atomic():
        locked = lock(webhook.pk, by)
        refuse_if_paused(locked)
        tests = WebhookDelivery.objects.filter(webhook=locked, event__type=TEST)
        if tests.filter(created_at__gt=now - BETWEEN_TESTS).exists():
            raise LimitReached("too_soon", _("A test event was sent just now."), wait=5)
        event = WebhookEvent.objects.create(type=TEST, subject=locked.pk, at=now)
        sent = WebhookDelivery.objects.create(
            webhook=locked, event=event, created_at=now, next_attempt_at=now
        )
        Webhook.objects.filter(pk=locked.pk).update(waits_until=None)
        record(locked, by, "webhook tested", now)
    return sent


def replay(deliveries: Iterable[WebhookDelivery], *, by: User, now: datetime) -> int:
    """Send events of one webhook again that were delivered or given up. Return how many.

    Raises:
        Conflict: the webhook is paused.
    """
    keys: dict[int, list[int]] = {}
    for delivery in deliveries:
        keys.setdefault(delivery.webhook_id, []).append(delivery.pk)
    count = 0
    with transaction.atomic():
        for webhook_id in sorted(keys):
            locked = lock(webhook_id, by)
            refuse_if_paused(locked)
            closed = WebhookDelivery.objects.filter(webhook=locked, pk__in=keys[webhook_id])
            again = closed.exclude(state=State.WAITING).update(
                state=State.WAITING, next_attempt_at=now, closed_at=None, attempts=0
            )
            if again:
                Webhook.objects.filter(pk=webhook_id).update(waits_until=None)
                record(locked, by, "webhook replayed", now, deliveries=keys[webhook_id][:100])
            count += again
    return count


def refuse_if_paused(webhook: Webhook) -> None:
    if webhook.paused:
        raise Conflict("paused", _("This webhook is paused. Resume it first."))


def lock(webhook_id: int, by: User) -> Webhook:
    """Return a webhook, locked, that somebody may change.

    Raises:
        Forbidden: they may not.
    """
    rows = Webhook.objects.select_related("arena").select_for_update(no_key=True, of=("self",))
    webhook = rows.filter(pk=webhook_id).first()
    if webhook is None or not by.has_perm(PERMISSION, webhook):
        raise Forbidden("not_yours", _("You may not change this webhook."))
    return webhook


def record(
    webhook: Webhook,
    by: User,
    what: str,
    now: datetime,
    *,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
    **details: Any,
) -> None:
    """Write the staff log, with a reason in the site's own words."""
    why = own_words(what, webhook=webhook)
    StaffAction.objects.create(
        actor=by,
        kind=StaffAction.Kind.WEBHOOK,
        reason=why.text,
        details={
            "model": "league.webhook",
            "id": str(webhook.pk),
            "object": str(webhook),
            **details,
            **why.details,
            **of_arena(webhook.arena),
        },
        before=before,
        after=after,
        at=now,
    )
