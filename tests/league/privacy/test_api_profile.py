"""Programs change the country and links of a profile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from league.models import Profile, Scope
from league.services.privacy import profile
from tests.support.api_steps import by_token, fields_at_fault
from tests.support.cast import NOW
from tests.support.pictures import upload

if TYPE_CHECKING:
    from rest_framework.test import APIClient

    from league.models import Player

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/profile/"
LINK = "https://stream.example/alice"


def change(client: APIClient, **new: Any) -> Any:
    return client.patch(ADDRESS, new, format="json")


def test_what_is_left_out_of_a_profile_stays(alice: Player) -> None:
    mine, me = by_token(alice), {"player": {"id": alice.pk, "name": "Alice"}}
    assert mine.get(ADDRESS).json() == me | {"country": "", "links": []}
    profile.upload(alice, upload(), NOW)
    assert change(mine, country="FR").json() == me | {"country": "FR", "links": []}
    assert change(mine, links=[LINK, LINK]).json() == me | {"country": "FR", "links": [LINK]}
    assert change(mine, country="").json() == me | {"country": "", "links": [LINK]}
    assert mine.get(ADDRESS).json() == me | {"country": "", "links": [LINK]}
    assert Profile.objects.get(player=alice).picture


def test_wrong_profiles_are_refused(alice: Player) -> None:
    mine = by_token(alice)
    assert fields_at_fault(change(mine, country="XX")) == {"country"}
    assert fields_at_fault(change(mine, links=["http://stream.example"])) == {"links"}
    assert change(mine, links=[f"{LINK}{number}" for number in range(4)]).status_code == 400
    assert fields_at_fault(change(mine, picture="x")) == {"picture"}
    assert change(by_token(alice, Scope.REPORT), country="FR").status_code == 403
    assert not Profile.objects.exists()
