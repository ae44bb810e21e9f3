"""Tables, crosstables and schedules of competitions as rows of files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.services.competitions.crosstables import crosstables_of
from league.services.competitions.pages import FixtureLine, RoundLines
from league.services.competitions.running.bracket_names import name_of_side
from league.services.competitions.standings.competition_tables import letter, plain

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from league.services.competitions.pages import CompetitionPage

    Rows = tuple[list[str], Iterator[tuple[object, ...]]]
    """The names of the columns, and the rows."""

TABLE = ("group", "place", "name", "played", "won", "drawn", "lost", "for", "against", "points")
SCHEDULE = (
    "stage",
    "round",
    "group",
    "number",
    "home",
    "away",
    "opens_at",
    "closes_at",
    "play_at",
    "home_score",
    "away_score",
    "result",
    "decided_by",
)


def table(page: CompetitionPage) -> Rows:
    """Return the table, or those of all groups below each other."""
    breaks = [each.name for each in page.tables[0].tie_breaks] if page.tables else []
    named = [f"tie_break_{name}" if name in TABLE else name for name in breaks]
    return [*TABLE, *named], lines_of(page)


def lines_of(page: CompetitionPage) -> Iterator[tuple[object, ...]]:
    for table in page.tables:
        group = "" if table.group is None else letter(table.group)
        for line in table.lines:
            row = line.row
            counts = (row.played, row.won, row.drawn, row.lost)
            scores = (plain(row.for_), plain(row.against))
            name = line.entrant.name
            breaks = (None if value is None else plain(value) for value in row.tie_breaks)
            yield (group, row.place, name, *counts, *scores, plain(row.points), *breaks)


def crosstable(page: CompetitionPage) -> Rows:
    """Return the crosstable, or those of all groups below each other.

    A column is an opponent's place in the table, or a round of a Swiss.
    """
    tables = crosstables_of(page)
    widest = max(tables, key=lambda each: len(each.headings), default=None)
    return ["group", "place", "name", *(widest.headings if widest else ())], (
        (table.name, line.row.place, line.entrant.name, *cells)
        for table in tables
        for line, cells in table.rows
    )


def schedule(page: CompetitionPage) -> Rows:
    """Return the fixtures of all rounds, in the order of the rounds."""
    return [*SCHEDULE], fixtures_of(page)


def fixtures_of(page: CompetitionPage) -> Iterator[tuple[object, ...]]:
    rounds = [RoundLines(each, page.lines.get(each.pk, [])) for each in page.rounds]
    for each in (*rounds, *page.bracket_plan):
        round_ = each.round
        for line in each.fixtures:
            play_at = line.play_at or (None if line.outcome.is_decided else round_.play_at)
            yield (
                round_.stage,
                round_.number,
                "" if round_.is_in_bracket else line.group,
                line.fixture.number,
                name_of_side(line.fixture, home=True),
                name_of_side(line.fixture, home=False),
                *map(without_microseconds, (round_.opens_at, round_.closes_at, play_at)),
                *ending(line),
            )


def ending(line: FixtureLine) -> tuple[object, ...]:
    """Return the scores, the result and what decided it, empty before the end."""
    outcome = line.outcome
    if not outcome.is_decided:
        return None, None, "", ""
    return *map(as_whole, (outcome.home, outcome.away)), outcome.result, outcome.by


def as_whole(score: float | None) -> float | None:
    """Return a score without a decimal point where it needs none."""
    return int(score) if score is not None and score.is_integer() else score


def without_microseconds(moment: datetime | None) -> datetime | None:
    return moment and moment.replace(microsecond=0)


KINDS = {"table": table, "crosstable": crosstable, "schedule": schedule}
