"""A screenshot as evidence, from the form to the eyes of the other captain and of staff."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from league.services.core.clock import database_now
from league.services.results.reports.answers import dispute
from tests.support.cast import beats
from tests.support.pictures import halves, saved

if TYPE_CHECKING:
    from playwright.sync_api import FilePayload, Page

    from league.models import Arena, Match, Player
    from tests.browser.conftest import House

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.slow]

SCREENSHOT: FilePayload = {
    "name": "final score.png",
    "mimeType": "image/png",
    "buffer": saved(halves((1600, 900))),
}


@pytest.fixture
def disputed(duel: Arena, alice: Player, charlie: Player) -> Match:
    now = database_now()
    return dispute(beats(alice, charlie, duel, now=now).pk, by=charlie, reason="A draw.", now=now)


def is_loaded(page: Page) -> bool:
    image = page.locator("a.evidence img")
    image.scroll_into_view_if_needed()
    page.wait_for_load_state("networkidle")
    width: int = image.evaluate("image => image.naturalWidth")
    return width == 1600


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_alice_uploads_a_screenshot_and_charlie_opens_it(
    house: House, disputed: Match, alice: Player, charlie: Player, scripts: bool
) -> None:
    address = disputed.get_absolute_url()
    page = house.reader(alice, scripts=scripts).open(address)
    page.get_by_label("Message").fill("The last screen:")
    page.get_by_label("Image (optional)").set_input_files(SCREENSHOT)
    page.get_by_label("What the image shows").fill("Alice 3, Charlie 1")
    page.get_by_role("button", name="Send message").click()
    expect(page.get_by_role("img", name="Alice 3, Charlie 1")).to_be_visible()
    assert is_loaded(page)

    reader = house.reader(charlie, scripts=scripts, width=360)
    other = reader.open(address)
    assert is_loaded(other)
    assert other.evaluate("document.documentElement.scrollWidth") == 360
    box = other.locator("a.evidence img").bounding_box()
    assert box
    assert box["width"] / box["height"] == pytest.approx(16 / 9, rel=0.02)
    other.get_by_role("link", name="Alice 3, Charlie 1").click()
    opened = reverse("match_image", args=[disputed.pk, disputed.messages.get().pk])
    expect(other).to_have_url(reader.address + opened)
    expect(other.locator("img")).to_be_visible()
