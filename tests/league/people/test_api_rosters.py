"""Programs change and leave rosters."""

from typing import Any

import pytest
from django.urls import reverse

from league.models import Player, Roster, RosterMember
from tests.support.api_steps import by_token, fields_at_fault, send
from tests.support.team_steps import club, team_arena


@pytest.fixture
def owls(alice: Player, bob: Player) -> Roster:
    """Alice leads it, and Bob is in it."""
    made = Roster.objects.create(arena=team_arena(), name="Owls", captain=alice)
    RosterMember.objects.bulk_create(RosterMember(roster=made, player=one) for one in (alice, bob))
    return made


def change(by: Player, roster: Roster, body: dict[str, object]) -> Any:
    address = reverse("api:roster", args=[roster.arena.slug, roster.pk])
    return by_token(by).patch(address, body, format="json")


def members(roster: Roster) -> list[str]:
    return sorted(player.name for player in roster.members.all())


def test_what_is_left_out_stays(owls: Roster, alice: Player, bob: Player, charlie: Player) -> None:
    changed = change(alice, owls, {"name": "Wood Owls"})
    assert (changed.status_code, changed.json()["name"]) == (200, "Wood Owls")
    assert members(owls) == ["Alice", "Bob"]
    assert change(alice, owls, {"players": [charlie.pk]}).status_code == 200
    assert members(owls) == ["Alice"]  # Charlie has not accepted yet
    assert [one.player.name for one in owls.invitations.open()] == ["Charlie"]
    assert change(alice, owls, {"name": "Owls again"}).status_code == 200
    assert [one.player.name for one in owls.invitations.open()] == ["Charlie"]
    assert change(bob, owls, {"name": "Mine"}).status_code == 403


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"name": ""}, "name"),
        ({"players": [10**9]}, "players.0"),
        ({"players": "all"}, "players"),
        ({"captain": 1}, "captain"),
    ],
)
def test_wrong_changes_are_refused(
    owls: Roster, alice: Player, body: dict[str, object], field: str
) -> None:
    refused = change(alice, owls, body)
    assert (refused.status_code, fields_at_fault(refused)) == (400, {field})
    assert (Roster.objects.get().name, members(owls)) == ("Owls", ["Alice", "Bob"])


def test_members_leave_and_captains_stay(owls: Roster, alice: Player, bob: Player) -> None:
    address = reverse("api:roster-leave", args=[owls.arena.slug, owls.pk])
    assert send(by_token(alice), address, {}).status_code == 400
    assert send(by_token(bob), address, {}).status_code == 200
    assert members(owls) == ["Alice"]
    assert send(by_token(bob), address, {}).status_code == 403


def test_a_roster_of_a_team_is_lined_up_by_the_team() -> None:
    barn = club(team_arena(), "Barn", "BARN")
    refused = change(barn.captain, barn, {"name": "Others"})
    assert (refused.status_code, refused.json()["code"]) == (400, "has_a_team")
