"""Real players for a simulation, from a CSV file such as ``manage.py replay --output`` writes.

    player,rating,deviation,games
    Alice,1612.5,61.2,140

``player`` and ``rating`` are required; ``deviation``, ``games``, ``rank``, ``dishonor`` (stacks)
and ``profession`` are optional. Other columns are ignored.
"""

from __future__ import annotations

import csv
import io
import math

from matchmaking.ticket import Player
from ratings.tunables.wording import plain

MAX_PROBLEMS = 20
"""Mistakes listed in a message before the rest are only counted."""

_LARGEST = 1e9


class PlayersError(ValueError):
    """A file that cannot be used, with a message per mistake and its line in the file."""

    def __init__(self, problems: list[str]) -> None:
        more = len(problems) - MAX_PROBLEMS
        shown = problems[:MAX_PROBLEMS] + ([f"and {more} more"] if more > 0 else [])
        super().__init__("\n".join(shown))


def read(text: str) -> list[Player]:
    """Return the players in a file's text, in order.

    Raises:
        PlayersError: The text has mistakes.
    """
    rows = csv.DictReader(io.StringIO(text, newline=""))
    players: list[Player] = []
    problems: list[str] = []
    try:
        missing = [name for name in ("player", "rating") if name not in (rows.fieldnames or ())]
        if missing:
            raise PlayersError([f"line 1: missing column {' and column '.join(missing)}"])
        for row in rows:
            try:
                players.append(_player(row))
            except ValueError as error:
                problems.append(f"line {rows.line_num}: {error}")
    except csv.Error as error:
        problems.append(f"line {rows.line_num}: {error}")
    if not players and not problems:
        problems.append("the file has no players")
    if problems:
        raise PlayersError(problems)
    return players


def _player(row: dict[str, str | None]) -> Player:
    name = (row["player"] or "").strip()
    if not name:
        raise ValueError("player is empty")
    return Player(
        id=name,
        rating=_number(row, "rating", least=-_LARGEST),
        deviation=_amount(row, "deviation"),
        rank=_amount(row, "rank"),
        games=_amount(row, "games"),
        profession=(row.get("profession") or "").strip(),
        dishonor=_amount(row, "dishonor"),
    )


def _amount(row: dict[str, str | None], name: str) -> float:
    """Return an optional number."""
    return _number(row, name, least=0.0) if row.get(name) else 0.0


def _number(row: dict[str, str | None], name: str, *, least: float) -> float:
    text = (row[name] or "").strip()
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not least <= number <= _LARGEST:
        raise ValueError(
            f"{name} must be a number from {plain(least)} to {plain(_LARGEST)}; it is “{text}”"
        )
    return number
