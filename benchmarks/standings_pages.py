"""A leaderboard page through the whole stack, beside the least that could be done.

CPU time of this process, from the WSGI call to the last byte of the response, with all of the
site's middleware. The alternatives use the same middleware: one writes the same rows from
``values_list`` with f-strings and nothing around them, the other returns an empty page.
"""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Callable
from io import BytesIO
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from benchmarks.standings_world import Line
    from league.models import Season

TURNS = 300
TOP = """<tr><td class="number"><span class="rank">{}</span></td>"""
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


def requests(season: Season, players: int) -> list[Line]:
    """Time pages from all over the leaderboard, rendered and cached, beside their alternatives."""
    from django.core.management import call_command
    from django.test.utils import override_settings

    from benchmarks.standings_world import Line
    from league.wsgi import application

    call_command("collectstatic", interactive=False, verbosity=0)
    board = f"/arenas/{season.arena.slug}/leaderboard/"
    depths = itertools.cycle(range(1, players // 50, 37))

    def ask(path: str, query: str = "") -> None:
        def start(status: str, _headers: Any, _exc: Any = None) -> Callable[[bytes], object]:
            assert status == "200 OK", status
            return BytesIO().write

        environ = {**ENVIRON, "PATH_INFO": path, "QUERY_STRING": query, "wsgi.input": BytesIO()}
        answer = application(environ, start)
        b"".join(answer)
        answer.close()  # as a server does

    site = {"ROOT_URLCONF": peers(season), "ALLOWED_HOSTS": ["localhost"]}
    with override_settings(**site, PAGES_KEPT_FOR=0):
        uncached, rows = in_turns(
            lambda: ask(board, f"page={next(depths)}"), lambda: ask("/bench/rows/")
        )
    with override_settings(**site, PAGES_KEPT_FOR=60):
        kept, empty = in_turns(lambda: ask(board), lambda: ask("/bench/empty/"))
    return [
        Line(
            "leaderboard request, rendered; the rows by f-string",
            1e3 * uncached,
            1e3 * rows,
            "10 ms",
        ),
        Line("the same, cached for a second; an empty view", 1e3 * kept, 1e3 * empty, "1.3"),
    ]


def in_turns(*calls: Callable[[], object]) -> list[float]:
    """Return the median CPU seconds of each call."""
    times: list[list[float]] = [[] for _ in calls]
    for turn in range(TURNS + 5):
        for call, taken in zip(calls, times, strict=True):
            began = time.process_time()
            call()
            if turn >= 5:
                taken.append(time.process_time() - began)
    return [statistics.median(taken) for taken in times]


def peers(season: Season) -> ModuleType:
    """Return the site's URLs with those of the alternatives."""
    from django.http import HttpResponse
    from django.urls import path

    from league.models import Rating
    from league.urls import urlpatterns

    def empty(_request: HttpRequest) -> HttpResponse:
        return HttpResponse()

    def rows(_request: HttpRequest) -> HttpResponse:
        best = Rating.objects.filter(season=season, player__lt=51).values_list(
            "player_id", "player__name", "rating", "deviation", "wins", "draws", "games",
            "streak", "last_played_at",
        )  # fmt: skip
        text = "".join(
            f'<tr><td class="number"><span class="rank rank-{rank}">{rank}</span></td>'
            f'<th scope="row"><a id="p{player}" href="/players/{player}/?arena=bench">{name}</a>'
            f'</th><td class="number"><span class="nowrap"><strong>{rating:.0f}</strong> '
            f'<span class="soft">± {deviation:.0f}</span></span></td>'
            f'<td class="number"><span class="soft">{rank}</span></td>'
            f'<td class="number wide-only"><span class="soft">{rank}</span></td>'
            f'<td class="number wide-only nowrap">{wins} · {draws} · {games - wins - draws}</td>'
            f'<td class="wide-only"><span aria-hidden="true">W{streak}</span></td>'
            f'<td class="wide-only nowrap"><span class="badge">{rank}</span></td>'
            f'<td class="number wide-only soft nowrap">'
            f'<time datetime="{last:%FT%T}Z">{last:%d %b %Y}</time></td></tr>'
            for rank, (
                player, name, rating, deviation, wins, draws, games, streak, last
            ) in enumerate(best, start=1)
        )  # fmt: skip
        return HttpResponse(f"<table>{text}</table>")

    module = ModuleType("bench_urls")
    module.urlpatterns = [  # type: ignore[attr-defined]  # a module made for this
        path("bench/empty/", empty),
        path("bench/rows/", rows),
        *urlpatterns,
    ]
    return module
