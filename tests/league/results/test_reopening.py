"""Undoing the void of a match that was never rated."""

from datetime import timedelta

import pytest
from django.urls import reverse

from league.models import Arena, Match, Player, Scope, Season, StaffAction, Status, User
from league.services.core.errors import Conflict, Forbidden
from league.services.results.reports.answers import confirm, dispute
from league.services.results.staff.decisions import decide
from league.services.results.staff.reopening import reopen
from tests.support.api_steps import by_token, fields_at_fault, send
from tests.support.cast import NOW, beats
from tests.support.correction_steps import correct
from tests.support.season_steps import win
from tests.support.web_steps import browser_of, words

LATER = NOW + timedelta(hours=5)


def user_of(olga: Player) -> User:
    assert olga.user
    return olga.user


def void(match: Match, olga: Player) -> None:
    kind = StaffAction.Kind.VOIDED
    decide(match.pk, verdict=kind, by=user_of(olga), reason="Not played", now=NOW)


def test_a_report_waits_as_long_as_it_still_would_have(
    duel: Arena, olga: Player, alice: Player, charlie: Player
) -> None:
    match = beats(alice, charlie, duel)
    until = match.confirm_deadline
    assert until
    void(match, olga)
    reopen(match.pk, by=user_of(olga), reason="It was played", now=LATER)
    match.refresh_from_db()
    assert (match.status, match.settled_at, match.settlement) == (Status.REPORTED, None, "")
    assert match.confirm_deadline == until + timedelta(hours=5)
    confirm(match.pk, by=charlie, now=LATER)
    assert Match.objects.get(pk=match.pk).status == Status.RATED


def test_a_disputed_match_waits_for_staff_again(
    duel: Arena, olga: Player, alice: Player, charlie: Player
) -> None:
    match = beats(alice, charlie, duel)
    dispute(match.pk, by=charlie, reason="I won", now=NOW)
    void(match, olga)
    staff, address = browser_of(olga), reverse("match_reopen", args=[match.pk])
    page = staff.get(match.get_absolute_url())
    assert address in page.content.decode()
    assert address not in browser_of(alice).get(match.get_absolute_url()).content.decode()
    assert "Not played" in words(staff.get(address))
    missing = staff.post(address, {"reason": " "})
    assert (missing.status_code, "Give a reason" in words(missing)) == (400, True)
    done = staff.post(address, {"reason": "It was played"}, follow=True)
    assert "Undone. Both sides can read your reason." in words(done)
    assert "It was played" in words(done)
    match.refresh_from_db()
    assert match.status == Status.DISPUTED
    told = browser_of(alice).get(reverse("inbox"))
    assert "Staff undid the void of your match" in words(told)
    again = staff.post(address, {"reason": "Again"})
    assert again.status_code == 409


def test_a_void_that_has_no_report_to_return_to_stays(
    duel: Arena, olga: Player, alice: Player, charlie: Player
) -> None:
    rated = win(duel, alice, charlie)
    correct(rated, user_of(olga))
    with pytest.raises(Conflict, match="not voided as a report"):
        reopen(rated.pk, by=user_of(olga), reason="It was played", now=LATER)
    match = beats(alice, charlie, duel)
    void(match, olga)
    with pytest.raises(Forbidden, match="Only staff"):
        reopen(match.pk, by=user_of(alice), reason="It was played", now=LATER)
    Season.objects.update(archived_at=NOW)
    with pytest.raises(Conflict, match="is archived"):
        reopen(match.pk, by=user_of(olga), reason="It was played", now=LATER)


def test_programs_of_staff_reopen_matches(
    duel: Arena, olga: Player, alice: Player, charlie: Player
) -> None:
    match = beats(alice, charlie, duel)
    address, body = f"/api/v1/matches/{match.pk}/reopening/", {"reason": "It was played"}
    staff = by_token(olga, Scope.STAFF)
    assert send(staff, address, body).json()["code"] == "not_undoable"
    void(match, olga)
    assert send(by_token(alice), address, body).status_code == 403
    assert send(by_token(olga, Scope.REPORT), address, body).status_code == 403
    assert fields_at_fault(send(staff, address, {"reason": " "})) == {"reason"}
    assert send(staff, "/api/v1/matches/999999/reopening/", body).status_code == 404
    assert send(staff, address, body).json()["status"] == "reported"
    assert send(staff, address, body).status_code == 409
