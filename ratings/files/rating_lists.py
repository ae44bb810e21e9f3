"""Lists of names with ratings, and with deviations if they have them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ratings.files.column_guesses import guess_among
from ratings.files.problems import Problem, UnreadablePart
from ratings.files.results import StartingRating
from ratings.files.rows import number
from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ratings.files.documents import Found
    from ratings.files.tables import Table


@dataclass(frozen=True)
class Meaning:
    """A possible meaning of a column."""

    name: str
    guesses: tuple[str, ...]


MEANINGS = [
    Meaning("player", ("player", "name", "playername", "fullname", "spieler", "team", "club",
                       "username", "handle", "nom", "nombre", "jugador", "joueur")),
    Meaning("rating", ("rating", "elo", "elorating", "rtg", "rtgi", "startingrating",
                       "initialrating", "currentrating", "mmr", "dwz", "glicko", "mu", "wertung",
                       "wertungszahl")),
    Meaning("deviation", ("deviation", "ratingdeviation", "rd", "sigma", "stddev")),
]  # fmt: skip


def guess(table: Table) -> dict[str, int]:
    """Return the columns of a list of ratings, none if the table is none."""
    found = guess_columns(table.header)
    return found if {"player", "rating"} <= set(found) else {}


def guess_columns(header: Sequence[str]) -> dict[str, int]:
    """Return the columns of players and ratings, as far as there are such."""
    return guess_among(MEANINGS, header)


def read(table: Table, columns: Mapping[str, int], found: Found) -> None:
    """Add the ratings of a table."""
    for line, cells in table.cells:
        try:
            one = rating_of(line, cells, columns)
        except UnreadablePart as error:
            found.problems.append(Problem(line, error.sentence))
            continue
        if one is not None:
            found.ratings.append(one)
    found.remarks.append(
        Sentence(
            "This is a list of ratings, and has no results. Ratings: %(count)s.",
            count=len(found.ratings),
        )
    )


def rating_of(line: int, cells: list[str], columns: Mapping[str, int]) -> StartingRating | None:
    """Return the rating on a row, None if its player has none. Raises ``UnreadablePart``."""
    name, rating = cells[columns["player"]], number(cells[columns["rating"]])
    deviation = number(cells[columns["deviation"]]) if "deviation" in columns else None
    if not name:
        raise UnreadablePart("The player is empty.")
    if deviation is not None and not 0 < deviation < math.inf:
        raise UnreadablePart("A deviation must be above 0.")
    return None if rating is None else StartingRating(line, name, rating, deviation)
