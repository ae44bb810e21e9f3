"""Answers to reports: confirmation, objection, or no answer in time."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _

from league.models import Match, NoticeKind, Settlement, Status
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.kill_points import committing
from league.services.core.locking import LockedMatch, lock
from league.services.notices.writing import notify_of_match
from league.services.rating.rate import Settled
from league.services.results.reports import claims
from league.services.results.reports.agreement import (
    close_unanswered,
    settle_confirmed,
    settle_vouched,
)
from league.services.results.reports.quorum import add_confirmation, tally
from ratings import history
from ratings.system import UnsupportedMatch

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from league.models import Player


logger = logging.getLogger(__name__)


def confirm(
    match_id: int,
    *,
    by: Player,
    now: datetime,
    revision: int = 1,
    sent_from: UUID | None = None,
) -> Match:
    """Confirm a report as the captain of another side and return the match.

    This settles and rates the result, with more than two sides once all that can lose by it have
    confirmed. It may also wait for players who are asked whether they quit.

    ``revision`` is the version of the report that ``by`` has read, and ``sent_from`` a keyed hash
    of their address.

    Raises:
        Forbidden: ``by`` leads no side, or only the side that reported.
        Conflict: the match is not waiting for confirmation, or for that of this side, or its report
            has been changed.
    """
    with committing("confirmation"):
        locked = lock(match_id)
        side = answering_side(locked, by, revision)
        return count_confirmation(locked, by, side, now, sent_from)


def count_confirmation(
    locked: LockedMatch, by: Player, side: int, now: datetime, sent_from: UUID | None
) -> Match:
    """Count the agreement of a side to a locked report, and settle it if nobody else is asked.

    Those who are asked are further sides, and players who quit according to the report.
    """
    asked = []
    if claims.quitters(locked):
        asked = claims.silent_players(locked.pk, claims.vouching(locked) | {by.pk})
    if len(locked.match.sides) == 2 and not asked:
        return settle_vouched(locked, Settled(Settlement.CAPTAIN, by.pk, side, sent_from), now)
    agreed = add_confirmation(locked.pk, side, by=by, now=now, sent_from=sent_from)
    if agreed and not asked:
        return settle_confirmed(locked, now)
    return Match.objects.get(pk=locked.pk)


def answer_claim(match_id: int, *, by: Player, left: bool, now: datetime) -> Match:
    """Answer as a player whether they quit, as a report says, and return the match.

    Who did is penalised at once. The report counts if it waited for nothing else.

    Raises:
        Forbidden: they did not play.
        Conflict: nobody asks them.
    """
    with transaction.atomic():
        locked = lock(match_id)
        claims.note_answer(locked, by, left=left, now=now)
        if tally(match_id).is_agreed and not claims.silent_players(
            match_id, claims.vouching(locked)
        ):
            return settle_confirmed(lock(match_id), now)
        return Match.objects.get(pk=match_id)


def dispute(match_id: int, *, by: Player, reason: str, now: datetime, revision: int = 1) -> Match:
    """Dispute a report as anybody who played, so that staff decide.

    Raises:
        Forbidden: ``by`` neither plays in the match nor leads a side, or reported it.
        Conflict: the match is not waiting for confirmation.
        Refused: there is no reason.
    """
    if not reason.strip():
        raise Refused("no_reason", _("Describe what is wrong with the report."), field="reason")
    with committing("dispute"):
        locked = lock(match_id)
        check_may_object(locked, by)
        check_revision(locked, revision)
        return open_dispute(locked, by, reason.strip(), now)


def open_dispute(locked: LockedMatch, by: Player, reason: str, now: datetime) -> Match:
    """Leave a locked report to staff."""
    Match.objects.filter(pk=locked.pk).update(
        status=Status.DISPUTED, disputed_at=now, disputed_by=by, dispute_reason=reason
    )
    notify_of_match(locked.pk, NoticeKind.DISPUTED, now, actor=by.pk)
    return Match.objects.get(pk=locked.pk)


def confirm_expired(now: datetime, limit: int = 500) -> int:
    """Settle the reports whose time to answer is over, or let them lapse, and return how many.

    Reports that cannot be rated are logged for staff and skipped. Safe to run concurrently.
    """
    expired = Match.objects.expired(now).order_by("confirm_deadline")
    return sum(
        settle_expired(match_id, now) for match_id in expired.values_list("pk", flat=True)[:limit]
    )


def settle_expired(match_id: int, now: datetime) -> bool:
    try:
        with committing("expired report"):
            locked = lock(match_id)
            if locked.status != Status.REPORTED:
                return False
            close_unanswered(locked, now)
    except Conflict:
        return False  # its season has been archived in the meantime
    except (history.HistoryError, UnsupportedMatch):
        logger.exception("Match %d cannot be rated. Staff have to decide it.", match_id)
        return False
    return True


def answering_side(locked: LockedMatch, player: Player, revision: int) -> int:
    """Return the side for which ``player`` may answer this version of a report."""
    side = locked.side_led_by(player)
    if side is None:
        raise Forbidden(
            "not_a_captain", _("Only captains of the other sides can answer this report.")
        )
    if locked.status != Status.REPORTED:
        raise status_conflict(locked)
    if leads_the_report(locked, player) or player.pk == locked.reported_by:
        raise own_report()
    check_revision(locked, revision)
    return side


def check_may_object(locked: LockedMatch, player: Player) -> None:
    """Refuse objections by strangers, by the reporter, and to anything but an open report."""
    playing = {int(part.player) for side in locked.match.sides for part in side.participants}
    if player.pk not in playing | set(locked.captains.values()):
        raise Forbidden("not_playing", _("Only players of this match can object to its report."))
    if locked.status != Status.REPORTED:
        raise status_conflict(locked)
    if leads_the_report(locked, player):
        raise own_report()


def leads_the_report(locked: LockedMatch, player: Player) -> bool:
    """Return whether ``player`` leads the side that reported, whatever else they lead."""
    reported_by = locked.reported_by_side
    return reported_by is not None and locked.captains[reported_by] == player.pk


def own_report() -> Forbidden:
    return Forbidden("own_report", _("You reported this result. The other side has to confirm it."))


def check_revision(locked: LockedMatch, revision: int) -> None:
    """Refuse an action on an earlier version of a report."""
    if revision != locked.revision:
        raise Conflict(
            "changed",
            _("This report has been changed. Read the new result before you answer."),
        )


def status_conflict(locked: LockedMatch) -> Conflict:
    """Return why a match cannot be answered in its status."""
    sentences = {
        Status.LIVE: _("This match has no report yet."),
        Status.REPORTED: _("This match is waiting for confirmation."),
        Status.DISPUTED: _("This result is disputed. Staff will decide."),
        Status.RATED: _("This result is already confirmed and rated."),
        Status.VOID: _("This match is void. Its result does not count."),
    }
    return Conflict(str(locked.status), sentences[locked.status])
