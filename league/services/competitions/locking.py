"""Locks. Every change of a competition locks its row first, then dates and matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.models import Competition
from league.models.words import without_controls
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.isolation import gettext as _

if TYPE_CHECKING:
    from league.models import User

PERMISSION = "league.run_competition"


def lock(competition_id: int) -> Competition:
    """Lock a competition and return it, with its season and arena."""
    # Not its season: results of other matches would wait for every step of a competition.
    rows = Competition.objects.select_for_update(of=("self",)).select_related("season__arena")
    one = rows.filter(pk=competition_id).first()
    if one is None:
        raise Refused("no_competition", _("There is no such competition."))
    return one


def check_state(one: Competition, *states: Competition.State) -> None:
    """Refuse an operation unless the competition is in one of these states."""
    if one.state not in states:
        raise Conflict(
            str(one.state),
            _("This is not possible now. State of %(competition)s: %(state)s.")
            % {"competition": one, "state": one.get_state_display()},
        )


def check_may_run(by: User, one: Competition) -> None:
    if not by.has_perm(PERMISSION, one):
        raise Forbidden("not_staff", _("Only organisers of the arena can do this."))


def checked_reason(reason: str) -> str:
    reason = without_controls(reason).strip()
    if not reason:
        raise Refused("no_reason", _("Give a reason. Everybody can read it."), field="reason")
    return reason[:500]
