"""Accounts that are deleted while reports of their players are open."""

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Arena, Match, Player, Status
from league.services.results.reports.answers import confirm, confirm_expired, dispute
from tests.support.cast import NOW, beats, beats_as_agreed
from tests.support.result_steps import user_of
from tests.support.web_steps import browser_of, words


def loses_account(player: Player, staff: Client) -> None:
    """Let staff delete a player's account on its page in the admin."""
    address = reverse("admin:league_user_delete", args=[user_of(player).pk])
    assert "This is deleted with it" in words(staff.get(address))
    assert staff.post(address, {"post": "yes", "_reason": "They asked."}).status_code == 302
    player.refresh_from_db()
    assert player.user is None


@pytest.fixture
def staff(olga: Player) -> Client:
    return browser_of(olga)


def test_silence_of_a_player_who_lost_their_account_confirms_nothing(
    staff: Client, duel: Arena, alice: Player, charlie: Player
) -> None:
    match = beats_as_agreed(alice, charlie, duel)
    loses_account(charlie, staff)
    confirm_expired(NOW + duel.confirmation_window)
    match.refresh_from_db()
    assert match.status == Status.VOID
    page = words(browser_of(alice).get(match.get_absolute_url()))
    assert "Lapsed: nobody confirmed this report in time" in page
    assert "The report lapsed, because nobody confirmed it in time, 3 Mar 2026, 12:00 UTC" in page


def test_an_opponent_can_still_answer_a_report_whose_reporter_lost_their_account(
    staff: Client, duel: Arena, alice: Player, charlie: Player, eve: Player
) -> None:
    confirmed, disputed = beats(alice, charlie, duel), beats(alice, eve, duel)
    loses_account(alice, staff)
    assert confirm(confirmed.pk, by=charlie, now=NOW).status == Status.RATED
    assert dispute(disputed.pk, by=eve, reason="A draw.", now=NOW).status == Status.DISPUTED
    assert browser_of(eve).get(disputed.get_absolute_url()).status_code == 200
    decides = staff.post(
        reverse("match_decide", args=[disputed.pk]), {"verdict": "voided", "reason": "Gone."}
    )
    assert decides.status_code == 302
    assert Match.objects.get(pk=disputed.pk).status == Status.VOID


def test_every_page_of_such_a_match_still_opens(
    staff: Client, duel: Arena, alice: Player, charlie: Player
) -> None:
    match = beats(alice, charlie, duel)
    loses_account(alice, staff)
    loses_account(charlie, staff)
    for address in (match.get_absolute_url(), alice.get_absolute_url(), "/matches/waiting/"):
        assert staff.get(address).status_code == 200
    assert Client().get(match.get_absolute_url()).status_code == 200
    confirm_expired(NOW + duel.confirmation_window)
    assert Match.objects.get(pk=match.pk).status == Status.VOID
