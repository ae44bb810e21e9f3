"""A stand-in for Discord's HTTP API: a real server that answers as Discord documents."""

from __future__ import annotations

import itertools
import json
import re
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

LOCAL = "127.0.0.1"
TOKEN = "the.bot.token"
CANNOT_MESSAGE = {"message": "Cannot send messages to this user", "code": 50007}
UNKNOWN_CHANNEL = {"message": "Unknown Channel", "code": 10003}
UNKNOWN_MESSAGE = {"message": "Unknown Message", "code": 10008}
MISSING_ACCESS = {"message": "Missing Access", "code": 50001}


@dataclass
class Called:
    """A call as Discord got it."""

    method: str
    path: str
    headers: dict[str, str]
    content: Any


@dataclass
class FakeDiscord:
    """What it was asked, what it keeps, and how it answers next."""

    url: str = ""
    calls: list[Called] = field(default_factory=list)
    next_answers: list[tuple[int, dict[str, Any], dict[str, str]]] = field(default_factory=list)
    """Answers to the next calls in place of the usual ones: status, content and headers."""
    next_bytes: list[bytes] = field(default_factory=list)
    """What the next calls get in place of an answer."""
    messages: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    """By channel and id."""
    channels: set[str] = field(default_factory=set)
    closed_to: set[str] = field(default_factory=set)
    """Users who refuse direct messages from the bot."""
    commands: list[dict[str, Any]] = field(default_factory=list)
    hangs: bool = False
    """Whether it accepts calls without answering."""
    asked_while_hanging: int = 0
    numbers: Iterator[int] = field(
        default_factory=lambda: itertools.count(1_300_000_000_000_000_000)
    )

    def fails(self, status: int, content: dict[str, Any] | None = None, **headers: str) -> None:
        """Let the next call fail."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.next_answers.append((status, content or {"message": "", "code": 0}, named))

    def in_channel(self, channel: str) -> list[dict[str, Any]]:
        return list(self.messages.get(channel, {}).values())

    def told(self, user: str) -> list[dict[str, Any]]:
        """Return the direct messages to a user, oldest first."""
        return self.in_channel(dm_channel(user))

    def answer(self, called: Called) -> tuple[int, Any, dict[str, str]]:
        self.calls.append(called)
        if self.next_answers:
            return self.next_answers.pop(0)
        if called.headers.get("authorization") != f"Bot {TOKEN}":
            return 401, {"message": "401: Unauthorized", "code": 0}, {}
        for method, path, answer in ROUTES:
            found = re.fullmatch(path, called.path)
            if found and method == called.method:
                status, content = answer(self, called, *found.groups())
                return status, content, {}
        return 404, {"message": "404: Not Found", "code": 0}, {}

    def open_channel(self, called: Called) -> tuple[int, Any]:
        user = called.content["recipient_id"]
        channel = dm_channel(user)
        self.channels.add(channel)
        return 200, {"id": channel, "type": 1, "recipients": [{"id": user}]}

    def send(self, called: Called, channel: str) -> tuple[int, Any]:
        if channel not in self.channels:
            return 404, UNKNOWN_CHANNEL
        if any(dm_channel(user) == channel for user in self.closed_to):
            return 403, CANNOT_MESSAGE
        sent = self.messages.setdefault(channel, {})
        for message in sent.values():
            if called.content.get("enforce_nonce") and message["nonce"] == called.content["nonce"]:
                return 200, message
        number = str(next(self.numbers))
        sent[number] = {"nonce": None, **called.content, "id": number, "channel_id": channel}
        return 200, sent[number]

    def edit(self, called: Called, channel: str, message: str) -> tuple[int, Any]:
        if message not in self.messages.get(channel, {}):
            return 404, UNKNOWN_MESSAGE
        self.messages[channel][message] |= called.content
        return 200, self.messages[channel][message]

    def register(self, called: Called, application: str) -> tuple[int, Any]:
        self.commands = called.content
        given = [{**one, "id": str(next(self.numbers))} for one in called.content]
        return 200, [{**one, "application_id": application} for one in given]


ROUTES: list[tuple[str, str, Any]] = [
    ("POST", r"/api/v10/users/@me/channels", FakeDiscord.open_channel),
    ("POST", r"/api/v10/channels/(\d+)/messages", FakeDiscord.send),
    ("PATCH", r"/api/v10/channels/(\d+)/messages/(\d+)", FakeDiscord.edit),
    ("PUT", r"/api/v10/applications/([^/]+)/commands", FakeDiscord.register),
]


def dm_channel(user: str) -> str:
    """Return the id of the channel of direct messages to a user."""
    return str(int(user) + 7)


@contextmanager
def fake_discord() -> Iterator[FakeDiscord]:
    made = FakeDiscord()

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            content = json.loads(body) if body else None
            called = Called(self.command, self.path, headers, content)
            if made.hangs:
                made.asked_while_hanging += 1
                time.sleep(15)
                return
            if made.next_bytes:
                self.wfile.write(made.next_bytes.pop(0))
                self.close_connection = True
                return
            status, answered, more = made.answer(called)
            text = json.dumps(answered).encode()
            self.send_response(status)
            for name, value in more.items():
                self.send_header(name, value)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer  # noqa: N815 - as the server asks

        def log_message(self, *given: Any) -> None:
            del given

    server = ThreadingHTTPServer((LOCAL, 0), Handler)
    made.url = f"http://{LOCAL}:{server.server_port}/api/v10"
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield made
    finally:
        server.shutdown()
        server.server_close()
