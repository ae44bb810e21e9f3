"""The headers of answers: caches, limits, and scripts of other sites."""

from datetime import date
from typing import Any

import pytest
from django.core.cache import cache
from pytest_django import Settings
from rest_framework.test import APIClient

from league.api.arenas.views import Arenas
from league.api.core.deprecation import Deprecated
from league.api.core.schema import description_in
from league.models import Arena, ArenaQueue, Player
from league.services.core.clock import database_now
from league.services.results.reports.answers import confirm
from tests.support.api_steps import a_token, by_token, send
from tests.support.cast import beats
from tests.support.web_steps import browser_of

ARENAS = "/api/v1/arenas/"
ROSTERS = "/api/v1/arenas/teams/rosters/"
STATS = "https://stats.example"


def varies(answer: Any) -> set[str]:
    return set(answer.headers["Vary"].split(", "))


def test_what_every_visitor_reads_is_kept_for_a_second_and_then_asked_for_again(
    duel: Arena,
) -> None:
    first = APIClient().get(ARENAS)
    assert first.headers["Cache-Control"] == "public, max-age=1"
    assert {"Authorization", "Cookie"} <= varies(first)
    again = APIClient().get(ARENAS, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    Arena.objects.update(name="Duels")
    changed = APIClient().get(ARENAS, headers={"If-None-Match": first.headers["ETag"]})
    assert changed.status_code == 200


def test_what_an_account_reads_is_for_it_alone_and_asked_for_again_each_time(
    duel: Arena, alice: Player
) -> None:
    for client in (by_token(alice), browser_of(alice)):
        for address in (ARENAS, "/api/v1/notices/"):
            answer = client.get(address)
            assert answer.status_code == 200
            assert set(answer.headers["Cache-Control"].split(", ")) == {"private", "no-cache"}
            assert {"Authorization", "Cookie"} <= varies(answer)
            known = {"If-None-Match": answer.headers["ETag"]}
            assert client.get(address, headers=known).status_code == 304


def test_programs_ask_whether_what_they_watch_has_changed(
    duel: Arena, alice: Player, bob: Player
) -> None:
    ArenaQueue.objects.create(arena=duel)
    match = beats(alice, bob, duel, now=database_now())
    watched = [
        f"/api/v1/matches/{match.pk}/",
        *(f"/api/v1/arenas/duel/{part}/" for part in ("leaderboard", "live-matches", "queue")),
        "/api/v1/live-matches/",
    ]
    for client in (APIClient(), by_token(alice), browser_of(alice)):
        tags = {path: client.get(path).headers["ETag"] for path in watched}
        for path, tag in tags.items():
            answer = client.get(path, headers={"If-None-Match": tag})
            assert (answer.status_code, answer.content) == (304, b""), path
    confirm(match.pk, by=bob, now=database_now())
    [changed, *_same] = tags.items()
    assert client.get(changed[0], headers={"If-None-Match": changed[1]}).status_code == 200


@pytest.mark.parametrize("address", ["/api/v1/notices/", "/api/v1/nothing/", f"{ARENAS}?x=1"])
def test_a_refusal_is_kept_nowhere(address: str) -> None:
    assert APIClient().get(address).headers["Cache-Control"] == "private, no-store"


def test_answers_say_what_is_left_of_the_minute(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, duel: Arena, alice: Player
) -> None:
    cache.clear()
    monkeypatch.setattr("league.rates.time.time", lambda: 1_800_000_010.0)
    settings.REQUESTS_A_MINUTE = {"api": {"address": 2, "account": 3}}
    answers = [APIClient().get(ARENAS) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert [answer.headers["RateLimit-Remaining"] for answer in answers] == ["1", "0", "0"]
    assert {answer.headers["RateLimit-Limit"] for answer in answers} == {"2"}
    assert {answer.headers["RateLimit-Reset"] for answer in answers} == {"50"}
    assert answers[2].headers["Retry-After"] == "50"
    refused = by_token(alice).get(f"{ARENAS}?x=1")
    assert (refused.status_code, refused.headers["RateLimit-Remaining"]) == (400, "2")
    cache.clear()


def test_scripts_of_any_site_may_read_without_a_log_in(duel: Arena) -> None:
    for address, status in ((ARENAS, 200), ("/api/v1/nothing/", 404)):
        answer = APIClient().get(address, headers={"Origin": "https://any.example"})
        assert answer.status_code == status
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in answer.headers
        assert "RateLimit-Remaining" in answer.headers["Access-Control-Expose-Headers"]
        assert "Origin" in varies(answer)


def ask(origin: str, address: str = ROSTERS) -> Any:
    headers = {"Origin": origin, "Access-Control-Request-Method": "POST"}
    return APIClient().options(address, headers=headers)


def test_only_scripts_of_registered_sites_may_send_a_token(
    settings: Settings, teams: Arena, alice: Player
) -> None:
    settings.CORS_ORIGINS = [STATS]
    may, may_not = ask(STATS), ask("https://any.example")
    assert (may.status_code, may_not.status_code) == (204, 204)
    assert may.headers["Access-Control-Allow-Origin"] == STATS
    assert "POST" in may.headers["Access-Control-Allow-Methods"]
    assert "Authorization" in may.headers["Access-Control-Allow-Headers"]
    assert may_not.headers["Access-Control-Allow-Methods"] == "GET, HEAD"
    assert "Authorization" not in may_not.headers["Access-Control-Allow-Headers"]
    program = APIClient()
    _made, text = a_token(alice.user)
    program.credentials(HTTP_AUTHORIZATION=f"Bearer {text}", HTTP_ORIGIN=STATS)
    made = send(program, ROSTERS, {"name": "Owls"})
    assert (made.status_code, made.headers["Access-Control-Allow-Origin"]) == (201, STATS)
    assert "Access-Control-Allow-Credentials" not in made.headers


def test_pages_are_not_for_scripts_of_other_sites(settings: Settings, duel: Arena) -> None:
    settings.CORS_ORIGINS = [STATS]
    page = APIClient().get("/players/", headers={"Origin": STATS})
    assert "Access-Control-Allow-Origin" not in page.headers


def test_a_deprecated_route_says_so_in_its_answers_and_in_the_description(
    monkeypatch: pytest.MonkeyPatch, duel: Arena
) -> None:
    old = Deprecated(since=date(2026, 1, 1), until=date(2027, 1, 1), instead="/api/v1/places/")
    monkeypatch.setattr(Arenas, "deprecated", old)
    for status, address in ((200, ARENAS), (400, f"{ARENAS}?x=1")):
        answer = APIClient().get(address)
        assert answer.status_code == status
        assert answer.headers["Deprecation"] == "@1767225600"
        assert answer.headers["Sunset"] == "Fri, 01 Jan 2027 00:00:00 GMT"
        assert '</api/v1/places/>; rel="successor-version"' in answer.headers["Link"]
    described = description_in.__wrapped__("en")["paths"]
    assert described[ARENAS]["get"]["deprecated"]
    assert "deprecated" not in described["/api/v1/players/"]["get"]
