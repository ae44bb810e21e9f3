"""The bar on every page, the inbox, and the alert of a found match."""

import re

import pytest
from playwright.sync_api import expect

from league.models import Arena, ArenaQueue, NoticeKind, Player, Roster
from league.services.core.clock import database_now
from league.services.notices.writing import notify
from league.services.push import devices
from league.services.queue.queueing import join
from league.services.queue.ticks import tick
from tests.browser.conftest import House
from tests.support.axe import COLOURS, EVERYTHING, violations
from tests.support.browser_steps import troubles
from tests.support.cast import arena, beats
from tests.support.date_steps import agree_on_date
from tests.support.permission_objects import A_DEVICE
from tests.support.queue_steps import everyone_is_there

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.slow]

QUEUE = "/arenas/teams/queue/"
RECORD = """
    window.shown = [];
    window.Notification = class extends EventTarget {
        constructor(text) { super(); window.shown.push(text); }
        static permission = "granted";
        static async requestPermission() { return "granted"; }
    };
"""
"""Chromium's headless shell can show no notifications, and denies every site to do so."""


@pytest.fixture
def queue(teams: Arena) -> ArenaQueue:
    made = ArenaQueue(arena=teams)
    made.rules["laurel"]["asking"] = -1e6
    made.ready_window *= 10
    made.full_clean()
    made.save()
    return made


def test_bob_is_called_wherever_he_is_and_alerted_if_he_asked_for_it(
    house: House, queue: ArenaQueue, owls: Roster, foxes: Roster, bob: Player
) -> None:
    reader = house.reader(bob)
    reader.page.add_init_script(RECORD)
    page = reader.open(QUEUE)
    alerts = page.locator("#alerts")
    expect(alerts).to_have_attribute("aria-pressed", "false")
    alerts.click()
    expect(alerts).to_have_attribute("aria-pressed", "true")
    for roster in (owls, foxes):
        members = list(roster.members.all())
        join(queue.arena, roster.captain, members, roster=roster, now=database_now())
    page = reader.open("/players/")
    expect(page.get_by_text("queued you in Teams")).to_be_visible()
    everyone_is_there()
    made = tick(queue.arena_id, now=database_now(), seed=1)
    assert made
    assert made.proposed == 1
    expect(page.get_by_text("Match found in Teams.")).to_be_visible(timeout=30_000)
    expect(page).to_have_title(re.compile("^Match found in Teams"))
    assert page.evaluate("window.shown") == ["Match found in Teams."]
    found = violations(page, EVERYTHING)
    page.emulate_media(color_scheme="dark")
    assert found + violations(page, COLOURS) == []
    page.set_viewport_size({"width": 360, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_role("button", name="Accept").click()
    expect(page.get_by_text("You have accepted.")).to_be_visible()


def test_nobody_is_alerted_who_did_not_ask(
    house: House, queue: ArenaQueue, owls: Roster, foxes: Roster, bob: Player
) -> None:
    for roster in (owls, foxes):
        members = list(roster.members.all())
        join(queue.arena, roster.captain, members, roster=roster, now=database_now())
    everyone_is_there()
    reader = house.reader(bob)
    reader.page.add_init_script(RECORD)
    tick(queue.arena_id, now=database_now(), seed=1)
    page = reader.open("/players/")
    expect(page.get_by_text("Match found in Teams.")).to_be_visible()
    assert page.evaluate("window.shown") == []


def test_the_inbox_and_the_settings_of_notices_are_accessible_and_work(
    house: House, alice: Player, bob: Player
) -> None:
    duel = arena("duel")
    match = beats(bob, alice, duel)
    notify([alice], NoticeKind.DISPUTED, database_now(), actor=bob, match=match)
    agree_on_date(duel, alice, bob)
    devices.subscribe(alice, **A_DEVICE, name="Phone", now=database_now())
    reader = house.reader(alice)
    found = [
        trouble
        for address in ("/settings/mail/", "/inbox/", "/offline/")
        for trouble in troubles(reader.open(address))
    ]
    assert found == []
    page = reader.open("/inbox/")
    page.locator("summary", has_text="earlier notice").first.click()
    expect(page.locator(".inbox li li").first).to_be_visible()
    page = reader.open("/settings/mail/")
    page.get_by_text("Your own choice").click()
    page.get_by_label("A result to confirm: as a push message").uncheck()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    expect(page.get_by_label("A result to confirm: as a push message")).not_to_be_checked()
    expect(page.get_by_label("A challenge to you: as a push message")).to_be_checked()
    page.get_by_role("button", name="All off").click()
    expect(page.get_by_label("A challenge to you: as a push message")).not_to_be_checked()
