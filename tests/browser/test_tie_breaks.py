"""Olga puts tie-breaks in order with the keyboard, and Enter in another field saves the form."""

import pytest
from playwright.sync_api import expect

from league.models import Arena, Player
from tests.browser.conftest import House
from tests.support.competition_steps import competition

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_tie_breaks_are_moved_by_keyboard(house: House, duel: Arena, olga: Player) -> None:
    one = competition(duel, "swiss")
    page = house.reader(olga).open(f"/admin/league/competition/{one.pk}/change/?sections=open")
    page.get_by_role("button", name="Move Wins up").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Move Wins up")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Move Wins down")).to_be_focused()
    page.get_by_role("button", name="Remove Score difference").click()
    page.get_by_role("button", name="Add Buchholz", exact=True).press("Enter")
    page.get_by_label("Name:").press("Enter")
    expect(page.get_by_text("was changed successfully")).to_be_visible()
    one.refresh_from_db()
    assert one.ruled_by().table.tie_break_names == ("wins", "direct", "buchholz")
