"""Access tokens of apps: what they allow, and what revokes them."""

from collections.abc import Callable
from typing import Any

import pytest
from allauth.idp.oidc.models import Client, Token
from django.test import Client as Browser
from django.utils import timezone

from league.models import ConnectedApp, Player, User
from tests.support.app_steps import (
    REVOKE,
    USERINFO,
    App,
    code_for,
    consents,
    let_in,
    reads,
    the_app,
    told,
    with_token,
)
from tests.support.web_steps import browser_of

NOTICES = "/api/v1/notices/"


def test_an_ended_token_is_refused(alice: Player) -> None:
    app = the_app()
    tokens = let_in(alice, app, "openid", "read")
    Token.objects.update(expires_at=timezone.now())
    answer = Browser().get(NOTICES, **with_token(tokens["access_token"]))
    assert answer.status_code == 401
    assert answer.json()["code"] == "token_expired"
    assert answer["Content-Type"] == "application/problem+json"
    assert answer["WWW-Authenticate"].startswith("Bearer")
    assert Browser().get(USERINFO, **with_token(tokens["access_token"])).status_code == 401
    assert app.refresh(tokens["refresh_token"]).status_code == 400


def revoked_by_app(app: App, tokens: dict[str, Any], _player: Player) -> None:
    assert app.post(REVOKE, token=tokens["refresh_token"]).status_code == 200


def access_removed(_app: App, _tokens: dict[str, Any], player: Player) -> None:
    browser = browser_of(player)
    pk = ConnectedApp.objects.get().pk
    browser.post(f"/settings/apps/{pk}/remove/")


def deactivated(_app: App, _tokens: dict[str, Any], player: Player) -> None:
    User.objects.filter(player=player).update(is_active=False)


def new_password(_app: App, _tokens: dict[str, Any], player: Player) -> None:
    user = User.objects.get(player=player)
    user.set_password("another password of alice")
    user.save()


def app_deleted(_app: App, _tokens: dict[str, Any], _player: Player) -> None:
    Client.objects.all().delete()


@pytest.mark.parametrize(
    "ends", [revoked_by_app, access_removed, deactivated, new_password, app_deleted]
)
def test_a_token_ends_with_what_it_came_from(
    alice: Player, ends: Callable[[App, dict[str, Any], Player], None]
) -> None:
    app = the_app()
    tokens = let_in(alice, app, "openid", "read")
    assert reads(tokens["access_token"]) == 200
    ends(app, tokens, alice)
    assert reads(tokens["access_token"]) == 401
    assert Browser().get(USERINFO, **with_token(tokens["access_token"])).status_code == 401
    assert app.refresh(tokens["refresh_token"]).status_code in {400, 401}


def test_a_code_from_before_access_was_removed_is_worth_nothing(alice: Player) -> None:
    app = the_app()
    code = code_for(alice, app)
    access_removed(app, {}, alice)
    answer = app.exchange(code)
    assert answer.json()["error"] == "invalid_grant"
    assert not Token.objects.exists()


def test_a_token_does_only_what_was_allowed(alice: Player) -> None:
    app = the_app(scopes=("openid", "read", "queue", "account"))
    knows_only_who = let_in(alice, app, "openid")["access_token"]
    answer = Browser().get(NOTICES, **with_token(knows_only_who))
    assert answer.status_code == 403
    assert answer.json()["code"] == "insufficient_scope"
    reader = let_in(alice, app, "openid", "read")["access_token"]
    answer = Browser().post("/api/v1/arenas/duel/reports/", **with_token(reader))
    assert answer.status_code in {403, 404}
    assert reads(reader) == 200
    for token in (knows_only_who, reader):
        answer = Browser().post("/api/v1/tokens/", **with_token(token))
        assert answer.status_code == 403


def test_what_an_app_may_no_longer_ask_for_its_tokens_no_longer_allow(alice: Player) -> None:
    app = the_app()
    token = let_in(alice, app, "openid", "read")["access_token"]
    Client.objects.update(scopes="openid")
    assert reads(token) == 403


def test_no_token_counts_in_an_address(alice: Player) -> None:
    token = let_in(alice, the_app(), "openid", "read")["access_token"]
    assert Browser().get(f"{USERINFO}?access_token={token}").status_code == 401
    assert Browser().get(f"{NOTICES}?access_token={token}").status_code in {400, 401, 403}


def test_other_tokens_are_no_access_tokens(alice: Player) -> None:
    tokens = let_in(alice, the_app(), "openid", "read")
    for text in (tokens["id_token"], tokens["refresh_token"]):
        assert reads(text) == 401
        assert Browser().get(USERINFO, **with_token(text)).status_code == 401


def test_a_token_for_one_address_counts_at_no_other(alice: Player, settings: Any) -> None:
    app = the_app()
    arenas = f"{settings.SITE_URL}/api/v1/arenas/"
    code = told(consents(browser_of(alice), app.link("openid", "read", resource=arenas)))["code"]
    token = app.exchange(code, resource=arenas).json()["access_token"]
    assert Browser().get("/api/v1/arenas/", **with_token(token)).status_code == 200
    assert reads(token) == 401
