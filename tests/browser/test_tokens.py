"""The page of API tokens, without JavaScript and on a phone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.axe import EVERYTHING, violations

if TYPE_CHECKING:
    from league.models import Player
    from tests.browser.conftest import House

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.slow]


def test_a_token_is_made_and_revoked_on_a_phone_without_scripts(
    house: House, charlie: Player
) -> None:
    page = house.reader(charlie, scripts=False, width=360).open("/settings/tokens/")
    page.get_by_label("Name").fill("My bot")
    page.get_by_label("Do your work as staff, if you are staff").check()
    page.get_by_label("Ends after").select_option("30 days")
    page.get_by_role("button", name="Create the token").click()
    assert page.get_by_role("status").locator("code").first.inner_text().startswith("laurel_")
    assert page.locator(".tokens strong").first.inner_text() == "My bot"
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_role("button", name="Revoke My bot").click()
    assert page.get_by_text("You have no tokens.").is_visible()


def test_the_page_with_a_new_token_is_accessible(house: House, charlie: Player) -> None:
    page = house.reader(charlie).open("/settings/tokens/")
    page.get_by_label("Name").fill("My bot")
    page.get_by_role("button", name="Create the token").click()
    assert violations(page, EVERYTHING) == []
