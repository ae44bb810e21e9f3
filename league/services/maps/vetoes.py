"""The map of a match: drawn when it begins, or left over when captains have banned all others.

A turn that nobody uses in time is drawn from the seed, as if it had been played at its deadline. So
everybody computes the same state at every moment, whether or not it has been stored yet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _

from league.models import Arena, MapBan, MapChoice, Match, MatchMap, Status
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.kill_points import committing
from league.services.maps.draws import draw, new_seed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Player

SIDES = 2
SWEPT = 500
"""The most vetoes that one run of the sweeper stores."""


@dataclass(frozen=True)
class Veto:
    """A veto at a moment."""

    bans: Sequence[MapBan]
    """In order, with those drawn by now that are not stored yet."""
    left: Sequence[str]
    side: int
    """The side whose turn it is."""
    number: int
    """The turn, from 1."""
    deadline: datetime | None
    """Until when the turn lasts, ``None`` once the map is chosen."""

    @property
    def chosen(self) -> str:
        return self.left[0] if len(self.left) == 1 else ""

    @property
    def ended_at(self) -> datetime | None:
        """Return when the last map was banned, ``None`` while it goes on."""
        return self.bans[-1].at if self.chosen else None

    def seconds_left(self, now: datetime) -> int:
        return max(round((self.deadline - now).total_seconds()), 0) if self.deadline else 0


def begin(match: Match, arena: Arena, sides: int, now: datetime) -> None:
    """Draw the map of a match that begins, or begin its veto, if its arena lists maps.

    In a veto, the seed draws which side bans first.
    """
    if arena.map_choice == MapChoice.NONE or len(arena.maps) < 2:
        return
    seed, is_veto = new_seed(), arena.map_choice == MapChoice.VETO and sides == SIDES
    MatchMap.objects.create(
        match=match,
        maps=arena.maps,
        seed=seed,
        turn=arena.veto_turn if is_veto else None,
        first=draw(seed, 0, range(SIDES)) if is_veto else 0,
        began_at=now,
        chosen="" if is_veto else draw(seed, 0, arena.maps),
        ended_at=None if is_veto else now,
    )


def veto_of(choice: MatchMap, stored: Sequence[MapBan], now: datetime) -> Veto:
    """Return a veto as it is at ``now``, from the bans that are stored."""
    assert choice.turn is not None  # noqa: S101 - the map was not drawn
    bans = list(stored)
    banned = {ban.map for ban in bans}
    left = [name for name in choice.maps if name not in banned]
    began = bans[-1].at if bans else choice.began_at
    goes_on = choice.ended_at is None
    while goes_on and len(left) > 1 and began + choice.turn <= now:
        began += choice.turn
        number = len(bans) + 1
        name = draw(choice.seed, number, left)
        left.remove(name)
        side = side_of(choice, number)
        bans.append(MapBan(choice=choice, number=number, map=name, side=side, at=began))
    number = len(bans) + 1
    deadline = began + choice.turn if goes_on and len(left) > 1 else None
    return Veto(bans, left, side_of(choice, number), number, deadline)


def side_of(choice: MatchMap, number: int) -> int:
    """Return the side whose turn is ``number``."""
    return (choice.first + number - 1) % SIDES


def ban(match_id: int, name: str, *, by: Player, number: int | None, now: datetime) -> Veto:
    """Ban a map for a captain in turn ``number``, as their page showed it.

    Raises:
        Refused: there is no veto, or the map is unknown or banned already.
        Forbidden: ``by`` leads no side of the match.
        Conflict: the map is chosen, the match is over, it is the other captain's turn, or the turn
            is over.
    """
    with committing("map ban"):
        choice = lock(match_id)
        if choice is None or choice.turn is None:
            raise Refused("no_veto", _("No maps are banned in this match."))
        led = list(choice.match.sides.filter(captain=by).values_list("index", flat=True))
        if not led:
            raise Forbidden("not_a_captain", _("Only the captains ban maps."))
        if choice.match.status != Status.LIVE:
            raise Conflict("over", _("This match has been reported. Its maps stay as they are."))
        veto = settle(choice, now)
        check_turn(veto, led, number)
        if name not in choice.maps:
            raise Refused("map", _("This is not a map of this match."), field="map")
        if name not in veto.left:
            raise Refused("banned", _("%(map)s is banned already.") % {"map": name}, field="map")
        MapBan.objects.create(
            choice=choice, number=veto.number, map=name, side=veto.side, by=by, at=now
        )
        return settle(choice, now)


def check_turn(veto: Veto, led: Sequence[int], number: int | None) -> None:
    """Refuse a ban outside its captain's turn."""
    if veto.chosen:
        raise Conflict("chosen", _("The map is chosen: %(map)s.") % {"map": veto.chosen})
    if veto.side not in led:
        raise Conflict("turn", _("It is the other captain’s turn."))
    if number != veto.number:
        raise Conflict("too_late", _("That turn is over. Look at the maps that are left."))


def lock(match_id: int) -> MatchMap | None:
    """Return the choice of a match's map with row locks, so that bans and reports take turns."""
    match = Match.objects.select_for_update(of=("self",), no_key=True).filter(pk=match_id).first()
    if match is None:
        return None
    choice = MatchMap.objects.select_for_update(of=("self",)).filter(match=match).first()
    if choice:
        choice.match = match
    return choice


def settle(choice: MatchMap, now: datetime) -> Veto:
    """Store the turns that were drawn by now, and the map once it is chosen. Return the veto."""
    stored = list(choice.bans.order_by("number"))
    veto = veto_of(choice, stored, now)
    MapBan.objects.bulk_create(veto.bans[len(stored) :])
    if veto.chosen and choice.ended_at is None:
        choice.chosen, choice.ended_at = veto.chosen, veto.ended_at
        choice.save(update_fields=["chosen", "ended_at"])
    return veto


def sweep(now: datetime) -> int:
    """Store the turns that nobody used, and end the vetoes of matches that are over. Return how
    many have ended. Safe to run concurrently."""
    going_on = MatchMap.objects.filter(ended_at=None).order_by("match")
    return sum(
        sweep_one(match_id, now) for match_id in going_on.values_list("pk", flat=True)[:SWEPT]
    )


def sweep_one(match_id: int, now: datetime) -> bool:
    with transaction.atomic():
        free = MatchMap.objects.select_for_update(of=("self",), skip_locked=True)
        choice = free.select_related("match").filter(match=match_id, ended_at=None).first()
        if choice is None:
            return False
        if choice.match.status != Status.LIVE:
            choice.ended_at = now
            choice.save(update_fields=["ended_at"])
        else:
            settle(choice, now)
    return choice.ended_at is not None
