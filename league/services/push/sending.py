"""Send push messages about notices, with growing pauses after failures.

A trigger queues a message for each device of a notice's reader. A worker claims what is due for a
device for as long as one attempt can take, so another takes over soon after one is killed. What was
held back comes as one message.
"""

from __future__ import annotations

import json
import time
from datetime import timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from django.db import transaction
from django.urls import reverse
from django.utils.text import Truncator, capfirst
from django.utils.translation import ngettext

from league.models import Match, Notice, NoticeKind, PushDevice, PushMessage, Ticket
from league.services.core.clock import database_now
from league.services.core.isolation import gettext as _
from league.services.notices.reading import with_names
from league.services.notices.texts import asks_whether_left, tell
from league.services.push import devices, encryption, keys
from league.services.queue.presence import call_of
from league.services.site import frame
from league.services.site.languages import speaking_to
from league.services.webhooks import posting

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import PushPreference
    from league.models.push import PushMessageQuerySet
    from league.services.webhooks.posting import Outcome

PAUSES = [
    timedelta(seconds=10),
    timedelta(minutes=1),
    timedelta(minutes=10),
    timedelta(hours=1),
    timedelta(hours=4),
]
"""The pause after each failed attempt. After one more failure, the message is given up."""
LEASE = timedelta(seconds=posting.DEADLINE + 5)
SPELL = 20.0
"""Seconds for which a task sends before it makes room for others."""
OUTDATED = timedelta(days=1)
"""Notices of this age are no longer pushed. They stay in the inbox."""
MOMENTARY = timedelta(minutes=1)
"""The same for a found match, which waits for seconds."""
LONGEST_WISH = 3600
"""The most seconds for which a push service is left alone because it asked for it."""
LONGEST_TEXT = 240
NOT_FOUND, GONE, TOO_MANY, SERVER_ERROR = 404, 410, 429, 500
MOST = 50
"""The most messages to a device in one attempt."""


def send_due() -> int:
    """Send what is due and return the number of attempts. Safe to run concurrently."""
    began, attempts = time.monotonic(), 0
    while time.monotonic() - began < SPELL:
        now = database_now()
        claimed = claim(now)
        if claimed is None:
            break
        attempts += attempt(*claimed, now)
    return attempts


def claim(now: datetime) -> tuple[PushDevice, list[int]] | None:
    """Claim and return what is due for the next device. No other worker gets it meanwhile."""
    with transaction.atomic():
        first = PushMessage.objects.due(now).select_for_update(skip_locked=True).first()
        if first is None:
            return None
        due = PushMessage.objects.due(now).filter(device=first.device_id)
        ids = [row.pk for row in due.select_for_update(skip_locked=True)[:MOST]]
        PushMessage.objects.filter(pk__in=ids).update(next_attempt_at=now + LEASE)
        device = PushDevice.objects.select_related("player__user").get(pk=first.device_id)
    return device, ids


def attempt(device: PushDevice, ids: Sequence[int], now: datetime) -> int:
    """Try once to send what is claimed for a device, outside any transaction."""
    preference = devices.preference_of(device.player)
    rows = with_names(Notice.objects.filter(push_messages__in=ids)).order_by("pk")
    wanted = [notice for notice in rows if is_wanted(notice, device, preference, now)]
    claimed = PushMessage.objects.filter(pk__in=ids)
    claimed.exclude(notice__in=[notice.pk for notice in wanted]).delete()
    urgent = [notice for notice in wanted if notice.kind in {NoticeKind.FOUND, NoticeKind.QUEUED}]
    until = devices.quiet_until(preference, ZoneInfo(preference.zone), now)
    if until is not None:
        claimed.exclude(notice__in=urgent).update(next_attempt_at=until)
        # They have just joined the queue themselves, so they are awake.
        wanted = urgent
    if not wanted:
        return 0
    outcome = post(device, wanted, now)
    note(device, claimed.filter(notice__in=[notice.pk for notice in wanted]), outcome, now)
    return 1


def is_wanted(
    notice: Notice, device: PushDevice, preference: PushPreference, now: datetime
) -> bool:
    """Return whether the player still needs to know, and wants notices of this kind."""
    user = device.player.user
    if user is None or not user.is_active or notice.player_id != device.player_id:
        return False
    if notice.seen_at or notice.kind in preference.muted or notice.created_at < now - OUTDATED:
        return False
    if notice.kind == NoticeKind.REPORTED and notice.match_id is not None:
        still = Match.objects.awaiting(device.player).filter(pk=notice.match_id)
        return still.exists() or asks_whether_left(notice)
    if notice.kind == NoticeKind.FOUND:
        call = call_of(device.player)
        waits = call is not None and call.check is not None and not call.has_accepted
        return waits and notice.created_at > now - MOMENTARY
    if notice.kind == NoticeKind.QUEUED:
        return Ticket.objects.of(device.player).exists()
    return True


def message_of(notices: Sequence[Notice]) -> dict[str, str]:
    """Return what a device shows: a notice, or how many there are."""
    if len(notices) == 1:
        (notice,) = notices
        return {
            "title": capfirst(str(NoticeKind(notice.kind).label)),
            "body": str(Truncator(tell(notice).text).chars(LONGEST_TEXT)),
            "url": reverse("notice", args=[notice.pk]),
            "tag": f"notice-{notice.pk}",
        }
    count = ngettext("%(count)d new notice", "%(count)d new notices", len(notices))
    latest = _("The latest: %(text)s") % {"text": tell(notices[-1]).text}
    return {
        "title": count % {"count": len(notices)},
        "body": str(Truncator(latest).chars(LONGEST_TEXT)),
        "url": reverse("inbox"),
        "tag": "inbox",
    }


def post(device: PushDevice, notices: Sequence[Notice], now: datetime) -> Outcome:
    with speaking_to(device.player):
        said = {**message_of(notices), "league": frame.current().name}
    content = json.dumps(said, ensure_ascii=False).encode()
    is_urgent = any(notice.kind == NoticeKind.FOUND for notice in notices)
    lasts = MOMENTARY if is_urgent else OUTDATED
    headers = {
        "Content-Encoding": "aes128gcm",
        "TTL": str(round(lasts.total_seconds())),
        "Urgency": "high" if is_urgent else "normal",
        "Authorization": keys.authorization(device.endpoint, now),
    }
    body = encryption.encrypt(content, device.key, device.auth)
    return posting.post(device.endpoint, headers, body, kind="application/octet-stream")


def note(
    device: PushDevice, messages: PushMessageQuerySet, outcome: Outcome, now: datetime
) -> None:
    """Record the outcome of an attempt. A subscription that has ended goes with its messages."""
    if outcome.status in {NOT_FOUND, GONE}:
        device.delete()
    elif outcome.is_delivered or is_final(outcome):
        messages.delete()
    else:
        for message in messages:
            try_again(message, outcome, now)


def is_final(outcome: Outcome) -> bool:
    """Return whether a push service refuses a message for good."""
    status = outcome.status
    return status is not None and 400 <= status < SERVER_ERROR and status != TOO_MANY


def try_again(message: PushMessage, outcome: Outcome, now: datetime) -> None:
    message.attempts += 1
    if message.attempts > len(PAUSES):
        message.delete()
        return
    wish = timedelta(seconds=min(outcome.retry_after, LONGEST_WISH))
    message.next_attempt_at = now + max(PAUSES[message.attempts - 1], wish)
    message.save()
