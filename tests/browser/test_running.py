"""Olga runs a Swiss of people who have no account, by keyboard, with nobody else logged in."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from league.models import Arena, Competition, Match, Player
from tests.browser.conftest import House
from tests.support.browser_steps import troubles

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

ROUNDS = 3


def press(page: Page, name: str) -> None:
    """Press a button by keyboard."""
    button = page.get_by_role("button", name=name, exact=True)
    button.focus()
    page.keyboard.press("Enter")


def type_round(page: Page, texts: list[str]) -> None:
    """Type the results of a round. The first field has the focus, and Enter goes to the next."""
    expect(page.locator("input[name^='result-']").first).to_be_focused()
    for text in texts:
        page.keyboard.type(text)
        page.keyboard.press("Enter")


@pytest.mark.parametrize("width", [1280, 390])
def test_olga_runs_a_swiss_of_eight_from_an_empty_list_to_the_final_table(
    house: House, duel: Arena, olga: Player, width: int
) -> None:
    one = Competition.objects.create(
        season=duel.seasons.get(),
        name="Club Cup",
        format="swiss",
        starts_at=timezone.now() + timedelta(hours=1),
    )
    page = house.reader(olga, width=width).open(f"/arenas/duel/competitions/{one.pk}/")
    page.get_by_role("link", name="Run this competition").click()
    press(page, "Open for entries")
    page.get_by_role("link", name="0 entrants").click()
    page.get_by_label("Names").fill("\n".join(f"Player {letter}" for letter in "ABCDEFGH"))
    press(page, "Check the list")
    press(page, "Enter 8 entrants")
    page.get_by_role("link", name="Run this competition").click()
    press(page, "Draw and start now")
    expect(page.get_by_text("Game 1, Player")).to_be_visible()
    assert troubles(page) == []
    page.set_viewport_size({"width": width, "height": 800})
    for number in range(1, ROUNDS + 1):
        expect(page.get_by_text("Game 1, Player")).to_be_visible()
        type_round(page, ["1-0", "3-1", "½", "+:-"])
        expect(page.get_by_text("4 results saved.")).to_be_visible()
        if number < ROUNDS:
            button = page.get_by_role("button", name=f"Draw round {number + 1}")
            expect(button).to_be_focused()
            page.keyboard.press("Enter")
    expect(page.get_by_text("The final table is on the public page.")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    one.refresh_from_db()
    assert one.state == Competition.State.OVER
    assert Match.objects.count() == 3 * ROUNDS
