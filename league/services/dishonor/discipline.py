"""Dishonor: penalties, and the stacks and timeouts that follow from them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import F, prefetch_related_objects

from league.models import Amnesty, Discipline, DishonorAward, NoticeKind, Offence
from league.services.core.clock import EPOCH, moment
from league.services.notices.writing import notify
from matchmaking import dishonor

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from datetime import datetime

    from league.models import Arena, Match, PenaltyReason, Player, Proposal, StaffAction
    from league.models.dishonor import DishonorAwardQuerySet
    from matchmaking.dishonor import DishonorRules
    from matchmaking.rules.readings import Choices


@dataclass(frozen=True)
class Cost:
    """The penalty of an offence for a player now."""

    offence: Offence
    stacks: int
    until: datetime | None
    """The end of the timeout; ``None`` if it does not end."""


@dataclass(frozen=True)
class PlayerDishonor:
    """A player's stacks and timeout, as pages show them."""

    stacks: int
    in_timeout: bool
    until: datetime | None
    """The end of the timeout; ``None`` without a timeout, or if it does not end."""


def in_force() -> tuple[DishonorRules, Choices]:
    """Return the league's dishonor rules, and how the published ones are read."""
    row = Discipline.objects.first() or Discipline()
    return row.dishonor(), row.readings()


def rules() -> DishonorRules:
    """Return the league's dishonor rules."""
    return in_force()[0]


def penalise(
    players: Iterable[Player],
    offence: Offence,
    arena: Arena,
    *,
    now: datetime,
    proposal: Proposal | None = None,
    match: Match | None = None,
) -> None:
    """Give players the stacks of an offence, only once for each ready check or match."""
    stacks = rules().penalty(offence).stacks
    DishonorAward.objects.bulk_create(
        (
            DishonorAward(
                player=player,
                arena=arena,
                at=now,
                offence=offence,
                stacks=stacks,
                proposal=proposal,
                match=match,
            )
            for player in players
        ),
        ignore_conflicts=True,
    )


def impose(
    player: Player,
    reason: PenaltyReason,
    action: StaffAction,
    *,
    now: datetime,
    match: Match | None = None,
) -> DishonorAward:
    """Give a player the stacks of a reason that an arena declares, and tell them."""
    award = DishonorAward.objects.create(
        player=player,
        arena=reason.arena,
        at=now,
        offence=reason.name,
        stacks=reason.stacks,
        match=match,
        action=action,
    )
    notify([player], NoticeKind.PENALISED, now, award=award)
    return award


def engine_statuses(
    players: Iterable[Player] | Iterable[int],
    now: datetime,
    *,
    without: Iterable[int] = (),
    law: tuple[DishonorRules, Choices] | None = None,
) -> dict[int, dishonor.DishonorStatus]:
    """Return stacks and timeouts at ``now`` by player id, with times in seconds since 1970.

    Players without a penalty are left out. Penalties with ids in ``without`` count as void. ``law``
    is what is in force, if that has been read.
    """
    ledgers = ledgers_of(players, without=without)
    if not ledgers:
        return {}
    its_rules, readings = law or in_force()
    return {
        player: dishonor.dishonor_status(ledger, seconds(now), its_rules, readings)
        for player, ledger in ledgers.items()
    }


def ledgers_of(
    players: Iterable[Player] | Iterable[int], *, without: Iterable[int] = ()
) -> dict[int, list[dishonor.Award]]:
    """Return the penalties that count, as the engine reads them, by player id."""
    ledgers: dict[int, list[dishonor.Award]] = defaultdict(list)
    awards = DishonorAward.objects.standing().filter(player__in=players).exclude(pk__in=without)
    in_turn = awards.order_by("at", "id").values_list("player", "at", "stacks", "ends_at")
    for player, at, stacks, ends_at in in_turn:
        until = seconds(ends_at) if ends_at else None
        ledgers[player].append(dishonor.Award(seconds(at), stacks, until))
    return ledgers


def status_of(
    player: Player, now: datetime, *, law: tuple[DishonorRules, Choices] | None = None
) -> PlayerDishonor:
    """Return a player's stacks and timeout at ``now``."""
    return statuses_of([player], now, law=law)[player.pk]


def statuses_of(
    players: Collection[Player], now: datetime, *, law: tuple[DishonorRules, Choices] | None = None
) -> dict[int, PlayerDishonor]:
    """Return the stacks and timeouts of all ``players`` at ``now``, by player id."""
    held = engine_statuses(players, now, law=law)
    nothing = dishonor.DishonorStatus()
    return {player.pk: show(held.get(player.pk, nothing), now) for player in players}


def show(status: dishonor.DishonorStatus, now: datetime) -> PlayerDishonor:
    """Return a status as pages show it."""
    in_timeout = status.in_timeout(seconds(now))
    until = timeout_end(status.until, now) if in_timeout else None
    return PlayerDishonor(status.stacks, in_timeout, until)


def status_and_ban_of(player: Player, now: datetime) -> tuple[PlayerDishonor, DishonorAward | None]:
    """Return a player's stacks and timeout, and their ban, if any. One query without penalties."""
    held = engine_statuses([player], now).get(player.pk)
    if held is None:
        return show(dishonor.DishonorStatus(), now), None
    return show(held, now), ban_of(player, now)


def ban_of(player: Player, now: datetime) -> DishonorAward | None:
    """Return the ban that keeps a player out at ``now``, if any."""
    return bans_of([player.pk], now).get(player.pk)


def bans_of(players: Iterable[int], now: datetime) -> dict[int, DishonorAward]:
    """Return each banned player's longest ban at ``now``, by player id.

    A ban without an end set by staff lasts as long as the timeout that its stacks earn, whatever
    the player did afterwards. This takes one query if nobody is banned.
    """
    found = DishonorAward.objects.bans(now).filter(player__in=players)
    by_end = found.order_by(F("ends_at").asc(nulls_last=True), "id")
    bans = list(by_end)
    prefetch_related_objects(bans, "action__actor")
    endless = [ban.player_id for ban in bans if ban.ends_at is None]
    ledgers, law = (ledgers_of(endless), in_force()) if endless else ({}, None)

    def keeps_out(ban: DishonorAward) -> bool:
        if ban.ends_at is not None or law is None:
            return True
        then = dishonor.dishonor_status(ledgers[ban.player_id], seconds(ban.at), *law)
        return then.in_timeout(seconds(now))

    return {ban.player_id: ban for ban in bans if keeps_out(ban)}


def costs_of(
    player: Player,
    now: datetime,
    offences: Iterable[Offence] = (Offence.QUEUE_DODGE, Offence.ABANDON),
) -> list[Cost]:
    """Return what each offence would cost a player now, by default those that players commit."""
    its_rules, readings = in_force()
    held = engine_statuses([player], now).get(player.pk, dishonor.DishonorStatus())
    costs = []
    for offence in offences:
        after = dishonor.penalize(
            held, its_rules.penalty(offence), seconds(now), its_rules, readings
        )
        costs.append(Cost(offence, after.stacks, timeout_end(after.until, now)))
    return costs


def history_of(player: Player) -> DishonorAwardQuerySet:
    """Return all penalties of a player, latest first, with the amnesties that made them void."""
    awards = DishonorAward.objects.filter(player=player).select_related(
        "arena", "action", "appeal__action"
    )
    return awards.prefetch_related("amnesties__action").order_by("-at", "-id")


def penalties_for_leaving(match_id: int) -> DishonorAwardQuerySet:
    """Return the penalties for leaving a match that are not void."""
    return DishonorAward.objects.standing().filter(match=match_id, offence=Offence.ABANDON)


def make_void(awards: Iterable[DishonorAward], action: StaffAction) -> None:
    """Make penalties void by a staff decision. Void ones stay as they are."""
    Amnesty.objects.bulk_create(
        (Amnesty(award=award, action=action) for award in awards), ignore_conflicts=True
    )


def undo(undone: StaffAction, action: StaffAction) -> None:
    """Undo what a decision did to penalties: those that it made void count again, and the others
    are void again."""
    given = Amnesty.objects.filter(action=undone)
    ended = list(Amnesty.ever.filter(ended_by=undone).select_related("award"))
    given.update(ended_by=action)
    make_void([amnesty.award for amnesty in ended], action)


def seconds(at: datetime) -> float:
    return (at - EPOCH).total_seconds()


def timeout_end(until: float, now: datetime) -> datetime | None:
    """Return the end of a timeout as a date, ``None`` if it does not end."""
    end = dishonor.displayed_end(until, seconds(now))
    return None if end is None else moment(round(end * 1_000_000))
