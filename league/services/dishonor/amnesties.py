"""Amnesties: staff make penalties void that players got through no fault of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Count, Q, Sum
from django.utils.translation import gettext as _

from league.models import DishonorAward, Offence, StaffAction
from league.models.collation import reading_key
from league.services.core.errors import Forbidden, Refused
from league.services.core.staff_log import of_arena
from league.services.dishonor import discipline
from league.services.dishonor.bans import tell_of_lift

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Arena, Player, User
    from league.models.dishonor import DishonorAwardQuerySet


@dataclass(frozen=True)
class Incident:
    """A failure of the site: from when to when (both inclusive), where and for whom."""

    since: datetime
    until: datetime
    arena: Arena | None = None
    """``None`` for every arena."""
    player: Player | None = None
    """``None`` for all players."""
    offences: tuple[str, ...] = (Offence.QUEUE_DODGE, Offence.ABANDON)
    """``ANOTHER_REASON`` stands for all that arenas declare."""


@dataclass(frozen=True)
class Effect:
    """The changes that an amnesty for an incident would make."""

    penalties: int
    players: int
    stacks: int
    freed: int
    """Players whose timeout would end."""
    by_offence: list[tuple[str, int]]
    """The number of penalties for each offence, in words."""


def penalties_of(incident: Incident) -> DishonorAwardQuerySet:
    """Return the penalties of an incident that count: those given during it, and those for matches
    played during it and settled later."""
    window = (incident.since, incident.until)
    awards = DishonorAward.objects.standing().filter(
        Q(at__range=window) | Q(match__played_at__range=window)
    )
    awards = awards.for_offences(incident.offences)
    if incident.arena:
        awards = awards.filter(arena=incident.arena)
    if incident.player:
        awards = awards.filter(player=incident.player)
    return awards


def preview(incident: Incident, now: datetime) -> Effect:
    """Return what :func:`grant` would do now. Raises ``Refused`` if it ends before it starts."""
    check_window(incident)
    awards = penalties_of(incident)
    players = set(awards.values_list("player", flat=True))
    before = discipline.engine_statuses(players, now)
    after = discipline.engine_statuses(players, now, without=awards.values_list("pk", flat=True))
    at = discipline.seconds(now)
    barred = {player for player, standing in before.items() if standing.in_timeout(at)}
    still_barred = {player for player, standing in after.items() if standing.in_timeout(at)}
    counts = awards.order_by("offence").values_list("offence").annotate(count=Count("pk"))
    totals = awards.aggregate(penalties=Count("pk"), stacks=Sum("stacks"))
    return Effect(
        penalties=totals["penalties"],
        players=len(players),
        stacks=totals["stacks"] or 0,
        freed=len(barred - still_barred),
        by_offence=[(name_offence(offence), count) for offence, count in counts],
    )


def name_offence(offence: str) -> str:
    """Return an offence of the league in words, and a reason of an arena by its name."""
    return str(Offence(offence).label) if offence in Offence.values else offence


def grant(incident: Incident, *, by: User, reason: str, now: datetime) -> int:
    """Make every penalty of an incident void and return how many.

    Granting the same amnesty again does nothing and writes nothing.

    Raises:
        Forbidden: ``by`` may not decide results.
        Refused: there is no reason, or the incident ends before it starts.
    """
    if not by.has_perm("league.decide_match", incident.arena):
        raise Forbidden("not_staff", _("Only staff can grant an amnesty."))
    if not reason.strip():
        raise Refused("no_reason", _("Give a reason for the record."), field="reason")
    check_window(incident)
    with transaction.atomic():
        found = penalties_of(incident).select_for_update(of=("self",))
        locked = list(found.values_list("pk", flat=True))
        # Read again: somebody else may have granted it while we waited for the lock.
        standing = DishonorAward.objects.standing().select_related("player")
        awards = list(standing.filter(pk__in=locked).order_by("pk"))
        if awards:
            action = StaffAction.objects.create(
                actor=by,
                kind=StaffAction.Kind.AMNESTY,
                reason=reason.strip(),
                details=ledger_details(incident, awards),
                before={"Penalties that count": len(awards)},
                after={"Penalties that count": 0},
                at=now,
            )
            discipline.make_void(awards, action)
            tell_of_lifted_bans(awards, now)
    return len(awards)


def tell_of_lifted_bans(awards: list[DishonorAward], now: datetime) -> None:
    """Tell players who were banned until the amnesty that they no longer are."""
    running = {
        award.player_id: award
        for award in awards
        if award.offence == Offence.BANNED and (award.ends_at is None or award.ends_at > now)
    }
    still_banned = discipline.bans_of(list(running), now)
    for player, ban in running.items():
        if player not in still_banned:
            tell_of_lift(ban, now)


def check_window(incident: Incident) -> None:
    if incident.until < incident.since:
        raise Refused("window", _("The incident must not end before it starts."), field="until")


def ledger_details(incident: Incident, awards: list[DishonorAward]) -> dict[str, object]:
    """Return what the ledger of staff actions records of an amnesty."""
    return {
        **of_arena(incident.arena),
        "player": incident.player.name if incident.player else None,
        "since": incident.since.isoformat(),
        "until": incident.until.isoformat(),
        "offences": list(incident.offences),
        "penalties": [award.pk for award in awards],
        "players": sorted({award.player.name for award in awards}, key=reading_key),
    }
