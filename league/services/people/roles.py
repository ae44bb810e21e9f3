"""Roles: groups that Laurel creates and keeps, and who may give which of them to whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.models import Group, Permission
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import override

from league.models import ArenaOrganiser, Role, StaffAction, User
from league.models.collation import reading_key
from league.models.reach import ARENA_ORGANISER
from league.services.core.errors import Forbidden, Refused
from league.services.people.role_table import BY_KEY, OWNER, ROLES

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from league.models import Arena
    from league.services.people.role_table import Role as Described

PERMISSION = "league.give_role"


@transaction.atomic
def keep() -> None:
    """Create the groups of roles that are missing, and give each the permissions it never had.

    What an admin took from a group, or added to it, stays like that. Superusers are owners.
    """
    known = {permission_name(one): one for one in Permission.objects.select_related("content_type")}
    roles = {role.key: role for role in Role.objects.select_related("group")}
    for each in ROLES:
        role = roles.get(each.key) or create(each)
        wanted = set(known if each.permissions is None else known.keys() & each.permissions)
        if new := wanted - set(role.given):
            role.group.permissions.add(*(known[name] for name in new))
            role.given = sorted({*role.given, *new})
            role.save(update_fields=["given"])
    owners = Role.objects.get(key=OWNER).group
    # A database on its way back to an earlier release lacks later columns.
    superusers = User.objects.filter(is_superuser=True).exclude(groups=owners)
    for superuser in superusers.only("pk"):
        superuser.groups.add(owners)


def create(each: Described) -> Role:
    """Create a role with its group, which may be there already under this name."""
    with override("en"):
        group, _new = Group.objects.get_or_create(name=str(each.name))
    return Role.objects.create(key=each.key, group=group)


def permission_name(permission: Permission) -> str:
    return f"{permission.content_type.app_label}.{permission.codename}"


def roles_of(account: User) -> list[str]:
    """Return the keys of an account's roles, in the order of the table. Superusers are owners."""
    held = set(Role.objects.filter(group__user=account).values_list("key", flat=True))
    held -= {OWNER}
    if account.is_superuser:
        held.add(OWNER)
    return [role.key for role in ROLES if role.key in held]


def permissions_of(keys: Collection[str]) -> dict[str, set[str]]:
    """Return what the group of each of these roles may do, as it is now."""
    rows = Permission.objects.filter(group__role__key__in=keys).order_by()
    found: dict[str, set[str]] = {key: set() for key in keys}
    for key, app, codename in rows.values_list(
        "group__role__key", "content_type__app_label", "codename"
    ):
        found[key].add(f"{app}.{codename}")
    return found


def lacks(by: User, permissions: Collection[str]) -> bool:
    """Return whether an account lacks one of these permissions, in all arenas together."""
    return not by.is_superuser and not by.has_perms(permissions)


def outranks(by: User, account: User) -> bool:
    """Return whether an account may do something that ``by`` may not."""
    if by.is_superuser or by.pk == account.pk:
        return False
    if account.is_superuser:
        return True
    return lacks(by, account.get_all_permissions())


def check_may_give(by: User, keys: Collection[str]) -> None:
    """Raise ``Forbidden`` unless an account may give and take these roles."""
    if not by.has_perm(PERMISSION):
        raise Forbidden("not_staff", _("You need the permission to give roles."))
    for key, permissions in permissions_of(keys).items():
        if key == OWNER and not by.is_superuser:
            raise Forbidden("not_owner", _("Only owners make owners."), field="roles")
        if lacks(by, permissions):
            text = _("You cannot give or take “%(role)s”: it may do more than you.")
            raise Forbidden("outranked", text % {"role": BY_KEY[key].name}, field="roles")


def may_give(by: User) -> list[str]:
    """Return the roles that an account may give and take."""
    if not by.has_perm(PERMISSION):
        return []
    held = permissions_of(list(BY_KEY))
    return [
        key
        for key, permissions in held.items()
        if (by.is_superuser if key == OWNER else not lacks(by, permissions))
    ]


@transaction.atomic
def assign(
    account: User,
    keys: Collection[str],
    arenas: Collection[Arena],
    *,
    by: User,
    reason: str,
    now: datetime,
) -> StaffAction | None:
    """Give an account these roles and no others, and record it. ``None`` if nothing changes.

    ``arenas`` are those of an arena organiser. Accounts with a role may open the admin. Raises what
    ``check`` does.
    """
    list(User.objects.select_for_update().filter(is_superuser=True).values_list("pk"))  # in turn
    account = User.objects.select_for_update().get(pk=account.pk)
    was, before = roles_of(account), named_to(account)
    if not check_roles(account, keys, arenas, by=by):
        return None
    chosen = [key for key in BY_KEY if key in keys]
    give(account, chosen, arenas)
    named_now = named_to(account)
    return StaffAction.objects.create(
        actor=by,
        kind=StaffAction.Kind.ROLE,
        reason=reason.strip(),
        details={"account": account.pk, "name": name_of(account)},
        before=describe_roles(was, before),
        after=describe_roles(chosen, named_now),
        at=now,
    )


def check_roles(
    account: User, keys: Collection[str], arenas: Collection[Arena], *, by: User
) -> set[str]:
    """Return the roles of an account that would change, one with other arenas among them.

    Raises:
        Forbidden: ``by`` may not give or take one of the roles that change, or the account may do
            more than they.
        Refused: an arena organiser has no arena, or the league would be left without an owner.
    """
    was, limited = roles_of(account), ARENA_ORGANISER in keys
    changed = set(was) ^ set(keys)
    named_now = sorted({arena.name for arena in arenas}, key=reading_key) if limited else []
    if named_to(account) != named_now:
        changed.add(ARENA_ORGANISER)
    if limited and not named_now:
        raise Refused("no_arena", _("Name the arenas of an arena organiser."), field="arenas")
    if not changed:
        return changed
    if outranks(by, account):
        raise Forbidden("outranked", _("This account may do more than you."))
    check_may_give(by, changed)
    if OWNER in was and OWNER not in keys:
        check_another_owner(account)
    return changed


def give(account: User, keys: Collection[str], arenas: Collection[Arena]) -> None:
    """Write the roles of an account, and let it open the admin if it has any permission."""
    roles = Role.objects.select_related("group")
    account.groups.remove(*(role.group for role in roles if role.key not in keys))
    account.groups.add(*(role.group for role in roles if role.key in keys))
    account.is_superuser = OWNER in keys
    permitted = account.groups.exists() or account.user_permissions.exists()
    account.is_staff = bool(keys) or (account.is_staff and permitted)
    account.save(update_fields=["is_superuser", "is_staff"])
    account.organised.all().delete()
    if ARENA_ORGANISER in keys:
        ArenaOrganiser.objects.bulk_create(
            ArenaOrganiser(account=account, arena=arena) for arena in arenas
        )


def check_another_owner(account: User) -> None:
    """Refuse to leave the league without an owner who can log in."""
    others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=account.pk)
    if not others.exists():
        text = _("The league needs an owner. Make another one first.")
        raise Refused("last_owner", text, field="roles")


def named_to(account: User) -> list[str]:
    """Return the names of the arenas that an account organises."""
    names = account.organised.values_list("arena__name", flat=True)
    return sorted(names, key=reading_key)


def describe_roles(keys: Collection[str], arenas: Collection[str]) -> dict[str, str]:
    with override("en"):
        roles = ", ".join(str(BY_KEY[key].name) for key in keys)
    return {"Roles": roles or "–", **({"Arenas": ", ".join(arenas)} if arenas else {})}


def name_of(account: User) -> str:
    player = getattr(account, "player", None)
    return player.name if player else account.username
