"""Captains invite players by name and by link."""

from datetime import timedelta

import pytest

from league.models import Notice, NoticeKind, Player, TeamInvitation
from league.services.core.errors import Conflict, Forbidden, LimitReached, Refused
from league.services.teams import founding, inviting, membership
from league.services.teams.access import membership as place_of
from tests.support.cast import NOW, account
from tests.support.team_steps import current, joined, team_of

EXPIRED = NOW + inviting.VALID_FOR


def test_bob_is_told_and_joins(alice: Player, bob: Player) -> None:
    team = team_of(alice)
    invitation = inviting.invite(team, bob, by=alice, now=NOW)
    assert Notice.objects.filter(player=bob, kind=NoticeKind.TEAM_INVITED).count() == 1
    assert inviting.invite(team, bob, by=alice, now=NOW) == invitation
    inviting.answer(invitation.pk, by=bob, accepts=True, now=NOW)
    assert current(team) == {"Alice": "captain", "Bob": "player"}
    with pytest.raises(Conflict, match="used or withdrawn"):
        inviting.answer(invitation.pk, by=bob, accepts=True, now=NOW)


def test_who_declines_has_a_day_of_rest(alice: Player, bob: Player) -> None:
    team = team_of(alice)
    invitation = inviting.invite(team, bob, by=alice, now=NOW)
    inviting.answer(invitation.pk, by=bob, accepts=False, now=NOW)
    with pytest.raises(Refused, match="Invite them again tomorrow"):
        inviting.invite(team, bob, by=alice, now=NOW)
    assert inviting.invite(team, bob, by=alice, now=NOW + timedelta(days=2)).closed_at is None


def test_nobody_answers_for_others(alice: Player, bob: Player, eve: Player) -> None:
    invitation = inviting.invite(team_of(alice), bob, by=alice, now=NOW)
    with pytest.raises(Refused, match="withdrawn"):
        inviting.answer(invitation.pk, by=eve, accepts=True, now=NOW)


def test_an_invitation_expires(alice: Player, bob: Player) -> None:
    team = team_of(alice)
    invitation = inviting.invite(team, bob, by=alice, now=NOW)
    with pytest.raises(Conflict, match="has expired"):
        inviting.answer(invitation.pk, by=bob, accepts=True, now=EXPIRED)
    assert inviting.invite(team, bob, by=alice, now=EXPIRED) != invitation


def test_only_leaders_invite(alice: Player, bob: Player, eve: Player) -> None:
    team = joined(team_of(alice), bob)
    for player in (bob, eve):
        with pytest.raises(Forbidden):
            inviting.invite(team, eve, by=player, now=NOW)
        with pytest.raises(Forbidden):
            inviting.make_link(team, 1, by=player, now=NOW)


def test_a_link_lets_in_as_many_as_it_has_places(alice: Player, bob: Player, eve: Player) -> None:
    team = team_of(alice)
    link = inviting.make_link(team, 2, by=alice, now=NOW)
    token = inviting.token_of(link)
    for _again in range(2):  # opening it twice takes one place
        inviting.join(token, by=bob, now=NOW)
    inviting.join(token, by=eve, now=NOW)
    assert set(current(team)) == {"Alice", "Bob", "Eve"}
    with pytest.raises(Conflict, match="used or withdrawn"):
        inviting.join(token, by=account("Zoe"), now=NOW)


def test_links_expire_and_are_withdrawn(alice: Player, bob: Player) -> None:
    team = team_of(alice)
    link = inviting.make_link(team, 1, by=alice, now=NOW)
    token = inviting.token_of(link)
    with pytest.raises(Conflict, match="expired"):
        inviting.join(token, by=bob, now=EXPIRED)
    inviting.withdraw(team, link.pk, by=alice, now=NOW)
    with pytest.raises(Conflict, match="used or withdrawn"):
        inviting.join(token, by=bob, now=NOW)


def test_links_of_a_disbanded_team_are_closed(alice: Player, bob: Player) -> None:
    team = team_of(alice)
    token = inviting.token_of(inviting.make_link(team, 1, by=alice, now=NOW))
    founding.disband(team, by=alice, now=NOW)
    with pytest.raises(Conflict):
        inviting.join(token, by=bob, now=NOW)


@pytest.mark.parametrize("token", ["", "1", "Mg:1vEr:xx", "a" * 300, "..", "\x00"])
def test_forged_links_say_so(db: None, token: str) -> None:
    with pytest.raises(Refused, match="incomplete"):
        inviting.read_token(token, NOW)


def test_a_link_is_no_way_to_an_invitation_by_name(alice: Player, bob: Player, eve: Player) -> None:
    invitation = inviting.invite(team_of(alice), bob, by=alice, now=NOW)
    with pytest.raises(Refused, match="incomplete"):
        inviting.join(inviting.token_of(invitation), by=eve, now=NOW)


def test_invitations_of_other_teams_are_not_withdrawn(alice: Player, eve: Player) -> None:
    link = inviting.make_link(team_of(alice), 1, by=alice, now=NOW)
    other = team_of(eve, "Evening Stars", "EVE")
    with pytest.raises(Refused, match="no such invitation"):
        inviting.withdraw(other, link.pk, by=eve, now=NOW)


@pytest.mark.parametrize("places", [0, -1, 21, 10**9])
def test_a_link_has_a_few_places(alice: Player, places: int) -> None:
    with pytest.raises(Refused, match="1 to 20 players"):
        inviting.make_link(team_of(alice), places, by=alice, now=NOW)


def test_invitations_of_a_day_are_limited(alice: Player) -> None:
    team = team_of(alice)
    for _time in range(2):
        inviting.make_link(team, 20, by=alice, now=NOW)
    with pytest.raises(Refused, match="50 invitations a day"):
        inviting.make_link(team, 20, by=alice, now=NOW)
    TeamInvitation.objects.bulk_create(
        TeamInvitation(team=team, invited_by=alice, invited_at=NOW, expires_at=EXPIRED)
        for _number in range(inviting.MOST_OPEN)
    )
    with pytest.raises(LimitReached, match="30 open invitations"):
        inviting.make_link(team, 1, by=alice, now=NOW)


def test_who_left_can_join_again(alice: Player, bob: Player) -> None:
    team = joined(team_of(alice), bob)
    membership.leave(team, by=bob, now=NOW)
    token = inviting.token_of(inviting.make_link(team, 1, by=alice, now=NOW))
    inviting.join(token, by=bob, now=NOW)
    assert place_of(team, bob) is not None
    assert team.members.filter(player=bob).count() == 2


def test_who_was_removed_does_not_return_with_an_older_link(
    alice: Player, bob: Player, eve: Player
) -> None:
    team = team_of(alice)
    token = inviting.token_of(inviting.make_link(team, 20, by=alice, now=NOW))
    inviting.join(token, by=bob, now=NOW)
    later = NOW + timedelta(hours=1)
    member = team.members.get(player=bob)
    membership.remove(team, member.pk, by=alice, now=later)
    with pytest.raises(Conflict, match="since this link was made"):
        inviting.join(token, by=bob, now=later)
    inviting.join(token, by=eve, now=later)
    assert set(current(team)) == {"Alice", "Eve"}
