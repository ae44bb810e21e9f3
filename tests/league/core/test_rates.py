"""Limits on requests a minute: what they stop, whom they spare, and how they fail open."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.http import HttpRequest
from django.test import Client, RequestFactory
from django.urls import reverse
from pytest_django import Settings

from league import rates
from league import settings as site
from league.models import Arena, Match, Player, Roster
from league.services.arenas.presets import PRESETS
from league.services.arenas.starting import from_preset
from tests.support.cast import NOW
from tests.support.result_steps import user_of
from tests.support.web_steps import browser_of, result_form, words

MIDDAY = 1_800_000_000.0


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """A clock that a test sets, so that no minute ends unexpectedly. Nothing is counted before."""
    cache.clear()
    now = [MIDDAY]
    monkeypatch.setattr("league.rates.time.time", lambda: now[0])
    yield now
    cache.clear()


@pytest.fixture
def strict(settings: Settings) -> None:
    """Two requests a minute of each kind."""
    scopes = ("api", "write", "costly", "export")
    settings.REQUESTS_A_MINUTE = {scope: {"address": 2, "account": 2} for scope in scopes}


def creates_roster(browser: Client, name: str, **more: Any) -> Any:
    return browser.post(reverse("roster_new", args=["teams"]), {"name": name}, **more)


@pytest.mark.usefixtures("strict", "teams")
def test_a_flood_of_forms_is_stopped_with_a_clear_page_and_writes_nothing(
    alice: Player, charlie: Player, clock: list[float]
) -> None:
    browser = browser_of(alice)
    clock[0] = MIDDAY - MIDDAY % 60 + 18
    for name in ("Owls", "Larks"):
        assert creates_roster(browser, name).status_code == 302
    refused = creates_roster(browser, "Crows")
    assert refused.status_code == 429
    assert refused.headers["Retry-After"] == "42"
    assert "Too many requests. Try again in 42 seconds." in words(refused)
    assert "Nothing of this request was saved." in words(refused)
    assert not Roster.objects.filter(name="Crows").exists()
    assert creates_roster(browser_of(charlie), "Foxes").status_code == 302, "another account"
    assert browser.get(reverse("rosters", args=["teams"])).status_code == 200, "reading goes on"
    clock[0] += 42
    assert creates_roster(browser, "Crows").status_code == 302


@pytest.mark.usefixtures("strict")
def test_previews_while_olga_types_leave_her_the_right_to_save(
    duel: Arena, olga: Player, settings: Settings
) -> None:
    settings.REQUESTS_A_MINUTE["costly"]["account"] = 6
    browser = browser_of(olga)
    draft = from_preset(
        PRESETS["chess-club"], name="Chess", slug="chess", by=user_of(olga), now=NOW
    )
    preview = reverse("admin:league_arena_preview", args=["decay"])
    shares = reverse("admin:league_arena_step", args=[draft.pk, "divisions"])
    evening = reverse("admin:league_arena_evening", args=[duel.pk])
    for path, sent in ((preview, {}), (shares, {"preview": "1"}), (evening, {})) * 2:
        assert browser.post(path, sent).status_code == 200
    assert browser.post(preview).status_code == 429
    assert [browser.post(evening, {"save": "1"}).status_code for _ in range(3)] == [200, 200, 429]


@pytest.mark.usefixtures("strict")
def test_a_second_browser_and_other_forms_share_the_count_of_an_account(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    for _ in range(2):
        browser_of(alice).post(reverse("tokens"), {"name": "bot", "days": "30"})
    answer = browser_of(alice).post(reverse("report", args=["duel"]), result_form("Charlie"))
    assert answer.status_code == 429
    assert not Match.objects.exists()


@pytest.mark.usefixtures("strict")
def test_visitors_are_counted_by_address_which_they_cannot_choose(settings: Settings) -> None:
    def logs_in(address: str, forwarded: str = "") -> int:
        form = {"login": "nobody", "password": "wrong"}
        browser = Client(REMOTE_ADDR=address, HTTP_X_FORWARDED_FOR=forwarded)
        return browser.post(reverse("account_login"), form).status_code

    forged = [f"198.51.100.{number}" for number in range(3)]
    assert [logs_in("192.0.2.1", forwarded) for forwarded in forged] == [200, 200, 429]
    assert logs_in("192.0.2.2") == 200
    settings.PROXY_HOPS = 1
    added = [f"198.51.100.{number}, 203.0.113.5" for number in range(3)]
    assert [logs_in("10.0.0.1", forwarded) for forwarded in added] == [200, 200, 429]
    household = [f"2001:db8:1:2::{number}" for number in range(3)]
    assert [logs_in("10.0.0.1", forwarded) for forwarded in household] == [200, 200, 429]
    unknown = ["unknown", "", "nonsense"]
    assert [logs_in("10.0.0.1", forwarded) for forwarded in unknown] == [200, 200, 429]


@pytest.mark.usefixtures("strict", "duel")
@pytest.mark.parametrize(
    ("page", "searched"),
    [
        ("/players/", "/players/?q=al"),
        ("/arenas/duel/leaderboard/", "/arenas/duel/leaderboard/?q=al"),
        ("/arenas/duel/leaderboard/", "/arenas/duel/leaderboard/?sure=50"),
    ],
)
def test_searches_are_limited_and_the_pages_stay_readable(page: str, searched: str) -> None:
    visitor = Client()
    assert [visitor.get(searched).status_code for _ in range(3)] == [200, 200, 429]
    assert [visitor.get(page).status_code for _ in range(3)] == [200, 200, 200]


@pytest.mark.usefixtures("strict")
def test_pages_that_compute_much_and_exports_are_limited(duel: Arena, alice: Player) -> None:
    season = duel.seasons.get()
    for address in (
        alice.get_absolute_url(),
        reverse("points_export", args=[season.pk, "csv"]),
        reverse("season_export", args=[season.pk, "csv"]),
    ):
        cache.clear()
        answers = [Client().get(address).status_code for _ in range(3)]
        assert 429 not in answers[:2], address
        assert answers[2] == 429, address
    browser = browser_of(alice)
    suggestions = reverse("opponents", args=["duel"]) + "?opponent=al"
    assert [browser.get(suggestions).status_code for _ in range(3)] == [200, 200, 429]


def test_polls_and_plain_pages_are_never_counted(
    settings: Settings, duel: Arena, alice: Player
) -> None:
    nothing = {"address": 0, "account": 0}
    settings.REQUESTS_A_MINUTE = dict.fromkeys(("write", "costly", "export"), nothing)
    browser = browser_of(alice)
    for address in ("/", "/arenas/duel/", "/arenas/duel/queue/", "/matches/waiting/", "/inbox/"):
        assert browser.get(address).status_code != 429, address


@pytest.mark.usefixtures("strict")
def test_the_api_has_its_own_count(duel: Arena, alice: Player) -> None:
    browser = browser_of(alice)
    for _ in range(2):
        browser.post(reverse("tokens"), {"name": "bot", "days": "30"})
    answers = [browser.post("/api/v1/arenas/duel/reports/").status_code for _ in range(3)]
    assert 429 not in answers[:2]
    assert answers[2] == 429


def test_requests_at_the_same_time_are_all_counted(settings: Settings) -> None:
    settings.REQUESTS_A_MINUTE = {"write": {"address": 10, "account": 10}}

    def waits(_number: int) -> int:
        return rates.seconds_to_wait("write", visit())

    with ThreadPoolExecutor(8) as threads:
        waited = list(threads.map(waits, range(40)))
    assert waited.count(0) == 10


def visit() -> HttpRequest:
    request = RequestFactory().post("/", REMOTE_ADDR="192.0.2.1")
    request.user = AnonymousUser()
    return request


@pytest.mark.usefixtures("strict", "teams")
def test_without_a_cache_the_site_works_on_uncounted(settings: Settings, alice: Player) -> None:
    settings.CACHES = {
        "default": {**settings.CACHES["default"], "LOCATION": "redis://127.0.0.1:1/0"}
    }
    browser = browser_of(alice)
    names = ("Owls", "Larks", "Crows", "Jays")
    assert [creates_roster(browser, name).status_code for name in names] == [302] * 4
    assert Client().get("/players/?q=al").status_code == 200


@pytest.mark.parametrize("page", ["account_login", "account_signup"])
def test_a_hall_of_people_logs_in_or_signs_up_within_the_limit_of_forms_alone(
    settings: Settings, page: str
) -> None:
    settings.REQUESTS_A_MINUTE = {"write": {"address": 40, "account": None}}
    answers = [
        Client().post(reverse(page), {"login": f"guest {number}", "password": "wrong"})
        for number in range(41)
    ]
    assert [answer.status_code for answer in answers] == [200] * 40 + [429]
    assert "Too many requests. Try again in" in words(answers[-1])


def test_nobody_comes_near_the_limits_by_hand(settings: Settings, alice: Player) -> None:
    settings.REQUESTS_A_MINUTE = site.REQUESTS_A_MINUTE
    browser = browser_of(alice)
    # A page of players asks at most every 200 ms, and only once the last answer is there.
    typed = [browser.get(f"/players/?q={'a' * length}") for length in range(1, 61)]
    assert {page.status_code for page in typed} == {200}
    # An organiser who answers a form a second.
    sent = [browser.post(reverse("tokens"), {"name": ""}) for _ in range(60)]
    assert 429 not in {page.status_code for page in sent}
    assert browser.post(reverse("tokens"), {"name": ""}).status_code == 429
