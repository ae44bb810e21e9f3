"""The possible meanings of columns in an imported file, and guesses at them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

from django.utils.functional import lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from league.models import FileImport
from league.services.transfer.files.reading import rules_of_files, say
from ratings.files import column_guesses, columns, participants, table_reading
from ratings.files.choices import Choices, Layout

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from django.utils.functional import _StrPromise

    from ratings.files.tables import Table

What = FileImport.What
MOST_COLUMNS_OF_SIDE = 8
"""Players of a side who can have a column each. More are separated by commas in one."""
say_later = lazy(say, str)


@dataclass(frozen=True)
class Field:
    """A possible meaning of a column."""

    name: str
    label: str | _StrPromise
    help: str | _StrPromise
    guesses: tuple[str, ...]
    """Names of columns, without case, spaces and signs."""


RESULT_FIELDS, PARTICIPANT_FIELDS = (
    [Field(one.name, say_later(one.label), say_later(one.help), one.guesses) for one in meanings]
    for meanings in (columns.COLUMNS, participants.COLUMNS)
)
PLAYER_FIELDS = [
    Field(
        "player",
        gettext_lazy("Player number"),
        gettext_lazy("Of a player who is here already, as an export writes it."),
        ("player", "id", "playernumber", "playerid"),
    ),
    Field(
        "name",
        gettext_lazy("Name"),
        gettext_lazy("The name that everyone sees."),
        ("name", "playername", "nick", "nickname"),
    ),
    Field(
        "level", gettext_lazy("Level"), gettext_lazy("A whole number from 0, or empty."), ("level",)
    ),
    Field(
        "roster",
        gettext_lazy("Roster"),
        gettext_lazy(
            "The roster in this arena that the player joins, or empty. New ones are created."
        ),
        ("roster", "team", "rostername", "club"),
    ),
]
ROSTER_FIELDS = [
    Field(
        "roster",
        gettext_lazy("Roster"),
        gettext_lazy("Its name in this arena."),
        ("roster", "team", "name", "rostername", "club"),
    ),
    Field(
        "captain",
        gettext_lazy("Captain"),
        gettext_lazy("A player. Empty for the first member."),
        ("captain", "leader"),
    ),
    Field(
        "members",
        gettext_lazy("Members"),
        gettext_lazy("Players separated by commas, or one on each line of the roster."),
        ("members", "players", "member", "player"),
    ),
]
TEAM_FIELDS = [
    replace(ROSTER_FIELDS[0], label=gettext_lazy("Team"), help=""),
    replace(
        ROSTER_FIELDS[1], help=gettext_lazy("Of a new team. A player. Empty for the first member.")
    ),
    replace(
        ROSTER_FIELDS[2],
        help=gettext_lazy("Players separated by commas, or one on each line of the team."),
    ),
]
FIXTURE_FIELDS = [
    Field(
        "competition",
        gettext_lazy("Competition"),
        gettext_lazy("The name of a running competition of this arena."),
        ("competition", "league", "cup"),
    ),
    Field(
        "number",
        gettext_lazy("Fixture number"),
        gettext_lazy("Within the competition, as an export writes it."),
        ("number", "fixture", "fixturenumber"),
    ),
    Field(
        "home",
        pgettext_lazy("side of a match", "Home"),
        gettext_lazy("To check that the number is right. A file cannot change the sides."),
        ("home", "hometeam", "side1", "white"),
    ),
    Field(
        "away",
        pgettext_lazy("side of a match", "Away"),
        gettext_lazy("As the home side."),
        ("away", "awayteam", "side2", "black"),
    ),
    Field(
        "date",
        gettext_lazy("Date"),
        gettext_lazy("2024-05-31 19:30, 31.05.2024 19:30 or with an offset. Empty to leave it."),
        ("date", "datetime", "playat", "datum", "when"),
    ),
    Field(
        "decision",
        gettext_lazy("Decision"),
        gettext_lazy(
            "home, away, draw, neither (both lose), none (does not count), or games to leave it to "
            "its games again. Empty to leave it."
        ),
        ("decision", "result"),
    ),
    Field(
        "forfeit",
        gettext_lazy("Forfeit"),
        gettext_lazy("“yes” if the loser did not play."),
        ("forfeit", "walkover"),
    ),
    Field(
        "reason",
        gettext_lazy("Reason"),
        gettext_lazy("Everybody can read it. Empty to name the file."),
        ("reason", "comment"),
    ),
]  # fmt: skip
FIELDS: dict[str, list[Field]] = {
    What.RESULTS: RESULT_FIELDS,
    What.PLAYERS: PLAYER_FIELDS,
    What.ROSTERS: ROSTER_FIELDS,
    What.TEAMS: TEAM_FIELDS,
    What.FIXTURES: FIXTURE_FIELDS,
}


def layout_of(file: FileImport) -> Layout:
    """Return the meaning of the rows of a file of results."""
    chosen = file.mapping.get("layout")
    return Layout(chosen or table_reading.layout_of(file.mapping.get("columns", {})))


def fields_of(file: FileImport) -> list[Field]:
    """Return the possible meanings of the columns of a file.

    Where sides have several players, each of these can have a column.
    """
    if file.what != What.RESULTS:
        return FIELDS[file.what]
    chosen = file.mapping.get("columns", {})
    layout = layout_of(file)
    if layout in table_reading.CROSSTABLES:
        return []
    if layout == Layout.PARTICIPANTS:
        return PARTICIPANT_FIELDS
    most = min(file.arena.team_size_max, MOST_COLUMNS_OF_SIDE)
    pair = ("winner", "loser") if "loser" in chosen else ("side_1", "side_2")
    further = product(pair, range(2, most + 1))
    return [*RESULT_FIELDS, *(field_of_player(side, number) for side, number in further)]


def field_of_player(side: str, number: int) -> Field:
    """Return the meaning of the column of a further player of a side."""
    labels = {
        "side_1": _("First side, player %(number)d"),
        "side_2": _("Second side, player %(number)d"),
        "winner": _("Winner, player %(number)d"),
        "loser": _("Loser, player %(number)d"),
    }
    help_text = _("If each player has a column.")
    return Field(columns.more_of(side, number), labels[side] % {"number": number}, help_text, ())


def guess_layout(file: FileImport, table: Table) -> str:
    """Return the layout of a crosstable of results, an empty text for any other table."""
    if file.what != What.RESULTS:
        return ""
    return table_reading.guess_layout(table, Choices(rules=rules_of_files(file.arena)))


def guess(file: FileImport, table: Table, layout: str = "") -> dict[str, int]:
    """Return the column of each field: as in the last file of this kind, or by its name."""
    if file.mapping["layout"] in table_reading.CROSSTABLES:
        return {}
    remembered = {} if layout else remembered_for(file)
    found = {name: file.header.index(column) for name, column in remembered.items()}
    if file.what == What.RESULTS:
        layout = layout or (table_reading.layout_of(found) if found else "")
        more = table_reading.guess_columns(table, layout).items()
        free = {name: at for name, at in more if at not in found.values()}
        return {**free, **found}
    if file.what in {What.ROSTERS, What.TEAMS} and table.is_headless:
        return found or dict(zip(("roster", "members"), range(len(file.header)), strict=False))
    others = [field for field in FIELDS[file.what] if field.name not in remembered]
    return column_guesses.guess_among(others, file.header, found)


def remembered_for(file: FileImport) -> dict[str, str]:
    """Return the names of the columns in the last such file without errors, if this one has them
    all."""
    earlier = FileImport.objects.filter(
        arena=file.arena_id, what=file.what, report__error_count=0
    ).exclude(pk=file.pk)
    for one in earlier.exclude(mapping={}).order_by("-id")[:5]:
        chosen = one.mapping.get("columns", {})
        names = {name: one.header[at] for name, at in chosen.items() if at < len(one.header)}
        if names and set(names.values()) <= set(file.header):
            return names
    return {}


def missing(
    what: str, mapping: Mapping[str, int], day: date | None = None, layout: str = ""
) -> str:
    """Return what the columns do not say, in words, or an empty string.

    ``day`` is that of results without a date, ``layout`` the meaning of their rows.
    """
    if what == What.RESULTS:
        return missing_of_results(mapping, day, Layout(layout or Layout.MATCHES))
    if what == What.FIXTURES:
        return missing_of_fixtures(mapping)
    members = {"roster", "members"}
    needed, sentence = {
        What.PLAYERS: ({"name"}, _("Choose the column with the names.")),
        What.ROSTERS: (members, _("Choose the columns of rosters and members.")),
        What.TEAMS: (members, _("Choose the columns of teams and members.")),
    }[What(what)]
    return "" if needed <= set(mapping) else sentence


def missing_of_results(mapping: Mapping[str, int], day: date | None, layout: Layout) -> str:
    is_crosstable = layout in table_reading.CROSSTABLES
    lacking = None if is_crosstable else table_reading.LAYOUTS[layout].find_missing(mapping)
    if lacking:
        return say(lacking)
    if "played_at" not in mapping and day is None:
        return _("Choose the column with the dates, or give one day for all results.")
    return ""


def missing_of_fixtures(mapping: Mapping[str, int]) -> str:
    if not {"competition", "number"} <= set(mapping):
        return _("Choose the columns of competitions and fixture numbers.")
    if not {"date", "decision"} & set(mapping):
        return _("Choose the column of dates or of decisions.")
    return ""


def twice(mapping: Mapping[str, int], header: Sequence[str]) -> str:
    """Return what is wrong with a mapping in which two fields have the same column."""
    seen: set[int] = set()
    for at in mapping.values():
        if at in seen:
            return _("“%(column)s” is chosen twice.") % {"column": header[at]}
        seen.add(at)
    return ""
