"""Undo the void of a match that was never rated: it waits for its sides or staff again.

Voiding a rated match is a correction, which ``league.services.corrections.undoing`` undoes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from league.models import Match, NoticeKind, RatingEvent, Settlement, StaffAction, Status
from league.services.core.errors import Conflict, Refused
from league.services.core.kill_points import committing
from league.services.core.locking import lock
from league.services.dishonor import discipline
from league.services.notices.writing import notify_of_match
from league.services.results.rules import own_matches

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import User


def void_of(match: Match) -> StaffAction | None:
    """Return the decision that voided a reported or disputed match, if it can be undone."""
    if match.status != Status.VOID or match.settlement != Settlement.STAFF:
        return None
    if match.reported_by_side is None or match.season.archived_at is not None:
        return None
    if RatingEvent.ever.filter(match=match).exists():
        return None
    return match.staff_actions.filter(kind=StaffAction.Kind.VOIDED).order_by("-pk").first()


def reopen(match_id: int, *, by: User, reason: str, now: datetime) -> Match:
    """Undo the void of a match that was reported or disputed, and return the match.

    A disputed one waits for staff again. A report waits for its answer as long as it still would
    have. Penalties for leaving that the void took back count again.

    Raises:
        Forbidden: ``by`` may not decide this match.
        Conflict: no void of this match can be undone.
        Refused: there is no reason.
    """
    own_matches.check_permission(
        by, own_matches.DECIDE, match_id, _("Only staff can decide a result.")
    )
    if not reason.strip():
        raise Refused("no_reason", _("Give a reason. Both sides will read it."), field="reason")
    with committing("reopening"):
        lock(match_id)
        match = Match.objects.select_related("season").get(pk=match_id)
        own = own_matches.check_own_match(match, by)
        voided = void_of(match)
        if voided is None or match.settled_at is None or match.confirm_deadline is None:
            raise Conflict(
                "not_undoable",
                _("This match was not voided as a report, so there is no report to return to."),
            )
        match.confirm_deadline = max(now, now + (match.confirm_deadline - match.settled_at))
        match.status = Status.DISPUTED if match.disputed_at else Status.REPORTED
        match.settlement, match.settled_at = "", None
        match.save(update_fields=["confirm_deadline", "status", "settlement", "settled_at"])
        action = StaffAction.objects.create(
            actor=by,
            kind=StaffAction.Kind.UNDONE,
            match=match,
            reason=reason.strip(),
            details={"voided": voided.pk, **own},
            at=now,
        )
        discipline.undo(voided, action)
        notify_of_match(match_id, NoticeKind.DECIDED, now)
    return match
