"""Line-ups: the sides of a report, found by the names in a form."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from league.models import Player, Roster, RosterMember
from league.models.lists import COMMAS, list_of
from league.models.names import NAME_MAX_LENGTH, fold
from league.services.competitions.counting import Party
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.core.isolation import gettext as _
from league.services.results.reports.consent import possible_stand_ins
from league.services.results.rules.formats import between, plays_in_rosters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import QuerySet
    from django.http import QueryDict

    from league.models import Arena, Match

NEAR = 3
NEAR_POOL = 500


@dataclass(frozen=True)
class LineupSide:
    """A side without its result: the captain and the players who may have played."""

    captain: Player
    players: Sequence[Player]
    roster: Roster | None = None
    stand_ins: Sequence[Player] = ()
    """Those of ``players`` who are not in the roster."""

    @property
    def name(self) -> str:
        """The roster's name, or the players' names, as on the page of the match."""
        if self.roster:
            return self.roster.name
        return list_of(player.name for player in self.players)


@dataclass(frozen=True)
class Lineup:
    """The sides of a match to report, the reporter's first."""

    arena: Arena
    sides: Sequence[LineupSide]
    mode: str = ""
    """The game mode of a match that began with it, which no captain changes."""

    @property
    def is_two_sided(self) -> bool:
        return len(self.sides) == 2

    def chooses(self, side: LineupSide) -> bool:
        """Return whether the report has to name the side's participants."""
        return bool(side.stand_ins) or len(side.players) > self.arena.team_size_min

    @property
    def question(self) -> list[tuple[str, str]]:
        """Return the form values that lead to this line-up."""
        first, *others = self.sides
        mine = [("roster", str(first.roster.pk))] if first.roster else []
        return mine + [("opponent", side.name) for side in others]


@dataclass(frozen=True)
class EnteredLineup(Lineup):
    """The sides of a result that an organiser enters."""

    lines: Sequence[str] = ()
    """The lines that name the sides."""

    @property
    def question(self) -> list[tuple[str, str]]:
        return [("sides", line) for line in self.lines]


def parties_of(lineup: Lineup, *, led: bool) -> list[Party]:
    """Return the sides of a line-up as those of a fixture. ``led`` ones need its captains."""
    return [
        Party(
            frozenset(player.pk for player in side.players),
            side.captain.pk if led else None,
            side.roster.pk if side.roster else None,
        )
        for side in lineup.sides
    ]


def lineup_against(arena: Arena, me: Player, sent: QueryDict) -> Lineup:
    """Return the line-up of me against the opponents in ``sent``.

    Raises:
        Refused: a name is unknown, there are too few or too many, or the roster is not mine.
    """
    names = [name.strip() for text in sent.getlist("opponent") for name in text.splitlines()]
    names = [name for name in names if name]
    limits = (arena.sides_min - 1, arena.sides_max - 1)
    if not names:
        raise Refused("no_opponent", _("Name your opponents."), field="opponent")
    if not limits[0] <= len(names) <= limits[1]:
        raise Refused(
            "sides",
            _("You named %(count)d opponents. A match in %(arena)s has %(range)s.")
            % {
                "arena": arena,
                "range": between(*limits),
                "count": len(names),
            },
            field="opponent",
        )
    if plays_in_rosters(arena):
        mine = my_roster(arena, me, sent.get("roster", ""))
        sides = sides_of_rosters([mine, *rosters_named(arena, names)])
        return Lineup(arena, [with_stand_ins(arena, side) for side in sides])
    players = players_named(names)
    if len(players) < len(names):
        raise Refused("twice", _("You named a player twice."), field="opponent")
    if me in players:
        raise Refused("twice", _("You cannot play against yourself."), field="opponent")
    return Lineup(arena, [LineupSide(player, [player]) for player in (me, *players)])


def entered_lineup(arena: Arena, sent: QueryDict) -> EnteredLineup:
    """Return the line-up of the sides in ``sent``: a line each, of a roster or of players.

    Raises:
        Refused: there are too few or too many sides, or a name is unknown or given twice.
    """
    lines = [line.strip() for text in sent.getlist("sides") for line in text.splitlines()]
    lines = [line for line in lines if line]
    if not arena.sides_min <= len(lines) <= arena.sides_max:
        raise Refused(
            "sides",
            _("A match in %(arena)s has %(range)s sides. You named %(count)d.")
            % {
                "arena": arena,
                "range": between(arena.sides_min, arena.sides_max),
                "count": len(lines),
            },
            field="sides",
        )
    rosters = rosters_among(arena, lines)
    teams = {line: members_of(arena, line) for line in lines if fold(line) not in rosters}
    named = [name for names in teams.values() for name in names]
    players = {player.folded_name: player for player in players_named(named, "sides")}
    if len({fold(line) for line in lines}) < len(lines) or len(players) < len(named):
        raise Refused("twice", _("You named a player or a roster twice."), field="sides")
    of_rosters = {side.name: side for side in sides_of_rosters(list(rosters.values()))}
    sides = [
        side_of_players([players[fold(name)] for name in teams[line]])
        if line in teams
        else of_rosters[rosters[fold(line)].name]
        for line in lines
    ]
    return EnteredLineup(arena, sides, lines=lines)


def rosters_among(arena: Arena, lines: Sequence[str]) -> dict[str, Roster]:
    """Return the rosters of an arena that these lines name, by folded name."""
    if not plays_in_rosters(arena):
        return {}
    rosters = arena.rosters.filter(folded_name__in=[fold(line) for line in lines])
    return {roster.folded_name: roster for roster in rosters.select_related("captain")}


def members_of(arena: Arena, line: str) -> list[str]:
    """Return the names in a line: only teams are lists, since a name may have a comma."""
    names = re.split(f"[{COMMAS}]", line) if arena.team_size_max > 1 else [line]
    return [name.strip() for name in names if name.strip()]


def side_of_players(players: Sequence[Player]) -> LineupSide:
    """Return a side whose first player is the captain."""
    if not players:
        raise Refused("no_players", _("Name the players of each side."), field="sides")
    return LineupSide(players[0], players)


def of_match(match: Match) -> Lineup:
    """Return the line-up of a match loaded by ``profiles.with_sides``."""
    return Lineup(
        match.arena,
        [
            LineupSide(side.captain, [part.player for part in side.participants.all()], side.roster)
            for side in match.sides.all()
        ],
        match.mode if match.mode_fixed else "",
    )


def my_roster(arena: Arena, me: Player, roster_id: str) -> Roster:
    rosters = {str(roster.pk): roster for roster in arena.rosters.led_by(me)}
    if roster_id not in rosters:
        raise Refused("no_roster", _("Choose one of the rosters that you lead."), field="roster")
    return rosters[roster_id]


def sides_of_rosters(rosters: Sequence[Roster]) -> list[LineupSide]:
    if len({roster.pk for roster in rosters}) < len(rosters):
        raise Refused("twice", _("A roster cannot play against itself."), field="opponent")
    members: dict[int, list[Player]] = {roster.pk: [] for roster in rosters}
    memberships = RosterMember.objects.filter(roster__in=members).select_related("player")
    for membership in memberships.order_by("player__sort_name"):
        members[membership.roster_id].append(membership.player)
    return [
        LineupSide(
            roster.captain,
            sorted(members[roster.pk], key=lambda player: player.pk != roster.captain_id),
            roster,
        )
        for roster in rosters
    ]


def with_stand_ins(arena: Arena, side: LineupSide) -> LineupSide:
    """Return a side with the players who could stand in, after its own."""
    others = possible_stand_ins(arena, side.roster, database_now()) if side.roster else []
    return replace(side, players=[*side.players, *others], stand_ins=others)


def players_named(names: Sequence[str], field: str = "opponent") -> list[Player]:
    """Return the players with these names, in order and without duplicates.

    Raises:
        Refused: a name is unknown. The message suggests similar names.
    """
    known = {
        player.folded_name: player
        for player in Player.objects.filter(folded_name__in=[fold(name) for name in names])
    }
    for name in names:
        if fold(name) not in known:
            pool = Player.objects.listed().search(fold(name)[:1])
            message = _("There is no player “%(name)s”.") % {"name": shorten(name)}
            raise Refused("unknown", message + suggestion(name, pool), field=field)
    return list(dict.fromkeys(known[fold(name)] for name in names))


def rosters_named(arena: Arena, names: Sequence[str]) -> list[Roster]:
    """Return an arena's rosters with these names, like :func:`players_named`."""
    rosters = arena.rosters.select_related("captain")
    known = {
        roster.folded_name: roster
        for roster in rosters.filter(folded_name__in=[fold(name) for name in names])
    }
    for name in names:
        if fold(name) not in known:
            pool = rosters.filter(folded_name__startswith=fold(name)[:1])
            message = _("There is no roster “%(name)s” in %(arena)s.") % {
                "name": shorten(name),
                "arena": arena,
            }
            raise Refused("unknown", message + suggestion(name, pool), field="opponent")
    return [known[fold(name)] for name in names]


def suggestion(name: str, pool: QuerySet[Player] | QuerySet[Roster]) -> str:
    """Return “Did you mean …?” with similar names from ``pool``, or an empty string."""
    names = {candidate.folded_name: candidate.name for candidate in pool[:NEAR_POOL]}
    near = difflib.get_close_matches(fold(name)[:NAME_MAX_LENGTH], names, n=NEAR)
    if not near:
        return ""
    return " " + _("Did you mean %(names)s?") % {"names": list_of(names[one] for one in near)}


def shorten(name: str) -> str:
    return name if len(name) <= NAME_MAX_LENGTH else name[: NAME_MAX_LENGTH - 1] + "…"
