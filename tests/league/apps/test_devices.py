"""Devices without a browser connect with a code that somebody types on the site."""

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.test import Client as Browser

from league.models import ConnectedApp, Player
from tests.support.app_steps import DEVICE, DEVICE_CODE, TOKEN, App, hidden, the_app, with_token
from tests.support.web_steps import browser_of, words

GRANT = "urn:ietf:params:oauth:grant-type:device_code"
URLENCODED = "application/x-www-form-urlencoded"


@pytest.fixture(autouse=True)
def quiet(settings: Any) -> None:
    """Let a device poll as often as the test does."""
    cache.clear()
    settings.IDP_OIDC_DEVICE_CODE_INTERVAL = 0


@pytest.fixture
def console() -> App:
    return the_app(
        name="Console", is_public=True, on_devices=True, redirect_uris=["http://127.0.0.1/"]
    )


def begins(app: App, scope: str = "openid read") -> Any:
    return app.http.post(DEVICE_CODE, f"client_id={app.client.pk}&scope={scope}", URLENCODED)


def polls(app: App, begun: dict[str, str]) -> Any:
    return app.post(TOKEN, grant_type=GRANT, device_code=begun["device_code"])


def answers(browser: Client, code: str, action: str) -> Any:
    page = browser.post(DEVICE, {"code": code})
    return browser.post(DEVICE, {**hidden(page), "action": action}, follow=True)


def test_a_device_is_told_the_address_of_the_site_whatever_it_has_asked(
    console: App, settings: Any
) -> None:
    settings.ALLOWED_HOSTS = ["inside.example"]
    given = f"client_id={console.client.pk}"
    host = {"host": "inside.example"}
    begun = Browser().post(DEVICE_CODE, given, URLENCODED, headers=host).json()
    page = f"{settings.SITE_URL}{DEVICE}"
    assert begun["verification_uri"] == page
    assert begun["verification_uri_complete"] == f"{page}?code={begun['user_code']}"


def test_alice_lets_in_the_app_on_her_console(alice: Player, console: App) -> None:
    begun = begins(console).json()
    assert begun["verification_uri"].endswith(DEVICE)
    assert polls(console, begun).json()["error"] == "authorization_pending"

    browser = browser_of(alice)
    typed = begun["user_code"].replace("-", "").lower()
    page = words(browser.post(DEVICE, {"code": typed}))
    assert "Allow Console to act for you?" in page
    assert "Read what you can read" in page
    assert f"shows the code {begun['user_code']}" in page
    done = answers(browser, typed, "confirm")
    assert "Go back to Console on your device." in words(done)

    made = polls(console, begun)
    assert made.status_code == 200, made.content
    assert made.json()["scope"].split() == ["openid", "read"]
    answer = Browser().get("/api/v1/notices/", **with_token(made.json()["access_token"]))
    assert answer.status_code == 200
    assert polls(console, begun).json()["error"] == "invalid_grant"
    assert "Console" in words(browser.get("/settings/apps/"))
    assert console.refresh(made.json()["refresh_token"]).status_code == 200


def test_a_double_click_lets_a_device_in_once(alice: Player, console: App) -> None:
    begun, browser = begins(console).json(), browser_of(alice)
    page = browser.post(DEVICE, {"code": begun["user_code"]})
    form = {**hidden(page), "action": "confirm", "csrfmiddlewaretoken": "a" * 64}
    first, second = (browser.post(DEVICE, form) for _click in range(2))
    assert first["Location"] == second["Location"] == "/settings/apps/"
    assert polls(console, begun).status_code == 200


def test_alice_does_not_let_it_in(alice: Player, console: App) -> None:
    begun = begins(console).json()
    done = answers(browser_of(alice), begun["user_code"], "deny")
    assert "Console did not get access." in words(done)
    assert polls(console, begun).json()["error"] == "access_denied"
    assert not ConnectedApp.objects.exists()


def test_a_link_shows_the_page_and_does_nothing_by_itself(alice: Player, console: App) -> None:
    begun = begins(console).json()
    link = begun["verification_uri_complete"].partition(DEVICE)[2]
    page = browser_of(alice).get(f"{DEVICE}{link}&action=confirm")
    assert "If somebody else sent you the code or a link" in words(page)
    assert polls(console, begun).json()["error"] == "authorization_pending"


def test_another_site_cannot_confirm_a_code(alice: Player, console: App) -> None:
    begun = begins(console).json()
    browser = Browser(enforce_csrf_checks=True)
    browser.force_login(alice.user)  # type: ignore[arg-type]
    form = {"code": begun["user_code"], "action": "confirm"}
    assert browser.post(DEVICE, form).status_code == 403
    assert browser.post(f"{DEVICE}?code={begun['user_code']}", form).status_code == 403
    assert polls(console, begun).json()["error"] == "authorization_pending"


def test_codes_cannot_be_guessed(alice: Player, console: App) -> None:
    browser = browser_of(alice)
    for _guess in range(10):
        wrong = browser.post(DEVICE, {"code": "BBBB-BBBB"})
        assert wrong.status_code == 400
    begun = begins(console).json()
    late = browser.post(DEVICE, {"code": begun["user_code"]})
    assert late.status_code == 400
    assert "Allow Console" not in words(late)


@pytest.mark.parametrize("code", ["", "x", "Ä" * 100, "\u202e", "<b>", "[]"])
def test_nonsense_is_no_code(alice: Player, console: App, code: str) -> None:
    assert browser_of(alice).post(DEVICE, {"code": code}).status_code == 400


def test_an_app_asks_a_device_for_no_more_than_it_may(console: App) -> None:
    assert begins(console, "openid staff").json()["error"] == "invalid_scope"


def test_a_device_gets_no_more_than_was_shown(alice: Player, console: App) -> None:
    begun = console.http.post(DEVICE_CODE, f"client_id={console.client.pk}", URLENCODED).json()
    assert "Read what you can read" not in words(
        browser_of(alice).post(DEVICE, {"code": begun["user_code"]})
    )
    answers(browser_of(alice), begun["user_code"], "confirm")
    more = {"device_code": begun["device_code"], "scope": "openid read"}
    made = console.post(TOKEN, grant_type=GRANT, **more)
    assert made.json()["scope"] == "openid"


def test_only_apps_for_devices_get_codes() -> None:
    other = the_app(is_public=True, redirect_uris=["http://127.0.0.1/"])
    assert begins(other).json()["error"] == "unauthorized_client"
    assert other.http.post(DEVICE_CODE, "client_id=x", URLENCODED).status_code in {400, 401}


def test_a_device_that_asks_too_often_is_told(console: App, settings: Any) -> None:
    settings.IDP_OIDC_DEVICE_CODE_INTERVAL = 5
    begun = begins(console).json()
    assert polls(console, begun).json()["error"] == "authorization_pending"
    assert polls(console, begun).json()["error"] == "slow_down"


def test_the_code_of_another_app_is_worth_nothing(alice: Player, console: App) -> None:
    begun = begins(console).json()
    answers(browser_of(alice), begun["user_code"], "confirm")
    thief = the_app(name="Thief", is_public=True, on_devices=True, redirect_uris=[])
    assert polls(thief, begun).json()["error"] == "invalid_grant"
    assert polls(console, begun).status_code == 200
