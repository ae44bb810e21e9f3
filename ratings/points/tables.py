"""Tables of ladder points as they are typed and as JSON, and the season that they are used in."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from datetime import datetime
from operator import index
from typing import TYPE_CHECKING, Any

from ratings.points.rules import (
    CONQUEST,
    PRESETS,
    Checkpoint,
    Ladder,
    PointRule,
    PointRules,
    PointsError,
    Window,
)
from ratings.tunables.wording import plain
from ratings.types import MICROSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Sequence

OWN = "own"
MOST_ROWS = 50
MOST_POINTS = 10_000
EXAMPLE = "0.2: 0 = -1, 0.6 = 0, 0.8 = 1, 1 = 2"
FOREVER = (1 << 62) - 1


@dataclass(frozen=True)
class PointSeason:
    """How a season gives ladder points."""

    ladder: Ladder = field(default_factory=Ladder)
    table: PointRules = CONQUEST

    def window(self, starts: int, ends: int | None = None) -> Window:
        """When matches count, in a season from ``starts`` (microseconds since 1970) on.

        ``ends`` is the season's own end, for asking what may begin; for what counts leave it out:
        a match that is being played at the end of a season belongs to it.
        """
        ladder = self.ladder
        begin = max(starts, _moment(ladder.starts)) if ladder.starts else starts
        limits = [_moment(ladder.ends)] if ladder.ends else []
        end = min([*limits, *([] if ends is None else [ends]), FOREVER])
        return Window(begin, max(end, begin + 1))

    def grace(self, now: int, starts: int, ends: int | None) -> int | None:
        """Until when no new match may begin, if that is so ``now``; in microseconds."""
        window = self.window(starts, ends)
        if not self.ladder.counts or window.end == FOREVER:
            return None
        begins = window.end - round(self.ladder.grace * MICROSECONDS_PER_SECOND)
        return window.end if begins <= now < window.end and now >= window.start else None


def _moment(written: str) -> int:
    seconds = datetime.fromisoformat(written).timestamp()
    return round(seconds * MICROSECONDS_PER_SECOND)


def season_of(ladder: Ladder, listed: Any) -> PointSeason:
    """The season of these rules; ``listed`` is a table of one's own, as :func:`as_json` gives it.

    Raises ``PointsError``.
    """
    if ladder.table != OWN:
        return PointSeason(ladder, PRESETS[ladder.table])
    return PointSeason(ladder, from_json(listed))


def parse(text: str) -> PointRules:
    """A table as it is typed: a line for each odds, such as ``0.2: 0 = -1, 0.6 = 0, 1 = 2``.

    Odds of victory, then the points for each share of the winning score. Raises ``PointsError``.
    """
    rows = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        odds, colon, steps = line.partition(":")
        pairs = [step.split("=") for step in steps.split(",")]
        if not colon or any(len(pair) != 2 for pair in pairs):
            raise PointsError(f"line {number}: write odds, shares and points as in “{EXAMPLE}”")
        try:
            checkpoints = tuple(Checkpoint(float(ratio), int(points)) for ratio, points in pairs)
            rows.append(PointRule(float(odds), checkpoints))
        except ValueError as error:
            raise PointsError(
                f"line {number}: odds and shares are numbers from 0 to 1, points whole numbers, as "
                f"in “{EXAMPLE}”; you gave {line.strip()[:60]}"
            ) from error
    return checked(rows)


def written(table: PointRules) -> str:
    """A table as :func:`parse` reads it."""
    return "\n".join(
        f"{plain(rule.odds)}: "
        + ", ".join(f"{plain(one.score_ratio)} = {one.points}" for one in rule.checkpoints)
        for rule in table.rules
    )


def as_json(table: PointRules) -> list[dict[str, Any]]:
    """A table for a JSON file."""
    return [
        {
            "odds": rule.odds,
            "checkpoints": [
                {"score_ratio": one.score_ratio, "points": one.points} for one in rule.checkpoints
            ],
        }
        for rule in table.rules
    ]


def from_json(listed: Any) -> PointRules:
    """The inverse of :func:`as_json`. Raises ``PointsError``."""
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
            'must be a list such as [{"odds": 0, "checkpoints": '
            '[{"score_ratio": 0, "points": -1}, {"score_ratio": 1, "points": 3}]}]'
        ) from error
    return checked(rows)


def checked(rows: Sequence[PointRule], mode: str = OWN) -> PointRules:
    """The table of these rows, if they make one of a bearable size. Raises ``PointsError``."""
    if len(rows) > MOST_ROWS or any(len(row.checkpoints) > MOST_ROWS for row in rows):
        raise PointsError(f"there can be at most {MOST_ROWS} odds, each with as many shares")
    numbers = [row.odds for row in rows]
    numbers += [one.score_ratio for row in rows for one in row.checkpoints]
    if not all(map(math.isfinite, numbers)):
        raise PointsError("odds and shares are numbers from 0 to 1")
    if any(abs(one.points) > MOST_POINTS for row in rows for one in row.checkpoints):
        raise PointsError(f"points are at most {MOST_POINTS}, and at least -{MOST_POINTS}")
    return PointRules(mode, tuple(rows))
