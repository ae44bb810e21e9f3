"""The page of an account's API tokens."""

from datetime import timedelta

from django.urls import reverse
from django.utils import timezone

from league.models import AccessToken, Player, Scope
from tests.support.web_steps import browser_of, words

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
