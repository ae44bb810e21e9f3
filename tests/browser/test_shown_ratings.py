"""Shown ratings, drift, sessions, match figures and random challenges in a browser."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from league.models import Anchor, PenaltyReason, Player, User
from league.services.results.playing import events, servers
from league.services.results.playing.events import Event
from league.services.results.reports.answers import confirm
from league.services.results.reports.live import Finish, StartingSide
from league.services.results.staff.entering import enter
from league.services.seasons.anchors import follow
from tests.support.axe import COLOURS, EVERYTHING, violations
from tests.support.cast import RANKED_AT_ONCE, account, arena, beats, put_in_order, side

if TYPE_CHECKING:
    from league.models import Arena, Match
    from tests.browser.conftest import House

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
def pit(alice: Player, bob: Player, charlie: Player) -> Arena:
    """A duel arena with the article's own rating, shown as 1500 ± 500, a bot and columns."""
    made = arena(
        "pit",
        rating_system="fermi",
        rating_parameters={"rate_events": True},
        display={"scale": "scaled", "factor": 500, "offset": 1500},
        figures=["hits", "shots fired at range"],
    )
    now = timezone.now()
    bot = Player.objects.create(name="Marvin")
    Anchor.objects.create(arena=made, player=bot, rating=0.2)
    follow(made, now)
    staff = User.objects.create(username="staff", is_superuser=True)
    for hours, (winner, loser) in enumerate(
        [(alice, bob), (bob, charlie), (alice, bot), (bot, charlie), (alice, charlie)]
    ):
        when = now - timedelta(hours=hours + 1)
        sides = [side(winner, place=0), side(loser, place=1)]
        enter(made, sides, by=staff, reason="Club night", played_at=when, now=now)
    put_in_order()
    return made


@pytest.fixture
def reported(pit: Arena, alice: Player, bob: Player) -> Match:
    return beats(alice, bob, pit, now=timezone.now())


@pytest.fixture
def fed(pit: Arena, alice: Player, bob: Player) -> Match:
    """A match of a game server, which has sent its events."""
    staff, now = User.objects.get(username="staff"), timezone.now()
    sides = [StartingSide(player, [player]) for player in (alice, bob)]
    match = servers.start(pit, sides, by=staff, now=now)
    batch = [Event(number, alice.pk, bob.pk) for number in range(1, 1_201)]
    events.add(match.pk, batch, by=staff)
    return servers.finish(match.pk, [Finish(0), Finish(1)], by=staff, now=now)


def test_the_pages_are_accessible_and_fit_a_phone(
    house: House, pit: Arena, reported: Match, fed: Match, alice: Player
) -> None:
    PenaltyReason.objects.create(arena=pit, name="Insults", stacks=7)
    troubles = []
    paths = (
        "/arenas/pit/leaderboard/",
        "/arenas/pit/distribution/",
        "/arenas/pit/session/",
        f"{alice.get_absolute_url()}?arena=pit",
        reported.get_absolute_url(),
        f"/matches/{reported.pk}/figures/",
        fed.get_absolute_url(),
        f"/matches/{fed.pk}/conduct/",
    )
    reader, narrow = house.reader(alice), house.reader(alice, width=360)
    for path in paths:
        page = reader.open(path)
        troubles += [f"{path} {one}" for one in violations(page, EVERYTHING)]
        page.emulate_media(color_scheme="dark")
        troubles += [f"{path} dark {one}" for one in violations(page, COLOURS)]
        page.emulate_media(color_scheme="light")
        page = narrow.open(path)
        wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
        troubles += [f"{path} is too wide"] if wide else []
    assert troubles == []


def test_a_captain_enters_figures_and_reads_the_sums(
    house: House, reported: Match, alice: Player, bob: Player
) -> None:
    reader = house.reader(alice)
    page = reader.open(reported.get_absolute_url())
    page.get_by_role("link", name="Enter figures").click()
    page.get_by_label("hits of Alice").fill("12")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved. Figures never change a rating.")).to_be_visible()
    confirm(reported.pk, by=bob, now=timezone.now())
    page = reader.open(f"{alice.get_absolute_url()}?arena=pit")
    expect(page.locator("dl.figures")).to_contain_text("12 in 1 match")


def test_the_table_of_an_evening(house: House, pit: Arena, alice: Player) -> None:
    reader = house.reader(alice)
    page = reader.open(f"/arenas/{pit.slug}/leaderboard/")
    page.get_by_role("link", name="One session on its own").click()
    rows = page.locator("table.ranks tbody tr")
    expect(rows).to_have_count(4)
    expect(rows.first).to_contain_text("Alice")
    page.get_by_label("To", exact=True).fill("2020-01-01T00:00")
    page.get_by_role("button", name="Show the table").click()
    expect(page.get_by_text("The end must be after the start.")).to_be_visible()
    (fault,) = reader.faults
    assert "400" in fault
    reader.faults.clear()


def test_chance_chooses_an_opponent(house: House) -> None:
    ladder = arena(
        "steps",
        rating_system="ladder",
        season_rules={**RANKED_AT_ONCE, "challenges": {"draws": True}},
    )
    ann, ben = account("Ann"), account("Ben")
    now = timezone.now()
    confirm(beats(ann, ben, ladder, now=now).pk, by=ben, now=now)
    page = house.reader(ben).open("/arenas/steps/challenges/")
    page.get_by_role("button", name="Draw an opponent").click()
    expect(
        page.get_by_text("Your challenge was sent to Ann, the only player you could draw.")
    ).to_be_visible()
    assert violations(page, EVERYTHING) == []
