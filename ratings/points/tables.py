"""Tables of ladder points as text and JSON, and the point settings of a season."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from datetime import datetime
from operator import index
from typing import TYPE_CHECKING, Any

from ratings.points.rules import (
    CONQUEST,
    MOST_POINTS,
    PRESETS,
    Checkpoint,
    Ladder,
    PointRule,
    PointRules,
    PointsError,
    Window,
)
from ratings.tunables.sentences import Sentence
from ratings.tunables.wording import plain
from ratings.types import MICROSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Sequence

OWN = "own"
OWN_TABLE = Sentence("own")
"""The name of a table that is not that of a mode."""
BY_PLACE = "places"
MOST_ROWS = 50
LONGEST_MODE = 40
EXAMPLE = "0.2: 0 = -1, 0.6 = 0, 0.8 = 1, 1 = 2"
FOREVER = (1 << 62) - 1


@dataclass(frozen=True)
class PointSeason:
    """The ladder points of a season."""

    ladder: Ladder = field(default_factory=Ladder)
    table: PointRules = CONQUEST
    by_mode: tuple[PointRules, ...] = ()
    """The tables of game modes that have their own, each named after its mode."""

    @property
    def by_place(self) -> tuple[int, ...]:
        """Return the points of each place, empty if a table decides."""
        return self.ladder.place_points if self.ladder.table == BY_PLACE else ()

    def table_of(self, mode: str) -> PointRules:
        """Return the table for matches in a game mode, which may be empty."""
        for table in self.by_mode:
            if table.mode.casefold() == mode.casefold():
                return table
        return self.table

    def window(self, starts: int, ends: int | None = None) -> Window:
        """Return when matches count, in a season that starts at ``starts`` (microseconds).

        ``ends`` is the season's own end. Pass it to ask which matches may start. Omit it to ask
        which matches count, as a match in progress at the end of a season belongs to it.
        """
        ladder = self.ladder
        begin = max(starts, _moment(ladder.starts)) if ladder.starts else starts
        limits = [_moment(ladder.ends)] if ladder.ends else []
        end = min([*limits, *([] if ends is None else [ends]), FOREVER])
        return Window(begin, max(end, begin + 1))

    def grace(self, now: int, starts: int, ends: int | None) -> int | None:
        """Return the time until which no match may start, or ``None`` if one may start ``now``."""
        window = self.window(starts, ends)
        if not self.ladder.counts or window.end == FOREVER:
            return None
        begins = window.end - round(self.ladder.grace * MICROSECONDS_PER_SECOND)
        return window.end if begins <= now < window.end and now >= window.start else None


def _moment(written: str) -> int:
    seconds = datetime.fromisoformat(written).timestamp()
    return round(seconds * MICROSECONDS_PER_SECOND)


def point_season(ladder: Ladder, listed: Any) -> PointSeason:
    """Combine ladder settings with a table. ``listed`` is a custom table as JSON data.

    Raises ``PointsError``.
    """
    if ladder.table != OWN:
        return PointSeason(ladder, PRESETS.get(ladder.table, CONQUEST))
    return PointSeason(ladder, table_from_json(listed))


def parse_mode_tables(text: str) -> tuple[PointRules, ...]:
    """Read typed tables of game modes, each below a line with its mode, such as ``[Conquest]``.

    Raises ``PointsError``.
    """
    sections: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.strip().startswith("[") and line.strip().endswith("]"):
            sections.append((line.strip()[1:-1].strip(), []))
        elif sections:
            sections[-1][1].append(line)
        elif line.strip():
            raise PointsError(
                "begin with a line that names the mode, such as “%(example)s”", example="[Conquest]"
            )
    tables = []
    for mode, lines in sections:
        try:
            tables.append(PointRules(mode, parse_table("\n".join(lines)).rules))
        except PointsError as error:
            raise PointsError(
                "[%(mode)s]: %(problem)s", mode=mode[:LONGEST_MODE], problem=error.sentence
            ) from error
    return checked_modes(tables)


def format_mode_tables(tables: Sequence[PointRules]) -> str:
    """Write tables in the format that :func:`parse_mode_tables` reads."""
    return "\n\n".join(f"[{table.mode}]\n{format_table(table)}" for table in tables)


def mode_tables_as_json(tables: Sequence[PointRules]) -> list[dict[str, Any]]:
    """Return the tables of game modes as JSON data."""
    return [{"mode": table.mode, "table": table_as_json(table)} for table in tables]


def mode_tables_from_json(listed: Any) -> tuple[PointRules, ...]:
    """Return the inverse of :func:`mode_tables_as_json`. Raises ``PointsError``."""
    try:
        tables = [
            PointRules(one["mode"], table_from_json(one["table"]).rules) for one in listed or ()
        ]
    except (TypeError, KeyError) as error:
        raise PointsError(
            "must be a list such as %(example)s", example='[{"mode": "Conquest", "table": […]}]'
        ) from error
    return checked_modes(tables)


def checked_modes(tables: Sequence[PointRules]) -> tuple[PointRules, ...]:
    """Return the tables of game modes after checking the modes. Raises ``PointsError``."""
    names = [table.mode for table in tables]
    if not all(isinstance(name, str) and 0 < len(name) <= LONGEST_MODE for name in names):
        raise PointsError(
            "a game mode needs a name of at most %(most)d characters", most=LONGEST_MODE
        )
    folded = [name.casefold() for name in names]
    if twice := next((name for at, name in enumerate(names) if folded[at] in folded[:at]), None):
        raise PointsError("%(mode)s has two tables", mode=twice)
    if len(tables) > MOST_ROWS:
        raise PointsError("there can be at most %(most)d tables", most=MOST_ROWS)
    return tuple(tables)


def parse_table(text: str) -> PointRules:
    """Read a typed table with a line for each odds, such as ``0.2: 0 = -1, 0.6 = 0, 1 = 2``.

    Odds of victory come first, then the points for each share of the winning score. Raises
    ``PointsError``.
    """
    rows = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        odds, colon, steps = line.partition(":")
        pairs = [step.split("=") for step in steps.split(",")]
        if not colon or any(len(pair) != 2 for pair in pairs):
            raise PointsError(
                "line %(line)d: write odds, shares and points as in “%(example)s”",
                line=number,
                example=EXAMPLE,
            )
        try:
            checkpoints = tuple(Checkpoint(float(ratio), int(points)) for ratio, points in pairs)
            rows.append(PointRule(float(odds), checkpoints))
        except ValueError as error:
            raise PointsError(
                "line %(line)d: odds and shares must be numbers from 0 to 1, and points whole "
                "numbers, as in “%(example)s”; you gave %(given)s",
                line=number,
                example=EXAMPLE,
                given=line.strip()[:60],
            ) from error
    return checked_table(rows)


def format_table(table: PointRules) -> str:
    """Write a table in the format that :func:`parse_table` reads."""
    return "\n".join(
        f"{plain(rule.odds)}: "
        + ", ".join(f"{plain(one.score_ratio)} = {one.points}" for one in rule.checkpoints)
        for rule in table.rules
    )


def table_as_json(table: PointRules) -> list[dict[str, Any]]:
    """Return a table as JSON data."""
    return [
        {
            "odds": rule.odds,
            "checkpoints": [
                {"score_ratio": one.score_ratio, "points": one.points} for one in rule.checkpoints
            ],
        }
        for rule in table.rules
    ]


def table_from_json(listed: Any) -> PointRules:
    """Return the inverse of :func:`table_as_json`. Raises ``PointsError``."""
    try:
        rows = [
            PointRule(
                float(row["odds"]),
                tuple(
                    Checkpoint(float(one["score_ratio"]), index(one["points"]))
                    for one in row["checkpoints"]
                ),
            )
            for row in listed
        ]
    except (TypeError, KeyError, ValueError, OverflowError) as error:
        raise PointsError(
            "must be a list such as %(example)s",
            example='[{"odds": 0, "checkpoints": '
            '[{"score_ratio": 0, "points": -1}, {"score_ratio": 1, "points": 3}]}]',
        ) from error
    return checked_table(rows)


def checked_table(rows: Sequence[PointRule], mode: str = OWN_TABLE) -> PointRules:
    """Build a table of these rows after checking their number and values.

    Raises ``PointsError``.
    """
    if len(rows) > MOST_ROWS or any(len(row.checkpoints) > MOST_ROWS for row in rows):
        raise PointsError(
            "there can be at most %(most)d odds, with as many shares each", most=MOST_ROWS
        )
    numbers = [row.odds for row in rows]
    numbers += [one.score_ratio for row in rows for one in row.checkpoints]
    if not all(map(math.isfinite, numbers)):
        raise PointsError("odds and shares must be numbers from 0 to 1")
    if any(abs(one.points) > MOST_POINTS for row in rows for one in row.checkpoints):
        raise PointsError("points must be from -%(most)d to %(most)d", most=MOST_POINTS)
    return PointRules(mode, tuple(rows))
