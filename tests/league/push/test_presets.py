"""Choosing one's notices in one tap: only one's turn, the default, everything, or nothing."""

import re
from datetime import time

import pytest
from django.urls import reverse

from league.models import MailPreference, NoticeKind, Player, PushPreference
from league.services.notices import preferences
from league.services.push import devices
from league.web.notices.presets import MY_TURN, PRESETS
from tests.support.web_steps import browser_of, words

ASKS = {
    NoticeKind.REPORTED,
    NoticeKind.DISPUTED,
    NoticeKind.WAITING,
    NoticeKind.CHALLENGED,
    NoticeKind.INVITED,
    NoticeKind.TEAM_INVITED,
    NoticeKind.TEAM_CAPTAIN,
    NoticeKind.QUEUED,
    NoticeKind.FOUND,
}
"""The kinds with a question that the reader answers, after which they are marked as read."""
NEVER_A_TURN = {NoticeKind.RATED, NoticeKind.BADGE, NoticeKind.SEASON, NoticeKind.TEAM_JOINED}
SETTINGS = reverse("mail_settings")


def pressed(page: str) -> list[str]:
    return re.findall(r'name="preset" value="(\w+)" aria-pressed="true"', page)


def wanted(player: Player) -> tuple[set[NoticeKind], set[NoticeKind]]:
    """Return the kinds that are mailed and pushed."""
    mails, pushed = preferences.preference_of(player), devices.preference_of(player)
    kinds = set(NoticeKind)
    return kinds - set(mails.muted), kinds - set(pushed.muted)


def test_a_turn_is_what_asks_for_an_answer_or_is_played_next(charlie: Player) -> None:
    assert ASKS | {NoticeKind.FIXTURE, NoticeKind.DATED, NoticeKind.CALLED_OFF} <= MY_TURN
    assert not MY_TURN & NEVER_A_TURN
    browser_of(charlie).post(SETTINGS, {"preset": "turn"})
    mailed, pushed = wanted(charlie)
    assert pushed == MY_TURN
    assert mailed == MY_TURN | {NoticeKind.QUEUED, NoticeKind.FOUND}
    assert not MailPreference.objects.get(player=charlie).weekly


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_the_page_says_which_choice_is_active_and_hides_the_long_table(
    preset: object, charlie: Player
) -> None:
    name = preset.name  # type: ignore[attr-defined]
    browser = browser_of(charlie)
    assert browser.post(SETTINGS, {"preset": name}).status_code == 302
    page = browser.get(SETTINGS).content.decode()
    assert pressed(page) == [name]
    assert '<details class="card">' in page


def test_a_newcomer_has_the_default_and_one_change_in_the_table_makes_it_their_own(
    charlie: Player,
) -> None:
    browser = browser_of(charlie)
    page = browser.get(SETTINGS)
    assert pressed(page.content.decode()) == ["default"]
    form = page.context["form"]
    sent = {name: form[name].value() for name in ("pace", "weekly", "kinds", "push")}
    browser.post(SETTINGS, sent)
    assert pressed(browser.get(SETTINGS).content.decode()) == ["default"]
    browser.post(SETTINGS, sent | {"push": [*sent["push"], "rated"]})
    own = browser.get(SETTINGS)
    assert pressed(own.content.decode()) == []
    assert '<details class="card" open>' in own.content.decode()
    assert "Your own choice Active" in words(own)


def test_a_choice_keeps_the_pace_and_the_quiet_hours_but_ends_never(charlie: Player) -> None:
    browser = browser_of(charlie)
    own = {"pace": "daily", "kinds": [], "quiet_from": "22:00", "quiet_until": "07:00"}
    browser.post(SETTINGS, own)
    browser.post(SETTINGS, {"preset": "turn"})
    assert MailPreference.objects.get(player=charlie).pace == "daily"
    quiet = PushPreference.objects.get(player=charlie)
    assert (quiet.quiet_from, quiet.quiet_until) == (time(22), time(7))
    browser.post(SETTINGS, own | {"pace": "never"})
    browser.post(SETTINGS, {"preset": "off"})
    assert MailPreference.objects.get(player=charlie).pace == "never"
    browser.post(SETTINGS, {"preset": "everything"})
    assert MailPreference.objects.get(player=charlie).pace == "at-once"


def test_a_link_in_a_mail_that_ends_all_mails_ends_the_choice_too(charlie: Player) -> None:
    browser = browser_of(charlie)
    browser.post(SETTINGS, {"preset": "turn"})
    preferences.mute(charlie, "all")
    assert pressed(browser.get(SETTINGS).content.decode()) == []


def test_an_unknown_choice_is_refused(charlie: Player) -> None:
    assert browser_of(charlie).post(SETTINGS, {"preset": "x"}).status_code == 400
    assert not MailPreference.objects.exists()


@pytest.mark.parametrize("page", ["settings", "inbox"])
def test_the_page_of_notices_has_one_name(page: str, charlie: Player) -> None:
    browser = browser_of(charlie)
    name = "Choose your notices"
    assert re.search(rf'href="{SETTINGS}">{name}</a>', browser.get(reverse(page)).content.decode())
    assert f"<h1>{name}</h1>" in browser.get(SETTINGS).content.decode()
