"""Attempts of apps and others to get access that nobody has given them."""

from base64 import b64encode
from datetime import timedelta
from typing import Any

import pytest
from allauth.idp.oidc.models import Client, Token
from django.test import Client as Browser
from django.utils import timezone

from league.models import ConnectedApp, Player, SpentGrant
from league.services.apps import connecting
from tests.support.app_steps import (
    AUTHORIZE,
    BACK,
    REVOKE,
    TOKEN,
    VERIFIER,
    App,
    code_for,
    consents,
    hidden,
    let_in,
    reads,
    the_app,
    told,
)
from tests.support.concurrency import all_at_once
from tests.support.web_steps import browser_of, words


def aged(app: App) -> None:
    """Make spent codes and tokens older than the leeway for accidental repeats."""
    SpentGrant.objects.filter(app__client=app.client).update(
        spent_at=timezone.now() - connecting.LEEWAY - timedelta(seconds=1)
    )


ELSEWHERE = [
    "https://evil.example/back",
    f"{BACK}/",
    f"{BACK}/../evil",
    f"{BACK}?next=https://evil.example",
    f"{BACK}#evil",
    "https://app.example@evil.example/back",
    "https://evil@app.example/back",
    "https://app.example:444/back",
    "https://app.example:443/back",
    "http://app.example/back",
    "https://APP.example/back",
    "https://app.example\\.evil.example/back",
    "https://app.example/back;evil",
    "https://sub.app.example/back",
    "javascript:alert(1)//app.example/back",
    "",
]


@pytest.mark.parametrize("address", ELSEWHERE)
def test_nobody_is_led_to_an_address_that_is_not_registered(alice: Player, address: str) -> None:
    app = the_app()
    for browser in (browser_of(alice), Browser()):
        for prompt in ("consent", "none"):
            answer = browser.get(app.link("openid", redirect_uri=address, prompt=prompt))
            assert answer.status_code == 400
            assert "is not registered with the address" in words(answer)


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1.evil.example/back",
        "http://127.0.0.1:1@evil.example/back",
        "http://127.0.0.1:80/other",
        "https://127.0.0.1/back",
        "http://localhost/back",
    ],
)
def test_a_port_is_all_that_a_local_program_may_choose(alice: Player, address: str) -> None:
    app = the_app(is_public=True, redirect_uris=["http://127.0.0.1/back"])
    assert browser_of(alice).get(app.link("openid", redirect_uri=address)).status_code == 400


def test_an_unknown_app_is_not_let_in(alice: Player) -> None:
    app = the_app()
    Client.objects.all().delete()
    answer = browser_of(alice).get(app.link("openid"))
    assert answer.status_code == 400
    assert "This app is not registered" in words(answer)


def test_an_address_that_is_no_longer_registered_gets_nothing(alice: Player) -> None:
    app, browser = the_app(), browser_of(alice)
    form = hidden(browser.get(app.link("openid")))
    Client.objects.update(redirect_uris="https://app.example/new")
    for action in ("grant", "cancel"):
        assert browser.post(AUTHORIZE, {**form, "action": action}).status_code == 400
    assert not ConnectedApp.objects.exists()


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ({"code_challenge": VERIFIER, "code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge_method": ""}, "invalid_request"),
        ({"scope": ["openid", "staff"]}, "invalid_scope"),
        ({"scope": ["openid", "everything"]}, "invalid_scope"),
        ({"claims": "[]"}, "request_not_supported"),
        ({"request": "ey"}, "request_not_supported"),
        ({"response_mode": "fragment"}, "invalid_request"),
        ({"prompt": "none login"}, "invalid_request"),
        ({"prompt": "none", "scope": ["read"]}, "invalid_request"),
        ({"resource": "https://evil.example/"}, ""),
        ({"resource": "http://[::1"}, "invalid_target"),
        ({"resource": "https://league.example:port/"}, "invalid_target"),
        ({"id_token_hint": "ey.e30.x"}, "login_required"),
    ],
)
def test_what_an_app_cannot_have_it_is_told(
    alice: Player, more: dict[str, Any], error: str
) -> None:
    answer = browser_of(alice).get(the_app().link("openid", **more))
    if error:
        assert told(answer)["error"] == error
    else:
        assert "The app sent an invalid request" in words(answer)


@pytest.mark.parametrize("kind", ["token", "id_token", "code token", "code id_token", "none", ""])
def test_tokens_are_never_in_an_address(alice: Player, kind: str) -> None:
    link = the_app().link("openid").replace("response_type=code", f"response_type={kind}")
    answer = told(browser_of(alice).get(link))
    assert answer["error"] in {
        "unauthorized_client",
        "unsupported_response_type",
        "invalid_request",
    }


def test_a_public_app_has_to_prove_that_a_code_is_its_own(alice: Player) -> None:
    app = the_app(is_public=True, redirect_uris=["com.example.app:/back"])
    link = app.link("openid", code_challenge="", code_challenge_method="")
    assert told(browser_of(alice).get(link))["error"] == "invalid_request"
    code = code_for(alice, app)
    assert app.exchange(code, code_verifier="").json()["error"] in {
        "invalid_request",
        "invalid_grant",
    }
    assert app.exchange(code, code_verifier="x" * 43).json()["error"] == "invalid_grant"
    assert app.exchange(code).status_code == 200


def test_a_code_without_a_challenge_is_refused_to_an_app_that_sends_a_verifier(
    alice: Player,
) -> None:
    app = the_app()
    link = app.link("openid", code_challenge=None, code_challenge_method=None)
    code = told(consents(browser_of(alice), link))["code"]
    assert app.exchange(code).json()["error"] == "invalid_grant"
    assert app.exchange(code, code_verifier="").status_code == 200, "it has not asked for PKCE"


def test_the_challenge_cannot_be_taken_away_on_the_page_of_consent(alice: Player) -> None:
    app = the_app(is_public=True, redirect_uris=["com.example.app:/back"])
    stolen = {"code_challenge": "x" * 43, "code_challenge_method": "plain", "scope": "staff"}
    code = told(consents(browser_of(alice), app.link("openid"), **stolen))["code"]
    assert app.exchange(code, code_verifier="x" * 43).status_code == 400
    assert app.exchange(code).json()["scope"] == "openid"


def test_the_page_of_consent_grants_no_more_than_it_shows(alice: Player) -> None:
    app = the_app(scopes=("openid", "read", "staff"))
    more: dict[str, Any] = {
        "scopes": ["openid", "read", "staff"],
        "client_id": "x",
        "redirect_uri": "https://evil.example/",
    }
    answer = consents(browser_of(alice), app.link("openid", "read"), **more)
    assert answer["Location"].startswith(f"{BACK}?")
    assert app.exchange(told(answer)["code"]).json()["scope"].split() == ["openid", "read"]
    assert alice.user.connected_apps.get().scopes == ["openid", "read"]  # type: ignore[union-attr]


def test_another_site_cannot_press_the_button(alice: Player) -> None:
    app = the_app()
    browser = Browser(enforce_csrf_checks=True)
    browser.force_login(alice.user)  # type: ignore[arg-type]
    form = hidden(browser.get(app.link("openid")))
    forged = {"request": form["request"], "action": "grant"}
    for sent in (forged, {**forged, "csrfmiddlewaretoken": "x" * 64}):
        answer = browser.post(AUTHORIZE, sent)
        assert answer.status_code == 403
        assert "reload the page and send the form again" in words(answer)
    assert not ConnectedApp.objects.exists()


@pytest.mark.parametrize("action", ["grant", "cancel"])
def test_nobody_can_press_the_button_without_logging_in(alice: Player, action: str) -> None:
    form = hidden(browser_of(alice).get(the_app().link("openid")))
    for address in (AUTHORIZE, f"{AUTHORIZE}?prompt=none"):
        answer = Browser().post(address, {**form, "action": action})
        assert answer.status_code == 302
        assert answer.headers["Location"].startswith("/accounts/login/")


def test_a_forged_request_is_refused(alice: Player) -> None:
    answer = browser_of(alice).post(AUTHORIZE, {"request": "x:y", "action": "grant"})
    assert answer.status_code == 403


def test_a_code_works_once_and_sent_again_it_ends_everything(alice: Player) -> None:
    app = the_app()
    code = code_for(alice, app, "openid", "read")
    made = app.exchange(code).json()
    assert app.exchange(code).json()["error"] == "invalid_grant"
    assert reads(made["access_token"]) == 200  # a repetition by accident
    aged(app)
    assert app.exchange(code).json()["error"] == "invalid_grant"
    assert reads(made["access_token"]) == 401
    assert app.refresh(made["refresh_token"]).status_code == 400


def test_a_refresh_token_works_once_and_sent_again_it_ends_everything(alice: Player) -> None:
    app = the_app()
    first = let_in(alice, app, "openid", "read")
    second = app.refresh(first["refresh_token"]).json()
    aged(app)
    assert app.refresh(first["refresh_token"]).json()["error"] == "invalid_grant"
    assert reads(second["access_token"]) == 401
    assert app.refresh(second["refresh_token"]).status_code == 400


def test_a_spent_code_ends_nothing_without_the_secret_of_its_app(alice: Player) -> None:
    app = the_app()
    code = code_for(alice, app, "openid", "read")
    made = app.exchange(code).json()
    aged(app)
    right, app.secret = app.secret, ""
    for grant in ("authorization_code", "refresh_token", "nonsense", ""):
        assert app.exchange(code, grant_type=grant).status_code in {400, 401}
    assert reads(made["access_token"]) == 200
    app.secret = right
    assert app.exchange(code).json()["error"] == "invalid_grant"
    assert reads(made["access_token"]) == 401


def test_another_app_ends_nothing_with_a_stolen_token(alice: Player) -> None:
    app, thief = the_app(), the_app(name="Thief")
    first = let_in(alice, app, "openid", "read")
    second = app.refresh(first["refresh_token"]).json()
    aged(app)
    assert thief.refresh(first["refresh_token"]).status_code == 400
    assert thief.refresh(second["refresh_token"]).status_code == 400
    assert thief.post(REVOKE, token=second["refresh_token"]).status_code == 200
    assert reads(second["access_token"]) == 200
    assert app.refresh(second["refresh_token"]).status_code == 200


def test_one_app_cannot_show_its_own_secret_and_act_as_another(alice: Player) -> None:
    app, public = the_app(), the_app(name="Public", is_public=True)
    made = let_in(alice, app, "openid", "read")
    as_app = {"Authorization": f"Basic {b64encode(f'{app.client.pk}:x'.encode()).decode()}"}
    given = {"client_id": public.client.pk, "token": made["refresh_token"]}
    answer = Browser().post(REVOKE, given, headers=as_app)
    assert answer.status_code == 400
    assert answer.json()["error"] == "invalid_request"
    assert reads(made["access_token"]) == 200


def test_the_code_of_another_app_is_worth_nothing(alice: Player) -> None:
    app, thief = the_app(), the_app(name="Thief")
    code = code_for(alice, app)
    assert thief.exchange(code).json()["error"] == "invalid_grant"
    assert app.exchange(code, redirect_uri=f"{BACK}/").status_code == 400
    assert app.exchange(code).status_code == 200


def test_a_code_ends_after_a_minute_at_most(alice: Player, settings: Any) -> None:
    settings.IDP_OIDC_AUTHORIZATION_CODE_EXPIRES_IN = 0
    app = the_app()
    assert app.exchange(code_for(alice, app)).json()["error"] == "invalid_grant"


def test_refreshing_gives_no_more_scopes(alice: Player) -> None:
    app = the_app()
    token = let_in(alice, app, "openid")["refresh_token"]
    assert app.refresh(token, scope="openid report").json()["error"] == "invalid_scope"
    assert app.refresh(token).json()["scope"] == "openid"


def test_a_wrong_secret_gets_nothing(alice: Player) -> None:
    app = the_app()
    code, right = code_for(alice, app), app.secret
    for wrong in ("x", right[:-1], ""):
        app.secret = wrong
        assert app.exchange(code).json()["error"] == "invalid_client"
    app.secret = right
    assert app.exchange(code).status_code == 200


@pytest.mark.parametrize("grant", ["client_credentials", "password", "implicit", "", "x"])
def test_no_other_grants_are_given(alice: Player, grant: str) -> None:
    app = the_app()
    given = {"grant_type": grant, "username": "alice", "password": "x", "code": "x"}
    answer = app.post(TOKEN, **given)
    assert answer.status_code in {400, 401}
    assert "error" in answer.json()
    assert not Token.objects.exists()


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"grant_type": "authorization_code"},
        {"code": "x", "refresh_token": "y", "grant_type": "refresh_token"},
        {"code": "\0", "grant_type": "authorization_code"},
        {"code": "ä" * 5000, "grant_type": "authorization_code"},
        {"code": "x", "grant_type": "authorization_code", "resource": "nowhere"},
        {"code": "x", "grant_type": "authorization_code", "resource": "http://[::1"},
        {"code": "x", "grant_type": "authorization_code", "client_id": "\0"},
    ],
)
def test_nonsense_gets_an_error(given: dict[str, str]) -> None:
    answer = the_app().post(TOKEN, **given)
    assert 400 <= answer.status_code < 500
    assert answer["Content-Type"].startswith(("application/json", "application/problem+json"))


@pytest.mark.django_db(transaction=True)
def test_of_many_who_send_a_code_at_once_one_gets_tokens(alice: Player) -> None:
    app = the_app()
    code = code_for(alice, app)
    answers = all_at_once([lambda: app.exchange(code).status_code] * 4)
    assert sorted(map(int, map(str, answers))) == [200, 400, 400, 400]
    assert Token.objects.filter(type=Token.Type.ACCESS_TOKEN).count() == 1
