"""Bob reads the reference of the API in a browser, and tries a request."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from league.models import AccessToken
from tests.support.browser_steps import troubles

if TYPE_CHECKING:
    from league.models import Arena, Player
    from tests.browser.conftest import House

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_anybody_tries_a_request_that_reads(house: House, duel: Arena) -> None:
    reader = house.reader(None)
    page = reader.open("/api/v1/docs/")
    page.get_by_role("link", name="GET /api/v1/arenas/{slug}/", exact=True).click()
    page.get_by_label("slug").fill("duel")
    page.get_by_role("button", name="Send").click()
    page.get_by_text("200 OK").wait_for()
    assert page.get_by_text('"slug": "duel"').is_visible()
    page.get_by_label("slug").fill("no arena")
    page.get_by_role("button", name="Send").click()
    page.get_by_text("404 Not Found").wait_for()
    assert "status of 404" in reader.faults.pop()


def test_a_login_counts_for_requests_that_write(house: House, bob: Player) -> None:
    reader = house.reader(bob)
    page = reader.open("/api/v1/docs/make_token/")
    body = {"name": "Overlay", "scopes": []}
    page.get_by_label("Body, as JSON").fill(json.dumps(body))
    page.get_by_role("button", name="Send").click()
    page.get_by_text("201 Created").wait_for()
    assert AccessToken.objects.get().name == "Overlay"
    page.get_by_label("Body, as JSON").fill("{")
    page.get_by_role("button", name="Send").click()
    page.get_by_text("400 Bad Request").wait_for()
    assert "status of 400" in reader.faults.pop()
    assert AccessToken.objects.count() == 1


def test_without_scripts_the_command_is_left(house: House) -> None:
    page = house.reader(None, scripts=False).open("/api/v1/docs/arenas/")
    assert page.get_by_text("curl http").is_visible()
    assert not page.get_by_role("button", name="Send").is_visible()


@pytest.mark.parametrize("address", ["/api/v1/docs/", "/api/v1/docs/enter_result/"])
def test_the_pages_are_accessible_and_fit_a_phone(house: House, address: str) -> None:
    assert troubles(house.reader(None).open(address)) == []
