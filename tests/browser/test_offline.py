"""The network goes away between typing and saving."""

from contextlib import suppress

import pytest
from django.urls import reverse
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import expect

from league.models import Arena, Match, Player
from tests.browser.conftest import House
from tests.support.competition_steps import begun, crowd
from tests.support.date_steps import agree_on_date

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


KEPT = """async () => {
  const found = [];
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const one of await cache.keys()) {
      const kept = await cache.match(one);
      if (kept.headers.get("Content-Type").startsWith("text/html")) found.push(await kept.text());
    }
  }
  return found.join("");
}"""
"""The pages that the browser has kept."""


def test_without_a_network_ones_next_matches_are_shown_and_nothing_after_log_out(
    house: House, duel: Arena, alice: Player, charlie: Player
) -> None:
    agree_on_date(duel, alice, charlie)
    reader = house.reader(alice)
    page = reader.open("/players/")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_function(f"async () => (await ({KEPT})()).includes('Charlie')")
    # The worker serves pages of the network only, never what it has seen before.
    Player.objects.filter(pk=charlie.pk).update(name="Charles")
    page.goto(f"{reader.address}/arenas/{duel.slug}/dates/")
    expect(page.get_by_text("Charles").first).to_be_visible()
    page.context.set_offline(True)
    page.goto(f"{reader.address}/inbox/")
    expect(page.get_by_role("heading", name="There is no network")).to_be_visible()
    expect(page.get_by_text("Alice – Charlie")).to_be_visible()
    assert page.evaluate("getComputedStyle(document.querySelector('.card')).borderRadius") != "0px"
    page.context.set_offline(False)
    page.goto(f"{reader.address}/inbox/")
    expect(page.get_by_role("heading", name="Inbox")).to_be_visible()
    page.goto(f"{reader.address}/accounts/logout/")
    page.locator("main form button").click()
    page.wait_for_url(f"{reader.address}/")
    page.wait_for_function(f"async () => !(await ({KEPT})()).includes('Charlie')")
    page.context.set_offline(True)
    with suppress(PlaywrightError):  # the browser's own page, if the worker is gone, too
        page.goto(f"{reader.address}/inbox/")
    expect(page.locator("body")).not_to_contain_text("Charlie")
