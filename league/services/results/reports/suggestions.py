"""Opponents to name in a report: the last ones, or by part of their names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from league.models import Match, Player, Side
from league.services.results.rules.formats import plays_in_rosters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.models import Arena, Roster

MOST = 10
MOST_RECENT = 6
RECENT_MATCHES = 40
"""The last matches among which recent opponents are found."""


@dataclass(frozen=True)
class Opponent:
    """A captain, or their roster, whom somebody played lately."""

    captain: Player
    roster: Roster | None
    own_roster: int | None
    """The roster with which they played against them."""

    @property
    def name(self) -> str:
        return self.roster.name if self.roster else self.captain.name

    @property
    def lone_player(self) -> Player | None:
        """The captain, if they play for themselves."""
        return None if self.roster else self.captain


def recent_opponents(arena: Arena, me: Player) -> list[Opponent]:
    """Return the last opponents of a captain who can confirm a report, the latest first."""
    mine = Side.objects.filter(
        captain=me,
        match__arena=arena,
        match__kind=Match.Kind.GAME,
        roster__isnull=not plays_in_rosters(arena),
    )
    # Match ids grow with time.
    led = dict(mine.order_by("-match").values_list("match", "roster")[:RECENT_MATCHES])
    others = Side.objects.filter(match__in=led, captain__user__is_active=True).exclude(captain=me)
    found: dict[tuple[int, int | None], Opponent] = {}
    for side in others.select_related("captain__profile", "roster__team").order_by("-match"):
        if (side.roster is None) == plays_in_rosters(arena):
            continue
        found.setdefault(
            (side.captain_id if side.roster is None else side.roster.pk, led[side.match_id]),
            Opponent(side.captain, side.roster, led[side.match_id]),
        )
    return list(found.values())[:MOST_RECENT]


def opponents(arena: Arena, text: str) -> Sequence[Player] | Sequence[Roster]:
    """Return rosters of an arena, or players where it has none, with a text in their names."""
    text = text.strip()
    if not text:
        return []
    if plays_in_rosters(arena):
        return list(arena.rosters.search(text).order_by("sort_name")[:MOST])
    return list(Player.objects.listed().search(text).order_by("sort_name")[:MOST])
