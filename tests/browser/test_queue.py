"""From the queue to the match, by hand in several browsers, with and without scripts."""

import re

import pytest
from playwright.sync_api import Page, expect

from league.models import Arena, ArenaQueue, Player, Proposal, Rating, Roster, Ticket
from league.services.core.clock import database_now
from league.services.queue.queueing import join
from league.services.queue.ticks import tick
from tests.browser.conftest import House
from tests.support.axe import COLOURS, EVERYTHING, violations
from tests.support.queue_steps import everyone_is_there

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

QUEUE = "/arenas/teams/queue/"


@pytest.fixture
def queue(teams: Arena) -> ArenaQueue:
    teams.modes = ["Conquest", "Stronghold"]
    teams.save()
    made = ArenaQueue(arena=teams)
    made.rules["laurel"]["asking"] = -1e6
    made.ready_window *= 10
    made.full_clean()
    made.save()
    return made


def finds_a_match(queue: ArenaQueue) -> Proposal:
    """Run one tick of the queue, as the worker does."""
    queue.arena.ticks.all().delete()
    everyone_is_there()
    made = tick(queue.arena_id, now=database_now(), seed=1)
    assert made
    assert made.proposed == 1
    return Proposal.objects.latest("id")


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_alice_queues_her_owls_and_everyone_reaches_the_match(
    house: House, queue: ArenaQueue, owls: Roster, foxes: Roster, scripts: bool
) -> None:
    pages = {
        player.name: house.reader(player, scripts=scripts).open(QUEUE)
        for player in Player.objects.filter(name__in=["Alice", "Bob", "Charlie", "Dora"])
    }
    for captain, name in (("Alice", "Owls"), ("Charlie", "Foxes")):
        page = pages[captain]
        page.get_by_label("Stronghold").uncheck()
        page.get_by_role("button", name=f"Queue {name}").click()
        expect(page.get_by_role("heading", name="You are in the queue")).to_be_visible()
    finds_a_match(queue)
    for name, page in pages.items():
        if not scripts and name in {"Bob", "Dora"}:  # the captains' pages refresh by themselves
            page.reload()
        expect(page.get_by_role("heading", name="Match found")).to_be_visible()
        expect(page.get_by_text("Your team’s expected result: 50 %")).to_be_visible()
        page.get_by_role("button", name="Accept").click()
    *others, last = pages.values()  # whose acceptance begins the match
    last.get_by_role("link", name="Go to the match").click()
    for page in others:
        if not scripts:
            page.get_by_role("link", name="Go to the match").click()
        expect(page).to_have_url(re.compile(r"/matches/\d+/$"))
    for page in pages.values():
        sides = re.compile("^(Owls you .* against Foxes|Foxes you .* against Owls)")
        expect(page.get_by_role("heading", name=sides)).to_be_visible()


def test_a_match_is_announced_and_the_keyboard_stays_where_it_was(
    house: House, queue: ArenaQueue, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    for player in (alice, bob, charlie, dora):
        join(queue.arena, player, [], now=database_now(), modes=["Conquest"])
    page = house.reader(alice).open(QUEUE)
    finds_a_match(queue)
    expect(page.locator("#announcement")).to_have_text("Match found")
    expect(page).to_have_title(re.compile("^Match found: "))
    page.locator("#decline").focus()
    for _ in range(2):
        with page.expect_response(lambda response: "seen=check-" in response.url):
            pass
    expect(page.locator("#decline")).to_be_focused()


@pytest.mark.slow
def test_the_page_polls_only_while_something_can_happen(
    house: House, queue: ArenaQueue, alice: Player
) -> None:
    reader = house.reader(alice)
    reader.page.clock.install()
    page = reader.open(QUEUE)
    with (
        page.expect_request(lambda request: "seen=idle" in request.url),
        page.expect_request(lambda request: "part=who" in request.url),
    ):
        page.clock.run_for(6_000)
    queue.is_open = False
    queue.save()
    page.clock.run_for(6_000)
    expect(page.get_by_text("This queue is closed.")).to_be_visible()
    expect(page.locator("#state[hx-get], #who[hx-get]")).to_have_count(0)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.clock.run_for(60_000)
    assert [url for url in asked if "/queue/" in url] == []


@pytest.mark.slow
def test_bobs_input_survives_a_poll(house: House, queue: ArenaQueue, bob: Player) -> None:
    page = house.reader(bob).open(QUEUE)
    page.get_by_label("Only players within").fill("15")
    page.get_by_label("Conquest").uncheck()
    page.get_by_label("Only players within").focus()
    with page.expect_response(lambda response: "seen=idle" in response.url):
        pass
    expect(page.get_by_label("Only players within")).to_have_value("15")
    expect(page.get_by_label("Only players within")).to_be_focused()
    expect(page.get_by_label("Conquest")).not_to_be_checked()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved: your rank filter")).to_be_visible()
    expect(page.get_by_label("Only players within")).to_have_value("15")


def accept_out_of_reach(page: Page) -> list[str]:
    """Return a finding unless *Accept* is under the thumb of a phone, 800 pixels high."""
    box = page.locator("#accept").bounding_box()
    assert box
    reached = box["y"] >= 500 and box["y"] + box["height"] <= 800 and box["width"] >= 250
    return [] if reached else [f"Accept is at {box}"]


@pytest.mark.slow
def test_every_state_of_the_queue_is_accessible_in_light_and_dark_and_fits_a_phone(
    house: House, queue: ArenaQueue, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    troubles = []
    season = queue.arena.seasons.get()
    for number, player in enumerate((alice, bob, charlie, dora)):
        Rating.objects.create(
            season=season, player=player, rating=1400 + 150 * number, deviation=60, games=30
        )
    stages = ["visitor", "idle", "waiting", "check"]
    for stage in stages:
        if stage == "waiting":
            for player in (alice, bob, charlie, dora):
                join(queue.arena, player, [], now=database_now(), modes=["Conquest"])
        if stage == "check":
            finds_a_match(queue)
        page = house.reader(None if stage == "visitor" else alice).open(QUEUE)
        expect(page.locator("#state")).to_have_attribute("data-kind", stage)
        found = violations(page, EVERYTHING)
        page.emulate_media(color_scheme="dark")
        found += [f"in the dark: {one}" for one in violations(page, COLOURS)]
        for width in (360, 800, 1200):
            page.set_viewport_size({"width": width, "height": 800})
            wide = page.evaluate("document.documentElement.scrollWidth")
            if wide > width:
                found.append(f"{wide} px wide on a screen of {width}")
            if stage == "check" and width == 360:
                found += accept_out_of_reach(page)
        troubles += [f"{stage}: {one}" for one in found]
    assert troubles == []
    assert Ticket.objects.open().count() == 4
