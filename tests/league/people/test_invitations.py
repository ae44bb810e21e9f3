"""Captains can only queue and report players who agreed to it."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest

from league.models import Arena, ArenaQueue, Match, Player, Roster, RosterInvitation
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.people.invitations import (
    PAUSE,
    answer,
    invitations_of,
    invite,
    leave,
    withdraw,
)
from league.services.people.players import save_roster
from league.services.queue.queueing import join
from league.services.results.reports.answers import confirm
from league.services.results.reports.reporting import report
from tests.support.api_steps import by_token, side_of
from tests.support.cast import NOW, roster, side
from tests.support.concurrency import all_at_once

LATER = NOW + timedelta(hours=1)


@pytest.fixture
def roster_invitation(teams: Arena, alice: Player, bob: Player) -> RosterInvitation:
    """Alice asks Bob to join her Owls."""
    save_roster(teams, alice, "Owls", [bob], now=NOW)
    return RosterInvitation.objects.get()


def members(owls: Roster) -> set[str]:
    return set(owls.members.values_list("name", flat=True))


def test_bob_is_in_the_roster_once_he_accepts(
    roster_invitation: RosterInvitation, bob: Player
) -> None:
    assert members(roster_invitation.roster) == {"Alice"}
    assert invitations_of(bob).get() == roster_invitation
    assert answer(roster_invitation.pk, by=bob, accept=True, now=LATER) == roster_invitation.roster
    answer(roster_invitation.pk, by=bob, accept=True, now=LATER)  # accepting again changes nothing
    assert members(roster_invitation.roster) == {"Alice", "Bob"}
    assert not invitations_of(bob).exists()
    with pytest.raises(Conflict, match="already answered this invitation"):
        answer(roster_invitation.pk, by=bob, accept=False, now=LATER)


def test_only_the_invited_player_can_answer(
    roster_invitation: RosterInvitation, eve: Player
) -> None:
    for invitation in (roster_invitation.pk, 0):
        with pytest.raises(Refused, match="has been withdrawn"):
            answer(invitation, by=eve, accept=True, now=LATER)


def test_after_declining_a_player_cannot_be_invited_for_a_day(
    roster_invitation: RosterInvitation, teams: Arena, alice: Player, bob: Player
) -> None:
    owls = roster_invitation.roster
    answer(roster_invitation.pk, by=bob, accept=False, now=LATER)
    with pytest.raises(Refused, match=r"Bob has declined. You can invite them again in 1.day"):
        save_roster(teams, alice, "Barn Owls", [bob], now=LATER, roster=owls)
    owls.refresh_from_db()
    assert owls.name == "Owls"
    save_roster(teams, alice, "Owls", [bob], now=LATER + PAUSE, roster=owls)
    answer(roster_invitation.pk, by=bob, accept=True, now=LATER + PAUSE)
    assert members(owls) == {"Alice", "Bob"}


def test_removed_players_leave_the_roster_and_lose_their_invitation(
    roster_invitation: RosterInvitation, teams: Arena, alice: Player, bob: Player, eve: Player
) -> None:
    owls = roster_invitation.roster
    save_roster(teams, alice, "Owls", [eve], now=LATER, roster=owls)
    with pytest.raises(Refused, match="has been withdrawn"):
        answer(roster_invitation.pk, by=bob, accept=True, now=LATER)
    answer(owls.invitations.get().pk, by=eve, accept=True, now=LATER)
    save_roster(teams, alice, "Owls", [], now=LATER, roster=owls)
    assert members(owls) == {"Alice"}
    invite(owls, [eve], LATER)  # she was removed and did not decline, so she can be invited at once
    assert invitations_of(eve).count() == 1


def test_members_stay_in_the_roster_and_can_leave(
    owls: Roster, teams: Arena, alice: Player, bob: Player, eve: Player
) -> None:
    save_roster(teams, alice, "Owls", [bob, eve], now=NOW, roster=owls)
    assert members(owls) == {"Alice", "Bob"}
    leave(owls, by=bob)
    assert members(owls) == {"Alice"}
    with pytest.raises(Forbidden, match="not in this roster"):
        leave(owls, by=bob)
    with pytest.raises(Refused, match="captain cannot leave"):
        leave(owls, by=alice)


@pytest.mark.django_db(transaction=True)
def test_accepting_and_declining_at_once_leaves_one_answer(
    roster_invitation: RosterInvitation, bob: Player
) -> None:
    calls: list[Callable[[], object]] = [
        partial(answer, roster_invitation.pk, by=bob, accept=accept, now=LATER)
        for accept in (True, False) * 6
    ]
    answers = all_at_once(calls)
    roster_invitation.refresh_from_db()
    assert sum(isinstance(one, Conflict) for one in answers) == 6
    assert members(roster_invitation.roster) == (
        {"Alice", "Bob"} if roster_invitation.accepted else {"Alice"}
    )


def test_a_captain_cannot_queue_players_who_have_not_accepted(
    roster_invitation: RosterInvitation, teams: Arena, alice: Player, bob: Player
) -> None:
    ArenaQueue.objects.create(arena=teams)
    with pytest.raises(Refused, match=r"Not in Owls: Bob\. Invite them first\."):
        join(teams, alice, [bob], now=LATER, roster=roster_invitation.roster)
    answer(roster_invitation.pk, by=bob, accept=True, now=LATER)
    assert (
        join(teams, alice, [bob], now=LATER, roster=roster_invitation.roster).members.count() == 2
    )


def test_two_captains_cannot_change_the_rating_of_a_player_who_never_agreed(
    roster_invitation: RosterInvitation, teams: Arena, foxes: Roster, alice: Player, bob: Player
) -> None:
    charlie, dora = foxes.captain, foxes.members.get(name="Dora")
    sides = [side(charlie, dora, place=0), side(alice, bob, place=1)]
    refused = partial(report, teams, sides, reporter=charlie, played_at=NOW, now=LATER)
    with pytest.raises(Refused, match="In no roster of Alice in Teams: Bob"):
        refused()
    assert not Match.objects.exists()
    answer(roster_invitation.pk, by=bob, accept=True, now=LATER)
    confirm(refused().pk, by=alice, now=LATER)
    assert Match.objects.rated().count() == 1


def test_a_roster_in_another_arena_or_of_another_captain_is_not_consent(
    teams: Arena, duel: Arena, foxes: Roster, alice: Player, bob: Player
) -> None:
    roster(duel, "Larks", alice, bob)
    roster(teams, "Bob's", bob, alice)
    sides = [side(foxes.captain, place=0), side(alice, bob, place=1)]
    with pytest.raises(Refused, match="In no roster of Alice in Teams: Bob"):
        report(teams, sides, reporter=alice, played_at=NOW, now=LATER)


def test_a_program_creates_a_roster_invites_and_answers(
    teams: Arena, foxes: Roster, alice: Player, bob: Player, eve: Player
) -> None:
    rosters = "/api/v1/arenas/teams/rosters/"
    made = by_token(alice).post(rosters, {"name": "Owls", "players": [bob.pk]}, format="json")
    assert made.status_code == 201, made.json()
    owls = made.json()
    assert [member["name"] for member in owls["members"]] == ["Alice"]
    invited = by_token(alice).post(
        f"{rosters}{owls['id']}/invite/", {"player": eve.pk}, format="json"
    )
    assert invited.json() == {"id": eve.pk, "name": "Eve"}
    forbidden = by_token(bob).post(
        f"{rosters}{owls['id']}/invite/", {"player": eve.pk}, format="json"
    )
    assert (forbidden.status_code, forbidden.json()["code"]) == (403, "not_the_captain")

    (mine,) = by_token(bob).get("/api/v1/invitations/").json()["results"]
    assert mine["roster"]["name"] == "Owls"
    where = f"/api/v1/invitations/{mine['id']}/answer/"
    assert by_token(eve).post(where, {"accept": True}, format="json").status_code == 404
    joined = by_token(bob).post(where, {"accept": True}, format="json").json()
    assert {member["name"] for member in joined["members"]} == {"Alice", "Bob"}
    late = by_token(bob).post(where, {"accept": False}, format="json")
    assert (late.status_code, late.json()["code"]) == (409, "answered")
    assert by_token(bob).get("/api/v1/invitations/").json()["results"] == []
    listed = by_token(eve).get(rosters, {"search": "owl"}).json()["results"]
    assert [one["name"] for one in listed] == ["Owls"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "name"),
        ({"name": "Owls", "players": ["1"]}, "players.0"),
        ({"name": "Owls", "players": [999_999]}, "players.0"),
        ({"name": "Foxes"}, "name"),
        ({"name": "Owls", "captain": 1}, "captain"),
    ],
)
def test_an_invalid_roster_is_refused_by_its_field(
    teams: Arena, foxes: Roster, alice: Player, body: dict[str, object], field: str
) -> None:
    answer = by_token(alice).post("/api/v1/arenas/teams/rosters/", body, format="json")
    assert answer.status_code == 400
    assert [error["field"] for error in answer.json()["errors"]] == [field], answer.json()


def test_duels_have_no_rosters_and_refuse_teammates(
    duel: Arena, teams: Arena, foxes: Roster, alice: Player, bob: Player
) -> None:
    made = by_token(alice).post("/api/v1/arenas/duel/rosters/", {"name": "Owls"}, format="json")
    assert (made.status_code, made.json()["code"]) == (400, "no_rosters")
    body = {
        "sides": [side_of(alice, bob, place=1), side_of(foxes.captain, place=0)],
        "played_at": "2026-03-01T12:00:00Z",
    }
    told = by_token(alice).post("/api/v1/arenas/teams/reports/", body, format="json")
    assert (told.status_code, told.json()["code"]) == (400, "not_in_a_roster")


def strangers(count: int) -> list[Player]:
    return [Player.objects.create(name=f"Stranger {number}") for number in range(count)]


def test_a_roster_cannot_invite_two_hundred_strangers(teams: Arena, alice: Player) -> None:
    with pytest.raises(Refused, match="A roster can have 20 open invitations at a time"):
        save_roster(teams, alice, "Owls", strangers(200), now=NOW)
    assert not RosterInvitation.objects.exists()


def test_withdrawn_invitations_count_for_the_day(teams: Arena, alice: Player, owls: Roster) -> None:
    people = strangers(60)
    for start in (0, 20):
        invite(owls, people[start : start + 20], NOW)
        withdraw(owls, [])
    with pytest.raises(Refused, match="50 invitations a day"):
        invite(owls, people[40:51], NOW)
    assert not owls.invitations.open().exists()
    invite(owls, people[40:50], NOW)
    invite(owls, people[50:], NOW + timedelta(days=1))


@pytest.mark.django_db(transaction=True)
def test_invitations_at_the_same_instant_do_not_exceed_the_limit(
    teams: Arena, owls: Roster
) -> None:
    calls: list[Callable[[], object]] = [
        partial(invite, owls, [player], NOW) for player in strangers(30)
    ]
    answers = all_at_once(calls)
    assert sum(isinstance(given, Refused) for given in answers) == 10
    assert owls.invitations.open().count() == 20
