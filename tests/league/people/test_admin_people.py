"""Players, accounts and rosters in the admin."""

from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from league.models import Arena, Player, Roster, User
from tests.support.admin_steps import browser_of, errors_of, form_on, send, staff
from tests.support.cast import beats
from tests.support.team_steps import joined, team_of

__all__ = ["staff"]

PLAYERS = "/admin/league/player/"
ROSTERS = "/admin/league/roster/"
USERS = "/admin/league/user/"


def page_of(row: Player | Roster | User) -> str:
    return reverse(f"admin:league_{row._meta.model_name}_change", args=[row.pk])


def names(response: Any) -> list[str]:
    return [str(row) for row in response.context["cl"].result_list]


def test_a_name_too_similar_to_another_is_refused_at_its_field(
    staff: Client, alice: Player
) -> None:
    errors = errors_of(send(staff, f"{PLAYERS}add/", {"name": "ＡＬＩＣＥ"}))
    assert "taken" in errors["name"][0]
    errors = errors_of(send(staff, f"{PLAYERS}add/", {"name": "Bo\u202eb"}))
    assert "invisible" in errors["name"][0]
    assert Player.objects.filter(folded_name="alice").count() == 1


def test_an_account_is_linked_to_one_player_only(staff: Client, alice: Player, bob: Player) -> None:
    grace = User.objects.create_user("grace")
    assert errors_of(send(staff, page_of(bob), {"user": grace.pk})) == {}
    bob.refresh_from_db()
    assert bob.user == grace
    assert list(errors_of(send(staff, page_of(alice), {"user": grace.pk}))) == ["user"]


def test_a_player_with_matches_is_not_deleted_and_the_page_says_why(
    staff: Client, duel: Arena, alice: Player, charlie: Player
) -> None:
    beats(alice, charlie, duel)
    url = reverse("admin:league_player_delete", args=[alice.pk])
    page = staff.get(url).content.decode()
    assert "cannot be deleted" in page
    assert "1 participant" in page
    assert "1 match (reported by)" in page
    staff.post(url, {"post": "yes", "_reason": "No."})
    assert Player.objects.filter(pk=alice.pk).exists()


def test_a_player_without_a_past_can_be_deleted_and_the_account_stays(
    staff: Client, eve: Player
) -> None:
    staff.post(
        reverse("admin:league_player_delete", args=[eve.pk]), {"post": "yes", "_reason": "No."}
    )
    assert not Player.objects.filter(name="Eve").exists()
    assert User.objects.filter(username="eve").exists()


# Rosters


def roster_form(arena: Arena, captain: Player, *members: Player) -> dict[str, Any]:
    return {
        "arena": arena.pk,
        "name": "Larks",
        "captain": captain.pk,
        "memberships-TOTAL_FORMS": len(members),
        **{f"memberships-{row}-player": member.pk for row, member in enumerate(members)},
    }


def members(roster: Roster) -> set[str]:
    return {player.name for player in roster.members.all()}


def test_the_captain_is_always_a_member(
    staff: Client, teams: Arena, alice: Player, bob: Player
) -> None:
    assert errors_of(send(staff, f"{ROSTERS}add/", roster_form(teams, alice, bob))) == {}
    larks = Roster.objects.get(name="Larks")
    assert members(larks) == {"Alice", "Bob"}
    rows = [row.pk for row in larks.memberships.order_by("pk")]
    everyone_out = {f"memberships-{index}-DELETE": "on" for index in range(len(rows))}
    send(staff, page_of(larks), everyone_out)
    assert members(larks) == {"Alice"}


def test_a_new_captain_joins_the_roster(staff: Client, owls: Roster, charlie: Player) -> None:
    assert errors_of(send(staff, page_of(owls), {"captain": charlie.pk})) == {}
    assert members(owls) == {"Alice", "Bob", "Charlie"}


def test_a_taken_roster_name_is_refused_at_its_field(
    staff: Client, owls: Roster, foxes: Roster, duel: Arena
) -> None:
    errors = errors_of(send(staff, page_of(foxes), {"name": "ｏｗｌｓ"}))
    assert errors == {"name": ["This arena already has a roster with this name."]}
    elsewhere = {"name": "Owls", "arena": duel.pk}
    assert errors_of(send(staff, page_of(foxes), elsewhere)) == {}


def test_a_roster_too_small_for_a_side_is_refused(
    staff: Client, teams: Arena, alice: Player
) -> None:
    Arena.objects.filter(pk=teams.pk).update(team_size_min=2)
    response = send(staff, f"{ROSTERS}add/", roster_form(teams, alice, alice))
    assert "at least 2 players. This roster has 1" in response.content.decode()
    assert not Roster.objects.exists()


def test_only_members_of_a_team_are_put_into_its_roster(
    staff: Client, teams: Arena, owls: Roster, eve: Player
) -> None:
    owls.team = joined(team_of(owls.captain), *owls.members.exclude(pk=owls.captain_id))
    owls.save()
    form = roster_form(teams, owls.captain, *owls.members.all(), eve) | {"name": owls.name}
    response = send(staff, f"{ROSTERS}{owls.pk}/change/", form)
    assert "Not in Night Owls: Eve" in response.content.decode()
    assert "Eve" not in members(owls)


@pytest.mark.parametrize("text", ["owl", "ALICE", "bo"])
def test_a_roster_is_found_by_its_name_its_captain_or_a_member(
    staff: Client, owls: Roster, foxes: Roster, text: str
) -> None:
    assert names(staff.get(ROSTERS, {"q": text})) == ["Owls"]


# Accounts


@pytest.fixture
def frank(db: None) -> User:
    """A member of staff who manages accounts but is not a superuser."""
    user = User.objects.create_user("frank", is_staff=True)
    codenames = ["view_user", "change_user", "delete_user"]
    user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    return user


def test_staff_cannot_give_themselves_permissions(frank: User) -> None:
    client = browser_of(frank)
    assert "is_superuser" not in form_on(client, page_of(frank))
    powers = {"is_superuser": "on", "user_permissions": "1", "first_name": "Frank"}
    send(client, page_of(frank), powers)
    frank.refresh_from_db()
    assert frank.first_name == "Frank"
    assert not frank.is_superuser
    assert frank.user_permissions.count() == 3


def test_staff_cannot_touch_a_superuser_s_account(frank: User, olga: Player) -> None:
    client = browser_of(frank)
    assert olga.user is not None
    assert client.post(page_of(olga.user), {"username": "mine"}).status_code == 403
    password = reverse("admin:auth_user_password_change", args=[olga.user.pk])
    assert client.post(password, {"password1": "x", "password2": "x"}).status_code == 403
    delete = reverse("admin:league_user_delete", args=[olga.user.pk])
    assert client.post(delete, {"post": "yes"}).status_code == 403
    chosen = {"action": "delete_selected", "_selected_action": [olga.user.pk], "post": "yes"}
    client.post(USERS, chosen)
    olga.user.refresh_from_db()
    assert olga.user.username == "olga"
