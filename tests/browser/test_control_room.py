"""Olga runs a league from the admin in a real browser: rules, mistakes, files, whole evenings."""

from datetime import timedelta

import pytest
from django.urls import reverse
from playwright.sync_api import Page

from league.models import Arena, Competition, Job, Match, Player, Status
from league.services.core.clock import database_now
from league.services.integrity.ratings import verify
from league.services.jobs import jobs
from league.services.seasons.ending import end
from league.work import WORK
from tests.browser.conftest import House
from tests.support.browser_steps import OF_DJANGO, Clicks, troubles
from tests.support.cast import NOW, OPENING
from tests.support.effort import LONG
from tests.support.imported_histories import stored_history
from tests.support.season_steps import win

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.slow]
MANY = 2_000 if LONG else 300


def change_page(arena: Arena) -> str:
    return reverse("admin:league_arena_change", args=[arena.pk])


def carry_out() -> None:
    """Do the work of the waiting job, as a worker does."""
    job = Job.objects.get(state=Job.State.WAITING)
    jobs.carry_out(job.pk, WORK, database_now())
    job.refresh_from_db()
    assert job.state == Job.State.DONE, job.refusal


def test_olga_changes_decay_with_a_preview_a_trial_and_a_rerating(
    house: House, duel: Arena, alice: Player, bob: Player, charlie: Player, olga: Player
) -> None:
    win(duel, alice, bob)
    win(duel, charlie, bob, now=database_now())  # and Alice has not played for months
    page = house.reader(olga).open(change_page(duel))
    olgas = Clicks(page)
    olgas.press(page.locator("#section-decay > summary"))
    page.fill("[name=season_decay__points]", "700")
    page.get_by_text("loses 100 points a day after 3 days").wait_for()
    olgas.button("Try these rules")
    page.get_by_text("Waiting for a worker").wait_for()
    carry_out()
    olgas.link("Show the result")
    page.get_by_role("heading", name="Who would move most").wait_for()
    found = troubles(page)
    page.get_by_label("Reason").fill("Too many champions sleep.")
    olgas.button("Rate the season again")
    page.get_by_text("Waiting for a worker").wait_for()
    carry_out()
    olgas.link("Show the result")
    page.get_by_text("Since then:").wait_for()
    season = duel.seasons.get()
    assert season.season_rules().decay.points == 700
    assert verify(season) == []
    assert olgas.count == 5
    assert found + troubles(page) == []


def test_olga_voids_a_match_and_undoes_it_to_the_bit(
    house: House, duel: Arena, alice: Player, bob: Player, charlie: Player, olga: Player
) -> None:
    wrong = win(duel, alice, bob)
    win(duel, bob, charlie)
    win(duel, charlie, alice)
    season = duel.seasons.get()
    before = stored_history(season)
    page = house.reader(olga).open(wrong.get_absolute_url())
    olgas = Clicks(page)
    olgas.link("Void or correct this result as staff")
    found = troubles(page)
    assert not page.locator("[name=verdict][value=voided]").is_checked()
    olgas.press(page.get_by_role("radio", name="void"))
    page.get_by_label("Reason").fill("Not played.")
    olgas.button("Preview")
    page.get_by_role("heading", name="Preview").wait_for()
    found += troubles(page)
    olgas.button("Void this match")
    page.get_by_role("link", name="Undo the void as staff").wait_for()
    assert stored_history(season) != before

    olgas.link("Undo the void as staff")
    found += troubles(page)
    page.get_by_label("Reason").fill("It was played after all.")
    olgas.button("Undo")
    page.get_by_role("link", name="Undo the undo as staff").wait_for()
    assert stored_history(season) == before
    assert olgas.count == 6
    assert found + troubles(page) == []


def test_olga_imports_many_results_into_a_past_season_and_undoes_them(
    house: House, duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    win(duel, alice, bob)
    season = duel.seasons.get()
    end(season.pk, now=NOW)
    before = stored_history(season)
    page = house.reader(olga).open(change_page(duel))
    olgas = Clicks(page)
    olgas.link("Import")
    found = troubles(page)
    page.get_by_label("File").set_input_files(
        {"name": "results.csv", "mimeType": "text/csv", "buffer": many_results()}
    )
    olgas.button("Next: the columns")
    found += troubles(page)
    olgas.button("Check the file")
    carry_out()
    olgas.link("Show the result")
    page.get_by_role("heading", name="What would happen").wait_for()
    found += troubles(page)
    assert Match.objects.count() == 1
    olgas.button("Import", "#content-main")
    carry_out()
    olgas.link("Show the result")
    page.get_by_role("heading", name="What was imported").wait_for()
    assert Match.objects.rated().filter(season=season).count() == MANY + 1
    olgas.button("See what undoing would do")
    carry_out()
    olgas.link("Show the result")
    page.get_by_text("What undoing would do").first.wait_for()
    found += troubles(page)
    page.get_by_label("Reason").fill("The wrong season.")
    olgas.button("Undo the import")
    carry_out()
    olgas.link("Show the result")
    page.get_by_text("is undone").first.wait_for()
    assert stored_history(season)[0] == before[0]
    assert olgas.count == 10
    assert found + troubles(page) == []


def many_results() -> bytes:
    """Twenty people play, a match every ten minutes."""
    lines = ["date,side 1,side 2,score 1,score 2"]
    for at in range(MANY):
        played = OPENING + timedelta(days=1, minutes=10 * at)
        first, second = at % 20, (at + 1 + at % 7) % 20
        lines.append(f"{played.isoformat()},Player {first},Player {second},{at % 4},{at % 3}")
    return "\n".join(lines).encode()


def test_olga_enters_an_evening_by_keyboard_alone_and_undoes_it(
    house: House, duel: Arena, alice: Player, bob: Player, charlie: Player, olga: Player
) -> None:
    before = stored_history(duel.seasons.get())[0]
    page = house.reader(olga).open(reverse("admin:league_arena_evening", args=[duel.pk]))
    keys = page.keyboard
    keys.type("Ali")
    page.locator("#evening-names option[value=Alice]").wait_for(state="attached")
    keys.type("ce")
    enter(page, "", "Bob", "3:1")
    page.locator("#trial-0", has_text="Alice wins: 50 %. Alice").wait_for()
    enter(page, "Bob", "Charly", "1")
    page.locator("#trial-1", has_text="Nobody is called “Charly”").wait_for()
    found = troubles(page)
    assert row_of(page) == "3"
    for _stop in range(3):  # the button “Did you mean”, the result, the second side
        keys.press("Shift+Tab")
    keys.type("Charlie\n")
    page.locator("#trial-1", has_text="Charlie").wait_for()
    for number in range(3, 21):
        assert row_of(page) == str(number)
        enter(page, "Charlie", "Alice", "draw")
    assert row_of(page) == "21"  # a new row
    page.locator("#trial-19", has_text="Alice").wait_for()
    keys.press("Enter")  # an empty row: on to the button
    keys.press("Enter")
    page.get_by_text("They count from now on").wait_for()
    found += troubles(page)
    assert Match.objects.rated().count() == 20

    olgas = Clicks(page)
    olgas.button("See what undoing would do")
    carry_out()
    olgas.link("Show the result")
    page.get_by_label("Reason").fill("The wrong club.")
    olgas.button("Undo the evening")
    carry_out()
    olgas.link("Show the result")
    page.get_by_text("Enter another evening").wait_for()
    assert set(Match.objects.values_list("status", flat=True)) == {Status.VOID}
    assert stored_history(duel.seasons.get())[0] == before
    assert olgas.count == 4
    assert [one for one in found + troubles(page) if OF_DJANGO not in one] == []


def test_olga_finds_the_season_of_a_competition_by_typing(
    house: House, duel: Arena, olga: Player
) -> None:
    season = duel.seasons.get()
    page = house.reader(olga).open(reverse("admin:league_competition_add"))
    found = troubles(page)
    olgas = Clicks(page)
    olgas.press(page.get_by_role("combobox", name="Season"))
    page.keyboard.type("due")
    page.get_by_role("option", name=str(season)).wait_for()
    page.keyboard.press("Enter")
    page.locator("[name=name]").fill("Autumn Cup")
    page.locator("[name=starts_at_0]").fill("2099-10-01")
    page.locator("[name=starts_at_1]").fill("20:00")
    olgas.press(page.get_by_role("button", name="Save", exact=True))
    page.get_by_text("was added successfully").wait_for()
    assert Competition.objects.get().season == season
    assert olgas.count == 2
    assert found == []


def enter(page: Page, *cells: str) -> None:
    """Type a row, and go to the next with Enter."""
    for cell in cells:
        if cell != cells[0]:
            page.keyboard.press("Tab")
        page.keyboard.type(cell)
    page.keyboard.press("Enter")


def row_of(page: Page) -> str:
    """Return the number of the row that has the focus."""
    return str(page.evaluate("document.activeElement.closest('tr')?.cells[0].textContent"))
