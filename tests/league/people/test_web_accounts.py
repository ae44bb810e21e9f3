"""Sign-up, log-in and account pages."""

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from league.models import Player, User
from tests.support.cast import PASSWORD, account
from tests.support.logins import BACKEND
from tests.support.web_steps import browser_of, words


@pytest.fixture(autouse=True)
def no_attempts_counted_yet() -> None:
    cache.clear()


def signs_up(name: str, password: str = PASSWORD, **more: str) -> Any:
    form = {"username": name, "password1": password, "password2": password, **more}
    return Client().post(reverse("account_signup"), form)


def logs_in(name: str, password: str = PASSWORD, client: Client | None = None) -> Any:
    form = {"login": name, "password": password}
    return (client or Client()).post(reverse("account_login"), form)


def test_zoe_signs_up_gets_her_player_and_logs_in_with_her_name_in_any_case() -> None:
    answer = signs_up("Zoë  Smith", email="zoe@example.org")
    assert answer["Location"] == "/welcome/"
    player = Player.objects.get()
    assert player.name == "Zoë Smith"
    assert player.user is not None
    assert player.user.username == "zoë smith"
    for name in ("Zoë Smith", "ZOË SMITH", "ｚｏë ｓｍｉｔｈ", "zoe@example.org"):
        assert logs_in(name)["Location"] == "/", name


def test_a_wrong_password_is_refused_without_saying_which_part_is_wrong(alice: Player) -> None:
    for name in ("Alice", "Nobody"):
        answer = logs_in(name, "wrong")
        assert answer.status_code == 200
        assert "username and/or password you specified are not correct" in words(answer)


def test_an_account_without_a_player_chooses_a_name_before_it_acts() -> None:
    user = User.objects.create_user("root", password=PASSWORD)
    browser = Client()
    browser.force_login(user, backend=BACKEND)
    refused = browser.get(reverse("waiting"))
    assert refused.status_code == 403
    assert "First choose a player name in your settings." in words(refused)
    assert browser.get("/").status_code == 200
    assert "This account has no player yet." in words(browser.get(reverse("settings")))

    account("Alice")
    taken = browser.post(reverse("player_name"), {"name": "alice"})
    assert taken.status_code == 400
    assert "is taken" in words(taken)
    browser.post(reverse("player_name"), {"name": "Root"})
    assert Player.objects.get(user=user).name == "Root"
    again = browser.post(reverse("player_name"), {"name": "Other"})
    assert again.status_code == 409


def test_staff_without_a_second_factor_are_asked_to_set_one_up(
    olga: Player, settings: Settings
) -> None:
    browser = browser_of(olga)
    assert browser.get("/admin/").status_code == 200
    settings.STAFF_MFA_REQUIRED = True
    answer = browser.get("/admin/", follow=True)
    assert answer.redirect_chain[0][0] == reverse("mfa_index")
    assert "Staff need a second factor" in words(answer)
    Authenticator.objects.create(user=olga.user, type=Authenticator.Type.TOTP, data={"secret": "x"})
    assert browser.get("/admin/").status_code == 200


def test_other_ways_to_log_in_show_only_where_they_are_set_up(settings: Settings) -> None:
    page = words(Client().get(reverse("account_login")))
    assert "Continue with Discord" in page
    assert "Continue with Steam" not in page
    settings.SOCIALACCOUNT_PROVIDERS = {}
    assert "Continue with" not in words(Client().get(reverse("account_login")))
