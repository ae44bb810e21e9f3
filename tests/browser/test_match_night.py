"""A match night in several browsers: the bar, a veto of two captains, and the board."""

from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from league.models import Arena, ArenaQueue, MapChoice, Match, MatchMap, Player
from league.services.core.clock import database_now
from league.services.queue.queueing import join
from league.services.queue.ticks import tick
from tests.browser.conftest import House
from tests.support.axe import COLOURS, EVERYTHING, violations

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
def queue(duel: Arena) -> ArenaQueue:
    duel.maps, duel.map_choice = ["Forest", "Temple", "Harbour"], MapChoice.VETO
    duel.veto_turn = timedelta(minutes=10)
    duel.full_clean()
    duel.save()
    made = ArenaQueue(arena=duel)
    made.rules["laurel"]["asking"] = -1e6
    made.ready_window *= 10
    made.full_clean()
    made.save()
    return made


def is_sound(page: Page) -> None:
    """Check a page in both themes and on a phone."""
    found = violations(page, EVERYTHING)
    page.emulate_media(color_scheme="dark")
    assert found + violations(page, COLOURS) == []
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 360, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.set_viewport_size({"width": 1200, "height": 800})


def test_two_captains_go_from_the_bar_to_the_map_while_others_watch(
    house: House, queue: ArenaQueue, alice: Player, bob: Player
) -> None:
    for player in (alice, bob):
        join(queue.arena, player, [], now=database_now())
    hers, his = (house.reader(player).open("/players/") for player in (alice, bob))
    board = house.reader().open("/live/")
    expect(board.get_by_text("No match is being played right now")).to_be_visible()
    expect(hers.get_by_text("You are in the queue of Duel.")).to_be_visible()
    is_sound(hers)
    made = tick(queue.arena_id, now=database_now(), seed=1)
    assert made
    for page in (hers, his):
        expect(page.get_by_text("Match found in Duel.")).to_be_visible()
        page.get_by_role("button", name="Accept").click()
    expect(board.get_by_role("link", name="Alice")).to_be_visible()
    is_sound(board)
    match = Match.objects.get()
    MatchMap.objects.update(first=match.sides.get(captain=alice).index)
    hers.wait_for_url(f"**/matches/{match.pk}/")  # she accepted first, and waits for the others
    hers.reload()
    his.get_by_role("link", name="Go to the match").click()
    expect(his.get_by_text("Alice bans a map.")).to_be_visible()
    is_sound(hers)
    hers.get_by_role("button", name="Ban Forest").click()
    expect(hers.get_by_text("Bob bans a map.")).to_be_visible()
    expect(his.get_by_text("Your turn: ban a map.")).to_be_visible()
    his.get_by_role("button", name="Ban Harbour").press("Enter")
    for page in (hers, his):
        expect(page.get_by_role("heading", name="Map: Temple")).to_be_visible()
    is_sound(his)
