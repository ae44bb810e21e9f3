"""A competition of two captains, one on a computer and one on a phone."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from league.models import Arena, Arrangement, Competition, Fixture, Player
from league.services.competitions import progress
from league.services.competitions.running import starting
from tests.browser.conftest import House
from tests.support.browser_steps import troubles
from tests.support.cast import account
from tests.support.competition_steps import (
    START,
    begun,
    crowd,
    enter,
    opened,
    play,
    sides_of,
)
from tests.support.result_steps import user_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE = 360
DAY, HOUR = timedelta(days=1), timedelta(hours=1)


ROOM_AT_THE_END = """one => {
    const text = document.createRange();
    text.selectNodeContents(one);
    const [shown, side] = [text.getBoundingClientRect(), one.parentElement.getBoundingClientRect()];
    return document.dir === "rtl" ? shown.left - side.left : side.right - shown.right;
}"""
"""The pixels between a text and the end of the box around it."""


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth") == PHONE)


def test_alice_and_charlie_enter_postpone_play_confirm_and_see_the_table(
    house: House, duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    now = timezone.now()
    cup = Competition.objects.create(
        season=duel.seasons.get(), name="Spring Cup", starts_at=now + HOUR
    )
    starting.open_for_entries(cup.pk, by=user_of(olga), now=now)
    computer = house.reader(alice).open("/arenas/duel/competitions/")
    phone = house.reader(charlie, width=PHONE).open("/arenas/duel/competitions/")
    for page in (computer, phone):
        page.get_by_role("link", name="Spring Cup").click()
        page.get_by_role("button", name="Enter").click()
        expect(page.get_by_text("You have entered Spring Cup.")).to_be_visible()
    assert fits(phone)

    progress.sweep(now + HOUR)
    computer.reload()
    computer.get_by_role("link", name="against").click()
    computer.get_by_role("link", name="Move the date or write").click()
    computer.get_by_text("Move this date").click()
    on_day_six = timezone.localtime() + 6 * DAY
    computer.get_by_label("Day and time").fill(f"{on_day_six:%Y-%m-%dT12:00}")
    computer.get_by_role("button", name="Propose this time").click()
    expect(computer.get_by_role("main").get_by_text("Charlie").first).to_be_visible()

    phone.goto(phone.url.split("/arenas")[0] + "/inbox/")
    phone.get_by_role("link", name="Alice").first.click()
    assert fits(phone)
    phone.get_by_role("button", name="Agree").click()
    expect(phone.get_by_text("It can be moved 1 more time.")).to_be_attached()

    Arrangement.objects.update(play_at=now - HOUR, accepted_at=now - DAY)
    computer.reload()
    computer.get_by_role("link", name="Report the result").click()
    computer.get_by_label("Score of Alice").fill("3")
    computer.get_by_label("Score of Charlie").fill("1")
    computer.get_by_role("button", name="Report this result").click()
    expect(computer.get_by_text("waiting for confirmation")).to_be_visible()

    phone.goto(phone.url.split("/arenas")[0])
    phone.get_by_role("link", name="Review").click()
    phone.get_by_role("link", name="1–3 Alice").click()
    phone.get_by_role("button", name="Yes, confirm").click()
    expect(phone.get_by_text("Confirmed. The match page shows")).to_be_visible()

    progress.sweep(now + 2 * HOUR)
    for page in (computer, phone):
        page.goto(phone.url.split("/matches")[0] + cup.get_absolute_url())
        expect(page.get_by_text("Won by Alice")).to_be_visible()
        first = page.locator("table.standing tbody tr").first
        expect(first).to_contain_text("Alice")
        expect(first).to_contain_text("1 · 0 · 0")
    assert fits(phone)


@pytest.mark.slow
def test_a_printed_bracket_has_nothing_cut_off(house: House, duel: Arena, olga: Player) -> None:
    """Rounds that are longer than a sheet become columns; small ones keep the shape of a tree."""
    players = crowd(26)
    small = begun(duel, olga, players[:6], "single")
    Competition.objects.filter(pk=small.pk).update(name="Small Cup")
    large = begun(duel, olga, players, "single")
    for one, shape in ((small, "flex"), (large, "block")):
        paper = house.reader(width=718).open(one.get_absolute_url())
        paper.emulate_media(media="print")
        assert paper.evaluate("document.documentElement.scrollWidth") == 718
        expect(paper.locator("header.top form.find")).to_be_hidden()
        bracket = paper.locator(".bracket").first
        assert bracket.evaluate("one => getComputedStyle(one).display") == shape
        cut = "ties => ties.filter(one => one.getBoundingClientRect().right > 718).length"
        assert paper.locator(".tie").evaluate_all(cut) == 0


def test_a_bracket_begins_at_the_round_that_is_played(
    house: House, duel: Arena, olga: Player
) -> None:
    players = crowd(16)
    one = begun(duel, olga, players, "single")
    phone = house.reader(width=PHONE)
    first_round = "one => one.getBoundingClientRect().left >= 0"
    page = phone.open(one.get_absolute_url())
    assert page.locator(".bracket-round").first.evaluate(first_round)
    for fixture in one.fixtures.with_sides().filter(round__number=1, home__isnull=False):
        assert fixture.home
        play(fixture, fixture.home.player)
    progress.sweep(START + DAY)
    page = phone.open(one.get_absolute_url())
    assert not page.locator(".bracket-round").first.evaluate(first_round)
    current = page.locator(".bracket-round.to-play").first
    expect(current).to_contain_text("Quarter-finals")
    expect(current).to_be_in_viewport()
    assert page.evaluate("scrollY") == 0


def played_first_round(duel: Arena, olga: Player) -> tuple[Competition, Fixture]:
    """Return a bracket of 16 whose first round is played, and the last fixture of that."""
    one = begun(duel, olga, crowd(16), "single")
    first = list(one.fixtures.with_sides().filter(round__number=1, home__isnull=False))
    for fixture in first:
        play(fixture, sides_of(fixture)[0].player, score=(11, 4))
    progress.sweep(START + DAY)
    return one, first[-1]


def test_a_bracket_begins_at_the_readers_own_last_fixture(
    house: House, duel: Arena, olga: Player
) -> None:
    one, fixture = played_first_round(duel, olga)
    winner, loser = sides_of(fixture)
    for name, entrant in (("Round 1", loser), ("Quarter-finals", winner)):
        page = house.reader(entrant.captain, width=PHONE).open(one.get_absolute_url())
        column = page.locator(".bracket-round").filter(has_text=name)
        assert 0 <= column.evaluate("one => one.getBoundingClientRect().left") <= 40, name
        assert page.evaluate("scrollY") == 0


def test_the_winner_of_the_readers_own_fixture_is_marked_as_any_other(
    house: House, duel: Arena, olga: Player
) -> None:
    one, fixture = played_first_round(duel, olga)
    for entrant in sides_of(fixture):
        page = house.reader(entrant.captain).open(one.get_absolute_url())
        own = page.locator(".tie").filter(has=page.locator(".me")).first
        winner, loser = own.locator(".tie-side.won"), own.locator(".tie-side:not(.won)")
        expect(winner).to_contain_text("✓won 11")
        expect(loser.locator(".tie-score")).to_have_text("4")
        others = page.locator(".tie:not(:has(.me)) .tie-side.won").first
        ground = "one => getComputedStyle(one).backgroundColor"
        assert winner.evaluate(ground) == others.evaluate(ground) != loser.evaluate(ground)


@pytest.mark.parametrize("language", ["en", "ar"])
def test_scores_of_a_bracket_stand_at_the_end_of_their_sides(
    house: House, duel: Arena, olga: Player, language: str
) -> None:
    one, _fixture = played_first_round(duel, olga)
    page = house.reader().open(f"{one.get_absolute_url()}?lang={language}")
    losers = page.locator(".tie-side:not(.won) > .tie-score:not(:empty)")
    assert losers.count()
    for loser in losers.all():
        assert loser.evaluate(ROOM_AT_THE_END) < 15


def test_olga_sees_all_of_the_entrants_on_a_phone(house: House, duel: Arena, olga: Player) -> None:
    one = opened(duel, olga, "swiss")
    names = ["Wolfeschlegelsteinhausenbergerdorff", "Maximiliane von Hohenlohe-Langenburg", "Bo"]
    enter(one, *map(account, names))
    page = house.reader(olga, width=PHONE).open(
        reverse("competition_entrants", args=["duel", one.pk])
    )
    hidden = page.locator(".scrolls").evaluate("one => one.scrollWidth - one.clientWidth")
    assert hidden == 0
    assert page.get_by_role("button", name="Remove Bo").is_visible()
    assert troubles(page) == []
