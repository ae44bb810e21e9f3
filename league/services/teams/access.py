"""Permissions of a team."""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.models import Team, TeamMember, TeamRole
from league.services.core.errors import Conflict, Forbidden
from league.services.core.isolation import gettext as _

if TYPE_CHECKING:
    from league.models import Player


def lock(team_id: int) -> Team:
    """Lock a team against other changes until the transaction ends.

    Raises:
        Conflict: it was disbanded.
    """
    # Members and rosters refer to the team and are written under this lock: no_key lets them.
    team = Team.objects.select_for_update(no_key=True).get(pk=team_id)
    if team.disbanded_at is not None:
        raise Conflict("disbanded", _("%(team)s was disbanded.") % {"team": team})
    return team


def membership(team: Team, player: Player | None) -> TeamMember | None:
    """Return a player's present place in a team."""
    if player is None:
        return None
    return TeamMember.objects.current().filter(team=team, player=player).first()


def check_leads(team: Team, player: Player) -> TeamMember:
    """Return the membership of a captain or vice-captain. Raises ``Forbidden`` for others."""
    own = membership(team, player)
    if own is None or not own.leads:
        raise Forbidden(
            "not_the_captain", _("Only the captain and vice-captains of the team can do this.")
        )
    return own


def check_captain(team: Team, player: Player) -> TeamMember:
    """Return the membership of the captain. Raises ``Forbidden`` for others."""
    own = membership(team, player)
    if own is None or own.role != TeamRole.CAPTAIN:
        raise Forbidden("not_the_captain", _("Only the captain of the team can do this."))
    return own
