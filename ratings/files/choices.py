"""Choices of a person about a file. The rest is guessed."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from ratings.files.rows import GameRules

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ratings.files.dates import DateOrder


class Layout(StrEnum):
    """The meaning of a row of a table."""

    MATCHES = "matches"
    PARTICIPANTS = "participants"
    CROSSTABLE = "crosstable"
    LEGS = "legs"
    """A crosstable of two legs."""
    SWISS = "swiss"
    """A Swiss crosstable, whose cells name the opponent by number."""


@dataclass(frozen=True)
class Choices:
    """The choices of a person about a file. The rest is guessed."""

    columns: Mapping[str, int] | None = None
    """The column of each meaning, as the ``COLUMNS`` of its layout name them."""
    named: Mapping[str, str] = field(default_factory=dict)
    """The names of the columns of some meanings; the others are guessed."""
    layout: str = ""
    """A ``Layout``."""
    date_order: DateOrder | None = None
    first_line: str = ""
    """A ``FirstLine``."""
    sheet: str = ""
    """The name of a sheet of a spreadsheet."""
    encoding: str = ""
    """An ``Encoding`` of a text file."""
    rules: GameRules = field(default_factory=GameRules)
