"""The mail of the week."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from pytest_django import Settings

from league.models import (
    Arena,
    Email,
    MailPreference,
    Player,
    PushPreference,
    RatingEvent,
    WeeklyMail,
)
from league.services.home import weekly
from league.services.notices import preferences
from league.services.results.reports.answers import confirm
from tests.support.cast import beats
from tests.support.date_steps import agree_on_date

MONDAY = datetime(2026, 3, 2, 8, 30, tzinfo=UTC)
"""Right after the day on which the cast plays."""


@pytest.fixture(autouse=True)
def mails_are_stored(settings: Settings) -> None:
    settings.EMAIL_BACKEND = "league.services.notices.outbox.OutboxBackend"


@pytest.fixture
def charlie(charlie: Player) -> Player:
    assert charlie.user
    EmailAddress.objects.create(user=charlie.user, email="c@league.example", verified=True)
    return charlie


@pytest.fixture
def a_week(duel: Arena, alice: Player, charlie: Player) -> None:
    """Charlie loses two matches on the Sunday before."""
    for _number in range(2):
        confirm(beats(alice, charlie, duel).pk, by=charlie, now=MONDAY - timedelta(days=1))
    assert RatingEvent.objects.filter(player=charlie).count() == 2
    Email.objects.all().delete()


def test_the_week_is_told_once_on_monday_morning(a_week: None, charlie: Player) -> None:
    assert weekly.mail_due(MONDAY) == 1
    assert weekly.mail_due(MONDAY) == weekly.mail_due(MONDAY + timedelta(hours=2)) == 0
    mail = Email.objects.get()
    change = sum(one.change for one in RatingEvent.objects.filter(player=charlie))
    assert mail.subject == "Laurel: your week"
    assert f"Duel: 2 matches, rating −{abs(change):.1f}" in mail.text
    assert mail.headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert weekly.mail_due(MONDAY + timedelta(days=7)) == 0  # nothing to tell


@pytest.mark.parametrize("hours", [-2, 4, 24, -24])
def test_nothing_is_sent_at_other_times(a_week: None, hours: int) -> None:
    assert weekly.mail_due(MONDAY + timedelta(hours=hours)) == 0
    assert not WeeklyMail.objects.exists()


def test_the_morning_is_that_of_the_reader(a_week: None, charlie: Player) -> None:
    zone = ZoneInfo("America/Los_Angeles")
    PushPreference.objects.create(player=charlie, zone=zone.key)
    assert weekly.mail_due(MONDAY) == 0
    assert weekly.mail_due(datetime(2026, 3, 2, 8, 30, tzinfo=zone)) == 1


def test_what_is_next_is_told_to_those_who_have_not_played(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    agree_on_date(duel, alice, charlie)
    assert weekly.mail_due(MONDAY) == 1
    assert "Alice – Charlie" in Email.objects.get().text


def test_nobody_gets_an_empty_mail(charlie: Player, alice: Player) -> None:
    assert weekly.mail_due(MONDAY) == 0
    assert WeeklyMail.objects.get().player == charlie


def test_one_click_ends_it_and_leaves_the_other_mails(a_week: None, charlie: Player) -> None:
    assert weekly.mail_due(MONDAY) == 1
    link = Email.objects.get().headers["List-Unsubscribe"].strip("<>")
    path = link[link.index("/notices/") :]
    assert "your week" in Client().get(path).content.decode()
    assert Client().post(path).status_code == 200
    chosen = preferences.preference_of(charlie)
    assert not chosen.weekly
    assert chosen.pace == MailPreference.Pace.AT_ONCE
    WeeklyMail.objects.all().delete()
    assert weekly.mail_due(MONDAY) == 0
