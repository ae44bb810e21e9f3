"""Agreement to matches and reports: whom silence binds, and whose claims count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.models import Confirmation, Match, NoticeKind, Player, Settlement, Status
from league.services.core.errors import Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.core.locking import LockedMatch, lock
from league.services.notices.writing import notify_of_match
from league.services.rating.rate import Settled
from league.services.results.reports import claims
from league.services.results.reports.quorum import counts_at_deadline
from league.services.results.settling import settle

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from league.models import Arena
    from league.services.core.types import ReportedSide


def check_captains_report(arena: Arena) -> None:
    """Refuse captains' reports in arenas whose results only organisers enter."""
    if arena.result_settings().reporters == "organisers":
        raise Forbidden(
            "organisers", _("Only organisers enter results in %(arena)s.") % {"arena": arena}
        )


def check_reachable(sides: Sequence[ReportedSide], reporter: Player) -> None:
    """Refuse a report with a side that nobody can confirm for.

    Raises:
        Refused: naming a captain who cannot log in, or a player of a side without accounts.
    """
    check_captains([side.captain for side in sides if side.captain != reporter])
    players = [part.player.pk for side in sides for part in side.participants]
    with_account = set(
        Player.ever.filter(pk__in=players, user__isnull=False).values_list("pk", flat=True)
    )
    for side in sides:
        named = [part.player for part in side.participants]
        if reporter not in named and with_account.isdisjoint(player.pk for player in named):
            raise unreachable(named[0], has_account=False)


def check_captains(captains: Collection[Player]) -> None:
    """Refuse a report that one of these captains would have to confirm and cannot."""
    named = [captain.pk for captain in captains]
    accounts = dict(Player.ever.filter(pk__in=named).values_list("pk", "user__is_active"))
    for captain in captains:
        if not accounts[captain.pk]:
            raise unreachable(captain, has_account=accounts[captain.pk] is not None)


def unreachable(player: Player, *, has_account: bool) -> Refused:
    sentence = (
        _("%(player)s cannot log in, so nobody can confirm this. Ask the organisers to enter it.")
        if has_account
        else _(
            "%(player)s has no account, so nobody can confirm this. Ask the organisers to enter it."
        )
    )
    return Refused("no_account", sentence % {"player": player})


def silence_agrees(match: Match) -> bool:
    """Return whether a report counts if nobody answers any more, by the silence of some.

    It binds only sides that agreed to the match, and whose captain was notified and can log in.
    """
    rules = match.arena.result_settings()
    return rules.silence == "confirms-agreed" and counts_at_deadline(match, silence=True)


def close_unanswered(locked: LockedMatch, now: datetime) -> None:
    """Settle a locked report whose deadline has passed, or let it lapse."""
    match = Match.objects.select_related("arena", "season").get(pk=locked.pk)
    if counts_at_deadline(match):
        settle_confirmed(locked, now)
        return
    if silence_agrees(match):
        settle_vouched(locked, Settled(Settlement.WINDOW), now)
        return
    Match.objects.filter(pk=locked.pk).update(
        status=Status.VOID, settlement=Settlement.LAPSED, settled_at=now
    )
    notify_of_match(locked.pk, NoticeKind.LAPSED, now)


def settle_confirmed(locked: LockedMatch, now: datetime) -> Match:
    """Settle a report by the confirmations that were stored with it."""
    last = Confirmation.objects.filter(match=locked.pk).select_related("side").latest("at", "id")
    is_quorum = len(locked.match.sides) > 2
    settlement = Settlement.QUORUM if is_quorum else Settlement.CAPTAIN
    settled = Settled(settlement, last.player_id, last.side.index, last.sent_from)
    return settle_vouched(locked, settled, now)


def settle_vouched(locked: LockedMatch, settled: Settled, now: datetime) -> Match:
    """Settle a captain's report. That a player quit counts only by their own word."""
    if quitters := claims.quitters(locked):
        vouching = claims.vouching(locked) | {settled.confirmed_by}
        claimed = [player for player in quitters if player not in vouching]
        if claimed and claims.strike_out(locked.pk, claimed):
            locked = lock(locked.pk)
    return settle(locked, settled, now)
