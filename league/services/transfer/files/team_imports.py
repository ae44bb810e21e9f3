"""Import a file of teams with their members, or say what that would do.

In an arena of rosters, each team also gets its roster. Staff vouch for the members, who join at
once. Nobody leaves a team or a roster by an import.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError

from league.models import NoticeKind, Player, Roster, RosterMember, Team, TeamMember, TeamRole
from league.models.lists import list_of
from league.models.lookalikes import refuse_reserved
from league.models.names import fold, tidy
from league.models.team import TAG
from league.services.core.errors import Refused
from league.services.core.isolation import gettext as _
from league.services.notices.writing import notify
from league.services.people import naming
from league.services.teams.inviting import MOST_MEMBERS
from league.services.transfer.files import roster_imports
from league.services.transfer.files.import_reports import MOST_SHOWN, small_report
from league.services.transfer.files.result_imports import Done

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping
    from datetime import datetime

    from league.models import Arena, FileImport, User
    from league.services.core.types import Progress
    from league.services.transfer.files.result_lines import Errors
    from league.services.transfer.files.roster_imports import RosterRow
    from ratings.files.tables import Table


NEEDS = [*roster_imports.NEEDS, "league.change_team"]
"""The permissions for an import of teams."""


@dataclass
class TeamRow:
    """A team as the file has it. Players who will be created have negative ids."""

    line: int
    team: Team
    roster: Roster | None
    """Its roster in the arena, ``None`` where everyone plays alone."""
    captain: int
    joining: list[int]
    """Those who join the team."""
    lining_up: list[int]
    """Those who join its roster."""

    @property
    def changes(self) -> bool:
        adopts = self.roster is not None and self.roster.team_id is None
        return bool(self.team.pk is None or self.joining or self.lining_up or adopts)


@dataclass
class Plan:
    """The effect of a file on teams."""

    errors: Errors
    names: naming.Names
    rows: list[TeamRow] = field(default_factory=list)


def preview(file: FileImport, table: Table, *, by: User, now: datetime, progress: Progress) -> Done:
    """Return what an import would do. Nothing is written."""
    del by, progress
    return Done(report_of(file, table, plan(file, table, now)))


def carry_out(
    file: FileImport, table: Table, *, by: User, now: datetime, progress: Progress
) -> Done:
    """Import a file as a whole, in the caller's transaction. Raises ``Refused``."""
    del by, progress
    found = plan(file, table, now)
    report = report_of(file, table, found)
    if found.errors.count:
        raise Refused("errors", _("The file has errors. Check it again."))
    made = naming.make(found.names)
    changed = [write(row, made, now) for row in found.rows if row.changes]
    return Done(report, players=list(made.values()), changed=changed)


def plan(file: FileImport, table: Table, now: datetime) -> Plan:
    """Compare a file with the teams of the league and the rosters of its arena."""
    read = roster_imports.read_rows(file, table)
    found = Plan(read.errors, read.names)
    teams = {team.folded_name: team for team in Team.objects.filter(folded_name__in=read.rows)}
    tags = set(Team.objects.existing().values_list("folded_tag", flat=True))
    plays_for: dict[int, str] = {}
    if file.arena.team_size_max > 1:
        plays_for = teams_of_players(file.arena)
    for folded, row in read.rows.items():
        if problems := [read.names.problems[n] for n in row.members if n in read.names.problems]:
            for problem in problems:
                found.errors.add(row.line, problem)
            continue
        team = teams.get(folded)
        if team is None:
            team = Team(name=row.name, tag=free_tag(row.name, tags), created_at=now)
            tags.add(fold(team.tag))
        planned = plan_row(file.arena, team, row, read.names)
        found.rows.append(planned)
        for problem in problems_of(planned, plays_for):
            found.errors.add(row.line, problem)
        if planned.roster is not None:
            plays_for |= dict.fromkeys(planned.lining_up, team.name)
    return found


def teams_of_players(arena: Arena) -> dict[int, str]:
    """Return the name of the team that each player plays for in an arena."""
    members = RosterMember.objects.filter(roster__arena=arena, roster__team__isnull=False)
    return dict(members.values_list("player", "roster__team__name"))


def plan_row(arena: Arena, team: Team, row: RosterRow, names: naming.Names) -> TeamRow:
    """Return who joins a team and its roster in an arena."""
    ids = list(dict.fromkeys(names.ids[name] for name in row.members))
    captain = names.ids[row.captain] if row.captain else ids[0]
    in_team: set[int] = set()
    in_roster: set[int] = set()
    if team.pk is not None:
        in_team |= set(team.members.current().values_list("player", flat=True))
    roster = roster_of(arena, team)
    if roster is not None and roster.pk is not None:
        in_roster |= set(roster.memberships.values_list("player", flat=True))
    return TeamRow(
        row.line,
        team,
        roster,
        captain,
        [pk for pk in ids if pk not in in_team],
        [pk for pk in ids if pk not in in_roster] if roster is not None else [],
    )


def roster_of(arena: Arena, team: Team) -> Roster | None:
    """Return the roster of a team's name in an arena, else its only one, else a new one."""
    if arena.team_size_max == 1:
        return None
    named = arena.rosters.filter(folded_name=fold(team.name)).first()
    own = list(arena.rosters.filter(team=team)[:2]) if named is None and team.pk else []
    return named or (own[0] if len(own) == 1 else Roster(arena=arena, name=team.name))


def problems_of(row: TeamRow, plays_for: Mapping[int, str]) -> Iterator[str]:
    """Yield what is wrong with a team."""
    team = row.team
    if team.disbanded_at is not None:
        yield _("%(team)s was disbanded.") % {"team": team}
        return
    if team.pk is None:
        try:
            team.full_clean()
        except ValidationError as error:
            yield " ".join(error.messages)
            return
    there = 0 if team.pk is None else team.members.current().count()
    if there + len(row.joining) > MOST_MEMBERS:
        yield _("A team can have at most %(most)d members.") % {"most": MOST_MEMBERS}
    elsewhere = next((pk for pk in row.lining_up if plays_for.get(pk, team.name) != team.name), 0)
    if elsewhere:
        names = {"player": Player.objects.filter(pk=elsewhere).first() or _("A new player")}
        text = _("%(player)s plays for %(team)s in this arena.")
        yield text % {**names, "team": plays_for[elsewhere]}
    if row.roster is not None:
        yield from problems_of_roster(row.roster, row)


def problems_of_roster(roster: Roster, row: TeamRow) -> Iterator[str]:
    """Yield what is wrong with a roster that a team would have."""
    team = row.team
    if roster.pk is None:
        roster.team = team if team.pk is not None else None
        try:
            roster.full_clean(exclude=["captain"])
        except ValidationError as error:
            yield " ".join(error.messages)
    elif roster.team_id not in {None, team.pk}:
        yield _("The roster “%(roster)s” plays for another team.") % {"roster": roster}
    elif roster.team_id is None:
        members = TeamMember.objects.current().filter(team=team.pk)
        strangers = roster.members.exclude(pk__in=row.joining).exclude(
            pk__in=members.values_list("player", flat=True)
        )
        if strangers:
            yield _("The roster “%(roster)s” has other members: %(players)s. Add them here.") % {
                "roster": roster,
                "players": list_of(strangers),
            }


def free_tag(name: str, taken: Container[str]) -> str:
    """Return a tag for a team that no other has: its initials, or the start of its name."""
    words = ["".join(filter(str.isalnum, word)) for word in tidy(name).upper().split()]
    letters = "".join(words)
    initials = "".join(word[:1] for word in words)
    numbered = (f"{start}{n}" for start in (letters[:2], "T") for n in range(1, 1000))
    for tag in chain([initials[:5], letters[:3], letters[:4], letters[:5]], numbered):
        if fold(tag) not in taken and is_usable(tag):
            return tag
    return ""


def is_usable(tag: str) -> bool:
    try:
        TAG(tag)
        refuse_reserved(tag)
    except ValidationError:
        return False
    return True


def write(row: TeamRow, made: Mapping[int, int], now: datetime) -> dict[str, Any]:
    """Write one team. Return what changed, so that it can be undone."""
    captain, team, roster = made.get(row.captain, row.captain), row.team, row.roster
    joining = [made.get(pk, pk) for pk in row.joining]
    lining_up = [made.get(pk, pk) for pk in row.lining_up]
    is_new = team.pk is None
    if is_new:
        team.save()
    roles = {captain: TeamRole.CAPTAIN} if is_new else {}
    TeamMember.objects.bulk_create(
        TeamMember(team=team, player_id=pk, role=roles.get(pk, TeamRole.PLAYER), joined_at=now)
        for pk in joining
    )
    notify(list(Player.objects.filter(pk__in=joining)), NoticeKind.TEAM_CHANGED, now, team=team)
    entry: dict[str, Any] = {"team": team.pk, "team_made": is_new, "joined": joining}
    if roster is None:
        return entry
    roster_made, adopted = roster.pk is None, roster.pk is not None and roster.team_id is None
    roster.team = team
    if roster_made:
        roster.captain_id = captain
    roster.save()
    if adopted:
        roster.invitations.open().delete()
    RosterMember.objects.bulk_create(RosterMember(roster=roster, player_id=pk) for pk in lining_up)
    return {
        **entry,
        "roster": roster.pk,
        "made": roster_made,
        "adopted": adopted,
        "added": lining_up,
        "captain": None,
    }


def report_of(file: FileImport, table: Table, found: Plan) -> dict[str, Any]:
    """Return what the file says, for its page."""
    report = small_report(file, table, found.errors)
    if found.errors.count:
        return report
    changing = [row for row in found.rows if row.changes]
    new = sum(row.team.pk is None for row in changing)
    report.update(
        known=len(found.rows) - len(changing),
        new=new,
        changed=len(changing) - new,
        new_players=len(found.names.new),
        players=roster_imports.new_players(found.names),
        differences=list(differences(changing[:MOST_SHOWN], found.names)),
    )
    return report


def differences(rows: list[TeamRow], names: naming.Names) -> Iterator[dict[str, Any]]:
    """Yield the teams that are new or get members, for the page of the file."""
    known = {pk for row in rows for pk in (*row.joining, *row.lining_up) if pk > 0}
    name_of = dict(Player.objects.filter(pk__in=known).values_list("pk", "name"))
    name_of |= {names.ids[folded]: name for folded, name in names.new.items()}
    for row in rows:
        who = dict.fromkeys([*row.joining, *row.lining_up])
        kind = "team" if row.team.pk is None else "members"
        joining = list_of(name_of[pk] for pk in who)
        yield {"line": row.line, "kind": kind, "sides": row.team.name, "is": joining}


def undo(entry: dict[str, Any]) -> Team | None:
    """Take back what an import did to a team, after its roster. Return the team if it is in use."""
    team = Team.objects.filter(pk=entry["team"]).first()
    if team is None:
        return None
    if not entry["team_made"]:
        team.members.current().filter(player__in=entry["joined"]).delete()
        return None
    ours = team.members.filter(player__in=entry["joined"], left_at=None)
    is_used = (
        team.disbanded_at is not None
        or team.picture
        or team.members.count() > ours.count()
        or any(getattr(team, each).exists() for each in ("rosters", "former_names", "invitations"))
    )
    if is_used:
        return team
    team.delete()
    return None
