"""A result, from its report to the leaderboard, by hand in two browsers."""

import re
import time

import pytest
from playwright.sync_api import expect

from league.models import Arena, Match, Player, Roster
from league.models.player import PlayerQuerySet
from league.services.results.reports.answers import confirm
from tests.browser.conftest import House
from tests.support.cast import NOW, PASSWORD, beats, put_in_order

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_alice_reports_charlie_confirms_and_the_leaderboard_moves(
    house: House, duel: Arena, alice: Player, charlie: Player, scripts: bool
) -> None:
    board = house.reader(scripts=scripts).open("/arenas/duel/leaderboard/")
    expect(board.get_by_text("The leaderboard is empty")).to_be_visible()

    page = house.reader(alice, scripts=scripts).open("/arenas/duel/")
    page.locator("header").get_by_role("link", name="Report a result").click()
    page.get_by_label("Your opponent").fill("charlie")
    page.get_by_role("button", name="Next: the result").click()
    page.get_by_label("Score of Alice").fill("3")
    page.get_by_label("Score of Charlie").fill("1")
    page.get_by_role("button", name="Report this result").click()
    expect(page.get_by_text("Charlie has until")).to_be_visible()
    expect(page.get_by_role("button", name="Yes, confirm")).to_have_count(0)

    other = house.reader(charlie, scripts=scripts).open("/")
    expect(other.get_by_text("1 result needs your confirmation.")).to_be_visible()
    other.get_by_role("link", name="Review").click()
    other.get_by_role("link", name="1–3 Alice").click()
    other.get_by_role("button", name="Yes, confirm").click()
    expect(other.get_by_text("Confirmed. The match page shows")).to_be_visible()
    expect(other.get_by_text("needs your confirmation")).to_have_count(0)
    other.get_by_text("Full calculation").first.click()
    expect(other.get_by_text("Expected result").first).to_be_visible()

    put_in_order()
    board.reload()
    rows = board.locator("table.ranks tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text(re.compile(r"1\s*Alice\s*1[2-9]\d\d ± \d+"))
    expect(rows.nth(1)).to_contain_text("Charlie")


def test_the_banner_appears_by_itself_when_a_report_comes_in(
    house: House, duel: Arena, alice: Player, charlie: Player
) -> None:
    reader = house.reader(charlie)
    reader.page.clock.install()
    page = reader.open("/")
    expect(page.get_by_text("needs your confirmation")).to_have_count(0)
    beats(alice, charlie, duel)
    page.clock.run_for(31_000)
    expect(page.get_by_text("1 result needs your confirmation.")).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_the_leaderboard_is_searched(
    house: House, duel: Arena, alice: Player, charlie: Player, scripts: bool
) -> None:
    confirm(beats(alice, charlie, duel).pk, by=charlie, now=NOW)
    put_in_order()
    page = house.reader(scripts=scripts).open("/arenas/duel/leaderboard/")
    expect(page.locator("table.ranks tbody tr")).to_have_count(2)
    field = page.get_by_label("Find a player on this leaderboard")
    field.fill("char")
    if not scripts:
        field.press("Enter")
    expect(page.locator("table.ranks tbody tr")).to_have_count(1)
    expect(page).to_have_url(re.compile(r"\?q=char$" if scripts else r"\?q=char&"))
    field = page.get_by_label("Find a player on this leaderboard")
    expect(field).to_have_value("char")


def test_typing_faster_than_the_site_answers_is_no_error(
    house: House, duel: Arena, alice: Player, charlie: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def slow(found: PlayerQuerySet, text: str) -> PlayerQuerySet:
        asked.append(text)
        time.sleep(1)
        return found.filter(name__istartswith=text)

    monkeypatch.setattr(PlayerQuerySet, "search", slow)
    page = house.reader(alice).open("/arenas/duel/report/")
    with page.expect_response(re.compile(r"opponent=charl$")):
        page.get_by_label("Your opponent").press_sequentially("charl", delay=300)
    expect(page.locator("#names option")).to_have_attribute("value", "Charlie")
    assert len(asked) < len("charl"), "one request at a time"


def test_alice_reports_for_her_roster(
    house: House, owls: Roster, foxes: Roster, alice: Player, charlie: Player
) -> None:
    page = house.reader(alice, width=360).open("/arenas/teams/report/")
    page.get_by_label("The other roster").fill("Foxes")
    page.get_by_role("button", name="Next: the result").click()
    page.get_by_text("No score? Choose who won").click()
    page.get_by_label("Draw").check()
    page.get_by_label("Dora").uncheck()
    page.get_by_role("button", name="Report this result").click()
    expect(page.get_by_role("heading", name=re.compile("^Owls you .* draw Foxes "))).to_be_visible()
    assert Match.objects.get().participants.count() == 3


def test_zoe_signs_up_and_lands_on_the_front_page(house: House, duel: Arena) -> None:
    page = house.reader().open("/accounts/signup/")
    page.get_by_label("Player name").fill("Zoë")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password (again)").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("heading", name="Welcome, Zoë")).to_be_visible()


def test_times_turn_to_the_readers_zone_at_once_and_stay_there(
    house: House, duel: Arena, alice: Player, charlie: Player
) -> None:
    match = beats(alice, charlie, duel)
    page = house.reader().open(match.get_absolute_url())
    expect(page.locator(".crumbs time")).to_have_text("1 Mar 2026, 12:00 CET")
    by_server = page.context.request.get(page.url).text()
    assert "1 Mar 2026, 12:00 CET" in by_server


def test_the_chart_answers_the_pointer(
    house: House, duel: Arena, alice: Player, charlie: Player
) -> None:
    confirm(beats(alice, charlie, duel).pk, by=charlie, now=NOW)
    page = house.reader().open(alice.get_absolute_url())
    expect(page.locator("[data-readout]")).to_contain_text("1 match")
    page.locator("[data-plot]").hover()
    expect(page.locator("[data-readout]")).to_contain_text(re.compile(r"1 Mar 2026: 1\d\d\d ± \d+"))


def test_the_account_menu_closes_and_a_missing_winner_has_the_focus(
    house: House, duel: Arena, alice: Player, charlie: Player
) -> None:
    reader = house.reader(alice)
    page = reader.open("/players/")
    search, found = (page.locator(one).bounding_box() for one in (".search", "#found"))
    assert search
    assert found
    assert found["y"] - search["y"] - search["height"] < 60
    menu = page.locator("details.menu")
    menu.locator("summary").click()
    page.keyboard.press("Escape")
    expect(menu).not_to_have_attribute("open", "")
    expect(menu.locator("summary")).to_be_focused()
    menu.locator("summary").click()
    page.get_by_role("heading", name="Players").click()
    expect(menu).not_to_have_attribute("open", "")
    page.goto(page.url.replace("/players/", "/arenas/duel/report/?opponent=charlie"))
    page.get_by_role("button", name="Report this result").click()
    expect(page.get_by_label("Alice won")).to_be_focused()  # and its part is opened
    assert "status of 400" in reader.faults.pop()


def test_a_rematch_is_reported_by_pressing(
    house: House, duel: Arena, alice: Player, charlie: Player
) -> None:
    confirm(beats(alice, charlie, duel).pk, by=charlie, now=NOW)
    reader = house.reader(alice)
    page = reader.open("/arenas/duel/report/")
    page.get_by_role("link", name="Charlie").click()
    expect(page.get_by_text("Beat them:")).to_be_visible()
    for _press in range(3):
        page.get_by_role("button", name="More for Alice").click()
    expect(page.get_by_label("Score of Charlie")).to_have_value("0")
    page.get_by_role("button", name="More for Charlie").click()
    page.get_by_role("button", name="Less for Alice").click()
    page.get_by_role("button", name="Report this result").click()
    expect(page.get_by_text("Charlie has until")).to_be_visible()
    sides = Match.objects.latest("pk").sides.order_by("index")
    assert list(sides.values_list("place", "score")) == [(0, 2), (1, 1)]
