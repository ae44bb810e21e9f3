"""The steps of arrangements, and locks on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from league.models import Arrangement, ArrangementStep, NoticeKind
from league.services.core.errors import Forbidden, Refused
from league.services.dates.people import everybody
from league.services.notices.writing import notify

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Player

TOLD_WITH_THE_MATCH = {
    ArrangementStep.Kind.REPORTED,
    ArrangementStep.Kind.CONCEDED,
    ArrangementStep.Kind.DENIED,
}
"""Steps that make a match or its answer, of which the other captain is told anyway."""

TOLD_TO_ALL = {
    ArrangementStep.Kind.AGREED,
    ArrangementStep.Kind.ENDED,
    ArrangementStep.Kind.CALLED_OFF,
}
"""Steps that change when both sides meet, of which all their players are told."""

NOTICES = {
    ArrangementStep.Kind.PROPOSED: NoticeKind.WAITING,
    ArrangementStep.Kind.MOVED: NoticeKind.WAITING,
    ArrangementStep.Kind.MOVING: NoticeKind.WAITING,
    ArrangementStep.Kind.ENDING: NoticeKind.WAITING,
    ArrangementStep.Kind.CLAIMED: NoticeKind.WAITING,
    ArrangementStep.Kind.ENDED: NoticeKind.CALLED_OFF,
    ArrangementStep.Kind.CALLED_OFF: NoticeKind.CALLED_OFF,
}
"""The kinds of notices about steps. The others are news."""


def note(
    one: Arrangement,
    kind: ArrangementStep.Kind,
    now: datetime,
    *,
    by: Player | None = None,
    play_at: datetime | None = None,
    reason: str = "",
) -> ArrangementStep:
    """Record a step in the arrangement's history, and tell the others of it."""
    step = ArrangementStep.objects.create(
        arrangement=one, kind=kind, at=now, by=by, play_at=play_at, reason=reason
    )
    if by is not None and kind not in TOLD_WITH_THE_MATCH:
        recipients = everybody(one) - {by.pk} if kind in TOLD_TO_ALL else {one.other(by).pk}
        about = NOTICES.get(kind, NoticeKind.DATED)
        notify(recipients, about, now, actor=by, arena=one.arena, arrangement=one)
    return step


def end_request(one: Arrangement) -> None:
    """Drop the open request of a locked arrangement, whatever it asked for."""
    one.request, one.request_until = None, None
    one.save(update_fields=["request", "request_until"])


def lock(arrangement_id: int) -> Arrangement:
    """Lock an arrangement against other answers and reports, and return it."""
    # Of the date alone: its players answer and report elsewhere meanwhile.
    rows = Arrangement.objects.select_for_update(of=("self",)).select_related(
        "arena",
        "proposer__user",
        "opponent__user",
        "proposer_roster",
        "opponent_roster",
        "claimed_by",
        "match",
        "request__by",
    )
    one = rows.filter(pk=arrangement_id).first()
    if one is None:
        raise Refused("no_arrangement", _("There is no such date."))
    return one


def locked_for(arrangement_id: int, captain: Player) -> Arrangement:
    """Lock an arrangement of ``captain`` and return it."""
    one = lock(arrangement_id)
    if not one.has(captain):
        raise Forbidden("not_a_captain", _("Only the two captains can do this."))
    return one
