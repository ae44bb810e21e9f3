"""Read the results of a table by the meanings of its columns, which are chosen or guessed."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from ratings.files import (
    column_guesses,
    column_pairs,
    columns,
    crosstables,
    dates,
    participants,
    rating_lists,
    swiss_tables,
)
from ratings.files.choices import Layout
from ratings.files.columns import players_of
from ratings.files.documents import Found
from ratings.files.ordering import sort_results
from ratings.files.participants import ParticipantReader
from ratings.files.problems import UnreadableFile
from ratings.files.rows import RowReader
from ratings.files.sides import COMMAS, find_separators
from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ratings.files.choices import Choices
    from ratings.files.dates import DateOrder
    from ratings.files.results import Result
    from ratings.files.rows import GameRules
    from ratings.files.tables import Table

FEW = 3
SAMPLE = 20
"""Rows from which columns are guessed whose names do not say enough."""
CROSSTABLES = {Layout.CROSSTABLE, Layout.LEGS, Layout.SWISS}
LAYOUTS = {Layout.MATCHES: columns, Layout.PARTICIPANTS: participants}


def read_rows(table: Table, choices: Choices) -> Found:
    """Return the results of a table."""
    layout = choices.layout or guess_layout(table, choices)
    if layout in CROSSTABLES:
        return read_crosstable(table, choices, Layout(layout))
    chosen = choose_columns(table, choices)
    layout = Layout(layout or layout_of(chosen))
    if layout == Layout.MATCHES and (rated := find_ratings(table, choices, chosen)):
        return rated
    if lacking := LAYOUTS[layout].find_missing(chosen):
        raise UnreadableFile(lacking.message, **lacking.values)
    found = Found(table=table, columns=chosen, remarks=list(table.remarks))
    found.date_order = choices.date_order or guess_order(table, chosen, found.remarks)
    reader: RowReader | ParticipantReader
    if layout == Layout.PARTICIPANTS:
        reader = ParticipantReader(chosen, choices.rules, found.date_order)
    else:
        reader = reader_of(table, chosen, choices.rules, found.date_order)
    found.results = list(reader.read_table(table))
    found.problems = [*table.problems, *reader.problems]
    if layout == Layout.PARTICIPANTS and not {"group", "played_at"} & set(chosen):
        found.remarks.append(Sentence("All rows are read as the places of one event."))
    if reader.unplayed:
        found.remarks.append(
            Sentence(
                "Matches that were not played, or have no result, are left out: %(count)s.",
                count=len(reader.unplayed),
            )
        )
    sort_results(found.results, found.remarks)
    if reader.problems and choices.date_order and "played_at" in chosen:
        better = dates.guess_order(cells[chosen["played_at"]] for _line, cells in table.cells)
        found.better_order = None if better == found.date_order else better
    return found


def guess_layout(table: Table, choices: Choices) -> str:
    """Return the layout of a crosstable, an empty text for any other table."""
    if (
        choices.columns
        or choices.named
        or not columns.find_missing(guess_columns(table, Layout.MATCHES))
    ):
        return ""
    if swiss_tables.find(table):
        return Layout.SWISS
    found = crosstables.find(table, lower_wins=choices.rules.lower_wins)
    if found is None:
        return ""
    return Layout.LEGS if crosstables.has_legs(found) else Layout.CROSSTABLE


def read_crosstable(table: Table, choices: Choices, layout: Layout) -> Found:
    """Return the results of a crosstable. Raises ``UnreadableFile`` if it is none."""
    found = Found(table=table, remarks=list(table.remarks), problems=list(table.problems))
    if layout == Layout.SWISS:
        swiss = swiss_tables.find(table)
        if swiss is None:
            raise UnreadableFile("This is no Swiss crosstable with numbers of opponents.")
        swiss_tables.read(swiss, found)
        return found
    cells = crosstables.find(table, lower_wins=choices.rules.lower_wins)
    if cells is None:
        raise UnreadableFile(
            "This is no crosstable. It needs the same names down and across, and results in its "
            "cells."
        )
    crosstables.read(cells, found, legs=layout == Layout.LEGS)
    return found


def find_ratings(table: Table, choices: Choices, chosen: Mapping[str, int]) -> Found | None:
    """Return the ratings of a table that has nothing else, None if it has results."""
    listed = {} if choices.columns or choices.layout else rating_lists.guess(table)
    if not listed or not columns.find_missing(chosen):
        return None
    found = Found(table=table, columns=dict(listed), remarks=list(table.remarks))
    found.problems = list(table.problems)
    rating_lists.read(table, listed, found)
    return found


def reader_of(
    table: Table, chosen: Mapping[str, int], rules: GameRules, order: DateOrder | None
) -> RowReader:
    """Return a reader that knows what a table as a whole says about its rows."""
    first, winner = chosen.get("side_1"), chosen.get("winner")
    sides = [players_of(side, chosen) for side in ("side_1", "side_2", "winner", "loser")]
    alone = [at[0] for at in sides if len(at) == 1]
    cells = (row[at] for _line, row in table.cells for at in alone)
    calls: tuple[set[str], set[str]] = (set(), set())
    if {"side_1", "side_2"} <= set(chosen):
        calls = column_pairs.calls_of(
            *(table.header[chosen[name]] for name in ("side_1", "side_2"))
        )
    return RowReader(
        chosen,
        rules,
        order,
        calls=calls,
        has_home=first is not None and column_guesses.has_home(table.header[first]),
        has_ties=winner is not None and column_guesses.has_ties(table.header[winner]),
        separators=find_separators(cells, rules) if rules.teams else COMMAS,
    )


def layout_of(chosen: Mapping[str, int]) -> Layout:
    """Return the meaning of rows with these columns."""
    return Layout.PARTICIPANTS if "player" in chosen else Layout.MATCHES


def choose_columns(table: Table, choices: Choices) -> dict[str, int]:
    """Return the column of each meaning, as chosen or guessed.

    Raises:
        UnreadableFile: a column that is named is not there.
    """
    if choices.columns is not None:
        return dict(choices.columns)
    missing = [name for name in choices.named.values() if name not in table.header]
    if missing:
        raise UnreadableFile("There is no column “%(name)s”.", name=missing[0][:40])
    named = {meaning: table.header.index(name) for meaning, name in choices.named.items()}
    return guess_columns(table, choices.layout, named)


def read_few(table: Table, choices: Choices) -> list[Result]:
    """Return the results in the first rows of a table, none if its columns do not say enough."""
    chosen = choices.columns or {}
    layout = Layout(choices.layout or layout_of(chosen))
    if layout in CROSSTABLES:
        return read_crosstable(table, choices, layout).results[:FEW]
    if LAYOUTS[layout].find_missing(chosen):
        return []
    if layout == Layout.PARTICIPANTS:
        return read_rows(table, choices).results[:FEW]
    order = choices.date_order or guess_order(table, chosen, [])
    few = replace(table, cells=table.cells[:FEW])
    return read_rows(few, replace(choices, date_order=order)).results


def guess_columns(
    table: Table, layout: str = "", named: Mapping[str, int] | None = None
) -> dict[str, int]:
    """Return the column of each meaning, by their names or by what their cells look like.

    Rows are matches, unless only the columns of participants say enough.
    """
    rows = [cells for _line, cells in islice(table.cells, SAMPLE)]
    if table.is_headless:
        return column_guesses.guess_by_cells(rows)
    matches = column_guesses.guess(table.header, rows, named)
    people = participants.guess(table.header, rows, named)
    if not layout:
        is_rows = participants.find_missing(people) is None and (
            not {"group", "played_at"}.isdisjoint(people)
            or (not rating_lists.guess(table) and participants.is_one_event(table, people))
        )
        layout = (
            Layout.PARTICIPANTS if columns.find_missing(matches) and is_rows else Layout.MATCHES
        )
    return people if layout == Layout.PARTICIPANTS else matches


def guess_order(
    table: Table, chosen: Mapping[str, int], remarks: list[Sentence]
) -> DateOrder | None:
    """Return the order of the dates of a table, and remark on one that was not certain."""
    at = chosen.get("played_at")
    if at is None:
        return None
    texts = [cells[at] for _line, cells in table.cells]
    found = dates.guess_order(texts)
    unclear = next((text for text in texts if dates.is_ambiguous(text)), None)
    if found is None and unclear:
        remarks.append(
            Sentence(
                "No date says whether the day or the month comes first: “%(text)s” is read with "
                "the day first.",
                text=unclear,
            )
        )
        return dates.DateOrder.DAY
    return found
