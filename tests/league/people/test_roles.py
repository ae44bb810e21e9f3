"""Roles: what each may do, who gives them, and what upgrades add."""

import pytest
from django.contrib.auth.models import Group, Permission

from league.models import Arena, Player, Role, StaffAction, User
from league.models.reach import ARENA_ORGANISER
from league.services.core.errors import Forbidden, Refused
from league.services.people import roles
from league.services.people.role_table import BY_KEY, OWNER, ROLES
from tests.support.cast import NOW
from tests.support.result_steps import user_of


def fresh(player: Player) -> User:
    """The account as a new request loads it."""
    return User.objects.get(player=player)


def given(player: Player, *keys: str, arenas: list[Arena] | None = None) -> User:
    """Give a player's account roles, as an owner would."""
    account = user_of(player)
    roles.give(account, keys, arenas or [])
    return fresh(player)


def test_migrating_creates_the_roles_with_their_permissions() -> None:
    assert list(Role.objects.order_by("pk").values_list("key", flat=True)) == list(BY_KEY)
    held = roles.permissions_of(list(BY_KEY))
    for role in ROLES:
        if role.permissions is not None:
            assert held[role.key] == role.permissions
    assert len(held[OWNER]) == Permission.objects.count()


def test_an_upgrade_adds_new_permissions_and_keeps_what_an_admin_took_and_added() -> None:
    referees = Role.objects.get(key="referee")
    view, new = (Permission.objects.get(codename=name) for name in ("view_flag", "decide_match"))
    own = Permission.objects.get(codename="view_backup")
    referees.group.permissions.remove(view, new)
    referees.group.permissions.add(own)
    referees.given.remove("league.decide_match")  # as if this release were the first to have it
    referees.save()
    roles.keep()
    held = set(referees.group.permissions.values_list("codename", flat=True))
    assert {"decide_match", "view_backup"} <= held
    assert "view_flag" not in held


def test_superusers_of_earlier_releases_become_owners(olga: Player) -> None:
    roles.keep()
    assert fresh(olga).groups.get().role.key == OWNER


def test_an_organiser_of_named_arenas_may_do_there_what_organisers_may(
    duel: Arena, teams: Arena, alice: Player, django_assert_num_queries: object
) -> None:
    account = given(alice, ARENA_ORGANISER, arenas=[duel])
    assert account.is_staff
    assert account.has_perm("league.change_arena", duel)
    assert not account.has_perm("league.change_arena", teams)
    assert not account.has_perm("league.change_arena")
    assert account.arenas_with("league.void_match") == frozenset({duel.pk})
    assert account.has_perm("league.view_player")
    account = fresh(alice)
    with django_assert_num_queries(1):  # type: ignore[operator] # a context manager
        assert account.named_arenas == account.named_arenas == frozenset({duel.pk})


def test_another_role_counts_everywhere_beside_that_of_an_arena_organiser(
    duel: Arena, teams: Arena, alice: Player
) -> None:
    account = given(alice, ARENA_ORGANISER, "referee", arenas=[duel])
    assert account.has_perm("league.decide_match", teams)
    assert account.has_perm("league.void_match", duel)
    assert not account.has_perm("league.void_match", teams)


def test_nothing_is_recorded_if_nothing_changes(olga: Player, alice: Player) -> None:
    account = given(alice, "referee")
    assert roles.assign(account, ["referee"], [], by=fresh(olga), reason="Again.", now=NOW) is None
    assert not StaffAction.objects.exists()


@pytest.mark.parametrize(
    ("of_giver", "role"),
    [
        ("organiser", OWNER),
        ("organiser", "moderator"),
        ("moderator", "referee"),
        ("referee", "referee"),
        (ARENA_ORGANISER, ARENA_ORGANISER),
    ],
)
def test_nobody_gives_a_role_that_may_do_more_than_they(
    duel: Arena, alice: Player, bob: Player, of_giver: str, role: str
) -> None:
    giver = given(alice, of_giver, arenas=[duel])
    with pytest.raises(Forbidden):
        roles.assign(user_of(bob), [role], [duel], by=giver, reason="Friend.", now=NOW)
    assert not roles.roles_of(fresh(bob))
    assert not StaffAction.objects.exists()


def test_an_organiser_makes_referees_and_organisers_of_arenas(
    duel: Arena, alice: Player, bob: Player
) -> None:
    giver = given(alice, "organiser")
    assert roles.may_give(giver) == ["organiser", ARENA_ORGANISER, "referee", "editor"]
    roles.assign(
        user_of(bob), ["referee", ARENA_ORGANISER], [duel], by=giver, reason="Helps.", now=NOW
    )
    assert roles.roles_of(fresh(bob)) == [ARENA_ORGANISER, "referee"]


def test_nobody_takes_a_role_from_an_account_that_may_do_more(alice: Player, bob: Player) -> None:
    giver = given(alice, "organiser")
    other = given(bob, "moderator", "referee")
    with pytest.raises(Forbidden):
        roles.assign(other, ["moderator"], [], by=giver, reason="Rival.", now=NOW)


def test_the_last_owner_stays(olga: Player, alice: Player) -> None:
    owner = given(olga, OWNER)
    with pytest.raises(Refused, match="needs an owner"):
        roles.assign(owner, ["referee"], [], by=owner, reason="Tired.", now=NOW)
    roles.assign(user_of(alice), [OWNER], [], by=owner, reason="Next.", now=NOW)
    roles.assign(fresh(olga), ["referee"], [], by=fresh(olga), reason="Tired.", now=NOW)
    assert not fresh(olga).is_superuser
    assert fresh(alice).is_superuser


def test_an_organiser_of_arenas_needs_one(olga: Player, alice: Player) -> None:
    with pytest.raises(Refused, match="Name the arenas"):
        roles.assign(user_of(alice), [ARENA_ORGANISER], [], by=fresh(olga), reason="", now=NOW)


def test_without_roles_an_account_no_longer_opens_the_admin(olga: Player, alice: Player) -> None:
    account = given(alice, "referee")
    roles.assign(account, [], [], by=fresh(olga), reason="Left.", now=NOW)
    assert not fresh(alice).is_staff


def test_staff_without_a_needed_second_factor_may_do_nothing(
    alice: Player, duel: Arena, settings: object
) -> None:
    settings.STAFF_MFA_REQUIRED = True  # type: ignore[attr-defined] # pytest-django's
    account = given(alice, "referee")
    assert not account.has_perm("league.decide_match", duel)
    assert account.arenas_with("league.decide_match") == frozenset()


def test_a_group_of_an_admin_counts_everywhere(duel: Arena, alice: Player) -> None:
    group = Group.objects.create(name="Helpers")
    group.permissions.add(Permission.objects.get(codename="change_arena"))
    user_of(alice).groups.add(group)
    assert fresh(alice).arenas_with("league.change_arena") is None
