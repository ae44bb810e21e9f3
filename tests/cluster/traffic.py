"""Visitors: they read pages, report, confirm and queue, and note what was acknowledged."""

from __future__ import annotations

import json
import random
import threading
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.client import HTTPException
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from uuid import uuid4

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tests.attacks.people import Person

PATIENCE = 10.0
"""Seconds after which a visitor gives up waiting."""
PAUSE = 0.1
"""Seconds between the requests of a visitor."""


@dataclass(frozen=True)
class Sample:
    """A request and how it was answered."""

    kind: str
    began: float
    seconds: float
    status: int
    """Of HTTP, 0 if nobody answered."""
    problem: str = ""

    @property
    def ended(self) -> float:
        return self.began + self.seconds

    @property
    def refused(self) -> bool:
        return self.status == 0 or self.status >= 500


@dataclass
class Acknowledged:
    """Everything that the site has acknowledged."""

    reports: list[int] = field(default_factory=list)
    """Ids of matches."""
    confirmations: list[int] = field(default_factory=list)
    """Ids of matches, to be rated."""
    queued: dict[int, bool | None] = field(default_factory=dict)
    """Whether a player waits in the queue, by id; ``None`` if an answer never came."""


class Traffic:
    """Threads of visitors."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.samples: list[Sample] = []
        self.done = Acknowledged()
        self.declined: list[str] = []
        """Answers of 4xx, which would be mistakes of this program."""
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []

    def start(self, visit: Callable[[], Iterator[None]]) -> None:
        """Repeat a visit again and again, with a pause at each ``yield``."""

        def keep_coming() -> None:
            while not self._stop.is_set():
                for _ in visit():
                    if self._stop.wait(PAUSE):
                        return

        thread = threading.Thread(target=keep_coming, daemon=True)
        thread.start()
        self._threads.append(thread)

    def stop(self) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(PATIENCE + 5)

    def ask(
        self,
        kind: str,
        path: str,
        *,
        by: Person | None = None,
        method: str = "GET",
        body: Mapping[str, Any] | None = None,
    ) -> tuple[int, Any]:
        """Send a request. Return the status, 0 if nobody answered, and the JSON of an answer."""
        headers = {"Content-Type": "application/json"}
        if by is not None:
            headers["Authorization"] = f"Bearer {by.token}"
        data = None if method in {"GET", "DELETE"} else json.dumps(body or {}).encode()
        request = Request(self.address + path, data, headers, method=method)  # noqa: S310 - ours
        began, status, content, problem = time.monotonic(), 0, b"", ""
        try:
            with urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310 - our own
                status, content = answer.status, answer.read()
        except HTTPError as error:
            status, content = error.code, error.read()
            problem = content[:200].decode(errors="replace")
        except (OSError, HTTPException) as error:
            problem = str(error)
        self.samples.append(Sample(kind, began, time.monotonic() - began, status, problem))
        if 400 <= status < 500:
            self.declined.append(f"{kind} {status} {problem}")
        is_json = status < 500 and content[:1] in {b"{", b"["}
        return status, json.loads(content) if is_json else None

    def reader(self, paths: Sequence[str]) -> Callable[[], Iterator[None]]:
        def read() -> Iterator[None]:
            self.ask("page", random.choice(paths))  # noqa: S311 - no secret
            yield

        return read

    def pair(self, arena: str, people: Sequence[Person]) -> Callable[[], Iterator[None]]:
        """Two of these people play: one reports, the other confirms, each until it is answered."""

        def play() -> Iterator[None]:
            winner, loser = random.sample(people, 2)
            sides = [
                {
                    "captain": person.player.pk,
                    "participants": [{"player": person.player.pk}],
                    "place": place,
                }
                for place, person in enumerate((winner, loser))
            ]
            played_at = (datetime.now(UTC) - timedelta(hours=1)).isoformat()
            body = {"sides": sides, "played_at": played_at, "client_token": str(uuid4())}
            reported: dict[str, Any] | None = None
            while reported is None:
                path = f"/api/v1/arenas/{arena}/reports/"
                status, answer = self.ask("report", path, by=winner, method="POST", body=body)
                yield
                if 400 <= status < 500:
                    return
                reported = answer if 200 <= status < 300 else None
            self.done.reports.append(reported["id"])
            while True:
                path = f"/api/v1/matches/{reported['id']}/confirm/"
                status, _answer = self.ask("confirm", path, by=loser, method="POST")
                yield
                if 200 <= status < 300:
                    self.done.confirmations.append(reported["id"])
                    return
                if 400 <= status < 500:
                    return

        return play

    def queuer(self, arena: str, person: Person) -> Callable[[], Iterator[None]]:
        """A player joins the queue, looks at it, and leaves it."""
        path, player = f"/api/v1/arenas/{arena}/queue/", person.player.pk

        def until_done(kind: str, method: str, waits: bool) -> Iterator[None]:
            while True:
                self.done.queued[player] = None
                status, _answer = self.ask(kind, path, by=person, method=method)
                if 0 < status < 500:  # a repeated request is declined: it was done before
                    self.done.queued[player] = waits
                yield
                if 0 < status < 500:
                    return

        def wait() -> Iterator[None]:
            yield from until_done("join", "POST", waits=True)
            for _ in range(10):
                self.ask("queue", path, by=person)
                yield
            yield from until_done("leave", "DELETE", waits=False)

        return wait
