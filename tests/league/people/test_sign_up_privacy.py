"""Pages of accounts tell strangers nothing about others, and mails lead to the league itself."""

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from league.models import Player, User
from tests.support.cast import PASSWORD, account
from tests.support.web_steps import browser_of, words

KNOWN, UNKNOWN = "zoe@example.org", "nobody@example.org"


@pytest.fixture(autouse=True)
def known_account(settings: Settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    cache.clear()
    zoe = account("Zoe").user
    assert zoe
    User.objects.filter(pk=zoe.pk).update(email=KNOWN)
    EmailAddress.objects.create(user=zoe, email=KNOWN, verified=True, primary=True)


def signs_up(client: Client, email: str, name: str) -> Any:
    form = {"username": name, "email": email, "password1": PASSWORD, "password2": PASSWORD}
    return client.post(reverse("account_signup"), form)


def asks(client: Client, page: str, email: str, name: str) -> Any:
    """Send an address to a page of accounts that takes one."""
    if page == "account_signup":
        return signs_up(client, email, name)
    if page == "account_email":
        client = browser_of(account(name))
        return client.post(reverse(page), {"email": email, "action_add": ""})
    return client.post(reverse(page), {"email": email})


PAGES = ["account_signup", "account_email", "account_reset_password", "account_request_login_code"]


@pytest.mark.parametrize("page", PAGES)
def test_a_known_address_is_answered_like_an_unknown_one(page: str) -> None:
    shown = []
    for email, name in ((KNOWN, "Mallory"), (UNKNOWN, "Trudyyy")):
        client = Client()
        answer = asks(client, page, email, name)
        text = words(answer).replace(email, "…").replace(name, "…").replace(name.lower(), "…")
        text = re.sub(r"players/\d+|\d+ notices?", "…", text)
        where = re.sub(r"/[0-9a-z]+-[0-9a-f]{32}/", "/…/", answer.headers.get("Location", ""))
        shown.append((answer.status_code, where, text, len(mail.outbox)))
        mail.outbox.clear()
    assert shown[0] == shown[1]
    assert EmailAddress.objects.get(email=KNOWN, verified=True).user.username == "zoe"


def test_a_second_account_with_the_address_never_gets_it() -> None:
    signs_up(Client(), KNOWN, "Mallory")
    assert Player.objects.filter(name="Mallory").exists()
    mallory = User.objects.get(username="mallory")
    assert not EmailAddress.objects.filter(user=mallory, verified=True).exists()
    form = {"login": KNOWN, "password": PASSWORD}
    client = Client()
    client.post(reverse("account_login"), form)
    assert "logged in as Zoe" in words(client.get("/"))


@pytest.mark.parametrize("host", ["localhost:31337", "127.0.0.1:1", "localhost"])
@pytest.mark.parametrize("page", ["account_reset_password", "account_signup"])
@pytest.mark.parametrize("email", [KNOWN, UNKNOWN])
def test_mails_lead_to_the_league_whatever_address_was_asked(
    page: str, email: str, host: str, settings: Settings
) -> None:
    settings.SITE_URL = "https://league.example:8443"
    asks(Client(headers={"host": host}), page, email, "Mallory")
    assert mail.outbox
    for message in mail.outbox:
        text = f"{message.subject} {message.body}"
        assert host not in text
        links = re.findall(r"https?://\S+", text)
        assert links
        assert all(link.startswith("https://league.example:8443/") for link in links), links
