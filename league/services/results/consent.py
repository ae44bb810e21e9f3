"""Check that the players in a report agreed to play for its captains."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q
from django.utils.translation import gettext as _

from league.models import RosterMember
from league.services.core.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.models import Arena
    from league.services.core.types import ReportedSide


def check_consent(arena: Arena, sides: Sequence[ReportedSide]) -> None:
    """Refuse a report with players who are in no roster of their side's captain.

    Raises:
        Refused: naming these players.
    """
    named = [
        (side.captain, [part.player for part in side.participants if part.player != side.captain])
        for side in sides
    ]
    wanted = Q()
    for captain, others in named:
        if others:
            wanted |= Q(roster__captain=captain, player__in=others)
    if not wanted:
        return
    members = RosterMember.objects.filter(wanted, roster__arena=arena)
    known = set(members.values_list("roster__captain", "player"))
    for captain, others in named:
        strangers = [player.name for player in others if (captain.pk, player.pk) not in known]
        if strangers:
            raise Refused(
                "not_in_a_roster",
                _("In no roster of %(captain)s in %(arena)s: %(players)s. Invite them first.")
                % {"players": ", ".join(strangers), "captain": captain, "arena": arena},
            )
