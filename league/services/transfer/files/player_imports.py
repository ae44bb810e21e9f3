"""Import a file of players, or say what that would do."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError

from league.models import Player
from league.models.names import fold, tidy
from league.models.player import HIGHEST_LEVEL
from league.services.core.errors import Refused
from league.services.core.id_lists import any_of
from league.services.core.isolation import gettext as _
from league.services.people import naming
from league.services.people.renaming import rename_by_staff
from league.services.transfer.files import roster_imports
from league.services.transfer.files.import_reports import MOST_SHOWN, small_report
from league.services.transfer.files.reading import say
from league.services.transfer.files.result_imports import Done
from league.services.transfer.files.result_lines import Errors

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from league.models import FileImport, User
    from league.services.core.types import Progress
    from ratings.files.tables import Table


@dataclass
class Plan:
    """The effect of a file on players."""

    errors: Errors = field(default_factory=Errors)
    new: list[tuple[int, str, int | None]] = field(default_factory=list)
    """The line, name and level of new players."""
    levels: list[tuple[int, Player, int | None]] = field(default_factory=list)
    names: list[tuple[int, Player, str]] = field(default_factory=list)
    known: int = 0
    proposals: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    rosters: roster_imports.Plan = field(default_factory=roster_imports.Plan)
    """The effect of the roster column on the arena's rosters."""


def preview(file: FileImport, table: Table, *, by: User, now: datetime, progress: Progress) -> Done:
    """Return what an import would do. Nothing is written."""
    del now, progress
    found = plan(file, table, by)
    return Done(report_of(file, table, found), rows=rows_of(found, {}))


def carry_out(
    file: FileImport, table: Table, *, by: User, now: datetime, progress: Progress
) -> Done:
    """Import a file as a whole, in the caller's transaction. Raises ``Refused``."""
    del progress
    found = plan(file, table, by)
    done = Done(report_of(file, table, found))
    if found.errors.count:
        raise Refused("errors", _("The file has errors. Check it again."))
    made = naming.make(naming.Names(new={fold(name): name for _line, name, _level in found.new}))
    done.players = list(made.values())
    levels = {fold(name): level for _line, name, level in found.new if level is not None}
    for some in naming.portions(levels):
        for player in Player.objects.filter(folded_name__in=some):
            Player.objects.filter(pk=player.pk).update(level=levels[player.folded_name])
    for _line, player, level in found.levels:
        done.changed.append({"player": player.pk, "level": [player.level, level]})
        Player.objects.filter(pk=player.pk).update(level=level)
    for line, player, name in found.names:
        old = player.name
        try:
            rename(player, name, by=by, now=now)
        except ValidationError as error:
            raise Refused("name", f"{line}: {' '.join(error.messages)}") from error
        done.changed.append({"player": player.pk, "name": [old, player.name]})
    done.changed += roster_imports.write_all(file, found.rosters, made, now)
    ids = dict(Player.objects.filter(pk__in=any_of(done.players)).values_list("folded_name", "pk"))
    done.rows = rows_of(found, ids)
    return done


def rows_of(found: Plan, made: Mapping[str, int]) -> dict[int, tuple[str, int | None]]:
    """Return what becomes of each line. ``made`` has the ids of new players by folded name."""
    changed = [*found.levels, *found.names]
    return {line: ("changed", player.pk) for line, player, _is in changed} | {
        line: ("new", made.get(fold(name))) for line, name, _level in found.new
    }


def rename(player: Player, name: str, *, by: User, now: datetime) -> None:
    """Give a player another name, and keep the old one on record. Raises ``ValidationError``."""
    player.refresh_from_db()  # with its new level, if it has one
    old, player.name = player.name, name
    player.full_clean()
    player.save()
    rename_by_staff(player, old, by=by, now=now)


def plan(file: FileImport, table: Table, by: User) -> Plan:
    """Compare a file with the players that there are."""
    found = Plan()
    for problem in table.problems:
        found.errors.add(problem.line, say(problem.sentence))
    columns: Mapping[str, int] = file.mapping.get("columns", {})
    rows = []
    for line, cells in table.cells:
        name, number, written, roster = (
            cells[columns[each]].strip() if each in columns else ""
            for each in ("name", "player", "level", "roster")
        )
        if not name:
            found.errors.add(line, _("The name is empty."))
        elif number and not number.removeprefix("#").isdecimal():
            found.errors.add(line, _("“%(text)s” is no player number.") % {"text": number[:40]})
        elif written and not (written.isdecimal() and int(written) <= HIGHEST_LEVEL):
            found.errors.add(line, _("A level is a whole number from 0, or empty."))
        else:
            number = number.removeprefix("#")
            rows.append((line, name, number, int(written) if written else None))
            if roster:
                found.rosters.add(line, roster, f"#{int(number)}" if number else fold(name))
    chosen = file.mapping.get("names", {})
    names = naming.find((name for _line, name, number, _level in rows if not number), chosen)
    found.proposals = names.proposals
    numbers = {int(number) for _line, _name, number, _level in rows if number}
    wanted = any_of({*numbers, *(pk for pk in names.ids.values() if pk > 0)})
    players = {player.pk: player for player in Player.objects.filter(pk__in=wanted)}
    seen: set[int | str] = set()
    for line, name, number, level in rows:
        sort(found, players, names, line, name, number, level, "level" in columns, seen, by)
    plan_rosters(file, found, names, numbers, by)
    return found


def plan_rosters(
    file: FileImport, found: Plan, names: naming.Names, numbers: set[int], by: User
) -> None:
    """Compare the rosters that the file names with those of the arena, unless it has errors."""
    if found.errors.count or not found.rosters.rows:
        return
    if not by.has_perms(roster_imports.NEEDS, file.arena):
        line = min(row.line for row in found.rosters.rows.values())
        found.errors.add(line, _("You may not change rosters. Leave out the roster column."))
        return
    names.ids |= {f"#{number}": number for number in numbers}
    found.rosters.names = names
    roster_imports.compare(file, found.rosters)
    for line, text in found.rosters.errors.found:
        found.errors.add(line, text)


def sort(
    found: Plan,
    players: dict[int, Player],
    names: naming.Names,
    line: int,
    name: str,
    number: str,
    level: int | None,
    has_level: bool,
    seen: set[int | str],
    by: User,
) -> None:
    """Sort one row into new players, changes, and those who are here already."""
    folded = fold(name)
    if not number and folded in names.problems:
        found.errors.add(line, names.problems[folded])
        return
    pk = int(number) if number else names.ids[folded]
    key: int | str = pk if pk > 0 else folded
    if key in seen:
        found.errors.add(line, _("“%(name)s” is in the file twice.") % {"name": name})
        return
    seen.add(key)
    if pk < 0:
        found.new.append((line, tidy(name), level))
        return
    player = players.get(pk)
    if player is None:
        found.errors.add(line, _("There is no player number %(number)d.") % {"number": pk})
        return
    same = True
    if number and tidy(name) != player.name:
        same = False
        found.names.append((line, player, name))
    if has_level and level != player.level:
        same = False
        if player.user_id == by.pk:
            found.errors.add(line, _("You cannot set your own level."))
        found.levels.append((line, player, level))
    found.known += same


def report_of(file: FileImport, table: Table, found: Plan) -> dict[str, Any]:
    """Return what the file says, for its page."""
    differences: list[dict[str, Any]] = [
        *({"line": line, "kind": "renamed", "sides": player.name, "is": name}
          for line, player, name in found.names),
        *({"line": line, "kind": "level", "sides": player.name, "was": player.level, "is": level}
          for line, player, level in found.levels),
    ]  # fmt: skip
    report = small_report(file, table, found.errors)
    joining = [] if found.errors.count else roster_imports.differences(found.rosters)
    differences += joining
    report.update(
        known=found.known,
        new=sum(row["kind"] == "roster" for row in joining),
        changed=len(found.names) + len(found.levels) + len(joining),
        new_players=len(found.new),
        players=[
            {"folded": fold(name), "name": name, "near": found.proposals.get(fold(name), [])}
            for _line, name, _level in found.new[:MOST_SHOWN]
        ],
        differences=sorted(differences, key=lambda row: row["line"])[:MOST_SHOWN],
    )
    return report
