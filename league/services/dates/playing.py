"""Playing an arranged match: its report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from league.models import Agreement, Arena, Arrangement, ArrangementStep
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.core.turns import turns_of
from league.services.dates.limits import reports_from, reports_until
from league.services.dates.steps import locked_for, note
from league.services.results.reports.agreed import hold, report_new

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime
    from uuid import UUID

    from league.models import Match, Player
    from league.services.core.types import ReportedSide


def report(
    arrangement_id: int,
    sides: Sequence[ReportedSide],
    *,
    reporter: Player,
    played_at: datetime,
    now: datetime,
    client_token: UUID | None = None,
    sent_from: UUID | None = None,
    mode: str = "",
) -> Match:
    """Report the result of an arranged match as one of its captains, and return the match.

    A repeated ``client_token`` returns the match of the first report.

    Raises:
        Forbidden: ``reporter`` is not one of the captains.
        Conflict: the date is not agreed, not due yet, lapsed or already reported, or its match was
            reported without it.
        Refused: the sides are not those of the date, it was played before the date, or as
            ``reporting.report`` raises.
    """
    with transaction.atomic():
        hold_players(
            arrangement_id,
            {part.player.pk for side in sides for part in side.participants},
            played_at,
            now,
        )
        one = locked_for(arrangement_id, reporter)
        if one.match and client_token and one.match.client_token == client_token:
            return one.match
        check_takes_report(one, now)
        check_sides(one, sides)
        if played_at < reports_from(one):
            raise Refused(
                "before_date",
                _("This match was agreed for a later time. Report an earlier one on its own."),
                field="played_at",
            )
        match = report_new(
            one.arena,
            sides,
            reporter=reporter,
            played_at=played_at,
            now=now,
            agreed_by=Agreement.DATE,
            agreed_at=one.accepted_at,
            client_token=client_token,
            sent_from=sent_from,
            mode=mode,
        )
        note_home(one, match)
        link(one, match)
        note(one, ArrangementStep.Kind.REPORTED, now, by=reporter)
    return match


def hold_players(
    arrangement_id: int, players: Collection[int], played_at: datetime, now: datetime
) -> None:
    """Lock the season of a report and take the turns of its players, before the date is locked.

    Imports and evenings hold both when they come to the dates of their results.
    """
    arena = Arena.objects.filter(arrangements=arrangement_id).first()
    if arena is not None:
        hold(arena, turns_of(players), played_at, now)


def note_home(one: Arrangement, match: Match) -> None:
    """Note the home side of a fixture as the first side of its match."""
    if (first := first_side(one)) is not None:
        captain = one.captains[first][0]
        home = match.sides.filter(captain=captain).values_list("index", flat=True)
        match.first_side = home.first()
        match.save(update_fields=["first_side"])


def first_side(one: Arrangement) -> int | None:
    """Return which of the captains' sides is at home: that of a fixture, ``None`` without one.

    Dates that captains propose are on neutral ground. Otherwise whoever expects to lose would call
    themselves the guest.
    """
    return 0 if hasattr(one, "game") else None


def link(one: Arrangement, match: Match) -> None:
    """Link a new match to its arrangement, which is then over."""
    one.match, one.state = match, Arrangement.State.PLAYED
    one.request, one.request_until = None, None
    one.save(update_fields=["match", "state", "request", "request_until"])


def check_captain(one: Arrangement, player: Player) -> None:
    if not one.has(player):
        raise Forbidden("not_a_captain", _("Only the captains of the sides can report."))


def check_takes_report(one: Arrangement, now: datetime) -> None:
    """Refuse reports before or after their time."""
    if one.state != Arrangement.State.ACCEPTED:
        messages = {
            Arrangement.State.PROPOSED: _("The other side has not agreed to this date yet."),
            Arrangement.State.PLAYED: _("This match has already been reported."),
            Arrangement.State.CALLED_OFF: _("This date was called off."),
        }
        state = Arrangement.State(one.state)
        raise Conflict(str(state), messages.get(state, _("This date is over.")))
    if now < reports_from(one):
        raise Conflict("too_early", _("This match is still to be played."))
    if now >= reports_until(one):
        raise Conflict("too_late", _("The time to report this match has run out."))


def check_sides(one: Arrangement, sides: Sequence[ReportedSide]) -> None:
    """Refuse a result between others than the two captains."""
    if sorted(side.captain.pk for side in sides) != sorted([one.proposer_id, one.opponent_id]):
        raise Refused(
            "sides",
            _("This date is for %(one)s and %(other)s, each the captain of a side.")
            % {"one": one.proposer, "other": one.opponent},
        )
