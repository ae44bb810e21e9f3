"""A real SMTP server that keeps what it receives, and refuses what it is told to."""

import email
import email.policy
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller
from django.test import override_settings


@dataclass
class Mailbox:
    """What the server has received, and its answers to single addresses."""

    received: list[EmailMessage] = field(default_factory=list)
    recipients: list[str] = field(default_factory=list)
    replies: dict[str, str] = field(default_factory=dict)
    """The reply to a recipient, such as “550 No such user”."""
    data_reply: str = "250 Taken"

    async def handle_RCPT(  # noqa: N802 - the name that aiosmtpd calls
        self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any
    ) -> str:
        if address in self.replies:
            return self.replies[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802 - as above
        if self.data_reply.startswith("250"):
            parsed: Any = email.message_from_bytes(envelope.content, policy=email.policy.default)
            self.received.append(parsed)
            self.recipients += envelope.rcpt_tos
        return self.data_reply


class LocalServer(Controller):
    """A server at a free port, which it takes before it says which."""

    def __init__(self, mailbox: Mailbox) -> None:
        self.socket = socket.create_server(("127.0.0.1", 0))
        super().__init__(mailbox, hostname="127.0.0.1", port=self.socket.getsockname()[1])

    def _create_server(self) -> Any:
        return self.loop.create_server(self._factory_invoker, sock=self.socket)


@contextmanager
def mail_server() -> Iterator[Mailbox]:
    """Run a mail server, and use it and the outbox for the site's mail."""
    mailbox = Mailbox()
    controller = LocalServer(mailbox)
    controller.start()
    try:
        with site_mail_to(controller.port):
            yield mailbox
    finally:
        controller.stop()


@contextmanager
def site_mail_to(port: int) -> Iterator[None]:
    """Send the site's mail through the outbox to a server at a local port."""
    with override_settings(
        EMAIL_BACKEND="league.services.notices.outbox.OutboxBackend",
        MAIL_DELIVERY="django.core.mail.backends.smtp.EmailBackend",
        EMAIL_HOST="127.0.0.1",
        EMAIL_PORT=port,
        EMAIL_TIMEOUT=5,
    ):
        yield


def text_of(message: EmailMessage) -> str:
    """Return the plain text of a mail."""
    part = message.get_body(("plain",))
    assert part
    content: str = part.get_content()
    return content
