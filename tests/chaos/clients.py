"""Requests to the site under test, and a record of how each ended."""

import http.client
import json
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

PATIENCE = 10.0
"""Seconds after which a client gives up waiting."""
PAUSE = 0.3
"""Seconds before a client tries again."""
NO_ANSWER = 0
"""The status of a request that got no answer: refused, broken off or too slow."""


class Sent(NamedTuple):
    """A request and its outcome."""

    kind: str
    began: float
    ended: float
    """In seconds of the monotonic clock."""
    status: int
    """Of HTTP, or ``NO_ANSWER``."""


class Answer(NamedTuple):
    """The final answer to a client."""

    status: int
    body: dict[str, Any]
    in_doubt: bool
    """Whether an earlier attempt may have been carried out although no answer came."""

    @property
    def accepted(self) -> bool:
        return 200 <= self.status < 300

    @property
    def code(self) -> str:
        return str(self.body.get("code", ""))


@dataclass
class Record:
    """All requests of a run, from all threads."""

    sent: list[Sent] = field(default_factory=list)

    def since(self, began: float, *, until: float = float("inf"), kind: str = "") -> list[Sent]:
        """Return the requests that ended in a period."""
        return [
            one
            for one in list(self.sent)
            if one.ended >= began and one.began < until and kind in ("", one.kind)
        ]


class Stopped(Exception):
    """The run is over, so this client no longer waits for an answer."""


@dataclass
class Client:
    """A program that uses the site for one person, or for nobody."""

    port: int
    record: Record
    stop: threading.Event
    token: str = ""
    kind: str = "load"

    def once(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Answer:
        """Send a request and return its answer."""
        began = time.monotonic()
        status, found = self._exchange(method, path, body)
        self.record.sent.append(Sent(self.kind, began, time.monotonic(), status))
        return Answer(status, found, in_doubt=False)

    def insist(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Answer:
        """Send a request until it is accepted or refused for good.

        Raises:
            Stopped: it was neither before the run was over.
        """
        in_doubt = False
        while True:
            answer = self.once(method, path, body)
            if answer.status not in {NO_ANSWER, 429} and answer.status < 500:
                return answer._replace(in_doubt=in_doubt)
            in_doubt |= answer.status != 429
            if self.stop.wait(PAUSE):
                raise Stopped

    def _exchange(
        self, method: str, path: str, body: Mapping[str, Any] | None
    ) -> tuple[int, dict[str, Any]]:
        headers = {"Content-Type": "application/json", "Host": "localhost"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            text = None if body is None else json.dumps(body)
            connection.request(method, path, text, headers)
            response = connection.getresponse()
            content = response.read()
            is_json = "json" in response.headers.get("Content-Type", "")
            found = json.loads(content) if is_json and content else {}
            return response.status, found if isinstance(found, dict) else {}
        except (OSError, http.client.HTTPException):
            return NO_ANSWER, {}
        finally:
            connection.close()
