"""Results that another site or program has written, as rows of a file."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from pydantic import ValidationError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

HEADER = [
    "Date",
    "Side 1",
    "Side 2",
    "Score 1",
    "Score 2",
    "Winning side",
    "Order",
    "Weight",
    "Round",
    "Event",
]


PREFIX = "Value error, "
"""The prefix that pydantic adds to messages of our own checks."""


class NotKnown(Exception):
    """JSON of none of the known kinds, or none at all. The message says what it is."""


@dataclass
class Found:
    """The content of a file: rows by their number in it, problems with others, and remarks."""

    rows: list[tuple[int, list[str]]] = field(default_factory=list)
    wrong: list[tuple[int, str]] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


class LeftOut(Exception):
    """An entry that is no result, such as a bye."""


@dataclass(frozen=True)
class ExchangeRow:
    """A result in the words of :data:`HEADER`."""

    at: datetime
    sides: tuple[str, str] = ("", "")
    scores: tuple[str, str] = ("", "")
    winner: str = ""
    order: str = ""
    weight: float = 1.0
    round: str = ""
    event: str = ""

    def cells(self) -> list[str]:
        weight = f"{self.weight:g}" if self.weight != 1.0 else ""
        when = self.at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%SZ")
        return [
            when,
            *self.sides,
            *self.scores,
            self.winner,
            self.order,
            weight,
            self.round,
            self.event,
        ]


def says(scores: tuple[str, str]) -> str:
    """Return the winner by scores as a row has it, empty without scores."""
    if "" in scores:
        return ""
    one, other = map(float, scores)
    return "draw" if one == other else "1" if one > other else "2"


def rows_of(
    entries: Iterable[Any], row: Callable[[dict[str, Any]], ExchangeRow], most: int, kind: str
) -> Found:
    """Return the rows of all entries, numbered from 1 as they are in the file."""
    found, counts = Found(), Counter[str]()
    for number, entry in enumerate(entries, start=1):
        if number > most:
            text = _("The file has more than %(most)s results. Divide it.")
            raise NotKnown(text % {"most": f"{most:,}"})
        if not isinstance(entry, dict):
            found.wrong.append((number, _("is not a JSON object.")))
            continue
        try:
            found.rows.append((number, row(entry).cells()))
        except LeftOut:
            counts["left out"] += 1
        except ValidationError as error:
            first = error.errors()[0]
            place, why = ".".join(map(str, first["loc"])), first["msg"].removeprefix(PREFIX)
            found.wrong.append((number, f"{place}: {why}" if place else why))
        except (KeyError, ValueError, OverflowError, OSError) as error:
            why = str(error) if isinstance(error, ValueError) else _("It names an unknown player.")
            found.wrong.append((number, why))
    numbered = _("Line numbers count its entries, from 1.")
    found.remarks.append(f"{kind} {numbered}")
    if left := counts["left out"]:
        found.remarks.append(
            ngettext(
                "%(count)d entry without a played result is left out.",
                "%(count)d entries without a played result are left out.",
                left,
            )
            % {"count": left}
        )
    return found
