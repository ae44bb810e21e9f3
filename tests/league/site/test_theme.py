"""The theme: light, dark, or as the system, without a flash of the wrong one."""

from pathlib import Path

from django.contrib.staticfiles import finders
from django.core.cache import caches
from django.test import Client
from pytest_django import Settings

from league.models import Arena, Player, User
from tests.support.strict_pages import assert_strict
from tests.support.web_steps import browser_of


def theme_on(browser: Client, path: str = "/players/") -> str:
    """Return the theme of a page, as the server writes it into the first bytes."""
    start = browser.get(path).content.decode()[:200]
    return start.partition('data-theme="')[2].partition('"')[0]


def test_a_visitor_keeps_a_theme_in_a_cookie() -> None:
    browser = Client(enforce_csrf_checks=True)
    assert theme_on(browser) == ""
    answer = browser.post("/theme/", {"theme": "dark", "next": "/players/"})
    assert answer["Location"] == "/players/"
    assert (answer.cookies["theme"]["samesite"], answer.cookies["theme"]["httponly"]) == (
        "Lax",
        True,
    )
    assert theme_on(browser) == "dark"
    browser.post("/theme/", {"theme": ""})
    assert theme_on(browser) == ""
    assert_strict(browser, "/players/")


def test_a_player_keeps_a_theme_with_their_account(alice: Player) -> None:
    browser = browser_of(alice)
    browser.cookies["theme"] = "dark"
    browser.post("/theme/", {"theme": "light"})
    assert User.objects.get(player=alice).theme == "light"
    assert theme_on(browser) == "light", "the account's, not the browser's"
    assert theme_on(browser_of(alice), "/settings/") == "light", "on every device"


def test_unknown_themes_and_foreign_addresses_are_refused() -> None:
    browser = Client()
    answer = browser.post("/theme/", {"theme": 'dark" onload="'})
    assert answer.status_code == 400
    assert "Choose light, dark or system." in answer.content.decode()
    assert browser.post("/theme/", {"theme": "", "next": "//evil.example"})["Location"] == "/"
    browser.cookies["theme"] = 'dark" onload="'
    assert theme_on(browser) == ""


def test_the_name_of_a_view_is_no_way_back() -> None:
    for name in ("home", "player"):
        answer = Client().post("/theme/", {"theme": "", "next": name})
        assert (answer.status_code, answer["Location"]) == (302, name)


def test_pages_are_printed_in_light_colours_whatever_the_theme() -> None:
    sheet = Path(str(finders.find("css/core/tokens.css"))).read_text()
    screen, _media, printed = sheet.partition("@media print {")
    assert ":root, :root[data-theme] { color-scheme: light; }" in printed
    assert '[data-theme="dark"]' in screen, "of the same weight, so the last rule holds"


def test_visitors_with_different_themes_share_no_cached_page(
    duel: Arena, settings: Settings
) -> None:
    settings.PAGES_KEPT_FOR = 60
    caches["pages"].clear()
    path = f"{duel.get_absolute_url()}leaderboard/"
    dark = Client()
    dark.cookies["theme"] = "dark"
    assert [theme_on(dark, path), theme_on(Client(), path)] == ["dark", ""]
    caches["pages"].clear()


def test_who_signs_up_keeps_the_theme_of_their_browser() -> None:
    browser = Client()
    browser.cookies["theme"] = "dark"
    secret = "correct horse battery staple"
    form = {"username": "Newcomer", "password1": secret, "password2": secret}
    assert browser.post("/accounts/signup/", form).status_code == 302
    assert User.objects.get(username="newcomer").theme == "dark"
