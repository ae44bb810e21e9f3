"""Staff preview and publish errata through the API."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from rest_framework.test import APIClient

from league.models import Erratum, Match, Scope, Season
from league.services.seasons.ending import freeze
from tests.support.api_steps import by_token, fields_at_fault, send
from tests.support.cast import side
from tests.support.point_steps import plays, with_points
from tests.support.season_steps import NEXT

if TYPE_CHECKING:
    from league.models import Player

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(alice: Player, bob: Player) -> Match:
    """Alice beats Bob in a season that is archived."""
    league = with_points("one")
    for _again in range(2):
        plays(league, side(alice, place=0, score=9), side(bob, place=1, score=3))
    season = league.seasons.get()
    season.ends_at = NEXT
    season.save()
    assert freeze(season.pk, now=NEXT + timedelta(days=3))
    return season.matches.order_by("rated_order")[0]


def test_an_erratum_is_published_as_previewed(match: Match, alice: Player, olga: Player) -> None:
    staff, address = by_token(olga, Scope.STAFF), f"/api/v1/matches/{match.pk}/"
    placings = {"placings": [{"place": 1, "score": 3}, {"place": 0, "score": 9}]}
    seen = send(staff, f"{address}erratum-preview/", placings).json()
    [line] = [one for one in seen["lines"] if one["player"]["id"] == alice.pk]
    assert line["player"]["name"] == "Alice"
    assert line["rating_is"] < line["rating_was"]
    assert not Erratum.objects.exists()
    body = {**placings, "reason": "Swapped", "digest": seen["digest"]}
    stale = send(staff, f"{address}erratum/", {**body, "digest": "none"})
    assert stale.json()["code"] == "history_moved"
    made = send(staff, f"{address}erratum/", body)
    assert made.status_code == 201
    assert (made.json()["kind"], made.json()["reason"]) == ("result", "Swapped")
    assert made.json()["lines"] == seen["lines"]
    season = f"/api/v1/seasons/{match.season_id}/errata/"
    assert APIClient().get(season).json()["results"] == [made.json()]
    assert send(staff, f"{address}erratum/", body).json()["code"] == "erratum"


def test_only_staff_with_the_scope_publish_and_bad_input_is_named(
    match: Match, alice: Player, olga: Player
) -> None:
    address, body = f"/api/v1/matches/{match.pk}/erratum/", {"reason": "So", "digest": "none"}
    for client in (by_token(alice), by_token(olga, Scope.REPORT)):
        assert send(client, address, body).status_code == 403
        assert send(client, f"/api/v1/matches/{match.pk}/erratum-preview/", {}).status_code == 403
    staff = by_token(olga)
    assert fields_at_fault(send(staff, address, {})) == {"reason", "digest"}
    assert fields_at_fault(send(staff, address, {**body, "horizon": 1})) == {"horizon"}
    assert fields_at_fault(send(staff, address, {**body, "mode": "x"})) == {"mode"}
    assert fields_at_fault(send(staff, address, {**body, "placings": []})) == {"placings"}
    nulls = fields_at_fault(send(staff, address, {**body, "placings": [None, None]}))
    assert nulls == {"placings.0", "placings.1"}
    one = {**body, "placings": [{"place": 0}]}
    assert send(staff, address, one).status_code == 400
    assert APIClient().get(f"/api/v1/seasons/{match.season_id}/errata/").json()["results"] == []
    Season.objects.update(archived_at=None)
    assert staff.get(f"/api/v1/seasons/{match.season_id}/errata/").status_code == 404
    assert send(staff, "/api/v1/matches/999999/erratum/", body).status_code == 404
    assert not Erratum.objects.exists()
