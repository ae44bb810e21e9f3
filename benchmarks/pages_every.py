"""The cost of every page of the demo league: processor time and statements.

    python -m benchmarks.pages_every [ROUTE ...]

The pages are those of the permission tables that somebody can read: as a visitor where they are
open, and as a player whom they concern. A process asks for them that has done nothing else, as one
of a web server: one that has made the demo is slower. Times are medians of its processor time, in
rounds, so that a busy machine slows all pages alike. A fixed loop in Python, timed beside them,
tells machines and days apart.
"""

from __future__ import annotations

import logging
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from benchmarks.scratch import machine, scratch_league

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from league.models import Player

ROUNDS, TURNS = 4, 4
"""Requests of a page by each reader: so many times so many."""
MOST_MILLISECONDS = 40.0
ENVIRON = {
    "REQUEST_METHOD": "GET",
    "SERVER_NAME": "localhost",
    "SERVER_PORT": "8000",
    "HTTP_HOST": "localhost",
    "HTTP_USER_AGENT": "bench",
    "wsgi.url_scheme": "http",
    "wsgi.version": (1, 0),
    "wsgi.multithread": True,
    "wsgi.multiprocess": True,
    "wsgi.run_once": False,
}
LOOP = 300_000
"""Turns of the fixed loop."""
VISITOR = ""
"""The cookies of somebody who is not logged in."""


@dataclass
class Reading:
    """The cost of one reader's requests to one page."""

    cookie: str
    cold: int = 0
    """The statements of the first request, with nothing kept in the process."""
    statements: int = 0
    """Those of later ones."""
    seconds: list[float] = field(default_factory=list)

    @property
    def milliseconds(self) -> float:
        return 1e3 * statistics.median(self.seconds)


@dataclass
class Page:
    """An address, and what its readers wait for."""

    name: str
    address: str
    readings: list[Reading] = field(default_factory=list)
    size: int = 0
    loops: list[float] = field(default_factory=list)
    """The time of the fixed loop right after the requests."""

    @property
    def worst(self) -> float:
        return max(reading.milliseconds for reading in self.readings)

    @property
    def is_within(self) -> bool:
        return self.worst <= MOST_MILLISECONDS

    def __str__(self) -> str:
        cells = {VISITOR: ("", "")} | {
            reading.cookie and "player": (
                f"{reading.milliseconds:.1f}",
                f"{reading.statements}"
                + (f" ({reading.cold})" if reading.cold != reading.statements else ""),
            )
            for reading in self.readings
        }
        visitor, player = cells[VISITOR], cells.get("player", ("", ""))
        return (
            f"| {self.name} | {visitor[0]} | {visitor[1]} | {player[0]} | {player[1]} "
            f"| {self.size / 1e3:.0f} kB |"
        )


def main(only: Collection[str]) -> None:
    with scratch_league():
        from django.core.management import call_command

        call_command("collectstatic", interactive=False, verbosity=0)
        call_command("demo")
        measure_apart(only)


def measure_apart(only: Collection[str] = ()) -> None:
    """Measure the pages of the demo, or those of some routes, in a process of its own."""
    from django.db import connection

    from benchmarks.pages_addresses import prepare

    prepare()
    program = "import sys; from benchmarks.pages_every import serve; serve(*sys.argv[1:])"
    name = str(connection.settings_dict["NAME"])
    sys.stdout.flush()
    subprocess.run([sys.executable, "-c", program, name, *only], check=True)


def serve(database: str, *only: str) -> None:
    """Measure in this process, which has done nothing else, as one that serves pages."""
    import django
    from django.db import connections

    django.setup()
    for connection in connections.all():
        connection.settings_dict["NAME"] = database
    report(measure(only))


def report(pages: list[Page]) -> None:
    between = statistics.median(seconds for page in pages for seconds in page.loops)
    print(
        f"{machine()}; a loop of {LOOP:,} turns takes {1e3 * loop_seconds():.1f} ms at best, "
        f"and {1e3 * between:.1f} ms in the median between the requests\n"
    )
    print("| page | visitor, ms | statements (cold) | player, ms | statements (cold) | size |")
    print("|---|---|---|---|---|---|")
    print(*sorted(pages, key=lambda page: -page.worst), sep="\n")
    over = [page.name for page in pages if not page.is_within]
    print(
        f"\n{len(pages) - len(over)} of {len(pages)} pages take at most {MOST_MILLISECONDS:g} ms"
        + "".join(f"\n- not: {name}" for name in over)
    )


def loop_seconds(times: int = 5) -> float:
    """Return the processor time of a fixed loop in pure Python, the best of some."""
    found = []
    for _ in range(times):
        began, total = time.process_time(), 0
        for number in range(LOOP):
            total += number * number % 7
        found.append(time.process_time() - began)
    return min(found)


def measure(only: Collection[str] = ()) -> list[Page]:
    """Return the pages, or those of some routes, with what they cost.

    What visitors share for a second is not kept.
    """
    from django.conf import settings
    from django.test.utils import override_settings

    from benchmarks.pages_addresses import addresses

    logging.disable(logging.ERROR)
    unlimited = {"address": None, "account": None}
    changed: dict[str, Any] = {
        "ALLOWED_HOSTS": ["localhost"],
        "PAGES_KEPT_FOR": 0,
        "REQUESTS_A_MINUTE": dict.fromkeys(settings.REQUESTS_A_MINUTE, unlimited),
    }
    with override_settings(**changed):
        pages = list(slowest(addresses(only)))
        for _ in range(ROUNDS):
            for page in pages:
                for reading in page.readings:
                    run(page, reading)
                page.loops.append(loop_seconds(1))
    return pages


def slowest(found: Iterable[tuple[str, str, Player | None]]) -> Iterator[Page]:
    """Yield the slowest page of each name, opened by those who can read it."""
    by_name: dict[str, list[tuple[float, str, Player | None]]] = {}
    for name, address, reader in found:
        cookie = session_of(reader) if reader else VISITOR
        ask(address, cookie)
        began = time.process_time()
        body = ask(address, cookie)
        if body:
            took = time.process_time() - began
            by_name.setdefault(name, []).append((took, address, reader))
    for name, answers in by_name.items():
        _took, address, reader = max(answers, key=lambda answer: answer[0])
        yield open_first(name, address, reader)


def open_first(name: str, address: str, reader: Player | None) -> Page:
    """Open a page for the first time as those who can read it, and count its statements."""
    page = Page(name, address)
    for cookie in (VISITOR, *([session_of(reader)] if reader else ())):
        forget()
        first, body = count_statements(address, cookie)
        if body:
            page.size = len(body)
            page.readings.append(Reading(cookie, first, count_statements(address, cookie)[0]))
    return page


@cache
def session_of(player: Player) -> str:
    """Return the cookie of a player who has logged in."""
    from django.conf import settings
    from django.test import Client

    client = Client()
    assert player.user
    client.force_login(player.user)
    return f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"


def forget() -> None:
    """Drop what this process keeps of earlier requests, as one that has just started."""
    import gc
    from functools import _lru_cache_wrapper

    from django.core.cache import caches

    from league.services.home import front
    from league.services.results.records import histories

    caches["pages"].clear()
    histories.clear_cache()
    front.clear()
    for one in gc.get_objects():
        if type(one) is _lru_cache_wrapper and one.__module__.startswith("league."):
            one.cache_clear()


def count_statements(address: str, cookie: str) -> tuple[int, bytes]:
    """Return how many statements a request took, and its body."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as found:
        body = ask(address, cookie)
    return len(found), body


def run(page: Page, reading: Reading) -> None:
    """Request a page several times."""
    for _ in range(TURNS):
        began = time.process_time()
        ask(page.address, reading.cookie)
        reading.seconds.append(time.process_time() - began)


def ask(address: str, cookie: str) -> bytes:
    """Return the body of a page, empty if the site answers otherwise than with one."""
    from league.wsgi import application

    status = ""

    def start(given: str, _headers: Any, _exc: Any = None) -> Any:
        nonlocal status
        status = given
        return BytesIO().write

    where = urlsplit(address)
    environ = {
        **ENVIRON,
        "PATH_INFO": where.path,
        "QUERY_STRING": where.query,
        "HTTP_COOKIE": cookie,
        "wsgi.input": BytesIO(),
    }
    answer = application(environ, start)
    body = b"".join(answer)
    answer.close()
    assert not status.startswith("5"), f"{address}: {status}"
    return body if status == "200 OK" else b""


if __name__ == "__main__":
    main(sys.argv[1:])
