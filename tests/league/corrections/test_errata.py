"""Errata say what is wrong in an archived season, and the archive stays as it is."""

import json
from datetime import timedelta

import pytest
from django.urls import reverse
from rest_framework.test import APIClient

from league.models import Arena, FinalStanding, Match, Player, Scope, Season, StaffAction, Status
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.seasons import errata
from league.services.seasons.ending import freeze
from tests.support.api_steps import by_token, fields_at_fault, send
from tests.support.cast import NOW
from tests.support.season_steps import win
from tests.support.web_steps import browser_of, words


@pytest.fixture
def match(duel: Arena, alice: Player, bob: Player) -> Match:
    """Alice beats Bob in a season that is archived."""
    found = win(duel, alice, bob)
    Season.objects.update(ends_at=NOW + timedelta(days=1))
    assert freeze(found.season_id, now=NOW + timedelta(days=4))
    return Match.objects.get(pk=found.pk)


def test_olga_publishes_an_erratum_and_everyone_reads_it(
    match: Match, olga: Player, alice: Player, bob: Player, charlie: Player
) -> None:
    before = list(FinalStanding.objects.values())
    staff, address = browser_of(olga), reverse("match_erratum", args=[match.pk])
    assert address in staff.get(match.get_absolute_url()).content.decode()
    assert address not in browser_of(alice).get(match.get_absolute_url()).content.decode()
    assert "Say what is wrong" in words(staff.post(address, {"reason": " "}))
    done = staff.post(address, {"reason": "Bob won."}, follow=True)
    assert "Published. Everyone can read it." in words(done)

    visitor, season = browser_of(charlie), match.season
    for page in (season.get_absolute_url(), f"{alice.get_absolute_url()}?season={season.pk}"):
        assert f"About match {match.pk} . Published by Olga" in words(visitor.get(page))
        assert "Bob won." in words(visitor.get(page))
    of_match = words(visitor.get(match.get_absolute_url()))
    assert "Olga: published an erratum" in of_match
    assert "Bob won." in of_match
    other = visitor.get(f"{charlie.get_absolute_url()}?season={season.pk}")
    assert "Bob won." not in words(other)
    file = b"".join(visitor.get(reverse("season_export", args=[season.pk, "json"])))
    (exported,) = json.loads(file)["errata"]
    assert (exported["match"], exported["reason"]) == (match.pk, "Bob won.")

    match.refresh_from_db()
    assert match.status == Status.RATED
    assert list(FinalStanding.objects.values()) == before


def test_errata_are_for_archived_seasons_and_for_staff(
    match: Match, olga: Player, alice: Player
) -> None:
    assert olga.user
    assert alice.user
    with pytest.raises(Forbidden, match="Only staff"):
        errata.publish(match, by=alice.user, reason="I won twice.", now=NOW)
    with pytest.raises(Refused, match="Say what is wrong"):
        errata.publish(match, by=olga.user, reason=" ", now=NOW)
    match.season.archived_at = None
    with pytest.raises(Conflict, match="is not archived"):
        errata.publish(match, by=olga.user, reason="Bob won.", now=NOW)
    assert not StaffAction.objects.exists()


def test_programs_of_staff_publish_and_everyone_lists_errata(
    match: Match, alice: Player, olga: Player
) -> None:
    address, body = f"/api/v1/matches/{match.pk}/erratum/", {"reason": "Bob won."}
    for client in (by_token(alice), by_token(olga, Scope.REPORT)):
        assert send(client, address, body).status_code == 403
    staff = by_token(olga, Scope.STAFF)
    assert fields_at_fault(send(staff, address, {})) == {"reason"}
    assert fields_at_fault(send(staff, address, {**body, "placings": None})) == {"placings"}
    assert send(staff, "/api/v1/matches/999999/erratum/", body).status_code == 404
    made = send(staff, address, body)
    assert (made.status_code, made.json()["match"]) == (201, match.pk)
    listed = f"/api/v1/seasons/{match.season_id}/errata/"
    assert APIClient().get(listed).json()["results"] == [made.json()]
    Season.objects.update(archived_at=None)
    assert staff.get(listed).status_code == 404
    assert send(staff, address, body).json()["code"] == "not_archived"
