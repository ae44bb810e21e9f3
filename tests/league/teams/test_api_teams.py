"""Programs found and lead teams, and answer for their players."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from league.models import Arena, Player, Roster, RosterMember, Scope, Team, TeamInvitation
from league.services.teams.rating import refresh_all
from tests.support.api_steps import by_token, fields_at_fault, send
from tests.support.cast import NOW, account
from tests.support.team_steps import club, current, joined, meet, team_arena, team_of

OWLS = {"name": "Night Owls", "tag": "owl", "colour": "#112233", "second_colour": "#445566"}


def at(route: str, **where: object) -> str:
    return reverse(f"api:{route}", kwargs=where)


def change(client: APIClient, method: str, address: str, body: object = None) -> Any:
    return getattr(client, method)(address, body, format="json")


def test_a_program_founds_a_team_and_fills_it(alice: Player, bob: Player, charlie: Player) -> None:
    lead = by_token(alice)
    made = send(lead, at("teams"), OWLS)
    assert made.status_code == 201, made.content
    team = Team.objects.get(pk=made.json()["id"])
    assert (team.name, team.tag, team.colour) == ("Night Owls", "OWL", "#112233")
    assert current(team) == {"Alice": "captain"}

    invitations = at("team-invitations", pk=team.pk)
    asked = send(lead, invitations, {"player": bob.pk})
    assert (asked.status_code, asked.json()["token"]) == (201, None)
    assert send(lead, invitations, {"player": bob.pk}).json()["id"] == asked.json()["id"]
    link = send(lead, invitations, {"places": 3}).json()
    assert len(lead.get(invitations).json()["results"]) == 2

    [mine] = by_token(bob).get(at("my-team-invitations")).json()["results"]
    assert (mine["team"]["name"], "token" in mine) == ("Night Owls", False)
    answer = at("team-invitation-answer", pk=mine["id"])
    assert send(by_token(charlie), answer, {"accept": True}).status_code == 404
    assert send(by_token(bob), answer, {"accept": True}).status_code == 200
    assert send(by_token(charlie), at("team-join"), {"token": link["token"]}).status_code == 200
    assert current(team) == {"Alice": "captain", "Bob": "player", "Charlie": "player"}
    listed = Client().get(at("teams"), {"player": bob.pk}).json()["results"]
    assert [one["id"] for one in listed] == [team.pk]


def test_a_team_changes_only_in_what_is_sent(alice: Player, bob: Player) -> None:
    team = joined(team_of(alice), bob)
    changed = change(by_token(alice), "patch", at("team", pk=team.pk), {"tag": "NIGHT"})
    assert changed.status_code == 200, changed.content
    assert (changed.json()["name"], changed.json()["tag"]) == ("Night Owls", "NIGHT")
    assert change(by_token(bob), "patch", at("team", pk=team.pk), {}).status_code == 403
    team_of(bob, "Day Larks", "LARK")
    taken = change(by_token(alice), "patch", at("team", pk=team.pk), {"tag": "lark"})
    assert (taken.status_code, fields_at_fault(taken)) == (400, {"tag"})


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, {"name", "tag"}),
        ({"name": "Night Owls", "tag": "O"}, {"tag"}),
        ({"name": "Night Owls", "tag": "OWL", "colour": "red"}, {"colour"}),
        ({"name": "Night Owls", "tag": "OWL", "captain": 1}, {"captain"}),
        ({"name": 7, "tag": "OWL"}, {"name"}),
        ({"name": "Night\x00Owls", "tag": "OWL"}, {"name"}),
    ],
)
def test_a_team_without_a_good_name_tag_or_colour_is_refused(
    alice: Player, body: dict[str, Any], fields: set[str]
) -> None:
    refused = send(by_token(alice), at("teams"), body)
    assert (refused.status_code, fields_at_fault(refused)) == (400, fields)
    assert not Team.objects.exists()


@pytest.mark.parametrize("body", [{}, {"player": 1, "places": 1}, {"places": 0}, {"places": 21}])
def test_an_invitation_is_for_a_player_or_for_some_places(alice: Player, body: object) -> None:
    team = team_of(alice)
    refused = send(by_token(alice), at("team-invitations", pk=team.pk), body)
    assert refused.status_code == 400
    fields_at_fault(refused)
    assert not TeamInvitation.objects.exists()


def test_roles_and_the_captaincy_pass_by_programs(alice: Player, bob: Player, eve: Player) -> None:
    team = joined(team_of(alice), bob)
    lead = by_token(alice)
    place = at("team-member", pk=team.pk, player=bob.pk)
    assert change(lead, "patch", place, {"role": "vice"}).status_code == 200
    assert current(team)["Bob"] == "vice"
    assert change(lead, "patch", place, {"role": "captain"}).status_code == 400
    stranger = at("team-member", pk=team.pk, player=eve.pk)
    assert change(lead, "delete", stranger).status_code == 404

    offer, reply = at("team-captaincy", pk=team.pk), at("team-captaincy-answer", pk=team.pk)
    assert send(lead, offer, {"player": bob.pk}).status_code == 200
    assert lead.delete(offer).status_code == 204
    assert send(by_token(bob), reply, {"accept": True}).status_code == 409
    send(lead, offer, {"player": bob.pk})
    assert send(by_token(eve), reply, {"accept": True}).status_code == 409
    assert send(by_token(bob), reply, {"accept": True}).status_code == 200
    assert current(team) == {"Alice": "player", "Bob": "captain"}

    assert change(by_token(alice), "delete", place).status_code == 403
    removed = at("team-member", pk=team.pk, player=alice.pk)
    assert change(by_token(bob), "delete", removed).status_code == 204
    assert current(team) == {"Bob": "captain"}


def test_leaving_and_disbanding(alice: Player, bob: Player) -> None:
    team = joined(team_of(alice), bob)
    leave, disband = at("team-leave", pk=team.pk), at("team-disband", pk=team.pk)
    refused = send(by_token(alice), leave, {})
    assert (refused.status_code, refused.json()["code"]) == (400, "captain")
    assert send(by_token(bob), leave, {}).status_code == 200
    wrong = send(by_token(alice), disband, {"tag": "OWLS"})
    assert (wrong.status_code, fields_at_fault(wrong)) == (400, {"tag"})
    assert send(by_token(bob), disband, {"tag": "OWL"}).status_code == 403
    ended = send(by_token(alice), disband, {"tag": "owl"})
    assert (ended.status_code, ended.json()["members"]) == (200, [])
    assert send(by_token(alice), disband, {"tag": "owl"}).status_code == 409
    assert Client().get(at("teams")).json()["results"] == []


def test_rosters_are_lined_up_and_adopted(alice: Player, bob: Player, eve: Player) -> None:
    where, team = team_arena(), joined(team_of(alice), bob)
    lead, rosters = by_token(alice), at("team-rosters", pk=team.pk)
    body = {"arena": "clubs", "name": "Owls", "members": [alice.pk, bob.pk], "captain": alice.pk}
    made = send(lead, rosters, body)
    assert made.status_code == 201, made.content
    roster = Roster.objects.get(pk=made.json()["id"])
    assert (roster.team, roster.arena) == (team, where)
    for wrong, field in (
        ({"members": [alice.pk, eve.pk]}, "members"),
        ({"captain": eve.pk}, "captain"),
        ({"arena": "nowhere"}, "arena"),
        ({"members": [10**9]}, "members.0"),
    ):
        refused = send(lead, rosters, body | {"name": "Others"} | wrong)
        assert (refused.status_code, fields_at_fault(refused)) == (400, {field})
    one = at("team-roster", pk=team.pk, roster=roster.pk)
    alone = {"name": "Owl", "members": [bob.pk], "captain": bob.pk}
    assert change(lead, "put", one, alone).status_code == 200
    assert [player.name for player in roster.members.all()] == ["Bob"]
    elsewhere = team_of(eve, "Day Larks", "LARK")
    not_mine = at("team-roster", pk=elsewhere.pk, roster=roster.pk)
    assert change(by_token(eve), "put", not_mine, alone).status_code == 404

    strays = Roster.objects.create(arena=where, name="Strays", captain=alice)
    RosterMember.objects.create(roster=strays, player=alice)
    adopt = at("team-adopt", pk=team.pk)
    assert send(lead, adopt, {"roster": strays.pk}).status_code == 200
    strays.refresh_from_db()
    assert strays.team == team
    assert send(lead, adopt, {"roster": 10**9}).status_code == 400


def test_the_board_lists_teams_with_their_ratings(duel: Arena) -> None:
    where = team_arena(rate=True)
    meet(club(where, "Owls", "OWL"), club(where, "Larks", "LARK"))
    refresh_all(NOW)
    rows = Client().get(at("team-board", slug="clubs")).json()
    assert [row["team"]["name"] for row in rows] == ["Owls", "Larks"]
    assert rows[0]["rating"]["wins"] == 1
    missing = Client().get(at("team-board", slug="duel"))
    assert (missing.status_code, missing.json()["detail"]) == (404, "Teams are not rated here.")


def test_a_token_without_the_scope_or_of_nobody_changes_no_team(alice: Player) -> None:
    team = team_of(alice)
    weak = by_token(alice, Scope.REPORT)
    refused = send(weak, at("team-invitations", pk=team.pk), {"places": 1})
    assert (refused.status_code, refused.json()["code"]) == (403, "insufficient_scope")
    assert send(by_token(account("Grace")), at("teams"), OWLS).status_code == 400  # name is taken
    assert Team.objects.count() == 1
