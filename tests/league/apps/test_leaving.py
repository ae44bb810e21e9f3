"""People see their connected apps, remove access, and log out of apps and the league."""

from datetime import timedelta
from typing import Any

import pytest
from allauth.idp.oidc.models import Client, Token
from django.test import Client as Browser
from django.urls import reverse
from django.utils import timezone

from league.models import ConnectedApp, Player, SpentGrant
from league.tasks import forget_old_requests
from tests.support.app_steps import let_in, the_app, with_token
from tests.support.web_steps import browser_of, words

PAGE, LOGOUT = "/settings/apps/", "/oauth/logout"
AFTER = "https://app.example/bye"


def test_alice_sees_her_apps_and_removes_one(alice: Player) -> None:
    browser = browser_of(alice)
    assert "No app can act for you." in words(browser.get(PAGE))
    app = the_app()
    tokens = let_in(alice, app, "openid", "report")
    let_in(alice, the_app(name="Other"), "openid")
    page = browser.get(PAGE)
    assert "no-store" in page["Cache-Control"]
    assert "Scoreboard" in words(page)
    assert "Report and answer results, challenges and dates" in words(page)
    assert "Last used" in words(page)
    pk = ConnectedApp.objects.get(client=app.client).pk
    gone = browser.post(reverse("connected_app_remove", args=[pk]), follow=True)
    assert "Scoreboard can no longer act for you." in words(gone)
    assert "Other" in words(gone)
    assert app.refresh(tokens["refresh_token"]).status_code == 400
    assert Token.objects.filter(user=alice.user).count() == 2


def test_nobody_removes_the_app_of_another(alice: Player, charlie: Player) -> None:
    let_in(alice, the_app(), "openid")
    pk = ConnectedApp.objects.get().pk
    answer = browser_of(charlie).post(reverse("connected_app_remove", args=[pk]))
    assert answer.status_code == 404
    assert ConnectedApp.objects.exists()


def test_more_is_allowed_step_by_step(alice: Player) -> None:
    app = the_app()
    let_in(alice, app, "openid", "queue")
    let_in(alice, app, "openid", "read")
    assert ConnectedApp.objects.get().scopes == ["openid", "read", "queue"]


def logs_out(browser: Browser, action: str, **given: str) -> Any:
    page = browser.get(LOGOUT, given)
    assert "Log out" in words(page)
    return browser.post(LOGOUT, {**given, "action": action, "csrfmiddlewaretoken": "x"})


def test_alice_logs_out_of_an_app_and_the_league(alice: Player) -> None:
    app = the_app(after_logout=[AFTER])
    tokens = let_in(alice, app, "openid", "read")
    browser = browser_of(alice)
    given = {
        "id_token_hint": tokens["id_token"],
        "post_logout_redirect_uri": AFTER,
        "state": "s",
    }
    page = browser.get(LOGOUT, given)
    assert "You have logged out of Scoreboard" in words(page)
    assert "https://app.example" in page["Content-Security-Policy"]
    assert browser.get(PAGE).status_code == 200
    left = logs_out(browser, "logout", **given)
    assert left["Location"] == f"{AFTER}?state=s"
    assert browser.get(PAGE).status_code == 302
    ended = Browser().get("/api/v1/notices/", **with_token(tokens["access_token"]))
    assert ended.status_code == 401


def test_alice_stays_logged_in_to_the_league(alice: Player) -> None:
    app = the_app(after_logout=[AFTER])
    browser = browser_of(alice)
    left = logs_out(browser, "stay", client_id=app.client.pk, post_logout_redirect_uri=AFTER)
    assert left["Location"] == AFTER
    assert browser.get(PAGE).status_code == 200


@pytest.mark.parametrize(
    "address",
    [f"{AFTER}/x", "https://app.example/back", "https://evil.example/", "javascript:alert(1)"],
)
def test_logging_out_leads_to_registered_addresses_only(alice: Player, address: str) -> None:
    app = the_app(after_logout=[AFTER])
    for browser in (browser_of(alice), Browser()):
        given = {"client_id": app.client.pk, "post_logout_redirect_uri": address}
        answer = browser.get(LOGOUT, given)
        assert answer.status_code == 400
        assert "is not registered with the address" in words(answer)


def test_a_form_of_an_app_leads_to_the_page_that_asks(alice: Player) -> None:
    app = the_app(after_logout=[AFTER])
    given = {"client_id": app.client.pk, "post_logout_redirect_uri": AFTER, "state": "s"}
    sent = Browser().post(LOGOUT, given)  # browsers send no cookies with the form of another site
    assert sent.headers["Location"].startswith(f"{LOGOUT}?")
    page = browser_of(alice).get(sent.headers["Location"])
    assert "You have logged out of Scoreboard" in words(page)


def test_without_an_app_logging_out_leads_home(alice: Player) -> None:
    left = logs_out(browser_of(alice), "logout", post_logout_redirect_uri="https://evil.example/")
    assert left["Location"] == reverse("home")


def test_another_site_logs_nobody_out(alice: Player) -> None:
    browser = Browser(enforce_csrf_checks=True)
    browser.force_login(alice.user)  # type: ignore[arg-type]
    browser.get(LOGOUT)
    browser.post(LOGOUT, {"action": "logout"})
    forged = browser.post(LOGOUT, {"action": "logout", "csrfmiddlewaretoken": "x" * 64})
    assert forged.status_code == 403
    assert "reload the page and send the form again" in words(forged)
    assert browser.get(PAGE).status_code == 200


def test_what_has_ended_is_forgotten(alice: Player) -> None:
    app = the_app()
    let_in(alice, app, "openid")
    assert forget_old_requests() == 0
    Token.objects.filter(type=Token.Type.ACCESS_TOKEN).update(expires_at=timezone.now())
    SpentGrant.objects.update(spent_at=timezone.now() - timedelta(days=31))
    assert forget_old_requests() == 2
    assert Token.objects.get().type == Token.Type.REFRESH_TOKEN
    assert Client.objects.exists()
