"""Read uploaded files with the reader of ``ratings.files``, in the reader's language."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from league.models import Roster
from league.services.core.errors import Refused
from league.services.core.isolation import gettext
from ratings.files import reading, table_reading
from ratings.files.problems import UnreadableFile
from ratings.files.rows import GameRules
from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from league.models import Arena
    from ratings.files.choices import Choices
    from ratings.files.documents import Found
    from ratings.files.results import Result
    from ratings.files.tables import Table


def say(text: str) -> str:
    """Return a sentence of the reader in the language of whoever reads it."""
    return text.say(gettext) if isinstance(text, Sentence) else text


@contextmanager
def refusing() -> Iterator[None]:
    """Raise ``Refused`` instead of ``UnreadableFile``."""
    try:
        yield
    except UnreadableFile as error:
        raise Refused("file", say(error.sentence), field="file") from None


def read_table(content: bytes, first_line: str = "", sheet: str = "") -> Table:
    """Read the rows of a file of cells. Raises ``Refused`` if it has none."""
    with refusing():
        return reading.read_table(content, first_line, sheet)


def read_results(content: bytes, choices: Choices) -> Found:
    """Read a file of results in any known format. Raises ``Refused`` if it is none."""
    with refusing():
        return reading.read(content, choices)


def recognise(content: bytes) -> str:
    """Return the name of the format of a file, empty for one with rows of cells.

    Raises:
        Refused: it cannot be read.
    """
    with refusing():
        found = reading.recognise(content)
    return found.name if found else ""


def read_few(table: Table, choices: Choices) -> list[Result]:
    """Return the results in the first rows of a table, if its columns say enough for any."""
    with refusing():
        return table_reading.read_few(table, choices)


def rules_of_files(arena: Arena) -> GameRules:
    """Return what an arena's rules say about the sides and the scores of its files."""
    has_teams = arena.team_size_max > 1
    names = Roster.objects.filter(arena=arena).values_list("folded_name", flat=True)
    return GameRules(
        lower_wins=arena.result_settings().scores == "lower",
        teams=has_teams,
        names_of_teams=frozenset(names) if has_teams else frozenset(),
    )
