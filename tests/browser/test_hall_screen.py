"""A screen in the hall, which nobody touches while the server and the network come and go."""

from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from league.models import Arena, Player
from league.services.competitions import screens
from tests.browser.conftest import House
from tests.support.axe import EVERYTHING, violations
from tests.support.cast import account
from tests.support.competition_steps import begun
from tests.support.result_steps import user_of

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

SLIDES = 4
"""Nine games and eighteen entrants: two slides of games and three of the table, the first seen."""
BEYOND = """() => {
  const end = document.querySelector("footer").getBoundingClientRect().top;
  return [...document.querySelectorAll("main *")].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.height && (box.bottom > end + 1 || box.right > innerWidth + 1 || box.left < -1);
  }).length + (document.documentElement.scrollHeight > innerHeight);
}"""
"""Counts what is beyond the edges of the screen."""


def turn(page: Page) -> None:
    """Let the time of a slide pass."""
    before = page.locator("body").get_attribute("data-next")
    page.clock.run_for(15_000)
    expect(page.locator(f'body[data-next="{before}"]')).to_have_count(0)


@pytest.mark.parametrize(
    ("width", "height"), [(1920, 1080), (1280, 720), (1024, 768), (1080, 1920)]
)
def test_a_screen_turns_by_itself_and_keeps_its_slide_without_a_server(
    house: House, duel: Arena, olga: Player, width: int, height: int
) -> None:
    people = [account(f"W{'i' * 30} {'M' * 25} {number}"[:60]) for number in range(9)]
    people += [account(f"Ann {number}") for number in range(9)]
    code = screens.renew_code(begun(duel, olga, people, "swiss"), by=user_of(olga))
    reader = house.reader()
    page = reader.page
    page.set_viewport_size({"width": width, "height": height})
    page.clock.install()
    reader.open(reverse("tv"))
    assert violations(page, EVERYTHING) == []
    page.keyboard.type(code.code.lower())
    page.keyboard.press("Enter")
    expect(page.locator("h2")).to_contain_text("Round 1")
    for _slide in range(SLIDES):
        assert page.evaluate(BEYOND) == 0
        assert violations(page, EVERYTHING) == []
        turn(page)
    lost = page.get_by_text("No connection. As of")
    expect(lost).to_be_hidden()
    slide = page.locator("main").inner_text()
    answers: list[Any] = [
        lambda route: route.abort(),
        lambda route: route.fulfill(status=502, body="<h1>Bad gateway</h1>"),
        lambda route: route.fulfill(status=200, body="<h1>Log in to the hotel</h1>"),
    ]
    reader.page.remove_listener("console", reader.note_console)  # the network is away on purpose
    for answer in answers:
        page.route("**/tv/**", answer)
        page.clock.run_for(60_000)
        expect(lost).to_be_visible()
        assert page.locator("main").inner_text() == slide
        assert page.evaluate(BEYOND) == 0
        page.unroute("**/tv/**")
        page.clock.run_for(5_000)
        expect(lost).to_be_hidden()
        slide = page.locator("main").inner_text()
    screens.revoke_code(code.competition, by=user_of(olga))
    page.clock.run_for(20_000)
    expect(page.get_by_text("The organiser has ended this screen.")).to_be_visible()
