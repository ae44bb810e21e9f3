"""Read a list of people as organisers have it: a name on each line, perhaps with more."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass, field
from itertools import pairwise
from math import isfinite
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, validate_email

from league.models.competition_rules import MOST_ENTRANTS
from league.models.lists import COMMAS
from league.models.mail_addresses import validate_domain
from league.models.names import fold
from league.models.words import without_controls
from league.services.core.errors import Refused
from league.services.core.isolation import gettext as _

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

HEADINGS = {
    "name": "name player entrant",
    "members": "members players",
    "rating": "rating elo dwz fide rtg",
    "deviation": "deviation rd sigma σ ±",
    "seed": "seed no nr # rank",
    "club": "club team",
    "email": "email e-mail mail",
}
"""The words above the columns of a list."""
LARGEST_RATING = 1_000_000
LONGEST_CLUB = 60
LONGEST_ADDRESS = 254
"""The most characters of an e-mail address, as that of an account."""
NUMBERED = re.compile(r"^\s*#?(\d{1,3})[.)]\s+")
"""The number before a name, as in “1. Ann”."""
RATED = re.compile(r"(.*[^\W\d].*?)\s+\(?(\d{3,4})\)?")
"""A name and a rating behind it, as in “Ann 1450”."""
RATING_BEHIND = re.compile(r"(.*[^\s\d(])\s+\(?([+-]?\d+(?:\.\d+)?)\)?")
"""The same in a list where every player has a rating, on any scale."""


@dataclass(frozen=True)
class Entry:
    """One line of a list."""

    line: int
    name: str
    members: tuple[str, ...] = ()
    """The players of a roster, its captain first. None for a player or a roster that exists."""
    rating: float | None = None
    seed: int | None = None
    club: str = ""
    email: str = ""
    """The address of the player, of a roster the captain's."""
    deviation: float | None = None


@dataclass
class EntryList:
    """The lines of a list, and what is wrong with others."""

    entries: list[Entry] = field(default_factory=list)
    problems: list[tuple[int, str]] = field(default_factory=list)
    """The line, from 1, and a sentence."""

    def complete(self) -> list[Entry]:
        """Return the entries of a list without problems.

        Raises:
            Refused: a line is wrong, or there are none.
        """
        if self.problems:
            line, problem = self.problems[0]
            text = _("Line %(line)d: %(problem)s") % {"line": line, "problem": problem}
            raise Refused("line", text, field="names")
        if not self.entries:
            raise Refused("nobody", _("The list has no names."), field="names")
        return self.entries


def read_list(text: str) -> EntryList:
    """Read a list that was pasted: a name on each line, or columns from a spreadsheet.

    The columns are separated by tabs, semicolons or commas. Their order is told by a first line
    with headings, else a number is a rating, a text with @ an e-mail address, and a second text the
    club. A number behind every name is a rating, too, as in “Ann 1450”. After a name, a colon
    introduces the members of a roster, and brackets an address, as in “Ann <ann@club.example>”.

    Raises:
        Refused: there are more names than the largest competition has places.
    """
    numbered = enumerate(text.splitlines(), start=1)
    return read_rows((number, split(line)) for number, line in numbered if line.strip())


def read_ratings(text: str) -> EntryList:
    """Read a list of players with ratings that was pasted, as in “Ann 1450” or “Ann; 1450; 80”.

    It is read as :func:`read_list` does, and without headings, a second number is the deviation.

    Raises:
        Refused: there are more names than the largest competition has places.
    """
    numbered = enumerate(text.splitlines(), start=1)
    rows = [(number, split_rated(line)) for number, line in numbered if line.strip()]
    return read_rows(rows, has_deviations=True)


def split_rated(line: str) -> list[str]:
    """Return the cells of a line, of which only spaces may separate the rating from the name.

    A comma behind such a rating may be a decimal one, as in “Ann 1450,5”: it separates nothing.
    """
    cells = split(line)
    found = (
        RATING_BEHIND.fullmatch(cells[0].strip()) if cells and not {"\t", ";"} & set(line) else None
    )
    if not found:
        return cells
    return [found[1], found[2]] if len(cells) == 1 else [line]


def split(line: str) -> list[str]:
    """Return the cells of a line: by tabs, else semicolons, else commas."""
    delimiter = next((each for each in "\t;" if each in line), ",")
    if delimiter == "," and ":" in line:
        return [line]  # a roster, whose commas separate its members
    return next(csv.reader([line], delimiter=delimiter), [])


def read_rows(
    rows: Iterable[tuple[int, Sequence[str]]], *, has_deviations: bool = False
) -> EntryList:
    """Read the rows of a list, each with its line, as :func:`read_list` does.

    Without headings, a second number is refused, unless it can be a deviation.

    Raises:
        Refused: there are more names than the largest competition has places.
    """
    found = EntryList()
    seen: dict[str, int] = {}
    listed = [(line, [" ".join(cell.split()) for cell in written]) for line, written in rows]
    columns = headings(listed[0][1]) if listed else None
    if columns:
        del listed[0]
    elif ratings := split_ratings(listed):
        listed = ratings
    numbered = counts_up(listed, columns)
    for line, cells in listed:
        if len(found.entries) + len(found.problems) >= MOST_ENTRANTS:
            raise Refused(
                "too_many",
                _("A list has at most %(most)d names. This one is longer.")
                % {"most": MOST_ENTRANTS},
                field="names",
            )
        if not any(cells):
            continue
        try:
            entry = read_entry(
                line, cells, columns, numbered=numbered, has_deviations=has_deviations
            )
        except Refused as refusal:
            found.problems.append((line, refusal.message))
            continue
        first = seen.setdefault(fold(entry.name), line)
        if first == line:
            found.entries.append(entry)
        else:
            found.problems.append(
                (
                    line,
                    _("“%(name)s” is on line %(first)d already.")
                    % {"name": entry.name, "first": first},
                )
            )
    return found


def split_ratings(
    rows: Sequence[tuple[int, list[str]]],
) -> list[tuple[int, list[str]]]:
    """Return the names and ratings of a list such as “Ann 1450”, nothing for any other list.

    A number behind some names only is part of them, as in “Hannover 1896”, and so is one that tells
    players of one name apart, as in “Player 100”.
    """
    found = [
        (line, RATED.fullmatch(cells[0]) if len(cells) == 1 and ":" not in cells[0] else None)
        for line, cells in rows
        if any(cells)
    ]
    names = [(line, [match[1], match[2]]) for line, match in found if match]
    different = {fold(cells[0]) for _line, cells in names}
    return names if len(different) == len(found) > 1 else []


def counts_up(
    rows: Sequence[tuple[int, Sequence[str]]], columns: Sequence[str | None] | None
) -> bool:
    """Return whether the names are numbered one after another.

    A number before one name alone is part of it, as in “1. FC Köln”.
    """
    at = columns.index("name") if columns else 0
    names = [cells[at] for _line, cells in rows if len(cells) > at and cells[at]]
    numbers = [int(found[1]) for name in names if (found := NUMBERED.match(name))]
    is_rising = all(first < second for first, second in pairwise(numbers))
    return len(numbers) == len(names) > 1 and is_rising


def headings(cells: Sequence[str]) -> list[str | None] | None:
    """Return the meaning of each column, ``None`` if the line has no heading for the name."""
    words = {word: key for key, texts in HEADINGS.items() for word in texts.split()}
    columns = [words.get(cell.casefold().strip(".:")) for cell in cells]
    return columns if "name" in columns else None


def read_entry(
    line: int,
    cells: Sequence[str],
    columns: Sequence[str | None] | None,
    *,
    numbered: bool,
    has_deviations: bool = False,
) -> Entry:
    """Return the entrant of a line, whose name has a number before it in a ``numbered`` list.

    Raises:
        Refused: the line has no name or a wrong value.
    """
    values = dict.fromkeys(HEADINGS, "")
    if columns is None:
        values |= guess_values(cells, has_deviations=has_deviations)
    else:
        values |= {key: cell for key, cell in zip(columns, cells, strict=False) if key}
    written = NUMBERED.sub("", values["name"]) if numbered else values["name"]
    name, colon, members = written.replace("：", ":").partition(":")
    if "@" in name and not values["email"]:
        name, values["email"] = split_address(name)
    listed = [each.strip() for each in re.split(f"[{COMMAS};]", members or values["members"])]
    if not name.strip():
        raise Refused("no_name", _("This line has no name."))
    if colon and not any(listed):
        raise Refused("no_members", _("Write the members after the colon."))
    return Entry(
        line,
        name.strip(),
        tuple(each for each in listed if each),
        rating_in(values["rating"]),
        seed_in(values["seed"]),
        checked_club(values["club"]),
        read_address(values["email"]) if values["email"] else "",
        deviation_in(values["deviation"]) if has_deviations else None,
    )


def guess_values(cells: Sequence[str], *, has_deviations: bool = False) -> dict[str, str]:
    """Return the values of a line without headings: the first text is the name."""
    found: dict[str, str] = {}
    for written in cells:
        cell = written.lstrip("± ") if has_deviations else written
        key = kind_of(cell)
        if key == "name" and "name" in found:
            key = "club"
        if key == "rating" and key in found and has_deviations:
            key = "deviation"
        if key == "club" and "@" in cell:
            raise Refused("people", _("Write one person on each line."))
        if cell and key in found:
            raise Refused(
                "columns",
                _("“%(cell)s” is unclear. Write headings above the columns.") % {"cell": cell[:80]},
            )
        if cell:
            found[key] = cell
    return found


def kind_of(cell: str) -> str:
    """Return the meaning of a cell without a heading. A name may have its address behind it."""
    if "@" in cell and " " not in cell and "<" not in cell:
        return "email"
    return "rating" if parse_number(cell) is not None else "name"


def split_address(text: str) -> tuple[str, str]:
    """Return a name and the e-mail address before or behind it, perhaps in brackets."""
    words = text.replace("<", " <").replace('"', " ").split()
    address = next(word for word in words if "@" in word)
    words.remove(address)
    return " ".join(words), address.strip("<>")


def read_address(text: str) -> str:
    """Return an address in lower case. Raises ``Refused`` if no mail can be sent to it."""
    address = text.lower()
    try:
        MaxLengthValidator(LONGEST_ADDRESS)(address)
        validate_email(address)
        validate_domain(address)
    except ValidationError as error:
        message = _("“%(text)s” is no e-mail address.") % {"text": text[:80]}
        raise Refused("email", message) from error
    return address


def parse_number(text: str) -> float | None:
    """Return a number with a decimal point or comma, ``None`` for other texts."""
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return None


def rating_in(text: str) -> float | None:
    """Return the rating in a cell, ``None`` for an empty one. Raises ``Refused`` for a text."""
    problem = _("“%(text)s” is no rating.")
    return number_in(text, problem, lambda value: isfinite(value) and abs(value) <= LARGEST_RATING)


def deviation_in(text: str) -> float | None:
    """Return the deviation in a cell, ``None`` for an empty one. Raises ``Refused`` for a text."""
    problem = _("“%(text)s” is no deviation.")
    return number_in(text.lstrip("±+ "), problem, lambda value: 0 < value <= LARGEST_RATING)


def seed_in(text: str) -> int | None:
    """Return the seed in a cell, ``None`` for an empty one. Raises ``Refused`` for others."""
    problem = _("“%(text)s” is no seed. Write a number from 1 to %(most)d.")
    number = number_in(text, problem, lambda value: value in range(1, MOST_ENTRANTS + 1))
    return None if number is None else int(number)


def number_in(text: str, problem: str, is_allowed: Callable[[float], bool]) -> float | None:
    if not text.strip() or text in {"-", "–", "?"}:
        return None
    number = parse_number(text)
    if number is None or not is_allowed(number):
        raise Refused("number", problem % {"text": text[:40], "most": MOST_ENTRANTS})
    return number


def checked_club(text: str) -> str:
    """Return a club without the spaces around it. Raises ``Refused`` for too long a name."""
    club = without_controls(text).strip()
    if len(club) > LONGEST_CLUB:
        text = _("The name of a club has at most %(most)d characters.")
        raise Refused("club", text % {"most": LONGEST_CLUB})
    return club


def write_list(entries: Iterable[Entry]) -> str:
    """Return a list as text that :func:`read_list` reads back."""
    lines = ["\t".join(HEADINGS)]
    for entry in entries:
        rating, deviation = (
            "" if number is None else f"{number:.15g}" for number in (entry.rating, entry.deviation)
        )
        members, seed = ", ".join(entry.members), str(entry.seed or "")
        cells = [entry.name, members, rating, deviation, seed, entry.club, entry.email]
        lines.append("\t".join(cells))
    return "\n".join(lines)
