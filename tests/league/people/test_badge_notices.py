"""New badges are told once, whatever becomes of the match, and at a bounded cost."""

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.models import (
    Arena,
    BadgeNote,
    BadgeWatch,
    Match,
    Notice,
    NoticeKind,
    Player,
    Settlement,
)
from league.services.notices.preferences import preference_of
from league.services.push import devices
from league.services.results.records import badge_notices
from league.services.results.records.badge_notices import tell_new
from league.services.results.reports.answers import confirm
from tests.support.cast import NOW, beats
from tests.support.correction_steps import correct, undo
from tests.support.web_steps import browser_of, words

pytestmark = pytest.mark.usefixtures("countless_reports")

MINUTE = timedelta(minutes=1)


def wins(winner: Player, loser: Player, arena: Arena, at: datetime = NOW) -> Match:
    return confirm(beats(winner, loser, arena, now=at).pk, by=loser, now=at)


def list_notices() -> list[tuple[str, str]]:
    """Return who was told of which badge."""
    notices = Notice.objects.filter(kind=NoticeKind.BADGE).order_by("pk")
    return [(one.player.name, one.badge.kind) for one in notices if one.badge]


@pytest.fixture
def watched(duel: Arena) -> Arena:
    """An arena whose matches are looked through from now on."""
    BadgeWatch.objects.create(until=NOW - MINUTE)
    return duel


def test_a_badge_is_told_once(watched: Arena, alice: Player, bob: Player) -> None:
    wins(alice, bob, watched)
    assert tell_new(NOW + MINUTE / 2) == 0
    assert tell_new(NOW + 2 * MINUTE) == 1
    assert tell_new(NOW + 3 * MINUTE) == 0
    page = words(browser_of(alice).get("/inbox/"))
    assert f"You earned the badge “First win” in {watched}." in page
    BadgeWatch.objects.update(until=NOW - MINUTE)
    Notice.objects.update(seen_at=NOW)
    assert tell_new(NOW + 4 * MINUTE) == 0
    assert list_notices() == [("Alice", "first_win")]


def test_corrections_do_not_tell_it_again(
    watched: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    assert olga.user
    match = wins(alice, bob, watched)
    wins(alice, bob, watched, NOW + MINUTE)
    tell_new(NOW + 3 * MINUTE)
    Notice.objects.update(seen_at=NOW)
    done = correct(match, olga.user)
    assert done.correction
    tell_new(NOW + 60 * MINUTE)
    undo(done.correction, olga.user)
    tell_new(NOW + 90 * MINUTE)
    BadgeWatch.objects.update(until=NOW - MINUTE)
    tell_new(NOW + 100 * MINUTE)
    assert list_notices() == [("Alice", "first_win")]


def test_earlier_badges_and_imports_are_no_news(
    duel: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    wins(alice, bob, duel)
    assert tell_new(NOW + 5 * MINUTE) == 0
    later = NOW + 10 * MINUTE
    wins(alice, bob, duel, later)
    imported = wins(charlie, bob, duel, later)
    Match.objects.filter(pk=imported.pk).update(settlement=Settlement.IMPORT)
    assert tell_new(later + 5 * MINUTE) == 0
    assert list_notices() == []
    assert BadgeNote.objects.filter(player=alice, kind="first_win").exists()


def test_mail_and_push_are_off_by_default(alice: Player) -> None:
    assert NoticeKind.BADGE in preference_of(alice).muted
    assert NoticeKind.BADGE in devices.preference_of(alice).muted


def test_a_sweep_costs_the_same_for_any_number_of_matches_of_a_player(
    watched: Arena, alice: Player, bob: Player
) -> None:
    counts = []
    at = NOW
    for number in (1, 6):
        for _match in range(number):
            wins(alice, bob, watched, at)
        at += 5 * MINUTE
        with CaptureQueriesContext(connection) as taken:
            tell_new(at)
        counts.append(len(taken))
    assert counts[1] <= counts[0]


def test_a_sweep_of_many_matches_goes_on_with_the_next(
    watched: Arena, alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(badge_notices, "LIMIT", 1)
    for number in range(3):
        wins(bob, alice, watched, NOW + number * MINUTE)
    end = NOW + 10 * MINUTE
    tell_new(end)
    assert BadgeWatch.objects.get().until == NOW
    for _sweep in range(4):
        tell_new(end)
    assert BadgeWatch.objects.get().until == end - MINUTE
    assert list_notices() == [("Bob", "first_win")]


def test_a_result_writes_no_badge(watched: Arena, alice: Player, bob: Player) -> None:
    report = beats(alice, bob, watched)
    with CaptureQueriesContext(connection) as taken:
        confirm(report.pk, by=bob, now=NOW)
    assert not [one for one in taken if "league_badge" in one["sql"]]
