"""Whole stories of two people, one on a computer and one on a phone."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from league.models import Arena, Arrangement, Player, Status
from league.services.results.reports.answers import confirm
from tests.browser.conftest import House
from tests.support.cast import NOW, account, beats
from tests.support.pictures import halves, saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.slow]

PHONE = 360


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth") == PHONE)


def test_alice_and_charlie_agree_on_a_date_play_report_and_confirm(
    house: House, duel: Arena, alice: Player, charlie: Player
) -> None:
    computer = house.reader(alice).open("/arenas/duel/dates/new/")
    computer.get_by_label("Your opponent").fill("Charlie")
    computer.get_by_label("Your opponent").blur()
    expect(computer.get_by_text("Your expected result: 50 %. Beat them: +")).to_be_visible()
    on_friday = timezone.localtime() + timedelta(days=3)
    computer.get_by_label("Day and time").fill(f"{on_friday:%Y-%m-%dT20:00}")
    computer.get_by_role("button", name="Propose this match").click()
    expect(computer.get_by_text("Charlie has until then to answer.")).to_be_visible()

    phone = house.reader(charlie, width=PHONE).open("/inbox/")
    phone.get_by_role("link", name="Alice").first.click()
    expect(phone.get_by_text("Alice waits for your answer.")).to_be_visible()
    expect(phone.get_by_role("heading", name="What is at stake")).to_be_visible()
    assert fits(phone)
    phone.get_by_role("button", name="Accept").click()
    expect(phone.get_by_role("link", name="Add it to your calendar")).to_be_visible()
    phone.get_by_role("textbox", name="Message").fill("See you on Friday!")
    phone.get_by_role("button", name="Send message").click()
    expect(phone.get_by_text("See you on Friday!")).to_be_visible()

    hour_ago = timezone.now() - timedelta(hours=1)
    Arrangement.objects.update(play_at=hour_ago, accepted_at=hour_ago - timedelta(days=1))
    computer.reload()
    expect(computer.get_by_text("See you on Friday!")).to_be_visible()
    computer.get_by_role("link", name="Report the result").click()
    expect(computer.get_by_text("Without an answer it then counts")).to_be_visible()
    computer.get_by_label("Score of Alice").fill("3")
    computer.get_by_label("Score of Charlie").fill("1")
    computer.get_by_role("button", name="Report this result").click()
    expect(computer.get_by_text("waiting for confirmation")).to_be_visible()

    phone.goto(phone.url.split("/arenas")[0])
    phone.get_by_role("link", name="Review").click()
    phone.get_by_role("link", name="1–3 Alice").click()
    phone.get_by_role("button", name="Yes, confirm").click()
    expect(phone.get_by_text("Confirmed. The match page shows")).to_be_visible()
    assert fits(phone)


def test_charlie_disputes_with_evidence_alice_answers_and_olga_decides(
    house: House, duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    match = beats(alice, charlie, duel, now=timezone.now())
    phone = house.reader(charlie, width=PHONE).open(match.get_absolute_url())
    phone.get_by_text("No, dispute it").click()
    phone.get_by_label("What is wrong with the report?").fill("I won.")
    phone.get_by_role("button", name="Dispute this result").click()
    phone.get_by_label("Message").fill("The last screen:")
    photo = {"name": "end.png", "mimeType": "image/png", "buffer": saved(halves((800, 450)))}
    phone.get_by_label("Image (optional)").set_input_files(photo)  # type: ignore[arg-type] # a typed dict of Playwright's
    phone.get_by_label("What the image shows").fill("Charlie 3, Alice 2")
    phone.get_by_role("button", name="Send message").click()
    expect(phone.get_by_role("img", name="Charlie 3, Alice 2")).to_be_visible()
    assert fits(phone)

    computer = house.reader(alice).open(match.get_absolute_url())
    expect(computer.get_by_role("img", name="Charlie 3, Alice 2")).to_be_visible()
    computer.get_by_label("Message").fill("True, I mixed up the sides.")
    computer.get_by_role("button", name="Send message").click()
    expect(computer.get_by_text("Sent.", exact=True)).to_be_visible()

    staff = house.reader(olga).open(match.get_absolute_url())
    expect(staff.get_by_text("True, I mixed up the sides.")).to_be_visible()
    staff.get_by_role("link", name="Decide this match as staff").click()
    staff.get_by_label("Void: no result counts").check()
    staff.get_by_role("textbox", name="Reason").fill("Both agree that the report was wrong.")
    staff.get_by_role("button", name="Decide").click()
    expect(staff.get_by_text("Both agree that the report was wrong.")).to_be_visible()
    match.refresh_from_db()
    assert match.status == Status.VOID


def test_eve_claims_her_old_history_and_olga_approves(
    house: House, duel: Arena, alice: Player, eve: Player, olga: Player
) -> None:
    old = account("Éva of old")
    confirm(beats(old, alice, duel).pk, by=alice, now=NOW)
    Player.objects.filter(pk=old.pk).update(user=None)
    phone = house.reader(eve, width=PHONE).open("/players/?q=eva")
    phone.get_by_role("main").get_by_role("link", name="Éva of old").click()
    phone.get_by_role("link", name="This is me").click()
    phone.get_by_label("Evidence").fill("I played as Éva in 2020. Ask Alice.")
    assert fits(phone)
    phone.get_by_role("button", name="Send the claim").click()
    expect(phone.get_by_text("Staff will decide your claim.")).to_be_visible()

    staff = house.reader(olga).open("/admin/league/playerclaim/")
    staff.locator("input.action-select").check()
    staff.get_by_role("combobox", name="Action").select_option("approve")
    staff.get_by_label("Reason").fill("Alice says so, too.")
    staff.get_by_role("button", name="Go").click()
    expect(staff.get_by_text("1 claim decided.")).to_be_visible()

    phone.goto(phone.url)
    expect(phone.get_by_text("Alice says so, too.").first).to_be_visible()
    assert Player.objects.get(user=eve.user) == old
