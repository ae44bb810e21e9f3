"""Corrections that staff asked for, until they are made: once, whoever is killed on the way."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from league.models import CorrectionKind, CorrectionRequest, Match, Participant
from league.services.core.errors import Conflict, Refused
from league.services.corrections.rules import change_of, check_may_correct, check_reason
from league.services.corrections.writing import make

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import User
    from ratings.replay import Progress

logger = logging.getLogger(__name__)

State = CorrectionRequest.State

MOST_AT_ONCE = 4_000
"""Participations that are rated again within a second or so."""


def ask(
    match: Match,
    *,
    by: User,
    reason: str,
    digest: str,
    horizon: int,
    now: datetime,
    placings: Sequence[tuple[int, float | None]] | None = None,
) -> CorrectionRequest:
    """Write down that the correction is wanted whose preview had this digest and horizon.

    Asked for twice, there is one request. ``carry_out`` makes it so.

    Raises:
        Forbidden: ``by`` may not correct results.
        Conflict: the match is not rated, or another correction of it waits.
        Refused: there is no reason, or the result does not fit the match.
    """
    check_may_correct(by)
    reason = check_reason(reason)
    change = change_of(match, placings)
    asked = CorrectionRequest(
        match=match,
        kind=CorrectionKind.VOID if change.placings is None else CorrectionKind.RESULT,
        placings=change.placings,
        reason=reason,
        by=by,
        at=now,
        digest=digest,
        horizon=horizon,
    )
    try:
        with transaction.atomic():
            asked.save()
    except IntegrityError:
        earlier = CorrectionRequest.objects.filter(match=match, state=State.WAITING).first()
        if earlier and earlier.digest == digest:
            return earlier
        raise Conflict(
            "correction_waits", _("Another correction of this match is about to be made.")
        ) from None
    return asked


def carry_out(
    request_id: int, now: datetime, progress: Progress | None = None
) -> CorrectionRequest | None:
    """Make the correction that was asked for, or write down why not.

    ``None`` if another process is at it. Safe to run twice: the second finds it done.
    """
    with transaction.atomic():
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
        except Exception:
            logger.exception("The correction of match %d failed.", request.match_id)
            request.state = State.REFUSED
            request.refusal = _("Something went wrong; nothing was changed. The log says more.")
        else:
            request.state = State.DONE
        request.finished_at = now
        request.save()
    return request


def is_quick(request: CorrectionRequest) -> bool:
    """Whether it can be carried out while somebody waits: few results are rated again."""
    match = request.match
    later = Participant.objects.filter(
        match__season=match.season_id, match__rated_order__gt=match.rated_order
    )
    return later.order_by()[: MOST_AT_ONCE + 1].count() <= MOST_AT_ONCE


def waiting() -> list[int]:
    """Requests that are still to be carried out, the oldest first."""
    asked = CorrectionRequest.objects.filter(state=State.WAITING).order_by("pk")
    return list(asked.values_list("pk", flat=True))
