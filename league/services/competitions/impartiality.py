"""Organisers who play: what could help them is decided by others, as long as there are any."""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.models import Competition, RosterMember, User
from league.models.reach import may
from league.services.competitions.locking import PERMISSION
from league.services.core.errors import Forbidden

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.models import Entrant


def refuse_own(arena_id: int, by: User, sides: Sequence[Entrant], sentence: str) -> None:
    """Refuse a decision to an organiser who plays for one of ``sides``, unless all of them do.

    Raises:
        Forbidden: with ``sentence``, which says whom to ask instead.
    """
    playing = users_of(sides)
    if by.pk not in playing:
        return
    if User.objects.filter(may(PERMISSION, arena_id)).exclude(pk__in=playing).exists():
        raise Forbidden("own", sentence)


def refuse_own_competition(
    one: Competition, by: User, sentence: str, *, except_for: Entrant | None = None
) -> None:
    """Refuse a decision to an organiser who plays in a competition, as :func:`refuse_own` does.

    They may decide about ``except_for`` if they play for it themselves.
    """
    if except_for is not None and by.pk in users_of([except_for]):
        return
    refuse_own(one.season.arena_id, by, list(one.entrants.with_people()), sentence)


def users_of(sides: Sequence[Entrant]) -> set[int]:
    """Return the accounts of those who play for some entrants."""
    rosters = [side.roster_id for side in sides if side.roster_id]
    members = RosterMember.objects.filter(roster__in=rosters)
    captains = {side.captain.user_id for side in sides}
    return {user for user in captains | set(members.values_list("player__user", flat=True)) if user}
