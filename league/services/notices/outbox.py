"""The mail backend of the site: it stores each mail, and workers send it.

A page neither waits for the mail server nor fails without it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.mail import EmailMultiAlternatives
from django.core.mail.backends.base import BaseEmailBackend

from league.models import Email
from league.services.core.clock import database_now

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.core.mail import EmailMessage


class OutboxBackend(BaseEmailBackend):
    """Store a mail for each of its recipients. They do not see each other's addresses."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        now = database_now()
        rows = [
            Email(
                recipient=recipient,
                sender=message.from_email,
                subject=str(message.subject),
                headers={name: str(value) for name, value in message.extra_headers.items()},
                created_at=now,
                next_attempt_at=now,
                **bodies(message),
            )
            for message in email_messages
            for recipient in message.recipients()
        ]
        Email.objects.bulk_create(rows)
        return len(email_messages)


def bodies(message: EmailMessage) -> dict[str, Any]:
    """Return the plain text and the HTML of a message that can be sent as it is.

    Raises:
        BadHeaderError: a header has several lines.
        ValueError: it has attachments.
    """
    message.message()  # Django checks the headers while it builds the message
    if message.attachments:
        raise ValueError("The outbox stores no attachments.")
    if message.content_subtype == "html":
        return {"html": str(message.body)}
    alternatives = message.alternatives if isinstance(message, EmailMultiAlternatives) else []
    html = [str(content) for content, mimetype in alternatives if mimetype == "text/html"]
    return {"text": str(message.body), "html": html[0] if html else ""}


def message_of(mail: Email) -> EmailMultiAlternatives:
    """Return a stored mail as a message to send."""
    message = EmailMultiAlternatives(
        mail.subject, mail.text, mail.sender, [mail.recipient], headers=mail.headers
    )
    if mail.html and mail.text:
        message.attach_alternative(mail.html, "text/html")
    elif mail.html:
        message.body, message.content_subtype = mail.html, "html"
    return message
