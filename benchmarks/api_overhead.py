"""Compare routes of the API with the same views without Django REST framework.

Each pair passes the whole site: middleware, services, database, JSON. A plain view of Django makes
the same answer, byte for byte but for the order of its fields, from the same services. Both take
turns. The leaderboard is that of the football demo, once made anew for each request and once kept
for a second as on the site. Ratings are computed from a body of 20 duels.
"""

from __future__ import annotations

import json
import logging
import statistics
import time
from dataclasses import dataclass, field
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, Any

from benchmarks.pages import ENVIRON
from benchmarks.scratch import machine, scratch_league

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from django.http import HttpRequest, HttpResponse

ROUNDS, REQUESTS = 9, 40
AIM = 0.7
BOARD, PLAIN_BOARD = "/api/v1/arenas/football/leaderboard/", "/plain/board/"
RATE, PLAIN_RATE = "/api/v1/rate/", "/plain/rate/"
DUELS = 20


@dataclass
class Pair:
    """A route, its peer, and the requests a second that each answered, by round."""

    name: str
    ours: str
    plain: str
    body: bytes = b""
    kept_for: float = 0.0
    found: dict[str, list[float]] = field(default_factory=dict)

    @property
    def ratio(self) -> float:
        ours, plain = (statistics.median(self.found[one]) for one in (self.ours, self.plain))
        return ours / plain


def plain_board(_request: HttpRequest) -> HttpResponse:
    """Make the answer of the leaderboard without the framework."""
    from django.http import JsonResponse

    from league.models import Arena
    from league.services.core.clock import database_now
    from league.services.standings import leaderboards

    now = database_now()
    arena = Arena.objects.published().get(slug="football")
    season = arena.current_season(now)
    assert season
    page = leaderboards.leaderboard(season, now=now, page=1, per_page=50, past_ranks=True)
    return JsonResponse({"results": [plain_row(row, season.shows) for row in page.rows]})


def plain_row(row: Any, shows: Any) -> dict[str, Any]:
    names = (
        *("rank", "percentile", "rating", "deviation", "volatility", "games", "last_played_at"),
        *("provisional", "wins", "draws", "losses", "streak", "outcome"),
        *("rank_yesterday", "rank_last_week"),
    )
    division = row.division and {"name": row.division.name, "colour": row.division.colour}
    found = {name: getattr(row, name) for name in names}
    player = {"id": row.player.id, "name": row.player.name}
    return {**found, "player": player, "shown": shows.shown(row.rating), "division": division}


def plain_rate(request: HttpRequest) -> HttpResponse:
    """Make the answer of ``POST /rate/`` without the framework, for somebody with a token.

    The body is not checked, which the route does.
    """
    from django.http import JsonResponse

    import ratings.registry
    from league.api.rating.offline import answer
    from league.services.core.clock import database_now
    from league.services.people import tokens
    from league.services.rating import offline

    found = tokens.find_token(request.headers["Authorization"].removeprefix("Bearer "))
    assert found
    assert found.user.is_active
    now = database_now()
    assert found.expires_at is None or found.expires_at > now
    tokens.note_use(found, now)
    body = json.loads(request.body)
    rated = offline.newcomers(ratings.registry.build(body["system"], {}))
    played = [offline.Played(**match) for match in body["matches"]]
    return JsonResponse(answer(rated, offline.rate(rated, played), 100))


def duels() -> bytes:
    matches = [
        {"sides": [[f"P{one % 7}"], [f"P{one % 5 + 7}"]], "ranks": [0, 1]} for one in range(DUELS)
    ]
    return json.dumps({"system": "glicko-2", "matches": matches}).encode()


def main() -> None:
    with scratch_league():
        from django.core.management import call_command

        call_command("demo")
        print(machine())
        pairs = [
            Pair("leaderboard, made anew", BOARD, PLAIN_BOARD),
            Pair("leaderboard, kept for a second", BOARD, PLAIN_BOARD, kept_for=1.0),
            Pair(f"rating {DUELS} duels", RATE, PLAIN_RATE, body=duels()),
        ]
        for pair in measured(pairs):
            verdict = "reached" if pair.ratio >= AIM else "MISSED"
            rates = " against ".join(
                f"{statistics.median(pair.found[one]):,.0f}" for one in (pair.ours, pair.plain)
            )
            print(
                f"{pair.name}: {rates} requests a second, {pair.ratio:.2f} (aim {AIM}, {verdict})"
            )


def measured(pairs: list[Pair]) -> Iterator[Pair]:
    """Let the two of each pair take turns."""
    from django.test.utils import override_settings
    from django.urls import include, path

    from league.caching import cached_briefly

    def kept(request: HttpRequest) -> Any:
        return cached_briefly(plain_board)(request)

    plain_rate.csrf_exempt = True  # type: ignore[attr-defined] # as the API's is for tokens
    patterns = [
        path("plain/board/", kept),
        path("plain/rate/", plain_rate),
        path("", include("league.urls")),
    ]
    module = type("urls", (), {"urlpatterns": patterns})
    logging.disable(logging.ERROR)
    unlimited = {"address": None, "account": None}
    limits = dict.fromkeys(("api", "costly", "write", "export"), unlimited)
    for pair in pairs:
        with override_settings(
            ROOT_URLCONF=module,
            ALLOWED_HOSTS=["localhost"],
            PAGES_KEPT_FOR=pair.kept_for,
            REQUESTS_A_MINUTE=limits,
        ):
            check_same(pair)
            for _ in range(ROUNDS):
                for address in (pair.ours, pair.plain):
                    pair.found.setdefault(address, []).append(rate_of(address, pair.body))
        yield pair


@cache
def token() -> str:
    """Return a token, which the rating of matches needs."""
    from league.models import Scope, User
    from league.services.core.clock import database_now
    from league.services.people.tokens import make_token

    reader = User.objects.create(username="benchmark")
    return make_token(reader, "Benchmark", [Scope.READ], now=database_now())[1]


def check_same(pair: Pair) -> None:
    """Make sure that both send the same."""
    ours, plain = (json.loads(ask(one, pair.body)) for one in (pair.ours, pair.plain))
    for name in plain:
        assert without_times(ours[name]) == without_times(plain[name]), name


def without_times(value: Any) -> Any:
    """Drop what depends on the moment, or is written with another precision."""
    if isinstance(value, list):
        return [without_times(one) for one in value]
    if isinstance(value, dict):
        return {
            name: without_times(one)
            for name, one in value.items()
            if name not in {"last_played_at", "deviation"}
        }
    return value


def rate_of(address: str, body: bytes) -> float:
    """Return how many requests a second of this process's CPU are answered."""
    began = time.process_time()
    for _ in range(REQUESTS):
        ask(address, body)
    return REQUESTS / (time.process_time() - began)


def ask(address: str, body: bytes) -> bytes:
    from league.wsgi import application

    status = ""

    def start(given: str, _headers: Any, _exc: Any = None) -> Callable[[bytes], Any]:
        nonlocal status
        status = given
        return BytesIO().write

    environ = {
        **ENVIRON,
        "PATH_INFO": address,
        "QUERY_STRING": "",
        "REQUEST_METHOD": "POST" if body else "GET",
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": BytesIO(body),
        **({"HTTP_AUTHORIZATION": f"Bearer {token()}"} if body else {}),
    }
    answer = application(environ, start)
    content = b"".join(answer)
    answer.close()
    assert status == "200 OK", (address, status, content[:300])
    return content


if __name__ == "__main__":
    main()
