"""Whom a captain can choose with one press: the last opponents, and the matches to report."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from league.models import Arena, Arrangement, Player, Roster
from league.services.dates.answers import accept
from league.services.dates.proposals import propose
from league.services.results.reports.answers import confirm
from league.services.results.reports.live import StartingSide, start
from tests.support.cast import NOW, beats
from tests.support.web_steps import browser_of, reports, result_form, words

pytestmark = pytest.mark.django_db


def choices(answer: Any) -> list[str]:
    """Return the addresses of the buttons, by which somebody is chosen or a match reported."""
    page = answer.content.decode()
    return re.findall(r'href="([^"]*(?:opponent=|/report/)[^"]*)"', page.partition("<main")[2])


def test_the_last_opponents_are_buttons_the_latest_first(
    duel: Arena, alice: Player, charlie: Player, eve: Player, bob: Player
) -> None:
    address = reverse("report", args=["duel"])
    assert choices(browser_of(alice).get(address)) == []
    for other in (charlie, eve, charlie):
        confirm(beats(alice, other, duel).pk, by=other, now=NOW)
    beats(bob, eve, duel)
    with CaptureQueriesContext(connection) as few:
        page = browser_of(alice).get(address)
    assert choices(page) == [f"{address}?opponent=Charlie", f"{address}?opponent=Eve"]
    assert "How did it end?" in words(browser_of(alice).get(choices(page)[0]))
    for _more in range(5):
        confirm(beats(eve, alice, duel).pk, by=alice, now=NOW)
    with CaptureQueriesContext(connection) as many:
        browser_of(alice).get(address)
    assert len(many) == len(few)


def test_nobody_is_offered_who_cannot_confirm(duel: Arena, alice: Player, charlie: Player) -> None:
    confirm(beats(alice, charlie, duel).pk, by=charlie, now=NOW)
    assert charlie.user
    charlie.user.is_active = False
    charlie.user.save()
    assert choices(browser_of(alice).get(reverse("report", args=["duel"]))) == []


def test_matches_to_report_come_first(
    duel: Arena, alice: Player, bob: Player, charlie: Player, eve: Player
) -> None:
    later = propose(duel, charlie, NOW + timedelta(days=1), by=alice, now=NOW)
    due = propose(duel, eve, NOW + timedelta(days=1), by=alice, now=NOW)
    accept(later.pk, by=charlie, seen=1, now=NOW)
    accept(due.pk, by=eve, seen=1, now=NOW)
    Arrangement.objects.filter(pk=later.pk).update(play_at=timezone.now() + timedelta(hours=3))
    Arrangement.objects.filter(pk=due.pk).update(play_at=timezone.now())
    address = reverse("report", args=["duel"])
    report_date = reverse("date_report", args=["duel", due.pk])
    assert choices(browser_of(alice).get(address)) == [report_date]
    assert choices(browser_of(bob).get(address)) == []
    live = start(duel, [StartingSide(one, [one]) for one in (alice, bob)], now=NOW)
    report_live = reverse("match_report", args=[live.pk])
    assert choices(browser_of(alice).get(address)) == [
        report_live,
        report_date,
        f"{address}?opponent=Bob",
    ]
    assert "Beat them:" in words(browser_of(alice).get(report_live))
    assert "Beat them:" in words(browser_of(bob).get(report_live))
    assert "Beat them:" in words(browser_of(alice).get(report_date))
    refused = browser_of(alice).post(report_date, {"score-0": "3"})
    assert refused.status_code == 400
    assert "Beat them:" in words(refused)


def test_rosters_are_offered_with_the_own_one(
    teams: Arena, owls: Roster, foxes: Roster, alice: Player, charlie: Player
) -> None:
    address = reverse("report", args=["teams"])
    form = result_form("Foxes", outcome="", roster=str(owls.pk)) | {"score-0": "3", "score-1": "1"}
    form |= {f"plays-{index}": one.captain.pk for index, one in enumerate((owls, foxes))}
    assert reports(alice, teams, form).status_code == 302
    assert choices(browser_of(alice).get(address)) == [
        f"{address}?roster={owls.pk}&amp;opponent=Foxes"
    ]
    assert choices(browser_of(charlie).get(address)) == [
        f"{address}?roster={foxes.pk}&amp;opponent=Owls"
    ]
