"""Limits of apps: rates, scripts on other sites, and accounts that are not one's own."""

from typing import Any

import pytest
from django.test import Client
from django.test import Client as Browser
from django.urls import reverse

from league.models import ConnectedApp, Player
from league.services.privacy.forgetting import forget
from tests.support.admin_steps import staff
from tests.support.app_steps import let_in, the_app, with_token
from tests.support.cast import NOW
from tests.support.merge_steps import merged
from tests.support.result_steps import user_of

__all__ = ["staff"]


@pytest.mark.usefixtures("within_a_minute")
def test_an_address_asks_for_so_many_tokens_a_minute(settings: Any) -> None:
    limits = {**settings.REQUESTS_A_MINUTE, "programs": {"address": 2, "account": 2}}
    settings.REQUESTS_A_MINUTE = limits
    app = the_app()
    answers = [app.exchange("x") for _time in range(3)]
    assert [answer.status_code for answer in answers] == [400, 400, 429]
    assert answers[2].json()["error"] == "temporarily_unavailable"
    assert int(answers[2]["Retry-After"]) > 0


@pytest.mark.usefixtures("within_a_minute")
def test_tokens_of_apps_count_with_those_of_the_account(alice: Player, settings: Any) -> None:
    limits = {**settings.REQUESTS_A_MINUTE, "api": {"address": None, "account": 2}}
    settings.REQUESTS_A_MINUTE = limits
    tokens = [let_in(alice, the_app(), "openid", "read")["access_token"] for _app in range(3)]
    answers = [Browser().get("/api/v1/notices/", **with_token(token)) for token in tokens]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[0]["RateLimit-Remaining"] == "1"


def test_scripts_of_any_site_may_exchange_a_code(alice: Player) -> None:
    app = the_app(is_public=True)
    app.http = Browser(headers={"Origin": "https://app.example"})
    answer = app.exchange("x")
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer


def test_staff_who_see_the_site_as_a_player_let_no_app_in(staff: Client, alice: Player) -> None:
    app = the_app()
    let_in(alice, app, "openid")
    page = reverse("admin:league_user_see_as", args=[user_of(alice).pk])
    assert staff.post(page, {"reason": "A lost button."}).status_code == 302
    for prompt in ("none", "consent"):
        assert staff.get(app.link("openid", prompt=prompt)).status_code == 403


def test_an_account_that_is_merged_away_ends_its_apps(
    alice: Player, eve: Player, olga: Player
) -> None:
    app = the_app()
    kept, gone = let_in(alice, app, "openid", "read"), let_in(eve, app, "openid", "read")
    merged(alice, eve, user_of(olga), account=user_of(alice).pk)
    assert app.refresh(gone["refresh_token"]).status_code == 400
    assert app.refresh(kept["refresh_token"]).status_code == 200
    assert ConnectedApp.objects.get().user == alice.user


def test_a_deleted_account_ends_its_apps(alice: Player) -> None:
    app = the_app(owner=user_of(alice))
    tokens = let_in(alice, app, "openid", "read")
    forget(user_of(alice), alice, NOW)
    assert not ConnectedApp.objects.exists()
    assert app.refresh(tokens["refresh_token"]).status_code == 400
    assert Browser().get("/api/v1/arenas/", **with_token(tokens["access_token"])).status_code == 401
    app.client.refresh_from_db()
