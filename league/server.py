"""The web server: gunicorn's processes, each with waitress inside.

Waitress reads a whole request before a thread works on it, and buffers the response, so a slow
client costs a file descriptor and no thread. Gunicorn starts the processes and replaces them.

A connection that becomes a stream of events leaves waitress once its head is sent, and belongs to
``league.event_streams`` from then on.
"""

from __future__ import annotations

import json
import logging
import os
import resource
import time
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.http import HttpRequest, parse_cookie
from django.template.defaultfilters import filesizeformat
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _
from gunicorn.workers.base import Worker
from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.server import create_server
from waitress.task import ErrorTask, WSGITask

from league.event_streams import HANDS_OVER, EventStream, hub
from league.problems import API, MEDIA_TYPE, allowed_origin, problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

HEADERS_WITHIN = 30.0
"""Seconds that a client has to send the headers of a request."""
REQUEST_WITHIN = 600.0
"""Seconds that a client has to send a request with its body: 16 MB at 27 kB/s."""
IDLE_FOR = 60
"""Seconds after which a connection without any traffic is closed."""
LARGEST_BODY = 32 * 2**20
"""Bytes. Larger requests get error 413; pages and API have smaller limits of their own."""
MOST_CONNECTIONS = 8000
"""Connections that one process keeps open, if it may open enough files."""
FILES_OF_A_CONNECTION = 2.5
"""A socket, and often a temporary file for a large body or response."""

ORPHANS_SERVE = 20.0
"""Seconds that a process serves on without gunicorn's first one, if they have their socket from a
program that starts gunicorn again."""

UNDERWAY = 1.0
"""Seconds that a process which stops waits for what clients are sending: most connect and send at
once, and would otherwise see their connection reset."""


class Refusal(ErrorTask):
    """The answer to a request that is not passed on. One that is too large is told the limit."""

    def execute(self) -> None:
        """Write the answer, and close the connection."""
        path, status = self.request.path or "", HTTPStatus(self.request.error.code)
        if status is HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            kind, body = too_large(path, self.request.headers)
        elif path.startswith(API):
            kind, body = unread(path, status)
        else:
            super().execute()
            return
        self.status = f"{status:d} {status.phrase}"
        self.response_headers += [("Content-Type", kind), ("Cache-Control", "no-store")]
        if path.startswith(API):
            origin = allowed_origin(self.request.headers.get("ORIGIN"))
            self.response_headers += [("Access-Control-Allow-Origin", origin), ("Vary", "Origin")]
        self.set_close_on_finish()
        self.content_length = len(body)  # type: ignore[assignment] # as waitress does it
        self.write(body)


def too_large(path: str, headers: Mapping[str, str]) -> tuple[str, bytes]:
    """Return the type and body of the answer to a request that is too large, by its path.

    It is in the reader's language and theme, which no middleware has read yet.
    """
    request = HttpRequest()
    request.META["HTTP_ACCEPT_LANGUAGE"] = headers.get("ACCEPT_LANGUAGE", "")
    request.COOKIES = parse_cookie(headers.get("COOKIE", ""))
    with translation.override(translation.get_language_from_request(request)):
        message = _(
            "The request is larger than %(most)s. A file can have at most %(file)s: divide it, or "
            "make it smaller."
        ) % {
            "most": filesizeformat(LARGEST_BODY),
            "file": filesizeformat(settings.UPLOAD_MOST_BYTES),
        }
        if path.startswith(API):
            status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
            refused = problem(status, "too_large", message, instance=path)
            return MEDIA_TYPE, json.dumps(refused).encode()
        theme = request.COOKIES.get("theme", "")
        context = {"message": message, "theme": theme if theme in {"light", "dark"} else ""}
        page = render_to_string("413.html", context)
        return "text/html; charset=utf-8", page.encode()


def unread(path: str, status: HTTPStatus) -> tuple[str, bytes]:
    """Return the type and body of the answer to a program whose request cannot be read."""
    message = _("This request cannot be read.")
    refused = problem(status, "parse_error", message, instance=path)
    return MEDIA_TYPE, json.dumps(refused).encode()


class Exchange(WSGITask):
    """A request, whose connection its answer may take over."""

    @property
    def has_body(self) -> bool:
        """Return whether waitress sends a body: that of a stream comes later, from elsewhere."""
        return self.channel.stream is None and super().has_body

    def get_environment(self) -> dict[str, Any]:
        environ: dict[str, Any] = super().get_environment()
        environ[HANDS_OVER] = self
        return environ

    def hand_over(self, answer: EventStream) -> None:
        """Send the head of an answer, and let its stream have the connection then."""
        self.channel.stream = answer
        self.remove_content_length_header()
        self.content_length = None


class Channel(HTTPChannel):
    """A connection that knows when its current request began, and what it becomes."""

    task_class = Exchange
    error_task_class = Refusal
    began: float | None = None
    stream: EventStream | None = None

    def received(self, data: bytes) -> Any:
        if self.request is None:
            self.began = time.monotonic()
        return super().received(data)

    def handle_close(self) -> None:
        """Close the connection, unless a stream takes it over."""
        if self.stream is not None and self.will_close and not self.total_outbufs_len:
            connection: Any = self.socket
            hub.adopt(connection.dup(), self.stream)
        self.stream = None
        super().handle_close()

    def is_busy(self) -> bool:
        """Return whether a request is being worked on, or its response has not been sent."""
        return bool(self.requests or self.total_outbufs_len)

    def is_awaited(self) -> bool:
        """Return whether its first request, or the rest of its current one, has yet to arrive."""
        return self.began is None or self.request is not None

    def is_late(self, now: float) -> bool:
        """Return whether the client has taken too long to send its current request."""
        if self.request is None or self.began is None:
            return False
        limit = REQUEST_WITHIN if self.request.headers_finished else HEADERS_WITHIN
        return now - self.began > limit


class BufferingWorker(Worker):
    """A process of the web server."""

    orphaned_at: float | None = None

    def run(self) -> None:
        """Serve until gunicorn asks this process to stop, or nobody needs it any more."""
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # it logs each short wait
        connections: dict[int, Any] = {}
        server = create_server(
            without_bodies(self.wsgi),
            map=connections,
            sockets=[listener.sock for listener in self.sockets],
            threads=self.cfg.threads,
            backlog=self.cfg.backlog,
            connection_limit=most_connections(),
            channel_timeout=IDLE_FOR,
            cleanup_interval=10,
            max_request_body_size=LARGEST_BODY,
            max_request_header_size=32768,
            clear_untrusted_proxy_headers=False,  # Django reads them, if there is a proxy
            log_socket_errors=False,
            asyncore_use_poll=True,
            ident="",
        )
        for listener in accepting(connections):
            listener.channel_class = Channel
        while self.alive and self._is_needed():
            self._turn(connections)
        self._finish(connections)
        server.task_dispatcher.shutdown(timeout=1)

    def _is_needed(self) -> bool:
        """Return whether gunicorn has this process, or another will soon take its place."""
        if self.ppid == os.getppid():
            return True
        if self.orphaned_at is None:
            self.orphaned_at = time.monotonic()
        inherited = any(address.startswith("fd://") for address in self.cfg.bind)
        return inherited and time.monotonic() - self.orphaned_at < ORPHANS_SERVE

    def _turn(self, connections: dict[int, Any]) -> None:
        """Handle what arrives within a second, and close the connections of late clients."""
        self.notify()
        wasyncore.loop(timeout=0.5, use_poll=True, map=connections, count=1)
        now = time.monotonic()
        for channel in open_channels(connections):
            if channel.is_late(now):
                channel.will_close = True

    def _finish(self, connections: dict[int, Any]) -> None:
        """Accept nothing more, and answer the requests that have begun or are on their way."""
        for listener in accepting(connections):
            listener.accepting = False
            listener.del_channel()
        began = time.monotonic()
        while (waited := time.monotonic() - began) < self.cfg.graceful_timeout and any(
            channel.is_busy() or (waited < UNDERWAY and channel.is_awaited())
            for channel in open_channels(connections)
        ):
            self._turn(connections)


def accepting(connections: dict[int, Any]) -> list[Any]:
    """Return the servers among the sockets that the process watches."""
    return [found for found in connections.values() if found.accepting]


def open_channels(connections: dict[int, Any]) -> list[Channel]:
    """Return the clients' connections among the sockets that the process watches."""
    return [found for found in connections.values() if isinstance(found, Channel)]


def most_connections() -> int:
    """Let this process open as many files as it may, and return how many clients fit."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most == resource.RLIM_INFINITY:
        most = 4 * MOST_CONNECTIONS
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return min(MOST_CONNECTIONS, int(most / FILES_OF_A_CONNECTION))


def without_bodies(application: WSGIApplication) -> WSGIApplication:
    """Return the application without the bodies of streams, which take over their connection, and
    of answers to HEAD, which waitress leaves to others."""

    def serve(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        body = application(environ, start_response)
        if environ["REQUEST_METHOD"] != "HEAD":
            if not isinstance(body, EventStream):
                return body
            environ[HANDS_OVER].hand_over(body)
        if hasattr(body, "close"):
            body.close()
        return []

    return serve
