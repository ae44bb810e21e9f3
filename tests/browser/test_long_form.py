"""The long form of an arena in a browser: fields that count, previews while typing, the search."""

import pytest
from django.urls import reverse

from league.models import Arena, Player
from tests.browser.conftest import House
from tests.support.browser_steps import OF_DJANGO, troubles

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.slow]


def test_olga_finds_a_setting_and_sees_what_she_types(
    house: House, duel: Arena, olga: Player
) -> None:
    page = house.reader(olga).open(reverse("admin:league_arena_change", args=[duel.pk]))
    assert page.evaluate("document.documentElement.scrollHeight") < 2500
    assert page.locator("#content-main :is(input, select, textarea):visible").count() < 20

    page.fill("#form-search", "decay: points")
    page.get_by_text("Settings found: ").wait_for()
    page.fill("[name=season_decay__points]", "700")
    page.get_by_text("loses 100 points a day after 3 days").wait_for()
    page.fill("[name=season_decay__points]", "-7")
    page.locator("#section-decay .preview .errorlist").wait_for()
    page.fill("[name=season_decay__points]", "0")
    page.fill("#form-search", "")

    page.locator("#section-rating > summary").click()
    page.select_option("[name=rating_system]", "elo")
    page.locator("#section-system-elo").wait_for()
    page.locator("#section-system-glicko-2").wait_for(state="hidden")
    page.locator("#open-sections").click()
    page.locator("[name=elo__T]").wait_for()
    assert [one for one in troubles(page) if OF_DJANGO not in one] == []
