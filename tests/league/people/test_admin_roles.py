"""Roles on the page of an account, and the ways around them that are closed."""

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group, Permission
from django.test import Client
from django.urls import reverse

from league.models import AccessToken, Arena, Player, StaffAction, User
from league.models.reach import ARENA_ORGANISER
from league.services.people import roles
from league.services.people.role_table import OWNER
from tests.support.admin_steps import browser_of, form_on, staff
from tests.support.api_steps import a_token
from tests.support.result_steps import user_of

__all__ = ["staff"]


def in_role(player: Player, *keys: str, arenas: list[Arena] | None = None) -> Client:
    """A client of a player with these roles."""
    roles.give(user_of(player), keys, arenas or [])
    return browser_of(User.objects.get(player=player))


def page_of(player: Player) -> str:
    return reverse("admin:league_user_change", args=[user_of(player).pk])


def roles_of(player: Player) -> list[str]:
    return roles.roles_of(User.objects.get(player=player))


def save(client: Client, player: Player, **changes: object) -> Any:
    shown = form_on(client, page_of(player))
    shown.pop("user_permissions", None)  # the reader takes the first of a list
    return client.post(page_of(player), {**shown, **changes})


def test_olga_gives_roles_by_name_with_an_explanation_and_it_is_recorded(
    staff: Client, alice: Player, duel: Arena
) -> None:
    page = staff.get(page_of(alice)).content.decode()
    assert "Referee: Decides disputes, enters and corrects results in all arenas." in page
    save(
        staff,
        alice,
        roles=["referee", ARENA_ORGANISER],
        arenas=[duel.pk],
        first_name="Alice",
        _reason="Runs the duels.",
    )
    assert roles_of(alice) == [ARENA_ORGANISER, "referee"]
    role, changed = StaffAction.objects.order_by("pk")
    assert role.after == {"Roles": "Arena organiser, Referee", "Arenas": "Duel"}
    assert (changed.before, changed.after) == ({"First name": "–"}, {"First name": "Alice"})
    assert {role.reason, changed.reason} == {"Runs the duels."}
    assert changed.player_names() == ["Alice"]


def test_single_permissions_and_groups_stay_beside_the_roles(staff: Client, alice: Player) -> None:
    helpers = Group.objects.create(name="Helpers")
    save(staff, alice, roles=["referee"])
    save(staff, alice, roles=["referee"], groups=[helpers.pk])
    assert roles_of(alice) == ["referee"]
    assert user_of(alice).groups.filter(name="Helpers").exists()
    save(staff, alice, roles=["editor"], groups=[helpers.pk])
    assert roles_of(alice) == ["editor"]
    assert user_of(alice).groups.filter(name="Helpers").exists()


def test_a_permission_that_is_not_listed_stays(staff: Client, alice: Player) -> None:
    unlisted = Permission.objects.get(codename="view_standinghistogram")
    user_of(alice).user_permissions.add(unlisted)
    page = staff.get(page_of(alice)).content.decode()
    assert f'<input type="hidden" name="user_permissions" value="{unlisted.pk}">' in page
    save(staff, alice, user_permissions=[unlisted.pk])
    assert user_of(alice).user_permissions.get() == unlisted


def test_an_organiser_is_offered_only_roles_that_may_do_no_more(
    duel: Arena, alice: Player, bob: Player
) -> None:
    client = in_role(alice, "organiser")
    page = client.get(page_of(bob)).content.decode()
    assert 'value="referee"' in page
    assert 'value="owner"' not in page
    answer = save(client, bob, roles=[OWNER])
    assert "is not one of the available choices" in answer.content.decode()
    assert roles_of(bob) == []


@pytest.mark.parametrize("fields", [{"is_superuser": "on"}, {"user_permissions": "1"}])
def test_an_organiser_gives_no_single_permission(
    alice: Player, bob: Player, fields: dict[str, str]
) -> None:
    save(in_role(alice, "organiser"), bob, **fields)
    account = user_of(bob)
    assert not account.is_superuser
    assert not account.user_permissions.exists()


def test_a_moderator_changes_people_but_neither_roles_nor_accounts_that_may_do_more(
    alice: Player, bob: Player, charlie: Player, olga: Player
) -> None:
    client = in_role(alice, "moderator")
    save(client, bob, roles=["moderator"], first_name="Bob")
    assert User.objects.get(player=bob).first_name == "Bob"
    assert roles_of(bob) == []
    in_role(charlie, "organiser")
    for above in (charlie, olga):
        assert client.post(page_of(above), {"username": "mine"}).status_code == 403
        password = reverse("admin:auth_user_password_change", args=[user_of(above).pk])
        assert client.get(password).status_code == 403


def test_the_last_owner_is_neither_locked_nor_deleted(staff: Client, olga: Player) -> None:
    answer = staff.post(page_of(olga), form_on(staff, page_of(olga)) | {"is_active": ""})
    assert "The league needs an owner." in answer.content.decode()
    answer = staff.post(
        reverse("admin:league_user_changelist"),
        {
            "action": "delete_selected",
            "_selected_action": [user_of(olga).pk],
            "post": "yes",
            "_reason": "No.",
        },
    )
    assert User.objects.filter(player=olga, is_active=True).exists()


def test_a_group_takes_and_gets_only_permissions_of_who_changes_it(alice: Player) -> None:
    client = in_role(alice, "referee")
    account = user_of(alice)
    account.user_permissions.set(Permission.objects.filter(codename="change_group"))
    referees = Group.objects.get(name="Referee")
    address = reverse("admin:auth_group_change", args=[referees.pk])
    every = list(Permission.objects.values_list("pk", flat=True))
    answer = client.post(address, {"name": "Referee", "permissions": every})
    assert "You cannot give or take a permission that you lack." in answer.content.decode()
    assert referees.permissions.count() < len(every)


def test_nobody_takes_a_token_or_an_address_from_an_account_that_may_do_more(
    alice: Player, olga: Player
) -> None:
    client = in_role(alice, "referee")
    wanted = Permission.objects.filter(
        codename__in=["delete_accesstoken", "view_accesstoken", "change_emailaddress"]
    )
    user_of(alice).user_permissions.set(wanted)
    token, _text = a_token(user_of(olga))
    address = reverse("admin:league_accesstoken_delete", args=[token.pk])
    answer = client.post(address, {"post": "yes", "_reason": "No."})
    assert answer.status_code == 403
    assert AccessToken.objects.filter(pk=token.pk).exists()
    mail = EmailAddress.objects.create(user=user_of(olga), email="olga@example.org")
    address = reverse("admin:account_emailaddress_change", args=[mail.pk])
    assert client.post(address, {"email": "alice@example.org"}).status_code == 403


def test_a_role_s_group_is_not_deleted(staff: Client) -> None:
    referees = Group.objects.get(name="Referee")
    staff.post(
        reverse("admin:auth_group_delete", args=[referees.pk]), {"post": "yes", "_reason": "No."}
    )
    assert Group.objects.filter(name="Referee").exists()
