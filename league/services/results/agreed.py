"""Reports of matches that were agreed on before: dates and challenges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from league.models import Agreement, Match
from league.services.core.errors import Conflict
from league.services.results import reporting

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from uuid import UUID

    from league.models import Arena, Player
    from league.services.core.types import ReportedSide


def report_new(
    arena: Arena,
    sides: Sequence[ReportedSide],
    *,
    reporter: Player,
    played_at: datetime,
    now: datetime,
    agreed_by: Agreement,
    agreed_at: datetime | None,
    client_token: UUID | None = None,
    sent_from: UUID | None = None,
) -> Match:
    """Report a result as ``reporting.report`` does, and return a match that is new.

    Otherwise the token of an earlier report could link its match to this agreement. Both sides
    agreed to the match at ``agreed_at``, so their silence confirms its result.

    Raises:
        Conflict: another report has used ``client_token``.
    """
    taken = Conflict(
        "client_token", _("This form has already reported another match. Open it again.")
    )
    if client_token and Match.objects.filter(client_token=client_token).exists():
        raise taken
    match = reporting.report(
        arena,
        sides,
        reporter=reporter,
        played_at=played_at,
        now=now,
        client_token=client_token,
        sent_from=sent_from,
    )
    if match.reported_at != now:
        raise taken
    match.sides.update(agreed_by=agreed_by, agreed_at=agreed_at or now)
    return match
