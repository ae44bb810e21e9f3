"""Bans: staff keep a player out of queues, for ever or until a moment, and let her in again."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _

from league.models import DishonorAward, Offence, Player, StaffAction
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.dishonor import discipline

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Arena, User

LONGEST = timedelta(days=36_525)
"""A ban with an end ends within a hundred years."""


def ban(
    player: Player,
    *,
    arena: Arena,
    by: User,
    reason: str,
    until: datetime | None = None,
    now: datetime,
) -> DishonorAward:
    """Keep a player out of every queue that bars timeouts. ``arena`` is where the offence was.

    With an end (``until``) a ban earns no stacks; without one it earns those that the rules of
    dishonor give it, and lasts as long as they say. Who waits in a queue is taken out of it by the
    sweeper of ready checks, a match that is being played goes on.

    Raises:
        Forbidden: ``by`` may not ban players.
        Refused: no reason, or an end that is not within the next hundred years.
        Conflict: she is banned already.
    """
    check_may_ban(by)
    check_reason(reason)
    if until is not None and not now < until <= now + LONGEST:
        raise Refused(
            "until",
            _("Give a moment to come, within a hundred years; leave it empty for no end."),
            field="until",
        )
    with transaction.atomic():
        player = locked(player)
        if discipline.ban_of(player, now):
            raise Conflict("banned", _("%(player)s is banned already.") % {"player": player})
        penalty = discipline.rules().penalty(Offence.BANNED)
        action = StaffAction.objects.create(
            actor=by,
            kind=StaffAction.Kind.BAN,
            reason=reason.strip(),
            details=recorded(player) | {"until": until.isoformat() if until else None},
            at=now,
        )
        return DishonorAward.objects.create(
            player=player,
            arena=arena,
            at=now,
            offence=Offence.BANNED,
            stacks=0 if until else penalty.stacks,
            ends_at=until,
            action=action,
        )


def lift(player: Player, *, by: User, reason: str, now: datetime) -> int:
    """Make void every ban that keeps a player out; how many. Her other penalties stand.

    Raises:
        Forbidden: ``by`` may not ban players.
        Refused: no reason.
        Conflict: she is not banned.
    """
    check_may_ban(by)
    check_reason(reason)
    with transaction.atomic():
        player = locked(player)
        if not discipline.ban_of(player, now):
            raise Conflict("not_banned", _("%(player)s is not banned.") % {"player": player})
        bans = list(DishonorAward.objects.bans(now).filter(player=player).order_by("pk"))
        action = StaffAction.objects.create(
            actor=by,
            kind=StaffAction.Kind.UNBAN,
            reason=reason.strip(),
            details=recorded(player) | {"penalties": [award.pk for award in bans]},
            at=now,
        )
        discipline.make_void(bans, action)
    return len(bans)


def check_may_ban(by: User) -> None:
    if not by.has_perm("league.ban_player"):
        raise Forbidden("not_staff", _("Only staff who may ban players can do this."))


def check_reason(reason: str) -> None:
    if not reason.strip():
        raise Refused("no_reason", _("Give the reason: the player reads it."), field="reason")


def locked(player: Player) -> Player:
    """The player, locked against everyone else who bans her or lets her in; her matches and
    penalties can be written meanwhile."""
    return Player.objects.select_for_update(no_key=True).get(pk=player.pk)


def recorded(player: Player) -> dict[str, object]:
    """Whom the ledger of staff actions says that it was about."""
    return {"player": player.pk, "name": player.name}
