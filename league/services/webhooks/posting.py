"""Post a message to a receiver that nobody trusts.

The whole exchange has one deadline, whatever the receiver does, and at most a few kilobytes of its
answer are read. Redirects are not followed. Proxies of the environment are not used.
"""

from __future__ import annotations

import http.client
import io
import socket
import ssl
import time
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from league.models.webhook import LONGEST_ANSWER
from league.services.core.errors import Refused
from league.services.webhooks import addresses

if TYPE_CHECKING:
    from collections.abc import Mapping

    from league.services.webhooks.addresses import Target

DEADLINE = 10.0
"""Seconds that a receiver has for everything, from the connection to the end of its answer."""
MOST_READ = 16_384
"""The most bytes that are read of an answer, with its headers."""
BODY_SECONDS = 1.0
"""Seconds that are spent on the text of an answer once its status is known."""
OK, LAST_OK, GONE = 200, 299, 410


@dataclass(frozen=True)
class Outcome:
    """The outcome of an attempt."""

    status: int | None
    problem: str
    """The reason for its failure, empty if it succeeded."""
    answer: str
    milliseconds: int
    retry_after: int = 0
    """Seconds that the receiver asked us to wait."""

    @property
    def is_delivered(self) -> bool:
        return not self.problem


def post(
    address: str, headers: Mapping[str, str], body: bytes, *, kind: str = "application/json"
) -> Outcome:
    """Post a message and return the outcome. Nothing that a receiver does raises an error."""
    began = time.monotonic()
    status, problem, answer, wait = None, "", "", 0
    try:
        target = addresses.read(address)
        found = addresses.resolve(target)
        status, answer, wait = exchange(
            target, found, request(target, headers, body, kind=kind), began
        )
        problem = problem_of(status)
    except Refused as refusal:
        problem = refusal.message
    except TimeoutError:
        problem = _("No answer within %(count)d seconds.") % {"count": DEADLINE}
    except ssl.SSLError as error:
        problem = _("The connection is not secure: %(error)s") % {"error": error.reason or error}
    except (OSError, http.client.HTTPException) as error:
        problem = _("The connection failed: %(error)s") % {"error": describe_error(error)}
    took = round(1000 * (time.monotonic() - began))
    return Outcome(status, clean(problem)[:200], clean(answer)[:LONGEST_ANSWER], took, wait)


def problem_of(status: int) -> str:
    """Return why an answer counts as a failure, nothing if it does not."""
    if OK <= status <= LAST_OK:
        return ""
    if 300 <= status < 400:
        return _("It answered with a redirect, which is not followed.")
    return _("It answered with the status %(status)d.") % {"status": status}


def request(
    target: Target,
    headers: Mapping[str, str],
    body: bytes,
    *,
    method: str = "POST",
    agent: str = "Laurel-Webhooks",
    kind: str = "application/json",
) -> bytes:
    """Return the request as it is sent."""
    lines = [
        f"{method} {target.path} HTTP/1.1",
        f"Host: {target.named}",
        f"User-Agent: {agent}",
        f"Content-Type: {kind}",
        f"Content-Length: {len(body)}",
        # Nothing is unpacked here, so a small answer cannot grow into a large one.
        "Accept-Encoding: identity",
        # The end of the connection ends the answer, even if its length is missing or wrong.
        "Connection: close",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    return "\r\n".join(lines).encode("ascii") + b"\r\n\r\n" + body


def exchange(
    target: Target, found: list[str], sent: bytes, began: float, *, most: int = MOST_READ
) -> tuple[int, str, int]:
    """Send a request and return the status, the start of the answer, and its wait in seconds.

    ``most`` bytes are read of the answer, with its headers.
    """
    deadline = began + DEADLINE
    connected = connect(found, target.port, deadline)
    try:
        connected.settimeout(seconds_left(deadline))
        if target.secure:
            connected = trust().wrap_socket(connected, server_hostname=target.host)
        # In pieces, as sendall's time-out would begin anew for each part that gets through.
        for start in range(0, len(sent), MOST_READ):
            connected.settimeout(seconds_left(deadline))
            connected.sendall(sent[start : start + MOST_READ])
        return read_answer(connected, deadline, most)
    finally:
        connected.close()


def connect(found: list[str], port: int, deadline: float) -> socket.socket:
    """Return a connection to the first of some checked addresses that takes one."""
    for number, address in enumerate(found):
        # Each address gets its share of the time, so that a dead one leaves some for the next.
        seconds = seconds_left(deadline) / (len(found) - number)
        try:
            return socket.create_connection((address, port), timeout=seconds)
        except OSError:
            if number == len(found) - 1:
                raise
    raise OSError(_("The host has no address."))


def read_answer(connected: socket.socket, deadline: float, most: int) -> tuple[int, str, int]:
    limited = Limited(connected, deadline, most)
    response = http.client.HTTPResponse(Readable(limited), method="POST")  # type: ignore[arg-type] # all it needs
    response.begin()
    limited.deadline = min(deadline, time.monotonic() + BODY_SECONDS)
    try:
        text = response.read(most)
    except http.client.IncompleteRead as error:
        # The status counts, and the log shows what came of the rest.
        text = error.partial
    except (OSError, http.client.HTTPException):
        text = b""
    wait = response.getheader("Retry-After", "")
    seconds = int(wait) if wait.isascii() and wait.isdecimal() and len(wait) < 7 else 0
    return response.status, text.decode(errors="replace"), seconds


class Limited(io.RawIOBase):
    """The bytes that a connection sends, up to a deadline and a number."""

    def __init__(self, connected: socket.socket, deadline: float, budget: int) -> None:
        self.connected = connected
        self.deadline = deadline
        self.budget = budget

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self.budget <= 0:
            return 0
        self.connected.settimeout(seconds_left(self.deadline))
        count = self.connected.recv_into(buffer, min(len(buffer), self.budget))
        self.budget -= count
        return count


class Readable:
    """The one method of a socket that reading an answer needs."""

    def __init__(self, limited: Limited) -> None:
        self.limited = limited

    def makefile(self, mode: str) -> io.BufferedReader:
        del mode
        return io.BufferedReader(self.limited, 1024)


def seconds_left(deadline: float) -> float:
    """Return the seconds until a deadline.

    Raises:
        TimeoutError: it has passed.
    """
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise TimeoutError
    return seconds


@cache
def trust() -> ssl.SSLContext:
    """Return how receivers prove who they are. ``SSL_CERT_FILE`` adds certificates."""
    context = ssl.create_default_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def describe_error(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def clean(text: str) -> str:
    """Return a text without characters that the database or a page cannot hold."""
    return "".join(each if each.isprintable() or each in "\n\t" else "\ufffd" for each in text)
