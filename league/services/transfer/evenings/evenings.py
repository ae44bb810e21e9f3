"""Quick entry: an organiser enters the results of an evening together, and undoes them together."""

from __future__ import annotations

import hashlib
from contextlib import contextmanager
from dataclasses import astuple
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid5

from django.db import OperationalError, transaction
from psycopg.errors import DeadlockDetected

from league.models import (
    Fixture,
    Player,
    StaffAction,
)
from league.services.competitions import counting, fixture_words, line_ups
from league.services.core.clock import moment
from league.services.core.errors import Conflict, Refused
from league.services.core.isolation import gettext as _
from league.services.core.kill_points import committing
from league.services.core.staff_log import of_arena
from league.services.core.types import ReportedSide
from league.services.corrections.checks import check_reason
from league.services.people import naming
from league.services.rating.rate import lock_rows
from league.services.results.reports import agreed
from league.services.results.staff import entering
from league.services.transfer.evenings import walkovers
from league.services.transfer.evenings.evening_rows import (
    COLUMNS,
    EveningRow,
    Tried,
    cells_of,
    read_sides,
    rosters_of,
    show,
)
from league.services.transfer.files.reading import rules_of_files, say
from league.services.transfer.files.result_lines import Line, Reader
from ratings.files.rows import RowReader

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

    from league.models import Arena, Arrangement, Season, User

MOST_ROWS = 200


class SavedBefore(Conflict):
    """The page was saved, and then sent again with other rows."""

    def __init__(self) -> None:
        super().__init__(
            "saved_before",
            _(
                "This page was saved before you changed it, and nothing was saved now. Clear the "
                "rows that are entered already, or undo that evening first. Then save again."
            ),
        )


class RowErrors(Exception):
    """Some rows are wrong, and nothing was saved."""

    def __init__(self, tried: dict[int, Tried]) -> None:
        super().__init__()
        self.tried = tried


def try_out(
    arena: Arena,
    rows: Sequence[EveningRow],
    *,
    by: User,
    played_at: datetime,
    now: datetime,
    for_fixtures: bool = True,
    add_players: bool = False,
) -> dict[int, Tried]:
    """Return what the rows would do one after the other, by their number. Nothing is kept."""
    with patiently(), transaction.atomic():
        tried = enter_all(
            arena,
            rows,
            by=by,
            reason="–",
            played_at=played_at,
            now=now,
            for_fixtures=for_fixtures,
            add_players=add_players,
        )
        transaction.set_rollback(True)
    return tried


def save(
    arena: Arena,
    rows: Sequence[EveningRow],
    *,
    by: User,
    reason: str,
    played_at: datetime,
    token: UUID,
    now: datetime,
    for_fixtures: bool = True,
    add_players: bool = False,
) -> StaffAction:
    """Enter all rows in one transaction. They count at once, and for open fixtures if so asked.

    With ``add_players``, names that nobody has become players without an account.

    A repeated ``token`` with the same rows returns the first evening.

    Raises:
        RowErrors: rows are wrong, and nothing is saved.
        SavedBefore: the page was saved before its rows were changed.
        Conflict: other results of its players are in the way.
        Refused: there is nothing to save, or no reason.
    """
    evenings = StaffAction.objects.filter(kind=StaffAction.Kind.EVENING)
    typed = digest(rows, played_at, for_fixtures=for_fixtures)
    if earlier := evenings.filter(details__token=str(token)).first():
        if earlier.details.get("typed", typed) != typed:
            raise SavedBefore
        return earlier
    reason = check_reason(reason)
    if all(row.is_empty for row in rows):
        raise Refused("nothing", _("Enter a result first."))
    with patiently(), committing("evening"):
        tried = enter_all(
            arena,
            rows,
            by=by,
            reason=reason,
            played_at=played_at,
            now=now,
            for_fixtures=for_fixtures,
            add_players=add_players,
            token=token,
        )
        if any(one.errors for one in tried.values()):
            raise RowErrors(tried)
        matches = [one.match.pk for one in tried.values() if one.match is not None]
        added = dict.fromkeys(name for one in tried.values() for name in one.added)
        return StaffAction.objects.create(
            actor=by,
            kind=StaffAction.Kind.EVENING,
            reason=reason,
            details={
                **of_arena(arena),
                "matches": matches,
                **({"added": list(added)} if added else {}),
                "walkovers": [
                    one.fixture.action_id for one in tried.values() if one.fixture is not None
                ],
                "token": str(token),
                "typed": typed,
            },
            at=now,
        )


def enter_all(
    arena: Arena,
    rows: Sequence[EveningRow],
    *,
    by: User,
    reason: str,
    played_at: datetime,
    now: datetime,
    for_fixtures: bool,
    add_players: bool,
    token: UUID | None = None,
) -> dict[int, Tried]:
    """Enter each row that can be, in order, and say what is wrong with the others."""
    if len(rows) > MOST_ROWS:
        raise Refused("rows", _("Enter at most %(most)d results at once.") % {"most": MOST_ROWS})
    tried: dict[int, Tried] = {}
    reader, cells = Reader(arena, arena.system()), RowReader(COLUMNS, rules_of_files(arena))
    lines: dict[int, Line] = {}
    for number, row in enumerate(rows):
        if not row.is_empty:
            cells.problems.clear()
            result = cells.read(number, cells_of(row, played_at))
            problems = [say(problem.sentence) for problem in cells.problems]
            lines[number] = reader.line(result, problems)
            tried[number] = Tried(list(lines[number].problems))
    rosters = rosters_of(arena, lines, reader)
    named = (name for folded, name in reader.written.items() if folded not in rosters)
    names = naming.find(named, {})
    naming.accept_bare(names)
    if add_players:
        naming.add_unknown(names)
    players = Player.objects.in_bulk([pk for pk in names.ids.values() if pk > 0])
    sides: dict[int, list[ReportedSide]] = {}
    for number, line in lines.items():
        read = read_sides(line, reader, names, players, rosters, tried[number])
        if not tried[number].errors:
            sides[number] = read
    season = hold(arena, sides.values(), played_at, now)
    dates = fixtures_of(season, sides, by, played_at) if season and for_fixtures else {}
    for number, own_sides in sides.items():
        own, line, date = tried[number], lines[number], dates.get(number)
        try:
            with transaction.atomic():
                if line.walkover:
                    details: dict[str, Any] = {"by": by, "reason": reason, "now": now}
                    own.fixture = walkovers.enter(date, own_sides, line.walkover, **details)
                    own.walkover = walkovers.describe(own_sides, line.walkover)
                else:
                    fixture = date.game.fixture if date else None
                    own.match = entering.enter(
                        arena,
                        line_ups.as_planned(fixture, own_sides, now) if fixture else own_sides,
                        by=by,
                        reason=reason,
                        played_at=moment(line.time),
                        now=now,
                        client_token=uuid5(token, str(number)) if token else None,
                        mode=line.mode,
                        link=counting.linking(date),
                    )
                    if fixture:  # its line-up was for one game
                        Fixture.objects.filter(pk=fixture.pk).update(line_up=[])
        except Refused as refusal:
            own.errors.append(refusal.message)
        else:
            show(own)
            own.counts_for = fixture_words.describe_arrangement(date) if date else ""
    return tried


def hold(
    arena: Arena, reported_sides: Iterable[list[ReportedSide]], played_at: datetime, now: datetime
) -> Season | None:
    """Lock what rating all matches locks, in the order in which rating one does.

    Return the season for which they count, if there is one.

    Rows in another order would else wait for other evenings and results that wait for them.
    """
    parts = (part for sides in reported_sides for side in sides for part in side.participants)
    players = sorted({part.player.pk for part in parts})
    season = agreed.hold(arena, players, played_at, now)
    if season and players:
        lock_rows(season.pk, players)
    return season


def fixtures_of(
    season: Season, sides: dict[int, list[ReportedSide]], by: User, played_at: datetime
) -> dict[int, Arrangement]:
    """Return the dates of the fixtures for which rows count, by number."""
    rows = {number: counting.parties_of(own, led=False) for number, own in sides.items()}
    return counting.found_in_rows(season, rows, by=by, played_at=played_at)


@contextmanager
def patiently() -> Iterator[None]:
    """Raise ``Conflict`` if the database ends a deadlock."""
    try:
        yield
    except OperationalError as error:
        if isinstance(error.__cause__, DeadlockDetected):
            raise Conflict(
                "in_use", _("Other results of these players came meanwhile. Try again.")
            ) from error
        raise


def digest(rows: Sequence[EveningRow], played_at: datetime, *, for_fixtures: bool) -> str:
    """Return a fingerprint of what was typed."""
    plain = (played_at.isoformat(), [astuple(row) for row in rows if not row.is_empty])
    typed = repr(plain if for_fixtures else (*plain, for_fixtures))
    return hashlib.sha256(typed.encode()).hexdigest()[:32]
