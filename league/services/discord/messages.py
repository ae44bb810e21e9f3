"""Send direct messages about notices, with pauses that grow after each failure.

A trigger writes a message with its notice. A worker claims it for as long as one attempt can take,
so that another continues soon after a worker is killed. Discord drops what comes twice.
"""

from __future__ import annotations

import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.core.cache import cache
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from league.models import DiscordMessage, DiscordPreference, Match, Notice, NoticeKind, Ticket
from league.services.core.clock import database_now
from league.services.discord import calling, components, results, words
from league.services.discord.linking import discord_id_of
from league.services.notices.reading import with_names
from league.services.notices.texts import told
from league.services.notices.writing import notify
from league.services.queue.presence import call_of
from league.services.results.records import profiles
from league.services.webhooks import posting

if TYPE_CHECKING:
    from datetime import datetime

    from league.services.discord.calling import Reply

    Content = dict[str, Any]

PAUSES = [
    timedelta(seconds=10),
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=6),
]
"""The pause after each failed attempt. After one more, a message is given up."""
LEASE = timedelta(seconds=2 * posting.DEADLINE + 2)
"""How long a worker has for a message: it may first have to open the channel."""
SPELL = 20.0
"""Seconds for which a worker sends before others have their turn."""
SEATS = [f"discord:sender:{number}" for number in range(3)]
"""Cache entries, one for each sender that works."""
OUTDATED = timedelta(days=1)
"""Notices of this age are no news any more: they are in the inbox."""
State = DiscordMessage.State


def send_due() -> int:
    """Send the messages that are due and return the number of attempts. Safe to run concurrently.

    A few senders work at once, so that an interface that hangs does not occupy all workers.
    """
    if not calling.is_configured():
        return 0
    seat = next((key for key in SEATS if cache.add(key, 1, LEASE.total_seconds())), None)
    if seat is None:
        return 0
    began, attempts = time.monotonic(), 0
    try:
        while time.monotonic() - began < SPELL and not calling.rests():
            cache.touch(seat, LEASE.total_seconds())
            notice = claim(database_now())
            if notice is None:
                break
            attempt(notice)
            attempts += 1
    finally:
        cache.delete(seat)
    return attempts


def claim(now: datetime) -> Notice | None:
    """Return the next notice to send, for one attempt. Nobody else gets it meanwhile."""
    with transaction.atomic():
        due = DiscordMessage.objects.due(now).select_for_update(skip_locked=True)
        message = due.first()
        if message is None:
            return None
        message.next_attempt_at = now + LEASE
        message.save(update_fields=["next_attempt_at"])
    found = with_names(Notice.objects.filter(pk=message.pk)).select_related("player__user").first()
    if found is None:  # deleted since
        DiscordMessage.objects.filter(pk=message.pk).delete()
        return claim(now)
    return found


def attempt(notice: Notice) -> None:
    """Send a message once, outside any transaction, and record what became of it."""
    now = database_now()
    preference = DiscordPreference.objects.filter(player=notice.player_id).first()
    recipient = discord_id_of(notice.player)
    content = content_of(notice, now) if is_wanted(notice, preference, now) else None
    if preference is None or recipient is None or content is None:
        close(notice, State.NEEDLESS)
        return
    reply = channel_for(preference, recipient)
    if not reply.problem:
        path = f"/channels/{preference.channel}/messages"
        once = {"nonce": str(notice.pk), "enforce_nonce": True}
        reply = calling.call("POST", path, {**content, **once})
    note(notice, reply, database_now())


def is_wanted(notice: Notice, preference: DiscordPreference | None, now: datetime) -> bool:
    """Return whether a notice is still news to its reader, and of a kind they want."""
    if preference is None or not preference.is_on or notice.kind not in preference.kinds:
        return False
    if notice.seen_at or notice.created_at < now - OUTDATED:
        return False
    if notice.kind == NoticeKind.REPORTED and notice.match_id is not None:
        return Match.objects.awaiting(notice.player).filter(pk=notice.match_id).exists()
    if notice.kind == NoticeKind.QUEUED:
        return Ticket.objects.of(notice.player).exists()
    return True


def content_of(notice: Notice, now: datetime) -> Content | None:
    """Return what a message says, with buttons for what can be answered. ``None`` if it is over."""
    text = told(notice)
    lines, buttons = [text.text], []
    page = reverse("notice", args=[notice.pk])
    if notice.kind == NoticeKind.FOUND:
        call = call_of(notice.player)
        if call is None or call.check is None or call.has_accepted or not call.seconds_left(now):
            return None
        page, buttons = text.url, components.of_ready_check(call.check.pk)
    elif notice.kind == NoticeKind.REPORTED and notice.match:
        match = profiles.with_sides(Match.objects.all()).get(pk=notice.match.pk)
        if results.can_be_told(match):
            lines.append(results.reported(match))
            buttons = components.of_report(match.pk, match.revision)
    buttons = [*buttons, components.link_button(_("Open"), page)]
    shown = words.shortened(words.plain("\n".join(lines)), words.LONGEST_DESCRIPTION)
    return {
        "embeds": [{"description": shown}],
        "components": components.row_of(buttons),
        "allowed_mentions": {"parse": []},
    }


def channel_for(preference: DiscordPreference, recipient: str) -> Reply:
    """Let a preference know the channel of direct messages to a Discord user."""
    if preference.channel and preference.channel_of == recipient:
        return calling.Reply(200, "")
    reply = calling.call("POST", "/users/@me/channels", {"recipient_id": recipient})
    channel = reply.data.get("id")
    if reply.problem:
        return reply
    if not words.is_id(channel):
        return calling.Reply(None, _("Discord named no channel."))
    preference.channel, preference.channel_of = str(channel), recipient
    preference.save(update_fields=["channel", "channel_of"])
    return reply


def note(notice: Notice, reply: Reply, now: datetime) -> None:
    """Record what became of an attempt."""
    if not reply.problem:
        close(notice, State.SENT)
    elif reply.is_about_us:  # no message is to blame
        again = now + timedelta(seconds=max(reply.wait, 1))
        open_messages(notice).update(next_attempt_at=again, error=reply.problem)
    elif reply.status == calling.FORBIDDEN and reply.code == calling.CANNOT_MESSAGE:
        close(notice, State.FAILED, reply.problem)
        turn_off(notice, now)
    elif reply.status == calling.NOT_FOUND:  # a channel that is gone is opened again
        DiscordPreference.objects.filter(player=notice.player_id).update(channel="")
        try_again(notice, reply, now)
    elif reply.is_final:
        close(notice, State.FAILED, reply.problem)
    else:
        try_again(notice, reply, now)


def try_again(notice: Notice, reply: Reply, now: datetime) -> None:
    message = open_messages(notice).first()
    if message is None:
        return
    message.attempts += 1
    message.error = reply.problem
    if message.attempts > len(PAUSES):
        message.state, message.next_attempt_at = State.FAILED, None
    else:
        message.next_attempt_at = now + PAUSES[message.attempts - 1]
    message.save()


def open_messages(notice: Notice) -> Any:
    return DiscordMessage.objects.filter(pk=notice.pk, state=State.WAITING)


def close(notice: Notice, state: DiscordMessage.State, error: str = "") -> None:
    open_messages(notice).update(state=state, next_attempt_at=None, error=error)


def turn_off(notice: Notice, now: datetime) -> None:
    """Send a person no more messages, since Discord refuses them, and tell them on the site."""
    with transaction.atomic():
        rows = DiscordPreference.objects.filter(player=notice.player_id, is_on=True)
        if rows.update(is_on=False, refused_at=now):
            waiting = DiscordMessage.objects.filter(
                notice__player=notice.player_id, state=State.WAITING
            )
            waiting.update(state=State.NEEDLESS, next_attempt_at=None)
            notify([notice.player_id], NoticeKind.DISCORD, now)
