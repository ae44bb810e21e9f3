"""Leaderboards in a browser: rows that refresh, and the related pages."""

from datetime import timedelta

import numpy as np
import pytest
from django.utils import timezone
from playwright.sync_api import expect

from league.models import Arena, Player, Rating
from league.services.standings import days
from tests.browser.conftest import House
from tests.support.cast import put_in_order

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


STICKS_OUT = """all => all.some(one => one.getBoundingClientRect().right
    > one.closest(".card").getBoundingClientRect().right + 1)"""


@pytest.fixture
def crowd(duel: Arena, alice: Player) -> None:
    """Sixty players and Alice. Some have moved since yesterday, some are inactive."""
    now = timezone.now()
    ratings = np.random.default_rng(3).normal(1500, 180, 60).round(1).tolist()
    names = [f"Player {number:02}" for number in range(60)]
    names[7] = "Wolfeschlegelsteinhausenbergerdorff"
    players = Player.objects.bulk_create(Player(name=n, folded_name=n.lower()) for n in names)
    for number, (player, rating) in enumerate(
        zip([*players, alice], [*ratings, 1600], strict=True)
    ):
        Rating.objects.create(
            season=duel.seasons.get(),
            player=player,
            rating=rating,
            deviation=60,
            volatility=0.06,
            games=9,
            wins=number % 9,
            outcome=1 if number % 2 else -1,
            streak=1 + number % 4,
            last_played_at=now - timedelta(days=5000 if 50 < number < 60 else 2),
        )
    put_in_order()
    days.record_all(now - timedelta(days=7))
    days.record_all(now)
    for player in players[::3]:
        Rating.objects.filter(player=player).update(rating=1480 + player.pk % 100)
    put_in_order()


@pytest.mark.usefixtures("crowd")
def test_long_names_stay_within_the_card_of_a_board(house: House, alice: Player) -> None:
    page = house.reader(alice).open("/arenas/duel/leaderboard/")
    for width in (360, 800, 1200):
        page.set_viewport_size({"width": width, "height": 800})
        assert not page.locator("table.ranks").evaluate_all(STICKS_OUT), width


@pytest.mark.usefixtures("crowd")
def test_a_phone_shows_the_first_row_at_once_and_keeps_the_readers_own_in_view(
    house: House, alice: Player
) -> None:
    reader = house.reader(alice)
    page = reader.open("/arenas/duel/leaderboard/")
    page.set_viewport_size({"width": 390, "height": 700})
    first = page.locator("#rows tbody tr").first.bounding_box()
    assert first
    assert first["y"] < 300
    for address in ("/arenas/duel/leaderboard/", "/arenas/duel/leaderboard/?page=2"):
        page = reader.open(address)
        for share in (0, 0.5, 1):
            page.evaluate("share => scrollTo(0, share * document.body.scrollHeight)", share)
            dock = page.locator(".dock").bounding_box()
            mine = page.locator("#me").bounding_box()
            assert mine
            assert dock
            assert 0 <= mine["y"] <= dock["y"] - mine["height"] + 1, share
    page.get_by_text("Filters").click()
    expect(page.get_by_label("Division")).to_be_visible()


@pytest.mark.usefixtures("crowd")
def test_a_phone_shows_why_this_order_in_one_tap(house: House) -> None:
    page = house.reader(width=390).open("/arenas/duel/leaderboard/")
    link = page.get_by_role("link", name="Why this order")
    expect(link).to_be_in_viewport(ratio=1)
    link.click()
    rows = page.locator("#rows tbody tr")
    expect(rows.first).to_contain_text("Ahead of")
    first = rows.first.bounding_box()
    assert first
    assert first["y"] < 300


@pytest.mark.usefixtures("crowd")
def test_rows_refresh_while_the_page_is_open(house: House, alice: Player) -> None:
    page = house.reader().open("/arenas/duel/leaderboard/")
    first = page.locator("#rows tbody tr").first
    expect(first).not_to_contain_text("Alice")
    Rating.objects.filter(player=alice).update(rating=9000)
    put_in_order()
    expect(first).to_contain_text("Alice")
    expect(page.locator("#rows")).to_have_count(1)


@pytest.mark.usefixtures("crowd")
def test_a_filter_changes_the_rows_at_once_and_without_scripts_by_its_button(house: House) -> None:
    for scripts in (True, False):
        page = house.reader(scripts=scripts).open("/arenas/duel/leaderboard/")
        rows = page.locator("#rows tbody tr")
        before = rows.count()
        page.get_by_label("Division").select_option("Silver")
        if not scripts:
            page.get_by_role("button", name="Filter").click()
        expect(rows).not_to_have_count(before)
        expect(page.locator("#rows .division").first).to_have_text("Silver")
        expect(page.locator("#rows .division", has_text="Gold")).to_have_count(0)
        assert "division=Silver" in page.url
        page.get_by_label("± at most").fill("10")
        page.get_by_label("± at most").press("Enter")
        expect(page.locator("#rows")).to_contain_text("No players found")
        assert "division=Silver" in page.url
        assert "sure=10" in page.url
        if not scripts:
            continue
        page.get_by_label("± at most").fill("wide")
        page.get_by_label("± at most").press("Tab")
        expect(page.get_by_role("alert")).to_contain_text("“wide” is not a deviation")
