"""Receivers of webhooks with real sockets, kind and hostile, and what they check."""

import base64
import hashlib
import hmac
import json
import random
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from league.models import Arena, EventType, Player, Webhook, WebhookDelivery
from league.services.core.clock import database_now
from league.services.webhooks import sending

LOCAL = "127.0.0.1"
CHANCE = random.Random(7)  # noqa: S311 - for pauses


@dataclass
class Got:
    """A message as a receiver got it."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def message(self) -> Any:
        return json.loads(self.body)

    def is_signed_with(self, secret: str) -> bool:
        """Verify it as its receiver does, by the standard and with nothing of the league."""
        key = base64.b64decode(secret.removeprefix("whsec_"))
        signed = f"{self.headers['webhook-id']}.{self.headers['webhook-timestamp']}.".encode()
        made = hmac.new(key, signed + self.body, hashlib.sha256).digest()
        expected = "v1," + base64.b64encode(made).decode()
        fresh = abs(time.time() - int(self.headers["webhook-timestamp"])) < 300
        return fresh and expected in self.headers["webhook-signature"].split(" ")


@dataclass
class Receiver:
    """An HTTP server that keeps what it gets and answers as told."""

    status: int = 204
    text: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    got: list[Got] = field(default_factory=list)
    address: str = ""


@contextmanager
def receiver(context: ssl.SSLContext | None = None, port: int = 0) -> Iterator[Receiver]:
    made = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            made.got.append(Got(self.path, headers, body))
            self.send_response(made.status)
            for name, value in made.headers.items():
                self.send_header(name, value)
            if made.status != 204:
                self.send_header("Content-Length", str(len(made.text.encode())))
            self.end_headers()
            if made.status != 204:
                self.wfile.write(made.text.encode())

        def log_message(self, *given: Any) -> None:
            del given

    server = ThreadingHTTPServer((LOCAL, port), Handler)
    if context is not None:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    scheme = "https" if context else "http"
    made.address = f"{scheme}://{LOCAL}:{server.server_port}/laurel?from=tests"
    serving = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    serving.start()
    try:
        yield made
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def hostile(behave: Callable[[socket.socket], None]) -> Iterator[str]:
    """Listen, let ``behave`` handle each connection, and return the address."""
    listening = socket.create_server((LOCAL, 0))

    def serve() -> None:
        with suppress(OSError):
            while True:
                connected, _address = listening.accept()
                threading.Thread(target=one, args=(connected,), daemon=True).start()

    def one(connected: socket.socket) -> None:
        with suppress(OSError), connected:
            behave(connected)

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"http://{LOCAL}:{listening.getsockname()[1]}/"
    finally:
        listening.close()


def listens(
    owner: Player, address: str, *events: str, arena: Arena | None = None, name: str = "Bot"
) -> Webhook:
    """Return a webhook for these events, all of them by default."""
    assert owner.user
    return Webhook.objects.create(
        name=name,
        arena=arena,
        address=address,
        events=list(events or EventType.values),
        made_by=owner.user,
        made_at=database_now(),
    )


def send_all(webhook: Webhook) -> int:
    """Send what is due, as a worker does. Return the number of attempts."""
    return sending.send_due(webhook.pk, CHANCE)


def types_for(webhook: Webhook) -> list[str]:
    """Return the types of the events for a webhook, oldest first."""
    rows = WebhookDelivery.objects.filter(webhook=webhook).order_by("pk")
    return list(rows.values_list("event__type", flat=True))


def delivery_of(webhook: Webhook) -> WebhookDelivery:
    return WebhookDelivery.objects.select_related("event", "webhook").get(webhook=webhook)
