"""Deadlines of arrangements: proposals, requests and dates lapse without an answer or report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Q

from league.models import Arrangement, ArrangementStep
from league.services.dates.limits import REPORT_WITHIN
from league.services.dates.steps import end_request, note

if TYPE_CHECKING:
    from datetime import datetime


def sweep(now: datetime, limit: int = 500) -> int:
    """Let due arrangements lapse and return how many. Safe to run concurrently."""
    unanswered = Arrangement.objects.filter(request_until__lte=now).order_by("pk")
    kept = sum(keep(pk, now) for pk in unanswered.values_list("pk", flat=True)[:limit])
    due = Arrangement.objects.filter(lapsed_by(now)).order_by("pk")
    return kept + sum(lapse(pk, now) for pk in due.values_list("pk", flat=True)[:limit])


def lapsed_by(now: datetime) -> Q:
    """Select proposals whose time has come, and dates whose time to report has run out."""
    unanswered = Q(state=Arrangement.State.PROPOSED, play_at__lte=now)
    unreported = Q(state=Arrangement.State.ACCEPTED, play_at__lte=now - REPORT_WITHIN)
    return unanswered | unreported


def keep(arrangement_id: int, now: datetime) -> bool:
    """Drop a request that nobody answered in time, so that the date stands as it is."""
    with transaction.atomic():
        free = Arrangement.objects.select_for_update(skip_locked=True)
        one = free.filter(request_until__lte=now, pk=arrangement_id).first()
        if one is None:
            return False
        end_request(one)
        note(one, ArrangementStep.Kind.KEPT, now)
    return True


def lapse(arrangement_id: int, now: datetime) -> bool:
    """Let one arrangement lapse, unless another process has it locked or it is not due."""
    with transaction.atomic():
        free = Arrangement.objects.select_for_update(skip_locked=True)
        one = free.filter(lapsed_by(now), pk=arrangement_id).first()
        if one is None:
            return False
        one.state = Arrangement.State.LAPSED
        one.answered_at = one.answered_at or now
        one.request, one.request_until = None, None
        one.save(update_fields=["state", "answered_at", "request", "request_until"])
        note(one, ArrangementStep.Kind.LAPSED, now)
    return True
