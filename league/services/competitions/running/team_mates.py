"""Entrants of one team, which a Swiss can keep apart."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import TYPE_CHECKING

from league.models import TeamMember
from league.models.names import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.models import Competition, Entrant


def team_mates(one: Competition, entrants: Sequence[Entrant]) -> frozenset[frozenset[int]]:
    """Return the pairs of entrants, by id, that belong to one team or club.

    A roster belongs to its team. A player belongs to the teams that they were in at the draw, or
    when they entered later, so that nobody avoids an opponent by joining or leaving a team.
    """
    by_team: dict[int, list[int]] = defaultdict(list)
    alone = {entrant.player_id: entrant for entrant in entrants if entrant.roster_id is None}
    by_club: dict[str, list[int]] = defaultdict(list)
    for entrant in entrants:
        if entrant.club:
            by_club[fold(entrant.club)].append(entrant.pk)
        if entrant.roster is not None and entrant.roster.team_id is not None:
            by_team[entrant.roster.team_id].append(entrant.pk)
    for member in TeamMember.objects.filter(player__in=alone):
        entrant = alone[member.player_id]
        since = max(entrant.entered_at, one.drawn_at or entrant.entered_at)
        if member.joined_at <= since and (member.left_at is None or member.left_at > since):
            by_team[member.team_id].append(entrant.pk)
    return frozenset(
        frozenset(pair)
        for members in (*by_team.values(), *by_club.values())
        for pair in combinations(sorted(set(members)), 2)
    )
