"""Somebody sets up a new league, and somebody is locked out, with and without scripts."""

from pathlib import Path

import pytest
from django.core.cache import cache
from playwright.sync_api import Page

from league.models import DemoRequest, User
from league.services.core.clock import database_now
from league.services.operations import moving_in
from league.services.operations.moving_in import State
from league.services.people import first_admin
from tests.browser.conftest import House, Reader
from tests.support.axe import COLOURS, EVERYTHING, violations

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture(autouse=True)
def nothing_counted_yet() -> None:
    cache.clear()


def troubles_of(page: Page) -> list[str]:
    found = violations(page, EVERYTHING)
    page.emulate_media(color_scheme="dark")
    found += violations(page, COLOURS)
    page.emulate_media(color_scheme="light")
    if page.evaluate("document.documentElement.scrollWidth") > 360:
        found.append("wider than a phone")
    return found


def forgive_statuses(reader: Reader) -> None:
    """Forget that a browser logs the status of a page with an error."""
    reader.faults[:] = [fault for fault in reader.faults if "status of 4" not in fault]


@pytest.mark.parametrize("scripts", [True, False])
def test_olga_sets_up_a_new_league_with_the_demo(house: House, scripts: bool) -> None:
    reader = house.reader(scripts=scripts, width=360)
    page = reader.open("/")
    page.wait_for_url("**/setup/")
    if scripts:
        assert troubles_of(page) == []
    page.get_by_label("Name").fill("Olga")
    page.get_by_label("Password", exact=True).fill("a quiet harbour in June")
    page.get_by_label("Password again").fill("a quiet harbor in June")
    page.get_by_label("The demo").check()
    page.get_by_role("button", name="Create the admin").click()
    page.get_by_text("The passwords differ.").wait_for()
    if scripts:
        assert troubles_of(page) == []
    page.get_by_label("Password", exact=True).fill("a quiet harbour in June")
    page.get_by_label("Password again").fill("a quiet harbour in June")
    page.get_by_role("button", name="Create the admin").click()
    page.wait_for_url("**/setup/demo/")
    assert page.get_by_text("Creating the demo league.").is_visible()
    assert ("Reload this page" in page.locator("#demo").inner_text()) == (not scripts)
    if scripts:
        assert troubles_of(page) == []
    assert User.objects.get().is_superuser
    DemoRequest.objects.update(state="done")
    if not scripts:
        page.reload()
    page.get_by_text("The demo league is ready.").wait_for()
    if scripts:
        assert troubles_of(page) == []
    forgive_statuses(reader)


@pytest.mark.parametrize("scripts", [True, False])
def test_olga_brings_the_archive_of_a_league(house: House, scripts: bool, tmp_path: Path) -> None:
    reader = house.reader(scripts=scripts, width=360)
    page = reader.open("/setup/")

    def looks_well() -> None:
        if scripts:
            assert troubles_of(page) == []

    page.get_by_role("link", name="Bring its archive").click()
    looks_well()
    page.get_by_label("Setup code").fill(first_admin.setup_code())
    page.get_by_role("button", name="Go on").click()
    page.get_by_label("Archive").wait_for()
    looks_well()
    (tmp_path / "results.csv").write_text("date,winner,loser")
    page.get_by_label("Archive").set_input_files(tmp_path / "results.csv")
    page.get_by_role("button", name="Move the league here").click()
    page.get_by_text("results.csv is damaged or incomplete, or no backup of Laurel.").wait_for()
    looks_well()
    cache.set(moving_in.key("mine"), State(percent=40), 60)
    page = reader.open("/setup/archive/mine/")
    assert page.get_by_text("40 % of the archive is restored").is_visible()
    looks_well()
    counts = {"accounts": 5, "matches": 51_010}
    done = State(is_done=True, made=database_now(), counts=counts, settings=["EMAIL_URL"])
    cache.set(moving_in.key("mine"), done, 60)
    page.get_by_text("51,010").wait_for()  # without a click, and without scripts too
    looks_well()
    page.get_by_role("main").get_by_role("link", name="Log in").click()
    page.wait_for_url("**/accounts/login/")
    forgive_statuses(reader)
