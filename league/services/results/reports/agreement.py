"""Agreement to matches and reports: whom silence binds, and whose claims count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Count, Max, Q
from django.utils.translation import gettext as _

from league.models import (
    DishonorAward,
    Match,
    NoticeKind,
    Offence,
    Participant,
    Player,
    Settlement,
    Status,
)
from league.services.core.errors import Forbidden, Refused
from league.services.core.locking import LockedMatch, lock
from league.services.notices.writing import notify_of_match
from league.services.rating.rate import Settled
from league.services.results.reports.quorum import tally
from league.services.results.settling import settle

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from league.models import Arena
    from league.services.core.types import ReportedSide


def check_captains_report(arena: Arena) -> None:
    """Refuse captains' reports in arenas whose results only organisers enter."""
    if arena.accepts().reporters == "organisers":
        raise Forbidden(
            "organisers", _("Only organisers enter results in %(arena)s.") % {"arena": arena}
        )


def check_reachable(sides: Sequence[ReportedSide], reporter: Player) -> None:
    """Refuse a report with a side that nobody can confirm for.

    Raises:
        Refused: naming a captain who cannot log in, or a player of a side without accounts.
    """
    asked = [side for side in sides if side.captain != reporter]
    named = {side.captain.pk for side in asked} | {
        part.player.pk for side in sides for part in side.participants
    }
    accounts = dict(Player.ever.filter(pk__in=named).values_list("pk", "user__is_active"))
    for side in sides:
        players = [part.player for part in side.participants]
        if side in asked and not accounts[side.captain.pk]:
            raise unreachable(side.captain, has_account=accounts[side.captain.pk] is not None)
        if all(accounts[player.pk] is None for player in players) and reporter not in players:
            raise unreachable(players[0], has_account=False)


def unreachable(player: Player, *, has_account: bool) -> Refused:
    sentence = (
        _("%(player)s cannot log in, so nobody can confirm this. Ask the organisers to enter it.")
        if has_account
        else _(
            "%(player)s has no account, so nobody can confirm this. Ask the organisers to enter it."
        )
    )
    return Refused("no_account", sentence % {"player": player})


def silence_confirms(match: Match) -> bool:
    """Return whether a report counts if nobody answers any more.

    It binds only sides that agreed to the match, and whose captain was notified and can log in.
    """
    rules = match.arena.accepts()
    return rules.silence == "confirms-agreed" and tally(match.pk, silence=True).is_enough(rules)


def close_unanswered(locked: LockedMatch, now: datetime) -> None:
    """Settle a locked report whose deadline has passed, or let it lapse."""
    match = Match.objects.select_related("arena").get(pk=locked.pk)
    if silence_confirms(match):
        settle_vouched(locked, Settled(Settlement.WINDOW), (), now)
        return
    Match.objects.filter(pk=locked.pk).update(
        status=Status.VOID, settlement=Settlement.LAPSED, settled_at=now
    )
    notify_of_match(locked.pk, NoticeKind.LAPSED, now)


def settle_vouched(
    locked: LockedMatch, settled: Settled, vouching: Collection[int | None], now: datetime
) -> Match:
    """Settle a captain's report. Claims that players quit count only of the ``vouching`` sides."""
    claimed = [
        int(part.player)
        for index, side in enumerate(locked.match.sides)
        if index not in vouching
        for part in side.participants
        if part.quit
    ]
    if claimed and strike_out(locked.pk, claimed):
        locked = lock(locked.pk)
    return settle(locked, settled, now)


def strike_out(match_id: int, claimed: Collection[int]) -> int:
    """Remove claims that players quit, except of those who left by themselves.

    Their times belong to the claims. If somebody else quit, they count as having played for the
    longest time instead, or a false claim would cancel what that quit costs.
    """
    left = DishonorAward.objects.filter(match=match_id, offence=Offence.ABANDON).values("player")
    claims = Participant.objects.filter(Q(player__in=claimed) & ~Q(player__in=left), match=match_id)
    others = Participant.objects.filter(match=match_id).exclude(pk__in=claims.values("pk"))
    longest, quits = others.aggregate(
        longest=Max("seconds"), quits=Count("pk", filter=Q(quit=True))
    ).values()
    return claims.update(quit=False, seconds=longest if quits else None)
