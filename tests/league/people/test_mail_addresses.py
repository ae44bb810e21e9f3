"""Addresses that Django accepts and that no mail can be sent to."""

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from league.models import Player
from tests.support.web_steps import browser_of

PASSWORD = "a quiet harbour in June"
SIGN_UP = {"username": "eve", "name": "Eve", "password1": PASSWORD, "password2": PASSWORD}


@pytest.mark.parametrize("page", ["account_signup", "account_reset_password", "account_email"])
@pytest.mark.parametrize(
    "domain", ["league.example\u202e", "a\u2067b.example", f"{'ü' * 63}.example"]
)
def test_an_address_that_no_mail_can_have_is_refused_at_its_field(
    page: str, domain: str, alice: Player
) -> None:
    browser = browser_of(alice) if page == "account_email" else Client()
    fields = {**SIGN_UP, "action_add": "1", "email": f"eve@{domain}"}
    answer = browser.post(reverse(page), fields)
    assert answer.status_code == 200
    assert "Enter a valid email address." in answer.content.decode()
    assert mail.outbox == []
