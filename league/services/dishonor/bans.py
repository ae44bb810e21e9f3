"""Bans: staff keep players from playing, permanently or for a time, and lift bans."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction

from league.models import DishonorAward, NoticeKind, Offence, Player, StaffAction
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.core.staff_log import of_arena, of_arenas
from league.services.dishonor import discipline
from league.services.notices.reading import mark_answered
from league.services.notices.writing import notify

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Arena, User

LONGEST = timedelta(days=36_525)
"""The longest time until a ban with an end date ends."""


def ban(
    player: Player,
    *,
    arena: Arena,
    by: User,
    reason: str,
    until: datetime | None = None,
    now: datetime,
) -> DishonorAward:
    """Keep a player out of queues, reports, challenges and rosters, for an offence in ``arena``.

    A ban with an end (``until``) gives no stacks. One without gives the stacks of the dishonor
    rules and lasts as long as they say. The ready-check sweeper takes the player out of queues;
    a live match goes on.

    Raises:
        Forbidden: ``by`` may not ban players, or is the player.
        Refused: there is no reason, or the end is not within the next hundred years.
        Conflict: the player is already banned.
    """
    check_may_ban(player, by)
    check_reason(reason)
    if until is not None and not now < until <= now + LONGEST:
        raise Refused(
            "until",
            _("Choose a time within the next hundred years, or leave it empty for no end."),
            field="until",
        )
    with transaction.atomic():
        player = lock(player)
        if discipline.ban_of(player, now):
            raise Conflict("banned", _("%(player)s is already banned.") % {"player": player})
        penalty = discipline.rules().penalty(Offence.BANNED)
        action = StaffAction.objects.create(
            actor=by,
            kind=StaffAction.Kind.BAN,
            reason=reason.strip(),
            details=ledger_details(player)
            | of_arena(arena)
            | {"until": until.isoformat() if until else None},
            before={"Ban": "–"},
            after={"Ban": until_when(until, penalty.stacks), "Arena": arena.name},
            at=now,
        )
        award = DishonorAward.objects.create(
            player=player,
            arena=arena,
            at=now,
            offence=Offence.BANNED,
            stacks=0 if until else penalty.stacks,
            ends_at=until,
            action=action,
        )
        notify([player], NoticeKind.BANNED, now, award=award)
        return award


def lift(player: Player, *, by: User, reason: str, now: datetime) -> int:
    """Make every current ban of a player void and return how many. Other penalties still count.

    Raises:
        Forbidden: ``by`` may not ban players, or is the player.
        Refused: there is no reason.
        Conflict: the player is not banned.
    """
    check_may_ban(player, by)
    check_reason(reason)
    with transaction.atomic():
        player = lock(player)
        if not discipline.ban_of(player, now):
            raise Conflict("not_banned", _("%(player)s is not banned.") % {"player": player})
        running = DishonorAward.objects.bans(now).select_related("arena")
        bans = list(running.filter(player=player).order_by("pk"))
        action = StaffAction.objects.create(
            actor=by,
            kind=StaffAction.Kind.UNBAN,
            reason=reason.strip(),
            details=ledger_details(player)
            | of_arenas(award.arena for award in bans)
            | {"penalties": [award.pk for award in bans]},
            before={"Ban": until_when(bans[-1].ends_at, bans[-1].stacks)},
            after={"Ban": "–"},
            at=now,
        )
        discipline.make_void(bans, action)
        tell_of_lift(bans[-1], now)
    return len(bans)


def tell_of_lift(ban: DishonorAward, now: datetime) -> None:
    """Tell a player that their ban has been lifted. The notice of the ban is answered by this."""
    mark_answered(ban.player, NoticeKind.BANNED, now)
    notify([ban.player], NoticeKind.UNBANNED, now, award=ban)


def until_when(until: datetime | None, stacks: int) -> str:
    """Return the end of a ban for the log of staff actions."""
    if until:
        return f"until {until.isoformat(timespec='minutes')}"
    return f"as long as {stacks} stacks last" if stacks else "permanent"


def check_may_ban(player: Player, by: User) -> None:
    if not by.has_perm("league.ban_player"):
        raise Forbidden("not_staff", _("You need the permission to ban players."))
    if player.user_id == by.pk:
        raise Forbidden("own_player", _("Nobody decides about themselves. Ask another moderator."))


def check_reason(reason: str) -> None:
    if not reason.strip():
        raise Refused("no_reason", _("Give a reason. The player will read it."), field="reason")


def lock(player: Player) -> Player:
    """Lock a player against other bans and lifts. Matches and penalties can still be written."""
    return Player.objects.select_for_update(no_key=True).get(pk=player.pk)


def ledger_details(player: Player) -> dict[str, object]:
    """Return how the ledger of staff actions identifies the player."""
    return {"player": player.pk, "name": player.name}
