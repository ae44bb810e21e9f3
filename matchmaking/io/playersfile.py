"""Real players for a simulation, from a CSV file such as ``manage.py replay --output`` writes.

    player,rating,deviation,games
    Alice,1612.5,61.2,140

A player needs a name and a rating; ``deviation``, ``games``, ``rank``, ``dishonor`` (stacks) and
``profession`` may be there too, and further columns are not looked at.
"""

from __future__ import annotations

import csv
import io
import math

from matchmaking.ticket import Player

MOST_PROBLEMS = 20
"""Mistakes that a message names before it says how many more there are."""

_MOST = 1e9


class PlayersError(ValueError):
    """A file that cannot be used: a line for each mistake, with its line in the file."""

    def __init__(self, problems: list[str]) -> None:
        more = len(problems) - MOST_PROBLEMS
        shown = problems[:MOST_PROBLEMS] + ([f"and {more} more"] if more > 0 else [])
        super().__init__("\n".join(shown))


def read(text: str) -> list[Player]:
    """The players of a file's text, in its order. Raises ``PlayersError``."""
    rows = csv.DictReader(io.StringIO(text, newline=""))
    players: list[Player] = []
    problems: list[str] = []
    try:
        missing = [name for name in ("player", "rating") if name not in (rows.fieldnames or ())]
        if missing:
            raise PlayersError([f"line 1: there is no column {' and no column '.join(missing)}"])
        for row in rows:
            try:
                players.append(_player(row))
            except ValueError as error:
                problems.append(f"line {rows.line_num}: {error}")
    except csv.Error as error:
        problems.append(f"line {rows.line_num}: {error}")
    if not players and not problems:
        problems.append("there are no players in it")
    if problems:
        raise PlayersError(problems)
    return players


def _player(row: dict[str, str | None]) -> Player:
    name = (row["player"] or "").strip()
    if not name:
        raise ValueError("player is empty")
    return Player(
        id=name,
        rating=_number(row, "rating", least=-_MOST),
        deviation=_amount(row, "deviation"),
        rank=_amount(row, "rank"),
        games=_amount(row, "games"),
        profession=(row.get("profession") or "").strip(),
        dishonor=_amount(row, "dishonor"),
    )


def _amount(row: dict[str, str | None], name: str) -> float:
    """A number that may be left out."""
    return _number(row, name, least=0.0) if row.get(name) else 0.0


def _number(row: dict[str, str | None], name: str, *, least: float) -> float:
    written = (row[name] or "").strip()
    try:
        number = float(written)
    except ValueError:
        number = math.nan
    if not least <= number <= _MOST:
        raise ValueError(f"{name} must be a number from {least:g} to {_MOST:g}; it is “{written}”")
    return number
