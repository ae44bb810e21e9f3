"""The first page that a browser opens is rendered before its time zone is known."""

from datetime import timedelta

import pytest
from playwright.sync_api import expect

from league.models import Arena, Player
from league.services.core.clock import database_now
from league.services.dates.answers import accept
from league.services.dates.proposals import propose
from tests.browser.conftest import ZONE, House

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.mark.parametrize("path", ["/", "/schedule/"])
def test_a_list_of_times_names_the_zone_that_they_are_shown_in(
    house: House, duel: Arena, alice: Player, charlie: Player, path: str
) -> None:
    now = database_now()
    at = (now + timedelta(days=40)).replace(hour=12, minute=0, second=0, microsecond=0)
    accept(propose(duel, charlie, at, by=alice, now=now).pk, by=charlie, seen=1, now=now)
    for scripts, zone, hours in ((True, ZONE, {"13:00", "14:00"}), (False, "UTC", {"12:00"})):
        page = house.reader(scripts=scripts).open(path)
        names = page.locator("[data-zone-name]")
        expect(names).to_have_count(2)  # at the head of the list, and at the end of the page
        assert [name.strip() for name in names.all_text_contents()] == [zone, zone]
        assert page.locator("time[data-show=hour]").first.inner_text() in hours
