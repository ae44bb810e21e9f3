"""Walkovers among the results of an evening: they decide fixtures by forfeit, and rate nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.models import Competition, Fixture, StaffAction
from league.services.competitions import counting, decisions
from league.services.core.errors import Refused
from league.services.core.isolation import gettext as _
from ratings.files.scores import FIRST, NEITHER, SECOND

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Arrangement, User
    from league.services.core.types import ReportedSide

Result = Fixture.Result


def enter(
    date: Arrangement | None,
    sides: Sequence[ReportedSide],
    winner: str,
    *,
    by: User,
    reason: str,
    now: datetime,
) -> Fixture:
    """Decide the fixture of two sides, as a forfeit that one of them wins or both lose.

    Raises:
        Refused: they have no open fixture, or ``by`` may not decide it.
    """
    if date is None:
        raise Refused(
            "no_fixture",
            _(
                "A walkover counts for an open fixture, and none is chosen for these two. If your "
                "rules rate a walkover, write 1 or 2."
            ),
        )
    home, away = counting.parties_of(sides, led=False)
    in_order = counting.is_between(date, counting.members_of([date])[date.pk], home, away)
    results = {FIRST: Result.HOME, SECOND: Result.AWAY}
    if not in_order:
        results = {FIRST: Result.AWAY, SECOND: Result.HOME}
    result = results.get(winner, Result.NEITHER)
    return decisions.decide(
        date.game.fixture_id, result, by=by, reason=reason, now=now, forfeit=True
    )


def describe(sides: Sequence[ReportedSide], winner: str) -> str:
    """Return what a walkover means, in a sentence."""
    if winner == NEITHER:
        return _("Both lose by forfeit. Ratings stay as they are.")
    side = sides[0 if winner == FIRST else 1]
    name = side.roster or side.captain
    return _("%(name)s wins by forfeit. Ratings stay as they are.") % {"name": name}


def standing(action: StaffAction) -> list[Fixture]:
    """Return the fixtures of running competitions that an evening decided, and nobody since."""
    rows = Fixture.objects.filter(
        action__in=action.details.get("walkovers", []),
        result__in=[Result.HOME, Result.AWAY, Result.NEITHER],
        competition__state=Competition.State.RUNNING,
    )
    return list(rows.select_related("home__player", "away__player").order_by("pk"))


def undo(action: StaffAction, *, by: User, reason: str, now: datetime) -> list[int]:
    """Open the fixtures again that an evening decided. Return their ids."""
    fixtures = standing(action)
    for fixture in fixtures:
        decisions.decide(fixture.pk, Result.OPEN, by=by, reason=reason, now=now)
    return [fixture.pk for fixture in fixtures]
