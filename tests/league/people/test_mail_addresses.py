"""Addresses that Django accepts and that no mail can be sent to."""

from __future__ import annotations

import pytest
from django.core import mail

from tests.support.valid_forms import FORMS, Cast

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("page", ["account_signup", "account_reset_password", "account_email"])
@pytest.mark.parametrize(
    "domain", ["league.example\u202e", "a\u2067b.example", f"{'ü' * 63}.example"]
)
def test_an_address_that_no_mail_can_have_is_refused_at_its_field(page: str, domain: str) -> None:
    one = FORMS[page](Cast("One"))
    answer = one.browser().post(one.address, {**one.fields, "email": f"eve@{domain}"})
    assert answer.status_code == 200
    assert "Enter a valid email address." in answer.content.decode()
    assert mail.outbox == []
