"""Send direct messages about notices, with growing pauses after failures.

A trigger queues a message with its notice. A worker claims it for as long as one attempt can take,
so another worker takes over soon after one is killed. Discord drops duplicates.
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
from league.services.notices.texts import asks_whether_left, tell
from league.services.notices.writing import notify
from league.services.queue.presence import call_of
from league.services.results.records import profiles
from league.services.site.languages import speaking_to
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
"""The pause after each failed attempt. After one more failure, the message is abandoned."""
LEASE = timedelta(seconds=2 * posting.DEADLINE + 2)
"""The time for which a worker claims a message. It may first have to open the channel."""
SPELL = 20.0
"""Seconds for which a task sends before it makes room for others."""
SEATS = [f"discord:sender:{number}" for number in range(3)]
"""Cache keys, one for each sender at work."""
OUTDATED = timedelta(days=1)
"""Notices of this age are no longer sent. They stay in the inbox."""
State = DiscordMessage.State


def send_due() -> int:
    """Send the messages that are due and return the number of attempts. Safe to run concurrently.

    Only a few senders work at once, so that a hanging API does not occupy all workers.
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
    """Claim and return the next notice to send. No other worker gets it meanwhile."""
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
    """Try once to send a message, outside any transaction, and record the outcome."""
    now = database_now()
    preference = DiscordPreference.objects.filter(player=notice.player_id).first()
    recipient = discord_id_of(notice.player)
    with speaking_to(notice.player):
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
    """Return whether the player still needs to know, and wants notices of this kind."""
    if preference is None or not preference.is_on or notice.kind not in preference.kinds:
        return False
    if notice.seen_at or notice.created_at < now - OUTDATED:
        return False
    if notice.kind == NoticeKind.REPORTED and notice.match_id is not None:
        still = Match.objects.awaiting(notice.player).filter(pk=notice.match_id)
        return still.exists() or asks_whether_left(notice)
    if notice.kind == NoticeKind.QUEUED:
        return Ticket.objects.of(notice.player).exists()
    return True


def content_of(notice: Notice, now: datetime) -> Content | None:
    """Return the message with its buttons, ``None`` if a ready check is over."""
    text = tell(notice)
    lines, buttons = [text.text], []
    page = reverse("notice", args=[notice.pk])
    if notice.kind == NoticeKind.FOUND:
        call = call_of(notice.player)
        if call is None or call.check is None or call.has_accepted or not call.seconds_left(now):
            return None
        page, buttons = text.url, components.of_ready_check(call.check.pk)
    elif notice.kind == NoticeKind.REPORTED and notice.match and not asks_whether_left(notice):
        match = profiles.with_sides(Match.objects.all()).get(pk=notice.match.pk)
        if results.can_be_told(match):
            lines.append(results.describe_report(match))
            buttons = components.of_report(match.pk, match.revision)
    buttons = [*buttons, components.link_button(_("Open"), page)]
    shown = words.shorten(words.plain("\n".join(lines)), words.LONGEST_DESCRIPTION)
    return {
        "embeds": [{"description": shown}],
        "components": components.row_of(buttons),
        "allowed_mentions": {"parse": []},
    }


def channel_for(preference: DiscordPreference, recipient: str) -> Reply:
    """Open the direct-message channel of a Discord user, unless the preference has it."""
    if preference.channel and preference.channel_of == recipient:
        return calling.Reply(200, "")
    reply = calling.call("POST", "/users/@me/channels", {"recipient_id": recipient})
    channel = reply.data.get("id")
    if reply.problem:
        return reply
    if not words.is_id(channel):
        return calling.Reply(None, _("Discord returned no channel."))
    preference.channel, preference.channel_of = str(channel), recipient
    preference.save(update_fields=["channel", "channel_of"])
    return reply


def note(notice: Notice, reply: Reply, now: datetime) -> None:
    """Record the outcome of an attempt."""
    if not reply.problem:
        close(notice, State.SENT)
    elif reply.is_about_us:  # not the fault of this message
        again = now + timedelta(seconds=max(reply.wait, 1))
        open_messages(notice).update(next_attempt_at=again, error=reply.problem)
    elif reply.status == calling.FORBIDDEN and reply.code == calling.CANNOT_MESSAGE:
        close(notice, State.FAILED, reply.problem)
        turn_off(notice, now)
    elif reply.status == calling.NOT_FOUND:  # the channel is gone: open it again
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
    """Turn off the messages of a player whom Discord refuses, and tell them on the site."""
    with transaction.atomic():
        rows = DiscordPreference.objects.filter(player=notice.player_id, is_on=True)
        if rows.update(is_on=False, refused_at=now):
            waiting = DiscordMessage.objects.filter(
                notice__player=notice.player_id, state=State.WAITING
            )
            waiting.update(state=State.NEEDLESS, next_attempt_at=None)
            notify([notice.player_id], NoticeKind.DISCORD, now)
