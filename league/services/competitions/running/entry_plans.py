"""Plan the entries of a list of people, before anything is written."""

from __future__ import annotations

from dataclasses import dataclass, field
from dataclasses import replace as replace_fields
from typing import TYPE_CHECKING

from league.models import (
    Entrant,
    Player,
    Roster,
    RosterMember,
    Team,
    TeamMember,
    TeamRole,
)
from league.models.lists import list_of
from league.models.names import fold
from league.services.core.isolation import gettext as _
from league.services.people import naming
from league.services.people.invitation_checks import Wanted, find_problems

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from league.models import Arena, Competition, User
    from league.services.people.entry_lists import Entry


@dataclass(frozen=True)
class PlannedEntry:
    """A line of a list, and whom it would enter."""

    entry: Entry
    captain: int | None
    """The id of the player, of a roster the captain's. Negative for one who will be created."""
    members: tuple[int, ...] = ()
    roster: Roster | None = None
    """A roster of the arena that exists."""
    team: Team | None = None
    """The team that a new roster plays for."""
    new: tuple[str, ...] = ()
    """The names of players who will be created."""
    choices: tuple[tuple[str, list[tuple[int, str]]], ...] = ()
    """New names, each with the players whose name is like it."""
    former: str = ""
    """The present name of the player, if another is written."""
    problem: str = ""
    name: str = ""
    """The name as people know it, also where the number of a player is written."""
    members_called: tuple[str, ...] = ()
    mail_problem: str = ""
    """The reason against an invitation of its e-mail address."""


@dataclass(frozen=True)
class Plan:
    """The entries that a list would make."""

    lines: list[PlannedEntry] = field(default_factory=list)
    names: naming.Names = field(default_factory=naming.Names)

    @property
    def possible(self) -> list[PlannedEntry]:
        return [line for line in self.lines if not line.problem]

    @property
    def invitations(self) -> int:
        """The number of entrants who can be invited by e-mail."""
        return sum(bool(line.entry.email and not line.mail_problem) for line in self.possible)

    @property
    def new_players(self) -> list[str]:
        return list(self.names.new.values())


def plan(
    one: Competition,
    entries: Sequence[Entry],
    chosen: Mapping[str, int],
    *,
    by: User,
    now: datetime,
) -> Plan:
    """Return whom the lines of a list would enter and could invite. Nothing is written.

    Args:
        chosen: players, by the folded name that is written, whom staff say that it means.
    """
    plays_in_rosters = one.season.arena.team_size_min > 1
    known = known_sides(one.season.arena, [fold(entry.name) for entry in entries])
    written = [name for entry in entries for name in players_named(entry, known)]
    existing = Player.objects.filter(pk__in=chosen.values()).in_bulk()
    names = naming.find(written, {name: pk for name, pk in chosen.items() if pk in existing})
    taken = taken_players(one)
    lines = []
    for entry in entries:
        line = plan_entry(entry, known.get(fold(entry.name)), names, in_rosters=plays_in_rosters)
        side = {line.captain, *line.members} - {None}
        if not line.problem and not side.isdisjoint(taken):
            again = _("“%(name)s” has entered already.") % {"name": names.name_for(entry.name)}
            line = PlannedEntry(entry, line.captain, problem=again)
        taken |= side
        lines.append(line)
    wanted = [
        Wanted(line.entry.line, line.captain or 0, line.entry.email)
        for line in lines
        if line.entry.email
    ]
    problems = find_problems(wanted, by=by, now=now)
    return Plan(
        [
            replace_fields(
                line,
                name=names.name_for(line.entry.name),
                members_called=tuple(map(names.name_for, line.entry.members)),
                mail_problem=problems.get(line.entry.line, ""),
            )
            for line in lines
        ],
        names,
    )


def known_sides(arena: Arena, folded: Sequence[str]) -> dict[str, Roster]:
    """Return the rosters of an arena with some names, or of teams with these names.

    A team that has none gets a new one, which is not saved.
    """
    found = {row.folded_name: row for row in arena.rosters.filter(folded_name__in=folded)}
    if arena.team_size_max == 1:
        return found
    named = Team.objects.existing().filter(folded_name__in=[n for n in folded if n not in found])
    for team in named:
        own = list(arena.rosters.filter(team=team)[:2])
        new = Roster(arena=arena, team=team, name=team.name)
        found[team.folded_name] = own[0] if len(own) == 1 else new
    return found


def players_named(entry: Entry, known: Mapping[str, Roster]) -> Sequence[str]:
    """Return the names of players on a line: none on that of a roster or a team that exists."""
    if entry.members:
        return entry.members
    return () if fold(entry.name) in known else (entry.name,)


def taken_players(one: Competition) -> set[int | None]:
    """Return the ids of everybody who plays for an entrant already."""
    rows = one.entrants.exclude(state=Entrant.State.WITHDRAWN)
    members = RosterMember.objects.filter(roster__entries__in=rows)
    return {*rows.values_list("player", flat=True), *members.values_list("player", flat=True)}


def plan_entry(
    entry: Entry, roster: Roster | None, names: naming.Names, *, in_rosters: bool
) -> PlannedEntry:
    """Return whom one line would enter."""
    if roster is not None and roster.pk is not None:
        return plan_roster(entry, roster)
    if roster is not None and not entry.members:
        return plan_team(entry, roster)
    if in_rosters and not entry.members:
        text = _("Add the members of “%(name)s” after a colon, its captain first.")
        return PlannedEntry(entry, None, problem=text % {"name": entry.name})
    folded = [fold(name) for name in (entry.members or (entry.name,))]
    if problems := [names.problems[name] for name in folded if name in names.problems]:
        return PlannedEntry(entry, None, problem=problems[0])
    ids = tuple(names.ids[name] for name in folded)
    problem = _("One of the members is named twice.") if len(set(ids)) < len(ids) else ""
    if roster is not None:
        problem = problem or reason_against(roster, ids)
    if problem:
        return PlannedEntry(entry, None, problem=problem)
    return PlannedEntry(
        entry,
        ids[0],
        ids if entry.members else (),
        team=roster.team if roster is not None else None,
        new=tuple(names.new[name] for name in folded if name in names.new),
        choices=tuple(
            (names.new[name], names.proposals[name]) for name in folded if name in names.proposals
        ),
        former=names.former.get(folded[0], ""),
    )


def plan_roster(entry: Entry, roster: Roster) -> PlannedEntry:
    """Return whom the line of a roster that exists would enter."""
    if entry.members:
        text = _("There is a roster “%(name)s” already. Leave out its members to enter it.")
        return PlannedEntry(entry, None, problem=text % {"name": entry.name})
    members = tuple(roster.memberships.order_by("pk").values_list("player", flat=True))
    return PlannedEntry(entry, roster.captain_id, members, roster)


def plan_team(entry: Entry, roster: Roster) -> PlannedEntry:
    """Return whom the line of a team would enter that gets its roster by that: all who play."""
    current = TeamMember.objects.current().filter(team=roster.team).order_by("pk")
    players = current.exclude(role=TeamRole.COACH).values_list("player", "role")
    roles = dict(players)
    ids = sorted(roles, key=lambda pk: roles[pk] != TeamRole.CAPTAIN)
    if not ids:
        text = _("“%(name)s” has no members who play.") % {"name": entry.name}
        return PlannedEntry(entry, None, problem=text)
    if problem := reason_against(roster, ids):
        return PlannedEntry(entry, None, problem=problem)
    return PlannedEntry(entry, ids[0], tuple(ids), team=roster.team)


def reason_against(roster: Roster, players: Sequence[int]) -> str:
    """Return a sentence if some players cannot be in a new roster of a team, else nothing."""
    outsiders = [player.name for player in roster.outsiders(players)]
    if outsiders or min(players) < 0:  # new players are in no team
        text = _("Some of them are not in the team “%(team)s”. Add them to the team first.")
        if outsiders:
            text = _("Not in the team “%(team)s”: %(players)s. Add them to the team first.")
        return text % {"team": roster.team, "players": list_of(outsiders)}
    elsewhere = RosterMember.objects.filter(
        roster__arena=roster.arena, roster__team__isnull=False, player__in=players
    ).exclude(roster__team=roster.team)
    if (member := elsewhere.select_related("player", "roster__team").first()) is None:
        return ""
    text = _("%(player)s plays for %(team)s in this arena.")
    return text % {"player": member.player, "team": member.roster.team}
