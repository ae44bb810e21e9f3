"""The slider of a guess moves towards the side whose chance it raises, and shows both chances."""

from datetime import timedelta

import pytest
from playwright.sync_api import Page

from league.models import Arena, Player
from league.services.core.clock import database_now
from league.services.dates.answers import accept
from league.services.dates.proposals import propose
from tests.browser.conftest import House

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def agree(arena: Arena, one: Player, other: Player) -> None:
    now = database_now()
    made = propose(arena, other, now + timedelta(hours=24), by=one, now=now)
    accept(made.pk, by=other, seen=1, now=now)


def chances(page: Page) -> tuple[int, int]:
    first, second = (page.locator(f"form.guess [name={name}]") for name in ("percent", "other"))
    return int(first.input_value()), int(second.input_value())


@pytest.mark.parametrize(
    ("language", "to_second", "to_first"),
    [("de", "ArrowRight", "ArrowLeft"), ("ar", "ArrowLeft", "ArrowRight")],
)
def test_moving_the_slider_towards_a_side_raises_its_chance(
    house: House,
    duel: Arena,
    alice: Player,
    charlie: Player,
    eve: Player,
    language: str,
    to_second: str,
    to_first: str,
) -> None:
    agree(duel, alice, charlie)
    page = house.reader(eve, width=390).open(f"/guesses/?lang={language}")
    slider = page.locator("form.guess [name=slider]")
    assert chances(page) == (50, 50)
    for _press in range(3):
        slider.press(to_second)
    assert chances(page) == (47, 53)
    for _press in range(5):
        slider.press(to_first)
    assert chances(page) == (52, 48)

    box, sides = slider.bounding_box(), page.locator(".guess-side")
    second = sides.nth(1).bounding_box()
    assert box
    assert second
    is_right = second["x"] > box["x"] + box["width"] / 2
    assert is_right == (language == "de")
    near_second = box["width"] * (0.9 if is_right else 0.1)
    slider.click(position={"x": near_second, "y": box["height"] / 2})
    assert chances(page)[1] > 85
    slider.click(position={"x": box["width"] - near_second, "y": box["height"] / 2})
    assert chances(page)[0] > 85


def test_the_numbers_of_both_sides_and_the_slider_follow_each_other(
    house: House, duel: Arena, alice: Player, charlie: Player, eve: Player
) -> None:
    agree(duel, alice, charlie)
    page = house.reader(eve).open("/guesses/")
    slider = page.get_by_label("Chance of Charlie, slider")
    page.get_by_label("Chance of Alice in percent").fill("70")
    assert (chances(page), slider.input_value()) == ((70, 30), "30")
    page.get_by_label("Chance of Charlie in percent").fill("45")
    assert (chances(page), slider.input_value()) == ((55, 45), "45")
    page.get_by_label("Chance of Charlie in percent").fill("")
    assert page.get_by_label("Chance of Alice in percent").input_value() == "55"
    page.get_by_label("Chance of Charlie in percent").fill("10")
    page.get_by_role("button", name="Guess", exact=True).click()
    page.get_by_text("Your guess: 90 % for Alice.").wait_for()
