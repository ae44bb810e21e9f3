"""Three leagues in a real browser, from the admin's first page to the published arena."""

import pytest

from league.models import Arena, Player
from tests.browser.conftest import House
from tests.support.browser_steps import Clicks, troubles

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.slow]
MOST_CLICKS = 6


def test_three_leagues_take_at_most_six_clicks_each(house: House, olga: Player) -> None:
    page = house.reader(olga).open("/admin/")
    chess = Clicks(page)
    chess.add("Chess ladder", "chess-club")
    found = troubles(page)
    chess.link("Calendar")
    page.get_by_label("Length of a season").fill("1 month")
    chess.button("Save and review")
    page.get_by_text("A season lasts 1 month.").wait_for()
    chess.button("Publish")
    page.get_by_text("“Chess ladder” is published").wait_for()

    ranked = Clicks(page)
    ranked.add("Ranked", "gw2-ranked")
    ranked.link("Divisions")
    page.get_by_label("Name of division 6").fill("Legend")
    page.get_by_label("Beginning of division 6").fill("99")
    page.locator("output", has_text="2 %").wait_for()  # live, without a click
    found += troubles(page)
    ranked.button("Save and review")
    page.get_by_text("Legend").wait_for()
    found += troubles(page)
    ranked.button("Publish")
    page.get_by_text("“Ranked” is published").wait_for()

    racing = Clicks(page)
    racing.add("Grand Prix", "racing")
    racing.button("Save and go on")
    page.get_by_label("Elo-MMR").first.wait_for()
    found += troubles(page)
    racing.button("Save and review")
    racing.button("Publish")
    page.get_by_text("“Grand Prix” is published").wait_for()

    assert max(chess.count, ranked.count, racing.count) <= MOST_CLICKS
    assert Arena.objects.published().count() == 3
    assert found == []


def test_the_wizard_works_without_scripts_and_the_back_button_keeps_what_was_saved(
    house: House, olga: Player
) -> None:
    page = house.reader(olga, scripts=False, width=360).open("/admin/league/arena/start/")
    page.get_by_label("Name").fill("Club")
    page.get_by_label("Name").press("Enter")
    page.get_by_text("Choose what the arena starts from.").wait_for()
    assert page.get_by_label("Name").input_value() == "Club"
    page.locator("li:has(#preset-table-tennis)").get_by_role("button").click()
    page.get_by_label("Description").fill("Every Tuesday.")
    page.get_by_role("button", name="Save and go on").click()
    page.get_by_role("button", name="Save and go on").wait_for()
    page.go_back()
    assert page.get_by_label("Description").input_value() == "Every Tuesday."
    page.get_by_role("link", name="Divisions").click()
    page.get_by_label("Beginning of division 2").fill("nothing")
    page.get_by_role("button", name="Show the shares").click()
    page.get_by_text("Must be a number, or empty for the lowest division.").wait_for()
