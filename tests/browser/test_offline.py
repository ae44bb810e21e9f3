"""The network goes away between typing and saving."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from league.models import Arena, Match, Player
from tests.browser.conftest import House
from tests.support.competition_steps import begun, crowd

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def test_what_was_typed_stays_without_a_network_and_is_sent_later(
    house: House, duel: Arena, olga: Player
) -> None:
    one = begun(duel, olga, crowd(2), "table")
    pages = {
        reverse("competition_run", args=[duel.slug, one.pk]): "input[name^='result-']",
        reverse("admin:league_arena_evening", args=[duel.pk]): "[name=reason]",
    }
    for address, field in pages.items():
        page = house.reader(olga).open(address)
        page.locator(field).first.fill("2-1")
        page.context.set_offline(True)
        page.locator(field).first.press("Enter")
        expect(page.get_by_text("There is no network")).to_be_visible()
        expect(page.locator(field).first).to_have_value("2-1")
        page.context.set_offline(False)
        expect(page.get_by_text("There is no network")).to_be_hidden()
    page = house.reader(olga).open(next(iter(pages)))
    page.locator("input[name^='result-']").first.fill("2-1")
    page.locator("input[name^='result-']").first.press("Enter")
    page.get_by_text("1 result saved.").wait_for()
    assert Match.objects.count() == 1
