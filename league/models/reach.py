"""Permissions by place: roles, organisers of single arenas, and the arena of each row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.auth.models import Group, Permission
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.arena import Arena

if TYPE_CHECKING:
    from collections.abc import Collection

ARENA_ORGANISER = "arena_organiser"
"""The role whose permissions count in named arenas only."""
EVERYWHERE = frozenset({"league.view_player"})
"""The rights of arena organisers in the whole league: to choose players, who are of no arena."""

ARENA_OF = {
    "arena": "pk",
    "anchor": "arena",
    "arenaqueue": "arena",
    "arenatext": "arena",
    "arrangement": "arena",
    "arrangementstep": "arrangement__arena",
    "amnesty": "award__arena",
    "challenge": "season__arena",
    "competition": "season__arena",
    "discordboard": "arena",
    "dishonoraward": "arena",
    "entrant": "competition__season__arena",
    "fileimport": "arena",
    "fillin": "match__arena",
    "fixture": "competition__season__arena",
    "flag": "season__arena",
    "mapban": "choice__match__arena",
    "match": "arena",
    "matchmap": "match__arena",
    "penaltyreason": "arena",
    "pointentry": "season__arena",
    "proposal": "arena",
    "rating": "season__arena",
    "ratingevent": "season__arena",
    "roster": "arena",
    "rosterinvitation": "roster__arena",
    "rostermember": "roster__arena",
    "round": "competition__season__arena",
    "season": "arena",
    "standin": "arena",
    "staffaction": "arena",
    "teamrating": "season__arena",
    "tick": "arena",
    "ticket": "arena",
    "ticketarena": "arena",
    "ticketmember": "ticket__arena",
    "trial": "season__arena",
    "webhook": "arena",
    "webhookdelivery": "webhook__arena",
}
"""The way from a row of each model to its arena. Models that are not here belong to none."""


class Role(models.Model):
    """A group of accounts that Laurel knows and describes."""

    key = models.CharField(max_length=20, unique=True)
    group = models.OneToOneField(Group, on_delete=models.PROTECT, related_name="role")
    given = models.JSONField(default=list)
    """The permissions that the group was ever given by Laurel. Those that an admin has taken from
    it since are not given again."""

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.key


class ArenaOrganiser(models.Model):
    """An arena in which the permissions of arena organisers count for an account."""

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="organised"
    )
    arena = models.ForeignKey(Arena, on_delete=models.CASCADE, related_name="organisers")

    class Meta:
        default_permissions = ()
        verbose_name = _("arena organiser")
        verbose_name_plural = _("arena organisers")
        constraints = [
            models.UniqueConstraint(fields=["account", "arena"], name="organiser_of_arena_once")
        ]

    def __str__(self) -> str:
        return f"{self.account}, {self.arena}"


def is_of_arenas(model: type[models.Model]) -> bool:
    """Return whether each row of a model belongs to an arena."""
    meta = model._meta  # noqa: SLF001 - Django's documented name
    return meta.app_label == "league" and meta.model_name in ARENA_OF


def arena_of(row: models.Model) -> int | None:
    """Return the id of the arena that a row belongs to, ``None`` if it belongs to none."""
    if not is_of_arenas(type(row)):
        return None
    found: Any = row
    *way, last = ARENA_OF[type(row)._meta.model_name or ""].split("__")  # noqa: SLF001 - as above
    for step in way:
        found = getattr(found, step)
        if found is None:
            return None
    number: int | None = found.pk if last == "pk" else getattr(found, f"{last}_id")
    return number


def in_arenas(model: type[models.Model], arenas: Collection[int]) -> Q:
    """Return the condition for rows of a model to belong to one of these arenas."""
    if model._meta.model_name == "staffaction":  # noqa: SLF001 - as above
        return Q(match__arena__in=arenas) | Q(details__arena_id__in=list(arenas))
    return Q(**{f"{ARENA_OF[model._meta.model_name or '']}__in": arenas})  # noqa: SLF001 - as above


def named_arenas(account: models.Model) -> frozenset[int] | None:
    """Return the arenas that an arena organiser was given, ``None`` for other accounts.

    It is one statement.
    """
    accounts = type(account)._base_manager.filter(pk=account.pk)  # noqa: SLF001 - as above
    limited = accounts.filter(groups__role__key=ARENA_ORGANISER)
    found = list(limited.values_list("organised__arena"))
    return frozenset(arena for (arena,) in found if arena is not None) if found else None


def permissions_beyond_arenas(account: models.Model) -> frozenset[str]:
    """Return what an arena organiser may do in all arenas: from other roles, or given to them."""
    groups = Group.objects.filter(user=account.pk).exclude(role__key=ARENA_ORGANISER)
    held = Permission.objects.filter(Q(user=account.pk) | Q(group__in=groups))
    names = held.order_by().values_list("content_type__app_label", "codename")
    return EVERYWHERE | {f"{app}.{codename}" for app, codename in names}


def may(permission: str, arena: int | None) -> Q:
    """Return the condition for an account to hold a permission in an arena."""
    app, codename = permission.split(".")
    held = Permission.objects.filter(content_type__app_label=app, codename=codename)
    groups = Group.objects.filter(permissions__in=held)
    limited = groups.filter(role__key=ARENA_ORGANISER)
    organisers = ArenaOrganiser.objects.filter(arena=arena)
    return Q(is_active=True) & (
        Q(is_superuser=True)
        | Q(user_permissions__in=held)
        | Q(groups__in=groups.exclude(role__key=ARENA_ORGANISER))
        | (Q(groups__in=limited) & Q(pk__in=organisers.values("account")))
    )
