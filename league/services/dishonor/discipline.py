"""Dishonor: who is penalised for what, and what it comes to."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db.models import F

from league.models import Amnesty, Discipline, DishonorAward, Offence
from league.services.core.clock import EPOCH, moment
from matchmaking import dishonor
from matchmaking.rules.arena import Choices

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from league.models import Arena, Match, Player, Proposal, StaffAction
    from league.models.dishonor import DishonorAwardQuerySet
    from matchmaking.dishonor import DishonorRules

CHOICES = Choices()
"""Stacks expire one after the other, timeouts are rounded half up: as published."""


@dataclass(frozen=True)
class Cost:
    """What an offence would earn a player now."""

    offence: Offence
    stacks: int
    until: datetime | None
    """The end of the timeout, ``None`` if it is not in sight."""


@dataclass(frozen=True)
class Standing:
    """A player's stacks, and her timeout as pages show it."""

    stacks: int
    in_timeout: bool
    until: datetime | None
    """The end of the timeout; ``None`` if there is none, or none in sight."""


def rules() -> DishonorRules:
    """The league's rules of dishonor."""
    return (Discipline.objects.first() or Discipline()).dishonor()


def penalise(
    players: Iterable[Player],
    offence: Offence,
    arena: Arena,
    *,
    now: datetime,
    proposal: Proposal | None = None,
    match: Match | None = None,
) -> None:
    """Award the stacks of an offence. Once for each ready check or match, however often asked."""
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


def standings_of(
    players: Iterable[Player] | Iterable[int], now: datetime, *, without: Iterable[int] = ()
) -> dict[int, dishonor.DishonorStatus]:
    """Stacks and timeouts at ``now``, by player id; times are seconds since 1970.

    Who has no penalty is left out. ``without`` are ids of penalties to read as if they were void.
    """
    known = rules()
    return {
        player: dishonor.dishonor_status(ledger, seconds(now), known, CHOICES)
        for player, ledger in ledgers_of(players, without=without).items()
    }


def ledgers_of(
    players: Iterable[Player] | Iterable[int], *, without: Iterable[int] = ()
) -> dict[int, list[dishonor.Award]]:
    """What stands of players' penalties, as the engine reads it, by player id."""
    ledgers: dict[int, list[dishonor.Award]] = defaultdict(list)
    awards = DishonorAward.objects.standing().filter(player__in=players).exclude(pk__in=without)
    in_turn = awards.order_by("at", "id").values_list("player", "at", "stacks", "ends_at")
    for player, at, stacks, ends_at in in_turn:
        until = seconds(ends_at) if ends_at else None
        ledgers[player].append(dishonor.Award(seconds(at), stacks, until))
    return ledgers


def standing_of(player: Player, now: datetime) -> Standing:
    """A player's stacks and timeout at ``now``."""
    held = standings_of([player], now).get(player.pk, dishonor.DishonorStatus())
    barred = held.in_timeout(seconds(now))
    return Standing(held.stacks, barred, shown(held.until, now) if barred else None)


def ban_of(player: Player, now: datetime) -> DishonorAward | None:
    """The ban that keeps a player out at ``now``; none if no ban does."""
    return bans_of([player.pk], now).get(player.pk)


def bans_of(players: Iterable[int], now: datetime) -> dict[int, DishonorAward]:
    """The bans that keep some of these players out at ``now``, the longest of each, by player id.

    A ban to which staff gave no end keeps out as long as the timeout lasts that its stacks earn,
    whatever else the player did afterwards. One query where nobody is banned.
    """
    found = DishonorAward.objects.bans(now).filter(player__in=players)
    by_end = found.order_by(F("ends_at").asc(nulls_last=True), "id")
    bans = list(by_end.select_related("action__actor"))
    endless = [ban.player_id for ban in bans if ban.ends_at is None]
    ledgers, known = (ledgers_of(endless), rules()) if endless else ({}, None)

    def keeps_out(ban: DishonorAward) -> bool:
        if ban.ends_at is not None or known is None:
            return True
        then = dishonor.dishonor_status(ledgers[ban.player_id], seconds(ban.at), known, CHOICES)
        return then.in_timeout(seconds(now))

    return {ban.player_id: ban for ban in bans if keeps_out(ban)}


def costs_of(
    player: Player,
    now: datetime,
    offences: Iterable[Offence] = (Offence.QUEUE_DODGE, Offence.ABANDON),
) -> list[Cost]:
    """What each offence would earn a player now; if not said, each that a player can commit."""
    known = rules()
    held = standings_of([player], now).get(player.pk, dishonor.DishonorStatus())
    costs = []
    for offence in offences:
        after = dishonor.penalized(held, known.penalty(offence), seconds(now), known, CHOICES)
        costs.append(Cost(offence, after.stacks, shown(after.until, now)))
    return costs


def history_of(player: Player) -> DishonorAwardQuerySet:
    """All that a player was ever penalised for, the latest first, with what made it void."""
    awards = DishonorAward.objects.filter(player=player).select_related("arena", "action")
    return awards.prefetch_related("amnesties__action").order_by("-at", "-id")


def stack_life() -> timedelta:
    """How long a single stack lasts."""
    return timedelta(seconds=rules().stack_duration)


def of_match(match_id: int) -> DishonorAwardQuerySet:
    """The penalties for leaving a match that no amnesty has made void."""
    return DishonorAward.objects.standing().filter(match=match_id)


def make_void(awards: Iterable[DishonorAward], action: StaffAction) -> None:
    """Make penalties void by a decision of staff. One that is void stays as it is."""
    Amnesty.objects.bulk_create(
        (Amnesty(award=award, action=action) for award in awards), ignore_conflicts=True
    )


def seconds(at: datetime) -> float:
    return (at - EPOCH).total_seconds()


def shown(until: float, now: datetime) -> datetime | None:
    """The end of a timeout as a date, ``None`` for one without an end in sight."""
    end = dishonor.displayed_end(until, seconds(now))
    return None if end is None else moment(round(end * 1_000_000))
