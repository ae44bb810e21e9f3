"""How many sides have confirmed a report, and how many have to.

Between two sides, the other captain decides. With more, a report counts once every side that can
lose by it has confirmed it, or the quorum of the arena's rules has.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import connection
from django.utils.translation import gettext as _

from league.models import Confirmation, Match
from league.services.core.errors import Conflict

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from league.models import Player
    from league.models.result_rules import ResultRules

# A side can lose by a result unless it wins alone: level with a weaker side, it loses too.
TALLY = """
    WITH sides AS (
        SELECT side.index = m.reported_by_side AS reported,
            side.place > 0 OR count(*) FILTER (WHERE side.place = 0) OVER () > 1 AS harmed,
            side.place > (
                SELECT reporting.place FROM league_side AS reporting
                WHERE reporting.match_id = m.id AND reporting.index = m.reported_by_side
            ) AS worse,
            said.id IS NOT NULL OR (
                %s AND side.agreed_at IS NOT NULL AND side.notified_at IS NOT NULL
                AND EXISTS (
                    SELECT FROM league_player AS captain
                    JOIN league_user AS account ON account.id = captain.user_id
                    WHERE captain.id = side.captain_id AND account.is_active
                )
            ) AS agrees
        FROM league_match AS m
        JOIN league_side AS side ON side.match_id = m.id
        LEFT JOIN league_confirmation AS said ON said.side_id = side.id
        WHERE m.id = %s
    )
    SELECT count(*), count(*) FILTER (WHERE agrees),
        count(*) FILTER (WHERE harmed), count(*) FILTER (WHERE harmed AND agrees),
        count(*) FILTER (WHERE worse), count(*) FILTER (WHERE worse AND agrees)
    FROM sides WHERE NOT reported
"""


@dataclass(frozen=True)
class Tally:
    """The sides other than the reporting one, and how many of them confirmed the report."""

    others: int
    confirmed: int
    harmed: int
    """Sides that can lose by the result."""
    harmed_confirmed: int
    worse: int
    """Sides placed below the reporting one."""
    worse_confirmed: int

    def is_enough(self, rules: ResultRules) -> bool:
        """Return whether the report counts."""
        if not self.confirmed:
            return False
        everyone_harmed = 0 < self.harmed == self.harmed_confirmed
        return everyone_harmed or (
            self.confirmed >= self.needed(rules) and not self.lacks_a_worse_side
        )

    def needed(self, rules: ResultRules) -> int:
        """Return how many sides have to confirm."""
        return 1 if self.others == 1 else rules.quorum(self.others)

    @property
    def lacks_a_worse_side(self) -> bool:
        """Whether a side placed below the reporting one still has to confirm."""
        return self.worse > 0 and not self.worse_confirmed


def tally(match_id: int, *, silence: bool = False) -> Tally:
    """Return how many sides confirmed a report.

    With ``silence``, sides count too that agreed to the match and were notified of the report, if
    their captain can still log in to answer.
    """
    with connection.cursor() as cursor:
        cursor.execute(TALLY, [silence, match_id])
        return Tally(*cursor.fetchall()[0])


def add_confirmation(
    match_id: int, side: int, *, by: Player, now: datetime, sent_from: UUID | None = None
) -> bool:
    """Store a side's confirmation of a locked match. Return whether the report now counts.

    Raises:
        Conflict: the side has already confirmed it.
    """
    match = Match.objects.select_related("arena").get(pk=match_id)
    confirming = match.sides.get(index=side)
    if Confirmation.objects.filter(side=confirming).exists():
        raise Conflict(
            "confirmed", _("You have already confirmed this result. Other sides still have to.")
        )
    Confirmation.objects.create(
        match=match, side=confirming, player=by, at=now, sent_from=sent_from
    )
    return tally(match_id).is_enough(match.arena.accepts())


def confirmed_sides(match_id: int) -> set[int]:
    """Return the indexes of the sides that confirmed a report of more than two sides."""
    confirmations = Confirmation.objects.filter(match=match_id)
    return set(confirmations.values_list("side__index", flat=True))
