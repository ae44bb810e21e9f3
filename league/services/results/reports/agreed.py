"""Reports of matches that were agreed on before: dates and challenges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import connection
from django.db.models import F, Q

from league.models import Agreement, Match
from league.services.core.errors import Conflict, Refused
from league.services.core.isolation import gettext as _
from league.services.core.turns import take_turns
from league.services.results.reports import reporting
from league.services.results.reports.reporting import season_of_result

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from uuid import UUID

    from league.models import Arena, Player, Season
    from league.services.core.types import ReportedSide


def hold(arena: Arena, turns: Sequence[int], played_at: datetime, now: datetime) -> Season | None:
    """Lock the season of results, and take the turns of their players. Call it before other locks.

    Return the season, if there is one for results of ``played_at``.
    """
    try:
        season = season_of_result(arena, played_at, arena.current_season(now))
    except Refused:  # as each result will be
        return None
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM league_season WHERE id = %s FOR KEY SHARE", [season.pk])
    if turns:
        take_turns(list(turns))
    return season


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
    by: Player | None = None,
    mode: str | None = "",
) -> Match:
    """Report a result as ``reporting.report`` does, and return a match that is new.

    Otherwise an earlier report could be linked to this agreement. Both sides agreed to the match
    at ``agreed_at``, so their silence confirms its result. ``by`` is who asks for the report, if
    not ``reporter``.

    Raises:
        Conflict: another report has used ``client_token``, or this match was reported without its
            agreement.
    """
    if client_token and Match.objects.filter(client_token=client_token).exists():
        raise Conflict(
            "client_token", _("This form has already reported another match. Open it again.")
        )
    match = reporting.report(
        arena,
        sides,
        reporter=reporter,
        played_at=played_at,
        now=now,
        client_token=client_token,
        sent_from=sent_from,
        mode=mode,
        answers=False,  # it would wait for that match with the turns of its players in hand
    )
    if match.reported_at != now or match.reported_by_id != reporter.pk:
        raise already_reported(match, by or reporter)
    match.sides.update(agreed_by=agreed_by, agreed_at=agreed_at or now)
    return match


def already_reported(match: Match, player: Player) -> Conflict:
    """Return the refusal of another report of a match, in words for ``player``."""
    who = {"name": match.reported_by, "number": match.pk}
    mine = Q(captain=player) | Q(participants__player=player)
    if match.sides.filter(mine, index=F("match__reported_by_side")).exists():
        text = _("%(name)s has already reported this match. See match %(number)d.")
    else:
        text = _(
            "Your opponent %(name)s had already reported this match. Confirm or dispute that "
            "report, match %(number)d, instead."
        )
    return Conflict("already_reported", text % who)
