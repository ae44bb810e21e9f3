"""Hashed addresses of reports and answers are forgotten once no detector reads them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from league.models import Confirmation, CounterReport, Match
from league.services.integrity.detectors import DAYS

if TYPE_CHECKING:
    from datetime import datetime

KEPT = timedelta(days=DAYS + 2)
"""How long hashes of addresses are kept, from the report or the answer on."""


def forget_old(now: datetime) -> int:
    """Clear old hashes and return of how many reports and answers."""
    before = now - KEPT
    reports = Match.objects.filter(reported_from__isnull=False, reported_at__lt=before)
    confirmations = Confirmation.objects.filter(sent_from__isnull=False, at__lt=before)
    counter_reports = CounterReport.objects.filter(sent_from__isnull=False, at__lt=before)
    return (
        reports.update(reported_from=None, confirmed_from=None)
        + confirmations.update(sent_from=None)
        + counter_reports.update(sent_from=None)
    )
