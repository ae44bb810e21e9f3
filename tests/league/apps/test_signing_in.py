"""People sign in to an app through the authorization code flow of OpenID Connect."""

import html
import json
import re
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import jwt
from allauth.account.models import EmailAddress
from django.conf import settings
from django.test import Client as Browser

from league.models import ConnectedApp, Player
from league.services.apps import connecting
from tests.support.app_steps import (
    AUTHORIZE,
    BACK,
    TOKEN,
    USERINFO,
    code_for,
    consents,
    hidden,
    let_in,
    the_app,
    told,
    with_token,
)
from tests.support.result_steps import user_of
from tests.support.web_steps import browser_of, words


def discovery() -> dict[str, Any]:
    found: dict[str, Any] = Browser().get("/.well-known/openid-configuration").json()
    return found


def read_id_token(text: str, audience: str) -> dict[str, Any]:
    """Verify an ID token as an app does, with the published keys."""
    address = discovery()["jwks_uri"].removeprefix(settings.SITE_URL)
    keys = jwt.PyJWKSet.from_json(Browser().get(address).content.decode())
    header = jwt.get_unverified_header(text)
    key = keys[header["kid"]]
    return jwt.decode(
        text, key, algorithms=["RS256"], audience=audience, issuer=discovery()["issuer"]
    )


def test_a_program_finds_everything_by_the_address_of_the_site() -> None:
    found = discovery()
    assert found["issuer"] == settings.SITE_URL
    assert found["token_endpoint"] == f"{settings.SITE_URL}{TOKEN}"
    assert found["response_types_supported"] == ["code"]
    assert found["code_challenge_methods_supported"] == ["S256"]
    assert "read" in found["scopes_supported"]
    assert "client_credentials" not in found["grant_types_supported"]
    assert Browser().get("/.well-known/oauth-authorization-server").json() == found


def test_alice_signs_in_to_an_app_and_it_knows_who_she_is(alice: Player) -> None:
    EmailAddress.objects.create(
        user=user_of(alice), email="alice@example.org", verified=True, primary=True
    )
    app = the_app()
    browser = browser_of(alice)
    page = browser.get(app.link("openid", "profile", "email", "report", nonce="n-1"))
    said = words(page)
    assert "Scoreboard wants to act for you, Alice" in said
    assert "See your email address" in said
    assert "Report and answer results, challenges and dates" in said
    assert "Wait in queues" not in said
    assert "you will be sent to app.example" in said
    assert "no-store" in page["Cache-Control"]
    assert "form-action 'self' https://discord.com https://app.example;" in (
        page["Content-Security-Policy"] + ";"
    )

    answer = consents(browser, app.link("openid", "profile", "email", "report", nonce="n-1"))
    assert answer["Location"].startswith(f"{BACK}?")
    assert told(answer)["state"] == "xyz"
    tokens = app.exchange(told(answer)["code"])
    assert tokens.status_code == 200
    assert "no-store" in tokens["Cache-Control"]
    made = app.oauth.parse_request_body_response(tokens.content.decode(), scope=None)
    assert made["expires_in"] == 3600
    claims = read_id_token(made["id_token"], app.client.pk)
    assert claims["nonce"] == "n-1"
    assert claims["sub"] == str(alice.user_id)
    assert claims["name"] == "Alice"
    info = Browser().get(USERINFO, **with_token(made["access_token"])).json()
    assert info == {
        "sub": str(alice.user_id),
        "name": "Alice",
        "preferred_username": "Alice",
        "profile": f"{settings.SITE_URL}{alice.get_absolute_url()}",
        "picture": f"{settings.SITE_URL}/players/{alice.pk}/picture.png",
        "email": "alice@example.org",
        "email_verified": True,
    }


def test_an_app_learns_no_more_than_it_was_allowed(alice: Player) -> None:
    EmailAddress.objects.create(user=user_of(alice), email="alice@example.org", primary=True)
    app = the_app()
    tokens = let_in(alice, app, "openid")
    claims = read_id_token(tokens["id_token"], app.client.pk)
    assert not {"name", "email", "preferred_username"} & set(claims)
    info = Browser().get(USERINFO, **with_token(tokens["access_token"])).json()
    assert info == {"sub": str(alice.user_id)}


def test_alice_does_not_let_an_app_in(alice: Player) -> None:
    app = the_app()
    answer = consents(browser_of(alice), app.link("openid"), action="cancel")
    assert told(answer) == {"error": "access_denied", "state": "xyz"}
    assert answer["Location"].startswith(f"{BACK}?")
    assert not alice.user.connected_apps.exists()  # type: ignore[union-attr]


def test_a_visitor_logs_in_first(alice: Player) -> None:
    link = the_app().link("openid")
    answer = Browser().get(link)
    assert answer.status_code == 302
    assert answer["Location"].startswith("/accounts/login/?next=/oauth/authorize%3F")


def test_an_app_goes_on_without_the_reader(alice: Player) -> None:
    app = the_app()
    first = let_in(alice, app, "openid", "read")
    second = app.refresh(first["refresh_token"])
    assert second.status_code == 200
    assert second.json()["scope"].split() == ["openid", "read"]
    assert second.json()["refresh_token"] != first["refresh_token"]
    assert (
        Browser().get("/api/v1/notices/", **with_token(second.json()["access_token"])).status_code
        == 200
    )


def test_a_public_app_needs_no_secret(alice: Player) -> None:
    app = the_app(is_public=True, redirect_uris=["com.example.app:/back"])
    assert app.secret == ""
    page = browser_of(alice).get(app.link("openid"))
    assert (
        "form-action 'self' https://discord.com com.example.app:" in page["Content-Security-Policy"]
    )
    assert "a program on this device" in words(page)
    answer = consents(browser_of(alice), app.link("openid"))
    assert answer["Location"].startswith("com.example.app:/back?")
    assert app.exchange(told(answer)["code"]).status_code == 200


def test_a_program_on_the_same_computer_listens_at_any_port(alice: Player) -> None:
    app = the_app(is_public=True, redirect_uris=["http://127.0.0.1/back"])
    app.back = "http://127.0.0.1:51234/back"
    assert app.exchange(code_for(alice, app)).status_code == 200


def test_an_app_asks_whether_somebody_is_still_logged_in(alice: Player) -> None:
    app = the_app()
    silent = app.link("openid", prompt="none")
    assert told(Browser().get(silent))["error"] == "login_required"
    browser = browser_of(alice)
    assert told(browser.get(silent))["error"] == "consent_required"
    let_in(alice, app, "openid")
    assert app.exchange(told(browser.get(silent))["code"]).status_code == 200
    more = told(browser.get(app.link("openid", "email", prompt="none")))
    assert more["error"] == "consent_required"


def test_what_one_app_may_do_lets_no_other_in(alice: Player) -> None:
    let_in(alice, the_app(name="Trusted"), "openid", "read", "email")
    other = the_app(name="Sly")
    answer = browser_of(alice).get(other.link("openid", "read", "email", prompt="none"))
    assert told(answer)["error"] == "consent_required"


def test_tokens_are_stored_as_hashes(alice: Player) -> None:
    app = the_app()
    tokens = let_in(alice, app)
    stored = json.dumps([list(app.client.token_set.values_list("hash", "data")), app.client.secret])
    for secret in (tokens["access_token"], tokens["refresh_token"], app.secret):
        assert secret not in stored


def passed_on(page: Any) -> dict[str, str]:
    """Return what a page that redirects by itself sends to its app."""
    found = re.search(r'http-equiv="refresh" content="0;url=([^"]*)"', page.content.decode())
    if found is None:
        return {}
    address = html.unescape(found[1])
    assert address.startswith(f"{BACK}?")
    assert f'href="{found[1]}"' in page.content.decode()
    return dict(parse_qsl(urlsplit(address).query))


def test_who_has_let_an_app_in_before_is_sent_back_at_once(alice: Player, charlie: Player) -> None:
    app, browser = the_app(), browser_of(alice)
    let_in(alice, app, "openid", "read")
    page = browser.get(app.link("openid"))
    assert page.status_code == 200
    assert "form-action 'self' https://discord.com" in page["Content-Security-Policy"]
    assert "https://app.example" not in page["Content-Security-Policy"]
    answer = passed_on(page)
    assert answer["state"] == "xyz"
    assert app.exchange(answer["code"]).json()["scope"] == "openid"
    assert not passed_on(browser.get(app.link("openid", "email")))
    assert not passed_on(browser.get(app.link("openid", prompt="consent")))
    assert not passed_on(browser.get(the_app(name="Other").link("openid")))
    assert not passed_on(browser_of(charlie).get(app.link("openid")))
    connecting.disconnect(ConnectedApp.objects.get())
    assert not passed_on(browser.get(app.link("openid")))


def test_a_program_on_the_same_computer_asks_each_time(alice: Player) -> None:
    app = the_app(is_public=True, redirect_uris=["http://127.0.0.1/back"])
    let_in(alice, app, "openid")
    assert not passed_on(browser_of(alice).get(app.link("openid")))


def test_who_has_several_addresses_chooses_one(alice: Player) -> None:
    user = user_of(alice)
    for address in ("alice@example.org", "other@example.org", "unconfirmed@example.org"):
        verified, primary = not address.startswith("un"), address.startswith("alice")
        EmailAddress.objects.create(user=user, email=address, verified=verified, primary=primary)
    app, browser = the_app(), browser_of(alice)
    for chosen in ("other@example.org", "unconfirmed@example.org"):
        link = app.link("openid", "email")
        page = browser.get(link)
        assert not passed_on(page)
        assert "unconfirmed@example.org" not in words(page)
        answer = consents(browser, link, email=chosen)
        if chosen.startswith("un"):
            assert answer.status_code == 200
            continue
        token = app.exchange(told(answer)["code"]).json()["access_token"]
        assert Browser().get(USERINFO, **with_token(token)).json()["email"] == chosen


def test_who_chose_an_address_is_not_given_away_in_passing(alice: Player) -> None:
    user = user_of(alice)
    for address in ("alice@example.org", "other@example.org"):
        primary = address.startswith("alice")
        EmailAddress.objects.create(user=user, email=address, verified=True, primary=primary)
    app, browser = the_app(), browser_of(alice)
    answer = consents(browser, app.link("openid", "email"), email="other@example.org")
    assert app.exchange(told(answer)["code"]).status_code == 200
    silent = browser.get(app.link("openid", "email", prompt="none"))
    assert told(silent)["error"] == "consent_required"
    assert "code" in told(browser.get(app.link("openid", prompt="none")))


def test_a_double_click_lets_an_app_in_once(alice: Player) -> None:
    app, browser = the_app(), browser_of(alice)
    form = {**hidden(browser.get(app.link("openid"))), "action": "grant"}
    codes = [told(browser.post(AUTHORIZE, form))["code"] for _click in range(2)]
    assert ConnectedApp.objects.count() == 1
    assert app.exchange(codes[1]).status_code == 200
