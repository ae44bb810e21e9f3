"""Who played: from the names in a form to the sides of a report."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from league.models import Format, Player, Roster, RosterMember
from league.models.names import NAME_MAX_LENGTH, fold
from league.services.core.errors import Refused
from league.services.results.formats import between

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import QuerySet
    from django.http import QueryDict

    from league.models import Arena, Match

NEAR = 3
NEAR_POOL = 500


@dataclass(frozen=True)
class LineupSide:
    """A side before its result is known: its captain and who may have played for it."""

    captain: Player
    players: Sequence[Player]
    roster: Roster | None = None

    @property
    def name(self) -> str:
        return self.roster.name if self.roster else self.captain.name


@dataclass(frozen=True)
class Lineup:
    """The sides of a match to report; the first is the reporter's."""

    arena: Arena
    sides: Sequence[LineupSide]

    @property
    def is_two_sided(self) -> bool:
        return len(self.sides) == 2

    def chooses(self, side: LineupSide) -> bool:
        """Whether the report has to say who of the side played."""
        return len(side.players) > self.arena.team_size_min

    @property
    def question(self) -> list[tuple[str, str]]:
        """What leads to this line-up again, as fields of a form."""
        first, *others = self.sides
        mine = [("roster", str(first.roster.pk))] if first.roster else []
        return mine + [("opponent", side.name) for side in others]


def plays_in_rosters(arena: Arena) -> bool:
    return arena.format == Format.TEAMS and arena.team_size_max > 1


def chosen(arena: Arena, me: Player, asked: QueryDict) -> Lineup:
    """The line-up of me against those named in ``opponent``.

    Raises:
        Refused: a name that nobody has, too few or too many of them, or no roster of mine.
    """
    names = [name.strip() for text in asked.getlist("opponent") for name in text.splitlines()]
    names = [name for name in names if name]
    limits = (arena.sides_min - 1, arena.sides_max - 1)
    if not names:
        raise Refused("no_opponent", _("Say who you played against."), field="opponent")
    if not limits[0] <= len(names) <= limits[1]:
        raise Refused(
            "sides",
            _("In %(arena)s you play against %(range)s at a time; you named %(count)d.")
            % {
                "arena": arena,
                "range": _("one") if limits == (1, 1) else between(*limits),
                "count": len(names),
            },
            field="opponent",
        )
    if plays_in_rosters(arena):
        mine = my_roster(arena, me, asked.get("roster", ""))
        return Lineup(arena, sides_of_rosters([mine, *rosters_named(arena, names)]))
    players = players_named(names)
    if len(players) < len(names):
        raise Refused("twice", _("You named somebody twice."), field="opponent")
    if me in players:
        raise Refused("twice", _("You cannot play against yourself."), field="opponent")
    return Lineup(arena, [LineupSide(player, [player]) for player in (me, *players)])


def of_match(match: Match) -> Lineup:
    """The line-up of a match that :func:`league.services.results.profiles.with_sides` loaded."""
    return Lineup(
        match.arena,
        [
            LineupSide(side.captain, [part.player for part in side.participants.all()], side.roster)
            for side in match.sides.all()
        ],
    )


def my_roster(arena: Arena, me: Player, asked: str) -> Roster:
    rosters = {str(roster.pk): roster for roster in arena.rosters.led_by(me)}
    if asked not in rosters:
        raise Refused("no_roster", _("Choose one of the rosters that you lead."), field="roster")
    return rosters[asked]


def sides_of_rosters(rosters: Sequence[Roster]) -> list[LineupSide]:
    if len({roster.pk for roster in rosters}) < len(rosters):
        raise Refused("twice", _("A roster cannot play against itself."), field="opponent")
    members: dict[int, list[Player]] = {roster.pk: [] for roster in rosters}
    memberships = RosterMember.objects.filter(roster__in=members).select_related("player")
    for membership in memberships.order_by("player__name"):
        members[membership.roster_id].append(membership.player)
    return [
        LineupSide(
            roster.captain,
            sorted(members[roster.pk], key=lambda player: player.pk != roster.captain_id),
            roster,
        )
        for roster in rosters
    ]


def players_named(names: Sequence[str], field: str = "opponent") -> list[Player]:
    """The players of these names, in their order, each once.

    Raises:
        Refused: nobody has one of the names; who has a similar one is suggested.
    """
    known = {
        player.folded_name: player
        for player in Player.objects.filter(folded_name__in=[fold(name) for name in names])
    }
    for name in names:
        if fold(name) not in known:
            pool = Player.objects.filter(folded_name__startswith=fold(name)[:1])
            message = _("There is no player “%(name)s”.") % {"name": shortened(name)}
            raise Refused("unknown", message + suggestion(name, pool), field=field)
    return list(dict.fromkeys(known[fold(name)] for name in names))


def rosters_named(arena: Arena, names: Sequence[str]) -> list[Roster]:
    """As :func:`players_named`, for the rosters of an arena."""
    rosters = arena.rosters.select_related("captain")
    known = {
        roster.folded_name: roster
        for roster in rosters.filter(folded_name__in=[fold(name) for name in names])
    }
    for name in names:
        if fold(name) not in known:
            pool = rosters.filter(folded_name__startswith=fold(name)[:1])
            message = _("There is no roster “%(name)s” in %(arena)s.") % {
                "name": shortened(name),
                "arena": arena,
            }
            raise Refused("unknown", message + suggestion(name, pool), field="opponent")
    return [known[fold(name)] for name in names]


def suggestion(name: str, pool: QuerySet[Player] | QuerySet[Roster]) -> str:
    """“Did you mean …?” with the names of ``pool`` that are near, or nothing."""
    names = {candidate.folded_name: candidate.name for candidate in pool[:NEAR_POOL]}
    near = difflib.get_close_matches(fold(name)[:NAME_MAX_LENGTH], names, n=NEAR)
    if not near:
        return ""
    return " " + _("Did you mean %(names)s?") % {"names": ", ".join(names[one] for one in near)}


def shortened(name: str) -> str:
    return name if len(name) <= NAME_MAX_LENGTH else name[: NAME_MAX_LENGTH - 1] + "…"
