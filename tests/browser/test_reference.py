"""Bob reads the reference of the API in a browser, and tries a request."""

import pytest

from league.models import Arena
from tests.browser.conftest import House

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.slow]


def test_anybody_tries_a_request_that_reads(house: House, duel: Arena) -> None:
    page = house.reader(None).open("/api/v1/docs/")

    page.locator("#operations-arenas-arena .opblock-summary-control").click()
    page.get_by_role("button", name="Try it out").click()
    page.get_by_placeholder("slug").fill("duel")
    page.get_by_role("button", name="Execute").click()
    page.locator(".live-responses-table .highlight-code", has_text='"slug": "duel"').wait_for()
