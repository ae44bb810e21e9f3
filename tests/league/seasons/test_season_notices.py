"""The end of a season is told once, to everybody with a match in it, with their review."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Arena, Match, Notice, NoticeKind, Player, Season
from league.services.notices import mailing
from league.services.notices.preferences import Pace, choose
from league.services.notices.texts import tell
from league.services.results.reports.answers import confirm
from league.services.seasons.ending import archive, end, freeze_early, tell_players
from tests.support.cast import NOW, account, beats, put_in_order
from tests.support.correction_steps import correct
from tests.support.web_steps import browser_of, words

pytestmark = pytest.mark.usefixtures("countless_reports")

LATER = NOW + timedelta(days=2)


def wins(winner: Player, loser: Player, arena: Arena, hours: int) -> Match:
    now = NOW + timedelta(hours=hours)
    return confirm(beats(winner, loser, arena, now=now).pk, by=loser, now=now)


def ended(arena: Arena) -> Season:
    put_in_order()
    season = arena.seasons.get()
    assert end(season.pk, now=NOW + timedelta(days=1))
    assert freeze_early(season.pk, now=LATER)
    return season


def list_notices() -> list[str]:
    """Return who was told of the end of a season."""
    notices = Notice.objects.filter(kind=NoticeKind.SEASON)
    return sorted(notices.values_list("player__name", flat=True))


def test_everybody_who_played_is_told_once_and_the_notice_leads_to_their_review(
    duel: Arena, alice: Player, charlie: Player, bob: Player
) -> None:
    wins(alice, charlie, duel, 1)
    season = ended(duel)
    assert list_notices() == ["Alice", "Charlie"]
    notice = Notice.objects.get(player=alice, kind=NoticeKind.SEASON)
    page = browser_of(alice).get("/inbox/")
    assert f"Your season in review is ready: {season.name} of {duel}." in words(page)
    assert browser_of(alice).get(tell(notice).url).status_code == 200
    assert not freeze_early(season.pk, now=LATER)
    assert not archive(season.pk, LATER, is_due=lambda _due: True)
    assert list_notices() == ["Alice", "Charlie"]
    assert bob.pk


def test_a_corrected_season_is_not_told_again(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    assert olga.user
    match = wins(alice, charlie, duel, 1)
    ended(duel)
    Notice.objects.update(seen_at=LATER)
    Season.objects.update(archived_at=None)
    correct(match, olga.user)
    assert list_notices() == ["Alice", "Charlie"]


def test_the_past_and_who_has_no_account_are_not_told(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    Player.objects.filter(pk=charlie.pk).update(user=None)
    match = beats(alice, account("Ghost"), duel)
    Player.objects.filter(name="Ghost").update(user=None)
    confirm(match.pk, by=Player.objects.get(name="Ghost"), now=NOW)
    season = ended(duel)
    assert list_notices() == ["Alice"]
    Notice.objects.all().delete()
    season.refresh_from_db()
    tell_players(season, NOW + timedelta(days=100))
    assert list_notices() == []


def test_it_is_mailed_to_those_who_want_it(duel: Arena, alice: Player, charlie: Player) -> None:
    for player in (alice, charlie):
        assert player.user
        address = f"{player.name.lower()}@league.example"
        EmailAddress.objects.create(user=player.user, email=address, verified=True, primary=True)
    wins(alice, charlie, duel, 1)
    Notice.objects.all().delete()
    choose(charlie, Pace.AT_ONCE, [NoticeKind.REPORTED])
    ended(duel)
    assert mailing.mail_due(LATER + timedelta(minutes=5)) == 1
    assert Notice.objects.get(emailed_at__isnull=False).player == alice
    assert mailing.mail_due(LATER + timedelta(minutes=50)) == 0


def test_it_takes_one_statement_for_any_number_of_players(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    wins(alice, charlie, duel, 1)
    for number in range(5):
        wins(alice, account(f"Player {number}"), duel, 2 + number)
    season = ended(duel)
    Notice.objects.all().delete()
    season.refresh_from_db()
    with CaptureQueriesContext(connection) as taken:
        tell_players(season, LATER)
    assert len(taken) == 2
    assert len(list_notices()) == 7


def test_the_settings_have_a_row_for_it(alice: Player) -> None:
    page = words(browser_of(alice).get("/settings/mail/"))
    assert "Your record" in page
    assert Client().get("/settings/mail/").status_code == 302
