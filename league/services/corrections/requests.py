"""Requests for corrections. Each is made once, even if a process is killed."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from league.models import CorrectionKind, CorrectionRequest, Match, Participant
from league.outages import outage_behind
from league.services.core.errors import Conflict, Refused
from league.services.core.kill_points import committing
from league.services.corrections import making, undoing
from league.services.corrections.checks import change_of, check_may_correct, check_reason

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Correction, User
    from ratings.replay import Progress

logger = logging.getLogger(__name__)

State = CorrectionRequest.State

MOST_AT_ONCE = 4_000
"""Participations that take about a second to rate again."""


def ask(
    match: Match,
    *,
    by: User,
    reason: str,
    digest: str,
    horizon: int,
    now: datetime,
    placings: Sequence[tuple[int, float | None]] | None = None,
    mode: str = "",
) -> CorrectionRequest:
    """Store a request for the correction with this preview, and return it.

    Asking again returns the same request. ``carry_out`` makes the correction.

    Raises:
        Forbidden: ``by`` may not correct this result.
        Conflict: the match is not rated, or another correction of it is waiting.
        Refused: there is no reason, or the result does not fit the match.
    """
    check_may_correct(match, by, voids=placings is None)
    reason = check_reason(reason)
    change = change_of(match, placings, mode)
    return store(
        CorrectionRequest(
            match=match,
            kind=CorrectionKind.VOID if change.placings is None else CorrectionKind.RESULT,
            placings=change.placings,
            mode=change.mode or "",
            reason=reason,
            by=by,
            at=now,
            digest=digest,
            horizon=horizon,
        )
    )


def ask_undo(
    correction: Correction, *, by: User, reason: str, digest: str, horizon: int, now: datetime
) -> CorrectionRequest:
    """Store a request for undoing a correction of one match with this preview, and return it.

    Raises:
        Forbidden: ``by`` may not correct this result.
        Conflict: it cannot be undone, or another correction of the match is waiting.
        Refused: there is no reason.
    """
    undoing.check_undoing(correction, by)
    return store(
        CorrectionRequest(
            match=correction.match,
            kind=CorrectionKind.UNDO,
            undoes=correction,
            reason=check_reason(reason),
            by=by,
            at=now,
            digest=digest,
            horizon=horizon,
        )
    )


def store(request: CorrectionRequest) -> CorrectionRequest:
    """Store a request, or return the same one if it is already waiting."""
    try:
        with committing("correction request"):
            request.save()
    except IntegrityError:
        waits = CorrectionRequest.objects.filter(match=request.match, state=State.WAITING)
        earlier = waits.first()
        if earlier and earlier.digest == request.digest:
            return earlier
        raise Conflict(
            "correction_waits", _("Another correction of this match is already waiting.")
        ) from None
    return request


def make(request: CorrectionRequest, now: datetime, progress: Progress | None) -> Correction:
    """Make a requested correction and return it."""
    if request.undoes is None:
        return making.make(request, now, progress)
    return undoing.undo(
        request.undoes,
        by=request.by,
        reason=request.reason,
        digest=request.digest,
        horizon=request.horizon,
        now=now,
        progress=progress,
    )


def carry_out(
    request_id: int, now: datetime, progress: Progress | None = None
) -> CorrectionRequest | None:
    """Make a requested correction, or store why it was refused, and return the request.

    Returns ``None`` if another process is working on it. Running it again does nothing.
    """
    with committing("correction"):
        requests = CorrectionRequest.objects.select_for_update(skip_locked=True, of=["self"])
        request = requests.filter(pk=request_id).first()
        if request is None or request.state != State.WAITING:
            return request
        try:
            with transaction.atomic():
                request.correction = make(request, now, progress)
        except Refused as refusal:
            if refusal.code == "season_in_use":
                return request
            request.state, request.refusal = State.REFUSED, refusal.message
        except Exception as error:
            if outage_behind(error):
                raise  # it waits until the site works again
            logger.exception("The correction of match %d failed.", request.match_id)
            request.state = State.REFUSED
            request.refusal = _(
                "Something went wrong and nothing was changed. See the log for details."
            )
        else:
            request.state = State.DONE
        request.finished_at = now
        request.save()
    return request


def is_quick(request: CorrectionRequest) -> bool:
    """Return whether so few results are rated again that a page can wait for it."""
    match = request.match
    order = match.rated_order if request.undoes is None else request.undoes.rated_order
    later = Participant.objects.filter(match__season=match.season_id, match__rated_order__gt=order)
    return later.order_by()[: MOST_AT_ONCE + 1].count() <= MOST_AT_ONCE


def waiting() -> list[int]:
    """Return the ids of waiting requests, oldest first."""
    requests = CorrectionRequest.objects.filter(state=State.WAITING).order_by("pk")
    return list(requests.values_list("pk", flat=True))
