"""Teams are founded, joined, led, left and disbanded."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from league.models import (
    Arena,
    Arrangement,
    Entrant,
    Notice,
    NoticeKind,
    Player,
    Roster,
    Team,
    TeamMember,
    TeamRole,
)
from league.services.core.errors import Conflict, Forbidden, LimitReached, Refused
from league.services.teams import founding, inviting, membership, moderating, rosters
from tests.support.cast import NOW
from tests.support.competition_steps import opened
from tests.support.team_steps import COLOURS, current, joined, team_of

LATER = NOW + timedelta(days=40)


def test_alice_founds_a_team_and_leads_it(alice: Player) -> None:
    team = founding.found("Night Owls", "owl", COLOURS, by=alice, now=NOW)
    assert (team.tag, current(team)) == ("OWL", {"Alice": TeamRole.CAPTAIN})


@pytest.mark.parametrize("name", ["Night Owls", "night  owls", "N1ght 0wls", "Nіght Owls"])
def test_nobody_founds_a_team_that_looks_like_another(
    alice: Player, eve: Player, name: str
) -> None:
    team_of(alice, "Night Owls")
    with pytest.raises(ValidationError) as refused:
        founding.found(name, "EVE", COLOURS, by=eve, now=NOW)
    assert list(refused.value.message_dict) == ["name"]


def test_a_roster_of_others_cannot_be_named_like_a_team(
    alice: Player, eve: Player, teams: Arena
) -> None:
    team_of(alice, "Night Owls")
    with pytest.raises(ValidationError, match="looks like that of the team"):
        Roster(arena=teams, name="N1ght 0wls", captain=eve).full_clean()


def test_two_teams_never_share_a_tag(alice: Player, eve: Player) -> None:
    team_of(alice, "Night Owls", tag="OWL")
    with pytest.raises(ValidationError, match="Another team has this tag"):
        founding.found("Barn Birds", "owl", COLOURS, by=eve, now=NOW)


@pytest.mark.parametrize("tag", ["a", "a b", "<b>", "toolong", "x_y", "ßßßßß"])
def test_a_tag_is_a_few_letters_or_digits(alice: Player, tag: str) -> None:
    with pytest.raises(ValidationError) as refused:
        founding.found("Night Owls", tag, COLOURS, by=alice, now=NOW)
    assert list(refused.value.message_dict) == ["tag"]


def test_a_new_name_keeps_the_old_one_on_record_and_reserved(alice: Player, eve: Player) -> None:
    team = team_of(alice, "Night Owls")
    founding.change(team, "Day Owls", "DAY", COLOURS, by=alice, now=NOW)
    assert [former.name for former in team.former_names.all()] == ["Night Owls"]
    with pytest.raises(Conflict, match="rename the team again in"):
        founding.change(team, "Dawn Owls", "DAY", COLOURS, by=alice, now=NOW)


def test_nobody_leads_any_number_of_teams(alice: Player) -> None:
    for number in range(founding.MOST_LED):
        team_of(alice, f"Team {'ABCDE'[number]}", tag=f"T{number}")
    with pytest.raises(LimitReached):
        founding.found("One more", "ONE", COLOURS, by=alice, now=NOW)


def test_roles_and_their_history(alice: Player, bob: Player) -> None:
    team = joined(team_of(alice), bob)
    one = TeamMember.objects.current().get(team=team, player=bob)
    membership.give_role(team, one.pk, TeamRole.COACH, by=alice, now=LATER)
    spells = TeamMember.objects.filter(team=team, player=bob).order_by("id")
    assert [(row.role, row.left_at) for row in spells] == [
        (TeamRole.PLAYER, LATER),
        (TeamRole.COACH, None),
    ]
    assert Notice.objects.filter(player=bob, kind=NoticeKind.TEAM_CHANGED).exists()
    with pytest.raises(Conflict, match="changed in the meantime"):
        membership.give_role(team, one.pk, TeamRole.VICE, by=alice, now=LATER)


@pytest.mark.parametrize("role", ["captain", "owner", ""])
def test_no_other_roles_are_given(alice: Player, bob: Player, role: str) -> None:
    team = joined(team_of(alice), bob)
    one = TeamMember.objects.current().get(team=team, player=bob)
    with pytest.raises(Refused, match="Choose one of the roles"):
        membership.give_role(team, one.pk, role, by=alice, now=NOW)


def test_the_new_captain_accepts_the_captaincy(alice: Player, bob: Player, eve: Player) -> None:
    team = joined(team_of(alice), bob, eve)
    one = TeamMember.objects.current().get(team=team, player=bob)
    membership.offer_captaincy(team, one.pk, by=alice, now=NOW)
    with pytest.raises(Conflict, match="no longer open"):
        membership.answer_offer(team, by=eve, accept=True, now=NOW)
    membership.answer_offer(team, by=bob, accept=True, now=NOW)
    assert current(team) == {"Alice": "player", "Bob": "captain", "Eve": "player"}
    with pytest.raises(Conflict, match="no longer open"):
        membership.answer_offer(team, by=bob, accept=True, now=NOW)


def test_two_captains_at_once_are_impossible(alice: Player, bob: Player) -> None:
    team = team_of(alice)
    with pytest.raises(IntegrityError), transaction.atomic():
        TeamMember.objects.create(team=team, player=bob, role="captain", joined_at=NOW)


def test_the_captain_leaves_only_after_handing_over(alice: Player, bob: Player) -> None:
    team = team_of(alice)
    with pytest.raises(Refused, match="Disband the team instead"):
        membership.leave(team, by=alice, now=NOW)
    joined(team, bob)
    with pytest.raises(Refused, match="Hand over the captaincy first"):
        membership.leave(team, by=alice, now=NOW)
    membership.leave(team, by=bob, now=NOW)
    assert current(team) == {"Alice": "captain"}


def test_vice_captains_remove_players_but_no_leaders(
    alice: Player, bob: Player, eve: Player
) -> None:
    team = joined(team_of(alice), bob, eve)
    ids = dict(TeamMember.objects.current().filter(team=team).values_list("player__name", "pk"))
    membership.give_role(team, ids["Bob"], TeamRole.VICE, by=alice, now=NOW)
    with pytest.raises(Forbidden):
        membership.remove(team, ids["Alice"], by=bob, now=NOW)
    membership.remove(team, ids["Eve"], by=bob, now=NOW)
    assert current(team) == {"Alice": "captain", "Bob": "vice"}
    assert Notice.objects.filter(player=eve, kind=NoticeKind.TEAM_REMOVED).exists()


def test_a_member_who_leaves_is_in_no_roster_of_the_team(
    alice: Player, bob: Player, eve: Player, teams: Arena
) -> None:
    team = joined(team_of(alice), bob, eve)
    lined = rosters.line_up(team, teams, "Owls A", [bob, eve], bob, by=alice, now=NOW)
    membership.leave(team, by=bob, now=NOW)
    lined.refresh_from_db()
    assert lined.captain == alice
    assert set(lined.members.all()) == {alice, eve}


def test_a_team_with_a_date_is_not_disbanded_and_then_is(
    alice: Player, bob: Player, charlie: Player, dora: Player, teams: Arena, foxes: Roster
) -> None:
    team = joined(team_of(alice), bob)
    lined = rosters.line_up(team, teams, "Owls A", [alice, bob], alice, by=alice, now=NOW)
    date = Arrangement.objects.create(
        arena=teams,
        proposer=alice,
        proposer_roster=lined,
        opponent=charlie,
        opponent_roster=foxes,
        asked=charlie,
        play_at=LATER,
        created_at=NOW,
    )
    with pytest.raises(Conflict, match="It has a proposed or agreed date"):
        founding.disband(team, by=alice, now=NOW)
    Arrangement.objects.filter(pk=date.pk).update(state=Arrangement.State.LAPSED, answered_at=NOW)
    founding.disband(team, by=alice, now=NOW)
    assert (current(team), lined.members.count()) == ({}, 0)
    with pytest.raises(Conflict, match="was disbanded"):
        founding.disband(team, by=alice, now=NOW)
    assert Team.objects.get(pk=team.pk).disbanded_at == NOW


def test_only_the_captain_disbands(alice: Player, bob: Player, eve: Player) -> None:
    team = joined(team_of(alice), bob)
    for other in (bob, eve):
        with pytest.raises(Forbidden):
            founding.disband(team, by=other, now=NOW)


def test_a_team_has_only_so_many_members(alice: Player, bob: Player) -> None:
    team = team_of(alice)
    crowd = Player.objects.bulk_create(
        Player(name=f"P{n}", folded_name=f"p{n}", search_name="", skeleton=f"{n}")
        for n in range(inviting.MOST_MEMBERS)
    )
    TeamMember.objects.bulk_create(
        TeamMember(team=team, player=player, joined_at=NOW) for player in crowd
    )
    with pytest.raises(LimitReached, match="at most 100 members"):
        inviting.invite(team, bob, by=alice, now=NOW)


def test_an_offer_of_the_captaincy_ends_with_the_captain_who_made_it(
    alice: Player, bob: Player, eve: Player
) -> None:
    team = joined(team_of(alice), bob, eve)
    ids = dict(TeamMember.objects.current().filter(team=team).values_list("player__name", "pk"))
    membership.offer_captaincy(team, ids["Eve"], by=alice, now=NOW)
    moderating.make_captain(team, TeamMember.objects.get(pk=ids["Bob"]), NOW)
    with pytest.raises(Conflict, match="no longer open"):
        membership.answer_offer(team, by=eve, accept=True, now=NOW)
    assert current(team)["Bob"] == "captain"


def test_nobody_plays_with_a_roster_of_a_disbanded_team(
    alice: Player, bob: Player, teams: Arena
) -> None:
    team = joined(team_of(alice), bob)
    lined = rosters.line_up(team, teams, "Owls A", [alice, bob], alice, by=alice, now=NOW)
    own = Roster.objects.create(arena=teams, name="Own", captain=alice)
    assert set(Roster.objects.led_by(alice)) == {lined, own}
    founding.disband(team, by=alice, now=NOW)
    assert set(Roster.objects.led_by(alice)) == {own}


def test_a_team_in_a_competition_is_not_disbanded(
    alice: Player, bob: Player, olga: Player, teams: Arena
) -> None:
    team = joined(team_of(alice), bob)
    lined = rosters.line_up(team, teams, "Owls A", [alice, bob], alice, by=alice, now=NOW)
    cup = opened(teams, olga)
    entry = Entrant.objects.create(
        competition=cup, player=alice, roster=lined, name="Owls A", entered_at=NOW
    )
    with pytest.raises(Conflict, match="It has entered a competition"):
        founding.disband(team, by=alice, now=NOW)
    entry.state, entry.withdrawn_at = Entrant.State.WITHDRAWN, NOW
    entry.save()
    assert founding.disband(team, by=alice, now=NOW).disbanded_at == NOW
