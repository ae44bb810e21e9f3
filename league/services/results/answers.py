"""Answers to reports: confirmation, dispute, or no answer in time."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _

from league.models import Match, NoticeKind, Settlement, Status
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.locking import LockedMatch, lock
from league.services.notices.writing import notify_of_match
from league.services.rating.rate import Settled
from league.services.results.settling import settle
from ratings import history
from ratings.system import UnsupportedMatch

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Player


logger = logging.getLogger(__name__)


def confirm(match_id: int, *, by: Player, now: datetime) -> Match:
    """Confirm a report as the captain of another side. This settles and rates the result.

    Raises:
        Forbidden: ``by`` leads no side, or only the side that reported.
        Conflict: the match is not waiting for confirmation.
    """
    with transaction.atomic():
        locked = lock(match_id)
        side = answering_side(locked, by)
        return settle(locked, Settled(Settlement.CAPTAIN, by.pk, side), now)


def dispute(match_id: int, *, by: Player, reason: str, now: datetime) -> Match:
    """Dispute a report as the captain of another side, so that staff decide.

    Raises as :func:`confirm`, and ``Refused`` without a reason.
    """
    if not reason.strip():
        raise Refused("no_reason", _("Describe what is wrong with the report."), field="reason")
    with transaction.atomic():
        locked = lock(match_id)
        answering_side(locked, by)
        Match.objects.filter(pk=match_id).update(
            status=Status.DISPUTED,
            disputed_at=now,
            disputed_by=by,
            dispute_reason=reason.strip(),
        )
        notify_of_match(match_id, NoticeKind.DISPUTED, now, actor=by.pk)
    return Match.objects.get(pk=match_id)


def confirm_expired(now: datetime, limit: int = 500) -> int:
    """Settle reports that nobody answered in time and return how many.

    Reports that cannot be rated are logged for staff and skipped. Safe to run concurrently.
    """
    expired = Match.objects.expired(now).order_by("confirm_deadline")
    return sum(
        settle_expired(match_id, now) for match_id in expired.values_list("pk", flat=True)[:limit]
    )


def settle_expired(match_id: int, now: datetime) -> bool:
    try:
        with transaction.atomic():
            locked = lock(match_id)
            if locked.status != Status.REPORTED:
                return False
            settle(locked, Settled(Settlement.WINDOW), now)
    except Conflict:
        return False  # its season has been archived in the meantime
    except (history.HistoryError, UnsupportedMatch):
        logger.exception("Match %d cannot be rated. Staff have to decide it.", match_id)
        return False
    return True


def answering_side(locked: LockedMatch, player: Player) -> int:
    """Return the side for which ``player`` may answer a report."""
    side = locked.side_led_by(player)
    if side is None:
        raise Forbidden(
            "not_a_captain", _("Only captains of the other sides can answer this report.")
        )
    if locked.status != Status.REPORTED:
        raise status_conflict(locked)
    if side == locked.reported_by_side:
        raise Forbidden(
            "own_report", _("You reported this result. The other side has to confirm it.")
        )
    return side


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
