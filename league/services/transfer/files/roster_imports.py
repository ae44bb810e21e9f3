"""Import a file of rosters, or say what that would do.

Staff vouch for the members, who join at once. Nobody leaves a roster by an import.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError

from league.models import Player, Roster, RosterMember
from league.models.lists import COMMAS, list_of
from league.models.names import fold, tidy
from league.services.core.errors import Refused
from league.services.core.isolation import gettext as _
from league.services.people import captains, naming
from league.services.transfer.files.import_reports import MOST_SHOWN, small_report
from league.services.transfer.files.reading import say
from league.services.transfer.files.result_imports import Done
from league.services.transfer.files.result_lines import Errors

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from league.models import FileImport, User
    from league.services.core.types import Progress
    from ratings.files.tables import Table


NEEDS = ["league.add_roster", "league.change_roster"]
"""The permissions for an import of rosters."""


@dataclass
class RosterRow:
    """A roster as the file has it."""

    line: int
    name: str
    members: list[str] = field(default_factory=list)
    """Folded names, the first member first."""
    captain: str = ""
    roster: Roster | None = None
    added: list[int] = field(default_factory=list)


@dataclass
class Plan:
    """The effect of a file on the rosters of an arena."""

    errors: Errors = field(default_factory=Errors)
    rows: dict[str, RosterRow] = field(default_factory=dict)
    names: naming.Names = field(default_factory=naming.Names)

    def add(self, line: int, roster: str, member: str) -> None:
        """Let a player join a roster, by the folded names of both."""
        self.rows.setdefault(fold(roster), RosterRow(line, tidy(roster))).members.append(member)


def preview(file: FileImport, table: Table, *, by: User, now: datetime, progress: Progress) -> Done:
    """Return what an import would do. Nothing is written."""
    del by, now, progress
    return Done(report_of(file, table, plan(file, table)))


def carry_out(
    file: FileImport, table: Table, *, by: User, now: datetime, progress: Progress
) -> Done:
    """Import a file as a whole, in the caller's transaction. Raises ``Refused``."""
    del by, progress
    found = plan(file, table)
    report = report_of(file, table, found)
    if found.errors.count:
        raise Refused("errors", _("The file has errors. Check it again."))
    made = naming.make(found.names)
    done = Done(report, players=list(made.values()))
    done.changed += write_all(file, found, made, now)
    return done


def write_all(
    file: FileImport, found: Plan, made: dict[int, int], now: datetime
) -> list[dict[str, Any]]:
    """Write the rosters that differ. Return what changed, so that it can be undone."""
    rows = [row for row in found.rows.values() if difference(row, found.names)]
    announce_captains(rows, found.names, made, now)
    return [write(file, row, found.names, made) for row in rows]


def announce_captains(
    rows: Iterable[RosterRow], names: naming.Names, made: dict[int, int], now: datetime
) -> None:
    """Announce the new captains of rosters that are there already."""
    led = [(row.roster, names.ids[row.captain]) for row in rows if row.roster is not None]
    players = Player.objects.in_bulk([made.get(pk, pk) for _roster, pk in led])
    captains.announce([(roster, players[made.get(pk, pk)]) for roster, pk in led], now)


def write(
    file: FileImport, row: RosterRow, names: naming.Names, made: dict[int, int]
) -> dict[str, Any]:
    """Write one roster. Return what changed, so that it can be undone."""
    ids = {name: made.get(names.ids[name], names.ids[name]) for name in (row.captain, *row.members)}
    roster, was = row.roster, None
    if roster is None:
        roster = Roster(arena=file.arena, name=row.name, captain_id=ids[row.captain])
        roster.save()
    elif roster.captain_id != ids[row.captain]:
        was, roster.captain_id = roster.captain_id, ids[row.captain]
        roster.save()
    there = set(roster.memberships.values_list("player", flat=True))
    added = [pk for pk in dict.fromkeys(ids.values()) if pk not in there]
    RosterMember.objects.bulk_create(RosterMember(roster=roster, player_id=pk) for pk in added)
    return {
        "roster": roster.pk,
        "made": row.roster is None,
        "added": added,
        "captain": was,
    }


def plan(file: FileImport, table: Table) -> Plan:
    """Compare a file with the rosters of the arena."""
    found = read_rows(file, table)
    compare(file, found)
    return found


def read_rows(file: FileImport, table: Table) -> Plan:
    """Return the rosters that a file names, with their players, before they are compared."""
    found = Plan()
    written: dict[str, str] = {}
    for problem in table.problems:
        found.errors.add(problem.line, say(problem.sentence))
    columns = file.mapping.get("columns", {})
    for line, cells in table.cells:
        name, captain, members = (
            cells[columns[each]].strip() if each in columns else ""
            for each in ("roster", "captain", "members")
        )
        listed = [part.strip() for part in re.split(f"[{COMMAS}]", members) if part.strip()]
        if not name or not (listed or captain):
            found.errors.add(line, _("Name the roster and its members."))
            continue
        row = found.rows.setdefault(fold(name), RosterRow(line, tidy(name)))
        for part in (captain, *listed):
            written.setdefault(fold(part), part)
        if captain and row.captain and row.captain != fold(captain):
            found.errors.add(line, _("“%(name)s” has two captains.") % {"name": name})
        row.captain = row.captain or (fold(captain) if captain else "")
        row.members += [fold(part) for part in (captain, *listed) if part]
    written.pop("", None)
    found.names = naming.find(written.values(), file.mapping.get("names", {}))
    return found


def compare(file: FileImport, found: Plan) -> None:
    """Find the rosters of a plan whose names are known, and note their errors."""
    rosters = {row.folded_name: row for row in Roster.objects.filter(arena=file.arena)}
    for folded, row in found.rows.items():
        row.members = list(dict.fromkeys(row.members))
        row.roster = rosters.get(folded)
        if not row.captain:
            row.captain = captain_of(row, found.names)
        check_row(file, row, found)


def captain_of(row: RosterRow, names: naming.Names) -> str:
    """Return the captain of a roster for which the file names none."""
    if row.roster is not None:
        for name, pk in names.ids.items():
            if pk == row.roster.captain_id:
                return name
        current = Player.objects.get(pk=row.roster.captain_id)
        names.ids[current.folded_name] = current.pk
        return current.folded_name
    return row.members[0]


def check_row(file: FileImport, row: RosterRow, found: Plan) -> None:
    """Note what is wrong with a roster."""
    for name in row.members:
        if name in found.names.problems:
            found.errors.add(row.line, found.names.problems[name])
    if row.roster is not None:
        check_team(row.roster, row, found)
        return
    roster = Roster(arena=file.arena, name=row.name)
    try:
        roster.full_clean(exclude=["captain"])
    except ValidationError as error:
        found.errors.add(row.line, " ".join(error.messages))


def check_team(roster: Roster, row: RosterRow, found: Plan) -> None:
    """Note those who would join the roster of a team without being in the team."""
    listed = {*row.members, row.captain} & found.names.ids.keys()
    outsiders = [str(player) for player in roster.outsiders([found.names.ids[n] for n in listed])]
    if roster.team_id is not None:  # players whom the import would create are in no team
        outsiders += [name for folded, name in found.names.new.items() if folded in row.members]
    if outsiders:
        found.errors.add(
            row.line,
            _("“%(roster)s” plays for a team. Not in %(team)s: %(players)s.")
            % {"roster": roster, "team": roster.team, "players": list_of(outsiders)},
        )


def difference(row: RosterRow, names: naming.Names) -> list[str]:
    """Return the names of those who join a roster, or of a new captain."""
    if row.roster is None:
        return row.members
    there = set(row.roster.memberships.values_list("player", flat=True))
    joining = [name for name in row.members if names.ids[name] not in there]
    if names.ids[row.captain] != row.roster.captain_id and row.captain not in joining:
        joining.append(row.captain)
    return joining


def report_of(file: FileImport, table: Table, found: Plan) -> dict[str, Any]:
    """Return what the file says, for its page."""
    report = small_report(file, table, found.errors)
    if found.errors.count:
        return report
    shown = differences(found)
    report.update(
        known=len(found.rows) - len(shown),
        new=sum(row.roster is None for row in found.rows.values()),
        changed=sum(row["kind"] == "members" for row in shown),
        new_players=len(found.names.new),
        players=new_players(found.names),
        differences=shown[:MOST_SHOWN],
    )
    return report


def new_players(names: naming.Names) -> list[dict[str, Any]]:
    """Return the players whom a file would create, each with those of similar names."""
    return [
        {"folded": folded, "name": name, "near": names.proposals.get(folded, [])}
        for folded, name in list(names.new.items())[:MOST_SHOWN]
    ]


def differences(found: Plan) -> list[dict[str, Any]]:
    """Return the rosters that are new or get members, for the page of the file."""
    shown = []
    for row in found.rows.values():
        joining = difference(row, found.names)
        if joining:
            kind = "roster" if row.roster is None else "members"
            shown.append(
                {"line": row.line, "kind": kind, "sides": row.name, "is": list_of(joining)}
            )
    return shown
