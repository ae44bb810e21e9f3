"""The page of an account's API tokens."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from django.utils import timezone

from league.models import AccessToken, Player, Scope
from league.services.people.tokens import MOST_TOKENS
from tests.support.api_steps import a_token
from tests.support.web_steps import browser_of, words

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db
PAGE = "/settings/tokens/"
FORM = {"name": "My bot", "scopes": ["queue"], "days": "30"}


def test_a_token_is_shown_once_and_revoked_for_good(alice: Player) -> None:
    browser = browser_of(alice)
    made = browser.post(PAGE, FORM)
    assert made.status_code == 201
    assert "no-store" in made["Cache-Control"]
    token = AccessToken.objects.get(user__player=alice)
    assert token.scopes == [Scope.READ, Scope.QUEUE]
    assert token.expires_at
    assert timedelta(days=29) < token.expires_at - timezone.now() <= timedelta(days=30)
    secret = words(made).partition("anyone who has it can act for you.")[2].split()[0]
    assert secret.startswith(token.start)
    page = words(browser.get(PAGE))
    assert secret not in page
    assert "My bot" in page
    assert token.start in page
    assert "Wait in queues and answer ready checks" in page
    assert "Never used." in page

    revoked = browser.post(reverse("token_revoke", args=[token.pk]), follow=True)
    assert "Token revoked." in words(revoked)
    assert "You have no tokens." in words(revoked)
    assert not AccessToken.objects.exists()


def test_the_settings_lead_to_the_tokens(alice: Player) -> None:
    assert f'href="{PAGE}"' in browser_of(alice).get(reverse("settings")).content.decode()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"name": ""}, "This field is required."),
        ({"name": "x" * 61}, "at most 60 characters"),
        ({"scopes": ["all"]}, "all is not one of the available choices"),
        ({"days": "7000"}, "7000 is not one of the available choices"),
    ],
)
def test_a_form_with_a_mistake_makes_no_token(
    alice: Player, change: dict[str, object], said: str
) -> None:
    answer = browser_of(alice).post(PAGE, FORM | change)
    assert answer.status_code == 400
    assert said in words(answer)
    assert not AccessToken.objects.exists()


def test_a_token_that_has_ended_says_so(alice: Player) -> None:
    a_token(alice.user)
    AccessToken.objects.update(expires_at=timezone.now(), used_at=timezone.now())
    page = words(browser_of(alice).get(PAGE))
    assert "Has ended." in page
    assert "Last used" in page


def test_nobody_revokes_the_token_of_another(alice: Player, charlie: Player) -> None:
    token, _secret = a_token(alice.user)
    answer = browser_of(charlie).post(reverse("token_revoke", args=[token.pk]))
    assert answer.status_code == 404
    assert AccessToken.objects.filter(pk=token.pk).exists()


def test_the_number_of_tokens_is_limited(alice: Player) -> None:
    for _ in range(MOST_TOKENS):
        a_token(alice.user)
    browser: Client = browser_of(alice)
    assert "as many tokens as an account can have" in words(browser.get(PAGE))
    answer = browser.post(PAGE, FORM)
    assert answer.status_code == 409
    assert "Revoke one first" in words(answer)
