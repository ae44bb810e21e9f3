"""Deliver stored mails, with pauses that grow after each failure."""

from __future__ import annotations

import re
import smtplib
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.mail import get_connection
from django.db import connection, transaction

from league.models import BouncingAddress, Email
from league.services.notices.outbox import message_of

if TYPE_CHECKING:
    from datetime import datetime

    from django.core.mail.backends.base import BaseEmailBackend

PAUSES = [
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=6),
    timedelta(hours=16),
    timedelta(hours=24),
    timedelta(hours=24),
]
"""The pause after each failed attempt. After one more, a mail has failed."""
SERVER_PAUSE = timedelta(seconds=30)
"""The pause of all mails while the mail server cannot be reached."""
KEPT = timedelta(days=30)
"""The time for which sent and failed mails stay listed."""
LIMIT = 100
"""The most mails of one sweep."""
TAKE_TURN = "SELECT pg_try_advisory_xact_lock(hashtextextended('mail delivery', 0))"
"""One mail at a time: a slow mail server occupies one worker, not all of them."""
PERMANENT = 500
"""Replies of a mail server from here on are final."""
POLICY = re.compile(r"\W*5\.7\.")
"""The start of a refusal that is about the site, not about the address."""


class Unreachable(Exception):
    """The mail server cannot be reached, or accepts no login. No mail is to blame."""


class Declined(Exception):
    """The mail server did not take a mail."""

    def __init__(self, reason: str, *, final: bool, bounces: bool = False) -> None:
        super().__init__(reason)
        self.final = final
        self.bounces = bounces


def deliver_due(now: datetime) -> int:
    """Send the mails that are due and return how many were sent. Safe to run concurrently."""
    mail_server: BaseEmailBackend = get_connection(settings.MAIL_DELIVERY)
    sent = 0
    try:
        for _mail in range(LIMIT):
            delivered = deliver_next(mail_server, now)
            if delivered is None:
                break
            sent += delivered
    finally:
        with suppress(OSError):
            # Closing may fail on a broken connection, and the mails are sent by then.
            mail_server.close()
    return sent


def deliver_next(mail_server: BaseEmailBackend, now: datetime) -> bool | None:
    """Try to send one due mail. Return whether it was sent, ``None`` if none can be sent now."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(TAKE_TURN)
            if not cursor.fetchone()[0]:
                return None
        # Locked while it is sent: a worker that dies releases it, and another sends it.
        mail = Email.objects.due(now).select_for_update(skip_locked=True).first()
        if mail is None:
            return None
        try:
            send(mail, mail_server)
        except Unreachable as error:
            wait_for_server(str(error), now)
            return None
        except Declined as refusal:
            record_refusal(mail, refusal, now)
            return False
        # What a mail said is stored no longer than it takes to send it.
        mail.state, mail.error, mail.text, mail.html = Email.State.SENT, "", "", ""
        mail.attempts += 1
        mail.headers = {}
        close(mail, now)
        BouncingAddress.objects.filter(address=mail.recipient.lower()).delete()
    return True


def send(mail: Email, mail_server: BaseEmailBackend) -> None:
    """Hand a mail to the mail server.

    Raises:
        Unreachable: there is no server to hand it to.
        Declined: the server refuses this mail.
    """
    try:
        mail_server.open()
    except OSError as error:  # includes every error of smtplib
        raise Unreachable(str(error)) from error
    try:
        mail_server.send_messages([message_of(mail)])
    except smtplib.SMTPRecipientsRefused as error:
        code, reply = next(iter(error.recipients.values()))
        text = words_of(reply)
        final = code >= PERMANENT
        bounces = final and not POLICY.match(text)
        raise Declined(f"{code} {text}", final=final, bounces=bounces) from error
    except smtplib.SMTPDataError as error:
        reason = f"{error.smtp_code} {words_of(error.smtp_error)}"
        raise Declined(reason, final=error.smtp_code >= PERMANENT) from error
    except smtplib.SMTPSenderRefused as error:
        raise Declined(f"{error.smtp_code} {words_of(error.smtp_error)}", final=False) from error
    except (ValueError, smtplib.SMTPNotSupportedError) as error:  # an impossible address
        raise Declined(str(error), final=True, bounces=True) from error
    except OSError as error:
        raise Unreachable(str(error)) from error


def words_of(reply: bytes | str) -> str:
    return reply.decode(errors="replace") if isinstance(reply, bytes) else reply


def wait_for_server(error: str, now: datetime) -> None:
    """Postpone all due mails. None of them loses an attempt."""
    due = Email.objects.filter(state=Email.State.WAITING, next_attempt_at__lte=now)
    due.update(next_attempt_at=now + SERVER_PAUSE, error=error)


def record_refusal(mail: Email, refusal: Declined, now: datetime) -> None:
    """Try a refused mail again later, or give it up."""
    mail.attempts += 1
    mail.error = str(refusal)
    if refusal.bounces:
        BouncingAddress.objects.update_or_create(
            address=mail.recipient.lower(), defaults={"since": now, "error": mail.error}
        )
    if not refusal.final and mail.attempts <= len(PAUSES):
        mail.next_attempt_at = now + PAUSES[mail.attempts - 1]
        mail.save()
        return
    mail.state = Email.State.FAILED
    close(mail, now)


def close(mail: Email, now: datetime) -> None:
    mail.next_attempt_at, mail.closed_at = None, now
    mail.save()


def retry(mails: list[int], now: datetime) -> int:
    """Queue failed mails once more and return how many."""
    failed = Email.objects.filter(pk__in=mails, state=Email.State.FAILED)
    return failed.update(state=Email.State.WAITING, next_attempt_at=now, closed_at=None, attempts=0)


def forget_old(now: datetime) -> int:
    """Delete mails that were sent or given up long ago. Return how many."""
    deleted, _by_model = Email.objects.filter(closed_at__lt=now - KEPT).delete()
    return deleted
