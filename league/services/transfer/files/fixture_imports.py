"""Import a file of fixtures: dates and decisions of staff, or say what that would do.

Fixtures come from draws, so a file changes those that there are. The services that staff use change
them. A check runs the same code and rolls back.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from django.db import transaction

from league.models import Arrangement, Competition, Fixture
from league.models.lists import list_of
from league.models.names import fold
from league.models.own_words import own_words
from league.services.competitions import decisions
from league.services.competitions.locking import PERMISSION, lock
from league.services.competitions.running.bracket_names import names_of
from league.services.competitions.running.rounds import state_of
from league.services.core.errors import Conflict, Refused
from league.services.core.isolation import gettext as _
from league.services.dates import scheduled
from league.services.transfer.files.import_reports import MOST_SHOWN, small_report
from league.services.transfer.files.reading import say
from league.services.transfer.files.result_imports import Done
from league.services.transfer.files.result_lines import Errors, LineError
from ratings.files import dates
from ratings.files.rows import YES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from league.models import Arena, Entrant, FileImport, User
    from league.services.competitions.outcomes import Game
    from league.services.core.types import Progress
    from ratings.files.tables import Table

NEEDS = [PERMISSION]
"""The permissions for an import of fixtures."""
COLUMNS = ("competition", "round", "number", "home", "away", "date", "decision", "forfeit")
GAMES = "games"
"""The word for a fixture that its games decide again."""
DECISIONS = {
    Fixture.Result.HOME: Fixture.Result.HOME,
    Fixture.Result.AWAY: Fixture.Result.AWAY,
    Fixture.Result.DRAW: Fixture.Result.DRAW,
    Fixture.Result.NEITHER: Fixture.Result.NEITHER,
    Fixture.Result.NONE: Fixture.Result.NONE,
    GAMES: Fixture.Result.OPEN,
}
LONGEST_NUMBER = 9


@dataclass(frozen=True)
class FixtureGames:
    """A fixture as it is, with its games."""

    fixture: Fixture
    games: Sequence[Game]

    @property
    def date(self) -> datetime | None:
        """Return when its next game is played, else when its last one was."""
        coming = [game.play_at for game in self.games if game.is_to_come]
        played = [game.play_at for game in self.games if game.counts]
        return next(reversed(coming or played), None)

    @property
    def is_forfeit(self) -> bool:
        return self.fixture.decided_by == Fixture.DecidedBy.FORFEIT


@dataclass
class Read:
    """The effect of a file, before it is kept or rolled back."""

    errors: Errors = field(default_factory=Errors)
    known: int = 0
    changed: list[dict[str, Any]] = field(default_factory=list)
    differences: list[dict[str, Any]] = field(default_factory=list)


def export(arena: Arena) -> Iterator[tuple[Any, ...]]:
    """Yield the fixtures of the running competitions of an arena."""
    for one in running(arena):
        fixtures, games = state_of(one)
        names = names_of(one, one.rounds.all())
        for fixture in fixtures:
            row = FixtureGames(fixture, games.get(fixture.pk, ()))
            date = row.date.astimezone(arena.zone).isoformat(" ") if row.date else ""
            sides = [side.name if side else "" for side in (fixture.home, fixture.away)]
            forfeit = "yes" if row.is_forfeit else ""
            round_ = names[fixture.round_id]
            yield one.name, round_, fixture.number, *sides, date, fixture.result, forfeit


def running(arena: Arena) -> list[Competition]:
    rows = Competition.objects.running().filter(season__arena=arena)
    return list(rows.select_related("season__arena").order_by("pk"))


def preview(file: FileImport, table: Table, *, by: User, now: datetime, progress: Progress) -> Done:
    """Return what an import would do. Nothing is kept."""
    del progress
    with transaction.atomic():
        read = carried_out(file, table, by, now)
        transaction.set_rollback(True)
    return Done(report_of(file, table, read))


def carry_out(
    file: FileImport, table: Table, *, by: User, now: datetime, progress: Progress
) -> Done:
    """Import a file as a whole, in the caller's transaction. Raises ``Refused``."""
    del progress
    read = carried_out(file, table, by, now)
    if read.errors.count:
        raise Refused("errors", _("The file has errors. Check it again."))
    return Done(report_of(file, table, read), changed=read.changed)


def carried_out(file: FileImport, table: Table, by: User, now: datetime) -> Read:
    """Change fixtures as the lines of a file say, and note the lines that are wrong."""
    read = Read()
    for problem in table.problems:
        read.errors.add(problem.line, say(problem.sentence))
    rows: dict[str, dict[int, FixtureGames]] = defaultdict(dict)
    twice = set()
    for one in running(file.arena):
        lock(one.pk)
        name = fold(one.name)
        if name in rows:
            twice.add(name)
        fixtures, games = state_of(one)
        rows[name] = {each.number: FixtureGames(each, games.get(each.pk, ())) for each in fixtures}
    seen: set[int] = set()
    for line, cells in table.cells:
        given = {name: cells[at].strip() for name, at in file.mapping.get("columns", {}).items()}
        try:
            row = row_of(given, rows, twice, seen)
            with transaction.atomic():
                done = change(file, row, given, by, now)
        except LineError as error:
            read.errors.add(line, str(error))
        except Refused as refusal:
            read.errors.add(line, refusal.message)
        else:
            read.known += not done
            read.changed += [entry for entry, _shown in done]
            read.differences += [
                {"line": line, "sides": str(row.fixture), **shown} for _entry, shown in done
            ]
    return read


def row_of(
    given: Mapping[str, str],
    rows: Mapping[str, Mapping[int, FixtureGames]],
    twice: set[str],
    seen: set[int],
) -> FixtureGames:
    """Return the fixture that a line is about, which no line before is. Raises ``LineError``."""
    name, number = given.get("competition", ""), given.get("number", "")
    if fold(name) in twice:
        raise LineError(_("Two running competitions are called “%(name)s”.") % {"name": name})
    fixtures = rows.get(fold(name))
    if fixtures is None:
        raise LineError(_("No running competition is called “%(name)s”.") % {"name": name[:80]})
    known = number.isdecimal() and len(number) <= LONGEST_NUMBER
    row = fixtures.get(int(number)) if known else None
    if row is None:
        raise LineError(
            _("%(competition)s has no fixture number “%(number)s”.")
            % {"competition": name, "number": number[:40]}
        )
    for side, entrant in (("home", row.fixture.home), ("away", row.fixture.away)):
        check_side(row, given.get(side, ""), entrant)
    if row.fixture.pk in seen:
        raise LineError(_("This fixture is in the file twice."))
    seen.add(row.fixture.pk)
    return row


def check_side(row: FixtureGames, written: str, entrant: Entrant | None) -> None:
    """Refuse a line whose sides are not those of its fixture."""
    if written and (entrant is None or fold(written) != fold(entrant.name)):
        raise LineError(
            _("Fixture %(number)d is %(sides)s. A file cannot change the sides.")
            % {"number": row.fixture.number, "sides": row.fixture}
        )


Change = tuple[dict[str, Any], dict[str, Any]]
"""The values that undo a change, and the text about it on the page of the file."""


def change(
    file: FileImport, row: FixtureGames, given: Mapping[str, str], by: User, now: datetime
) -> list[Change]:
    """Change a fixture as a line says. Return what has changed."""
    reason = given.get("reason") or own_words("import", file=file.file_name).text
    date = date_of(given.get("date", ""), file.arena)
    result, forfeit = decision_of(given)
    moved = date is not None and date != row.date
    same = result in {None, row.fixture.result} and forfeit in {None, row.is_forfeit}
    if not same and result is None:
        raise LineError(_("Say in the column of decisions who wins by forfeit."))
    if moved and result:
        raise LineError(_("A decided fixture has no date. Change its date or its decision."))
    if moved and date is not None:
        return [move(row, date, by, reason, now)]
    if same or result is None:
        return []
    return [decide(row, result, by, reason, now, forfeit=bool(forfeit))]


def date_of(text: str, arena: Arena) -> datetime | None:
    """Return the date in a cell, ``None`` for an empty one. Raises ``LineError``."""
    if not text:
        return None
    try:
        read = dates.read(text)
        date = read.at.replace(tzinfo=read.at.tzinfo or arena.zone).astimezone(UTC)
    except (ValueError, OverflowError):
        read = None
    if read is None or not read.has_hour:
        raise LineError(
            _("“%(text)s” is no date with a time. Write 2024-05-31 19:30.") % {"text": text[:40]}
        )
    return date.replace(microsecond=0)


def decision_of(given: Mapping[str, str]) -> tuple[str | None, bool | None]:
    """Return the result and whether it is a forfeit, ``None`` for what a line leaves alone."""
    text = given.get("decision", "").casefold()
    if text and text not in DECISIONS:
        raise LineError(
            _("“%(text)s” is no decision. Write %(words)s.")
            % {"text": text[:40], "words": list_of(DECISIONS)}
        )
    says = given.get("forfeit", "").casefold() in YES
    if not text:
        return None, says or None
    return DECISIONS[text], says if "forfeit" in given else None


def move(row: FixtureGames, date: datetime, by: User, reason: str, now: datetime) -> Change:
    """Set the date of a fixture."""
    was = next((game.play_at for game in row.games if game.is_to_come), None)
    decisions.set_date(row.fixture.pk, date, by=by, reason=reason, now=now)
    entry = {"fixture": row.fixture.pk, "date": [was and was.isoformat(), date.isoformat()]}
    zone = row.fixture.competition.season.arena.zone
    shown = {"was": in_zone(was, zone), "is": in_zone(date, zone)}
    return entry, {"kind": "date", **shown}


def decide(
    row: FixtureGames, result: str, by: User, reason: str, now: datetime, *, forfeit: bool
) -> Change:
    """Decide a fixture, or leave it to its games again."""
    before = row.fixture.result, row.fixture.decided_by
    coming = next((game.play_at for game in row.games if game.is_to_come), None)
    after = decisions.decide(row.fixture.pk, result, by=by, reason=reason, now=now, forfeit=forfeit)
    entry = {
        "fixture": row.fixture.pk,
        "decision": [before, (after.result, after.decided_by)],
        "coming": coming and coming.isoformat(),
    }
    return entry, {
        "kind": "decision",
        "was": describe_result(row.fixture),
        "is": describe_result(after),
    }


def describe_result(fixture: Fixture) -> str:
    """Return the result of a fixture and what decided it."""
    if fixture.result == Fixture.Result.OPEN:
        return fixture.get_result_display()
    return f"{fixture.get_result_display()} ({fixture.get_decided_by_display()})"


def in_zone(date: datetime | None, zone: Any) -> str:
    return f"{date.astimezone(zone):%Y-%m-%d %H:%M}" if date else ""


def report_of(file: FileImport, table: Table, read: Read) -> dict[str, Any]:
    """Return what the file says, for its page."""
    report = small_report(file, table, read.errors)
    if not read.errors.count:
        report.update(
            known=read.known, changed=len(read.changed), differences=read.differences[:MOST_SHOWN]
        )
    return report


def put_back(file: FileImport, *, by: User, reason: str, now: datetime) -> None:
    """Undo an import of fixtures.

    Raises:
        Conflict: a fixture has been changed or reported since.
        Refused: its date has passed, or as ``decisions`` raises.
    """
    for entry in reversed(file.changed):
        fixture = Fixture.objects.with_sides().filter(pk=entry["fixture"]).first()
        if fixture is None:
            raise changed_since("?")
        if "date" in entry:
            move_back(fixture, *entry["date"], by=by, reason=reason, now=now)
        else:
            decide_back(fixture, entry, by=by, reason=reason, now=now)


def move_back(
    fixture: Fixture, was: str | None, now_is: str, *, by: User, reason: str, now: datetime
) -> None:
    """Give a fixture the date that it had before an import."""
    one = Arrangement.objects.accepted().filter(game__fixture=fixture).order_by("pk").last()
    if one is None or one.play_at != datetime.fromisoformat(now_is):
        raise changed_since(fixture)
    if was is None:
        decisions.fixture_to_change(fixture.pk, by)
        scheduled.cancel(one.pk, now)
    else:
        decisions.set_date(fixture.pk, datetime.fromisoformat(was), by=by, reason=reason, now=now)


def decide_back(
    fixture: Fixture, entry: dict[str, Any], *, by: User, reason: str, now: datetime
) -> None:
    """Give a fixture the decision that it had before an import, and its date if it is to come."""
    (result, decided_by), after = entry["decision"]
    if [fixture.result, fixture.decided_by] != after:
        raise changed_since(fixture)
    decisions.decide(fixture.pk, result, by=by, reason=reason, now=now)
    Fixture.objects.filter(pk=fixture.pk).update(decided_by=decided_by)
    date = entry["coming"] and datetime.fromisoformat(entry["coming"])
    if date and date > now:
        decisions.set_date(fixture.pk, date, by=by, reason=reason, now=now)


def changed_since(fixture: Fixture | str) -> Conflict:
    return Conflict(
        "changed_since",
        _("“%(name)s” has been used or changed since the import. It cannot be undone.")
        % {"name": fixture},
    )
