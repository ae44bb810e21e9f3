"""The cost of the demo league's pages: processor time in Python and in PostgreSQL.

    python -m benchmarks.pages

Each page is asked for through the whole stack, in rounds, so that a busy machine slows all of them
alike. Times are medians of the requests, in processor time: of this process, and of the server
processes of PostgreSQL. Wall time is not measured. A second table has every page of the site, as
``python -m benchmarks.pages_every`` prints it alone.
"""

from __future__ import annotations

import json
import statistics
import time
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks.scratch import machine, scratch_league

ROUNDS = 8
TURNS = 25
"""Requests of a page in each round."""
WARM_UP = 5
PAGE_SIZE = 50
DEEP = 900
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


@dataclass
class Page:
    """An address and the seconds that its requests took."""

    name: str
    address: str
    kept_for: float = 0.0
    """Seconds for which visitors share the page."""
    aim: float | None = None
    """Milliseconds that it may take at most, in Python and PostgreSQL together."""
    is_part: bool = False
    """Whether a script on the page asks."""
    after_a_result: bool = False
    """Whether each request is the first since the player's last match."""
    python: list[float] = field(default_factory=list)
    database: list[float] = field(default_factory=list)
    size: int = 0

    @property
    def milliseconds(self) -> tuple[float, float]:
        return 1e3 * statistics.median(self.python), 1e3 * statistics.median(self.database)

    @property
    def total(self) -> float:
        return sum(self.milliseconds)

    def __str__(self) -> str:
        python, database = self.milliseconds
        aim = f"{self.aim:g} ms" if self.aim else ""
        return (
            f"| {self.name} | {python:.1f} ms | {database:.1f} ms | {self.total:.1f} ms | {aim} "
            f"| {self.size / 1e3:.0f} kB |"
        )


def main() -> None:
    from benchmarks import pages_every

    with scratch_league():
        from django.core.management import call_command

        call_command("collectstatic", interactive=False, verbosity=0)
        call_command("demo")
        report(measure())
        pages_every.measure_apart()


def report(found: dict[str, Page]) -> None:
    print(f"{machine()}\n")
    print("| page | Python | PostgreSQL | both | aimed at, at most | size |")
    print("|---|---|---|---|---|---|")
    print(*found.values(), sep="\n")
    first, deep = found["matches, page 1"], found[f"matches, page {DEEP}"]
    print(f"\nmatches, page {DEEP} : page 1 = {deep.total / first.total:.2f}")
    board, api = found["leaderboard, kept"], found["leaderboard of the API, kept"]
    print(f"leaderboard of the API : page, both kept = {api.total / board.total:.2f}\n")


def measure() -> dict[str, Page]:
    """Return the pages by name, with their times."""
    from django.test.utils import override_settings

    from league import caching

    settings: dict[str, Any] = {
        "ALLOWED_HOSTS": ["localhost"],
        "REQUESTS_A_MINUTE": {
            scope: {"address": None, "account": None} for scope in ("api", "costly")
        },
    }
    with override_settings(**settings, PAGES_KEPT_FOR=0):
        pages = demo_pages()
    for _ in range(ROUNDS):
        for page in pages:
            caching.clear()
            with override_settings(**settings, PAGES_KEPT_FOR=page.kept_for):
                run(page)
    return {page.name: page for page in pages}


def demo_pages() -> list[Page]:
    """Return the pages of the demo league with the most on them."""
    from league.models import Arena, Match, Rating

    football = Arena.objects.get(slug="football")
    season = football.seasons.latest("starts_at")
    busiest = Rating.objects.filter(season=season).order_by("-games").select_related("player")[0]
    spain = Rating.objects.select_related("player").get(season=season, player__name="Spain")
    latest = Match.objects.rated().filter(season=season)[0]
    crowd = Match.objects.rated().games().filter(arena__slug="saturday-sprint")
    board, matches = "/arenas/football/leaderboard/", "/api/v1/matches/"
    return [
        Page("player, Spain", f"{spain.player.get_absolute_url()}?season={season.pk}", aim=30),
        Page(
            "player, Spain, first request after a match",
            f"{spain.player.get_absolute_url()}?season={season.pk}",
            after_a_result=True,
        ),
        Page(
            f"player, {busiest.player} (most matches)",
            f"{busiest.player.get_absolute_url()}?season={season.pk}",
        ),
        Page("match", latest.get_absolute_url(), aim=20),
        *(Page("match of a crowd", match.get_absolute_url()) for match in crowd[:1]),
        Page("queue, poll of somebody who waits", waiting_poll(), is_part=True),
        Page("leaderboard", board),
        Page("leaderboard, kept", board, kept_for=3600.0),
        Page("leaderboard of the API", f"/api/v1{board}"),
        Page("leaderboard of the API, kept", f"/api/v1{board}", kept_for=3600.0),
        Page("matches, page 1", matches),
        Page(f"matches, page {DEEP}", deep_page(matches)),
    ]


def waiting_poll() -> str:
    """Let somebody wait in a queue, and return what their page polls."""
    from league.models import ArenaQueue, Player
    from league.services.core.clock import database_now
    from league.services.queue.queueing import join
    from league.web.core.polling import pass_of

    queue = ArenaQueue.objects.open().select_related("arena")[0]
    player = Player.objects.filter(user__isnull=False)[0]
    ticket = join(queue.arena, player, [], now=database_now())
    return f"/arenas/{queue.arena.slug}/queue/?seen=waiting&pass={pass_of(ticket)}"


def deep_page(address: str) -> str:
    """Return the address of a page deep in a list, as the links lead to it from page to page."""
    previous = ask(f"{address}?page={DEEP - 1}")
    return str(json.loads(previous)["next"])


def run(page: Page) -> None:
    """Request a page several times."""
    from league.services.results.records import histories
    from league.web.rating import figures
    from league.web.results import game_lists

    for _ in range(WARM_UP):
        ask(page.address, part=page.is_part)
    servers = database_servers()
    for _ in range(TURNS):
        if page.after_a_result:
            histories.clear_cache()
            figures.render_chart.cache_clear()
            game_lists.render_list.cache_clear()
        database, python = processor_seconds(servers), time.process_time()
        body = ask(page.address, part=page.is_part)
        page.python.append(time.process_time() - python)
        page.database.append(processor_seconds(servers) - database)
    page.size = len(body)


def ask(address: str, *, part: bool = False) -> bytes:
    """Return the body that the site answers with, as a server would get it.

    A script on the page asks for a part.
    """
    from league.wsgi import application

    def start(status: str, _headers: Any, _exc: Any = None) -> Any:
        assert status in {"200 OK", "204 No Content"}, f"{address}: {status}"
        return BytesIO().write

    where = urlsplit(address)
    environ = {
        **ENVIRON,
        "PATH_INFO": where.path,
        "QUERY_STRING": where.query,
        "wsgi.input": BytesIO(),
    }
    if part:
        environ["HTTP_HX_REQUEST"] = "true"
    answer = application(environ, start)
    body = b"".join(answer)
    answer.close()
    return body


def database_servers() -> list[int]:
    """Return the ids of the server processes of this database."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pid FROM pg_stat_activity WHERE datname = current_database()")
        processes = [row[0] for row in cursor.fetchall()]
    connection.close()
    return processes


def processor_seconds(processes: list[int]) -> float:
    """Return the processor time of processes of this machine, as Linux counts it."""
    nanoseconds = (Path(f"/proc/{one}/schedstat").read_text().split()[0] for one in processes)
    return sum(map(int, nanoseconds)) / 1e9


if __name__ == "__main__":
    main()
