"""Sign-up, log-in and account pages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from league.models import Player, User
from tests.support.cast import PASSWORD, account
from tests.support.logins import BACKEND
from tests.support.web_steps import browser_of, words

if TYPE_CHECKING:
    from pytest_django import Settings

pytestmark = pytest.mark.django_db


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


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "This field is required."),
        ("Alice", "“Alice” is taken or too similar to a taken name."),
        ("ALICE", "“ALICE” is taken or too similar to a taken name."),
        ("Ａｌｉｃｅ", "“Alice” is taken or too similar to a taken name."),
        ("Al\u0456ce", "mixes letters of several writing systems (Cyrillic, Latin)"),
        ("Ali\u200bce", "invisible"),
        ("\u202eecilA", "invisible"),
        ("Ali\u00adce", "invisible"),
        ("Ali\tce", "invisible"),
        ("A" * 61, "A name has at most 60 characters"),
        ("\ufdfa" * 9, "at most 60 characters"),
        ("\u3164", "invisible"),
        ("Engl@nd", "“Engl@nd” is taken or too similar to a taken name."),
    ],
)
def test_a_name_that_imitates_another_is_refused_at_sign_up(
    alice: Player, name: str, sentence: str
) -> None:
    Player.objects.create(name="Engl@nd")  # imported, without an account
    answer = signs_up(name)
    assert answer.status_code == 200
    assert sentence in words(answer)
    assert Player.objects.count() == 2
    assert User.objects.count() == 1


def test_a_weak_password_is_refused_and_creates_no_account() -> None:
    answer = signs_up("Zoe", "12345678")
    assert "This password is too common." in words(answer)
    assert not User.objects.exists()
    assert not Player.objects.exists()


def test_a_wrong_password_is_refused_without_saying_which_part_is_wrong(alice: Player) -> None:
    for name in ("Alice", "Nobody"):
        answer = logs_in(name, "wrong")
        assert answer.status_code == 200
        assert "username and/or password you specified are not correct" in words(answer)


def test_logging_out_needs_a_click_and_leads_home(alice: Player) -> None:
    browser = browser_of(alice)
    assert "Log out of Laurel on this device?" in words(browser.get(reverse("account_logout")))
    assert browser.post(reverse("account_logout"))["Location"] == "/"
    assert "Log in" in words(browser.get("/"))


def test_what_the_site_says_after_logging_in_and_out_uses_the_words_of_its_buttons(
    alice: Player,
) -> None:
    client = Client()
    logs_in("Alice", client=client)
    assert "You are logged in as Alice." in words(client.get("/"))
    client.post(reverse("account_logout"))
    assert "You have logged out." in words(client.get("/"))


def test_alice_changes_her_password(alice: Player) -> None:
    form = {"oldpassword": PASSWORD, "password1": "a new battery", "password2": "a new battery"}
    answer = browser_of(alice).post(reverse("account_change_password"), form)
    assert answer.status_code == 302
    assert logs_in("Alice", "a new battery")["Location"] == "/"


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


def test_setting_up_a_second_factor_needs_the_password_again(alice: Player) -> None:
    client = Client()
    logs_in("Alice", client=client)
    activate = reverse("mfa_activate_totp")
    asked = client.get(activate)
    assert asked["Location"].startswith(reverse("account_reauthenticate"))
    page = client.post(asked["Location"], {"password": PASSWORD, "next": activate}, follow=True)
    assert "scan the QR code" in words(page)
    assert "data:image/svg+xml" in page.content.decode()


@pytest.mark.parametrize(
    "route",
    ["mfa_index", "account_email", "account_change_password", "socialaccount_connections"],
)
def test_the_pages_of_an_account_open(alice: Player, route: str) -> None:
    assert browser_of(alice).get(reverse(route)).status_code == 200


def test_other_ways_to_log_in_show_only_where_they_are_set_up(settings: Settings) -> None:
    page = words(Client().get(reverse("account_login")))
    assert "Continue with Discord" in page
    assert "Continue with Steam" not in page
    settings.SOCIALACCOUNT_PROVIDERS = {}
    assert "Continue with" not in words(Client().get(reverse("account_login")))


@pytest.mark.parametrize(
    ("name", "heading"),
    [
        ("account_change_password", "Change password"),
        ("account_email", "Email addresses"),
        ("mfa_index", "Two-factor authentication"),
        ("socialaccount_connections", "Account connections"),
    ],
)
def test_the_pages_of_an_account_have_headings_in_sentence_case(
    alice: Player, name: str, heading: str
) -> None:
    page = browser_of(alice).get(reverse(name), follow=True).content.decode()
    title, h1 = (
        re.sub(r"\s+", " ", re.findall(f"<{tag}>(.*?)</{tag}>", page, re.DOTALL)[0]).strip()
        for tag in ("title", "h1")
    )
    assert (title.partition(" ·")[0].partition(" |")[0], h1) == (heading, heading)
