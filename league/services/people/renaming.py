"""New names for players, at most one in a while. Old names stay on record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.db import transaction

from league.models import FormerName, Player, StaffAction, User
from league.models.former_name import RENAME_COOLDOWN
from league.models.names import fold, tidy
from league.services.core.durations import describe_duration
from league.services.core.errors import Conflict
from league.services.core.isolation import gettext as _
from league.services.eligibility.reasons import refuse_banned
from league.services.people.players import save_named

if TYPE_CHECKING:
    from datetime import datetime


def rename_again_at(player: Player) -> datetime | None:
    """Return when a player may change their name again, ``None`` if they never have."""
    merged = Player.ever.filter(merged_into=player).values("name")
    last = player.former_names.exclude(name__in=merged).first()
    return last.given_up_at + RENAME_COOLDOWN if last else None


def rename(player: Player, name: str, *, now: datetime) -> Player:
    """Give a player a new name at their own request. Their account logs in with it, too.

    Raises:
        Conflict: their last change was less than ``RENAME_COOLDOWN`` ago.
        Forbidden: they are banned.
        ValidationError: the name cannot be used, or is theirs already.
    """
    refuse_banned([], now, by=player)
    with transaction.atomic():
        renamed = lock(player)
        again = rename_again_at(renamed)
        if again and now < again:
            raise Conflict(
                "too_soon",
                _("You can change your name again in %(time)s.")
                % {"time": describe_duration(again - now)},
                field="name",
            )
        if tidy(name) == renamed.name:
            raise ValidationError({"name": [_("This is your name already.")]})
        change_name(renamed, name, now)
    return renamed


def rename_by_staff(player: Player, old: str, *, by: User, now: datetime) -> StaffAction:
    """Record that staff have changed a player's name, which is saved already."""
    with transaction.atomic():
        lock(player)
        keep(player, old, now)
        follow_with_username(player, old)
        return StaffAction.objects.create(
            actor=by,
            kind=StaffAction.Kind.RENAMED,
            details={"player": player.pk, "name": player.name, "was": old},
            before={"Name": old},
            after={"Name": player.name},
            at=now,
        )


def change_name(player: Player, name: str, now: datetime) -> None:
    """Change the name of a locked player, and keep the old one on record."""
    old = player.name
    player.name, player.may_resemble = tidy(name), False
    player.full_clean()
    follow_with_username(player, old)
    save_named(player)
    keep(player, old, now)


def keep(player: Player, old: str, now: datetime) -> None:
    FormerName.objects.create(player=player, name=old, given_up_at=now)


def follow_with_username(player: Player, old: str) -> None:
    """Let the account log in with the new name if it did with the old one.

    Raises:
        ValidationError: another account logs in with that name.
    """
    user = player.user
    if user is None or user.username != fold(old):
        return
    if User.objects.filter(username=fold(player.name)).exclude(pk=user.pk).exists():
        raise ValidationError(
            {"name": [_("“%(name)s” is taken or too similar to a taken name.") % {"name": player}]}
        )
    User.objects.filter(pk=user.pk).update(username=fold(player.name))


def lock(player: Player) -> Player:
    """Lock a player against other renames. Matches can still be written."""
    rows = Player.objects.select_related("user").select_for_update(of=("self",), no_key=True)
    return rows.get(pk=player.pk)
