"""A report in a real browser, after its session has ended."""

import pytest
from playwright.sync_api import expect

from league.models import Arena, Match, Player
from tests.browser.conftest import House
from tests.support.cast import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
@pytest.mark.parametrize("gone", ["all cookies", "the session"])
def test_a_report_outlives_its_session(
    house: House, duel: Arena, alice: Player, charlie: Player, scripts: bool, gone: str
) -> None:
    reader = house.reader(alice, scripts=scripts)
    page = reader.open("/arenas/duel/report/?opponent=charlie")
    page.get_by_label("Score of Alice").fill("3")
    page.get_by_label("Score of Charlie").fill("2")
    if gone == "all cookies":
        page.context.clear_cookies()
    else:
        page.context.clear_cookies(name="sessionid")
    page.get_by_role("button", name="Report this result").click()
    expect(page.get_by_text("What you filled in is kept.")).to_be_visible()
    page.get_by_label("Name or email").fill("Alice")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name="Your form is still here")).to_be_visible()
    assert not Match.objects.exists()
    page.get_by_role("button", name="Send it").click()
    expect(page.get_by_text("Charlie has until")).to_be_visible()
    assert Match.objects.get().reported_by == alice
    reader.faults.clear()
