"""Ladder points of a season, by odds of victory and share of the winning score.

Source: "PvP Matchmaking Algorithm", Guild Wars 2 Wiki, section Ladder. Of the rows with odds up to
a side's own, the highest counts, and of its checkpoints the highest whose score ratio was reached.

Our reading where the page is unclear: the score ratio is the own score divided by the winning score
(its pseudo-code passes the raw score). A victory gives at least 1 point, but only in season.
Desertion counts as a score of 0, and deserters have no victory. Totals may fall below 0.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from ratings.tunables.kinds import Duration, TimeOrEmpty
from ratings.tunables.parameters import Parameters, parameter
from ratings.tunables.sentences import Explained, Sentence
from ratings.tunables.wording import plain
from ratings.types import MICROSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.types import Booleans, Floats, Integers

SOURCE = "GW2 <Ladder>"
MOST_PLACES = 100
MOST_POINTS = 10_000


class PointsError(Explained):
    """A points table that leaves some results without points. The message says where."""


@dataclass(frozen=True)
class Checkpoint:
    """Points for a share of the winning score."""

    score_ratio: float
    """Minimum share, 0 to 1."""
    points: int


@dataclass(frozen=True)
class PointRule:
    """The checkpoints for sides with at least these odds of victory."""

    odds: float
    """0 to 1."""
    checkpoints: tuple[Checkpoint, ...]


@dataclass(frozen=True)
class PointRules:
    """The whole table of one game mode, from the lowest odds up."""

    mode: str
    rules: tuple[PointRule, ...]

    def __post_init__(self) -> None:
        """Raise ``PointsError`` for tables with gaps."""
        odds = [rule.odds for rule in self.rules]
        _check_ladder(odds, Sentence("%(mode)s: odds", mode=self.mode))
        for rule in self.rules:
            ratios = [checkpoint.score_ratio for checkpoint in rule.checkpoints]
            what = Sentence(
                "%(mode)s, odds %(odds)s: score ratios", mode=self.mode, odds=plain(rule.odds)
            )
            _check_ladder(ratios, what)

    def points(self, odds: Floats, score_ratio: Floats) -> Integers:
        """Return ``(n,)`` points for these odds of victory and shares of the winning score."""
        row = np.searchsorted([rule.odds for rule in self.rules], odds, side="right") - 1
        result = np.zeros(len(odds), dtype=np.int64)
        for number, rule in enumerate(self.rules):
            here = row == number
            ratios = [checkpoint.score_ratio for checkpoint in rule.checkpoints]
            points = np.array([checkpoint.points for checkpoint in rule.checkpoints])
            result[here] = points[np.searchsorted(ratios, score_ratio[here], side="right") - 1]
        return result

    def checkpoint(self, odds: float, score_ratio: float) -> tuple[PointRule, Checkpoint]:
        """Return the row and checkpoint that :meth:`points` uses, to explain a result."""
        rule = [rule for rule in self.rules if rule.odds <= odds][-1]
        return rule, [one for one in rule.checkpoints if one.score_ratio <= score_ratio][-1]


def _check_ladder(steps: list[float], what: Sentence) -> None:
    if not steps or steps[0] != 0:
        raise PointsError("%(what)s must begin at 0, so that every result gets points", what=what)
    if any(not low < high for low, high in itertools.pairwise(steps)):
        raise PointsError("%(what)s must increase", what=what)
    if steps[-1] > 1:
        raise PointsError(
            "%(what)s must be at most 1; you gave %(last)s", what=what, last=plain(steps[-1])
        )


def _table(mode: str, rows: dict[float, dict[float, int]]) -> PointRules:
    return PointRules(
        mode,
        tuple(
            PointRule(odds, tuple(Checkpoint(ratio, points) for ratio, points in row.items()))
            for odds, row in rows.items()
        ),
    )


CONQUEST = _table(
    "conquest",
    {
        0.0: {0.0: -1, 0.4: 0, 0.6: 1, 0.8: 2, 1.0: 3},
        0.2: {0.0: -1, 0.6: 0, 0.8: 1, 1.0: 2},
        0.4: {0.0: -1, 1.0: 1},
        0.6: {0.0: -2, 0.6: -1, 1.0: 1},
        0.8: {0.0: -3, 0.4: -2, 0.6: -1, 1.0: 1},
    },
)
STRONGHOLD = _table(
    "stronghold",
    {
        0.0: {0.0: -1, 0.2: 0, 0.4: 1, 0.6: 2, 1.0: 3},
        0.2: {0.0: -1, 0.4: 0, 0.6: 1, 1.0: 2},
        0.4: {0.0: -1, 1.0: 1},
        0.6: {0.0: -2, 0.4: -1, 1.0: 1},
        0.8: {0.0: -3, 0.2: -2, 0.4: -1, 1.0: 1},
    },
)
PRESETS = {rules.mode: rules for rules in (CONQUEST, STRONGHOLD)}
"""The published tables by mode."""


class Ladder(Parameters):
    """Settings of ladder points in a season."""

    counts: bool = parameter(
        default=False,
        label="Ladder points",
        description="If enabled, players earn points besides their ratings: for each rated match, "
        "by their odds and their share of the winning score, or by their place.",
        source=SOURCE,
    )
    table: Literal["conquest", "stronghold", "own", "places"] = parameter(
        "conquest",
        label="Points per match",
        description="The table of points by share of the winning score, or points by place.",
        choices={
            "conquest": "as published for Conquest",
            "stronghold": "as published for Stronghold",
            "own": "the table below",
            "places": "by place, as in a series of races",
        },
        source="GW2 <PointRules>",
    )
    by_place: str = parameter(
        "25, 18, 15, 12, 10, 8, 6, 4, 2, 1",
        label="Points by place",
        description="The points of the first, the second and so on, with commas between them. All "
        "others get none, as does a player who leaves early. Those who share a place all get its "
        "points.",
        source="Laurel",
    )
    starts: TimeOrEmpty = parameter(
        "",
        label="Points from",
        description="Earlier matches do not count. Leave it empty to count from the start of the "
        "season.",
        source=f"{SOURCE} @start",
    )
    ends: TimeOrEmpty = parameter(
        "",
        label="Points until",
        description="Matches that end at this time or later do not count. Leave it empty to count "
        "until the end of the season, including a match in progress then.",
        source=f"{SOURCE} @end",
    )
    grace: Duration = parameter(
        "1h",
        label="Last start before the end",
        description="No new match can start within this time before the end of the points.",
        unit="time",
        minimum=0,
        maximum="30d",
        source=f"{SOURCE} @grace, 60 minutes",
        expert=True,
    )
    leaderboard_points: int = parameter(
        1,
        label="Points to be listed",
        description="Players with fewer points are not on the leaderboard.",
        unit="points",
        minimum=-1_000_000,
        maximum=1_000_000,
        source=f"{SOURCE} @leaderboard-points; the page gives no number",
        expert=True,
    )
    leaderboard_matches: int = parameter(
        1,
        label="Matches to be listed",
        description="Players with points from fewer matches are not on the leaderboard.",
        unit="matches",
        minimum=1,
        maximum=100_000,
        source="Laurel",
        expert=True,
    )

    def clashes(self) -> dict[str, Sentence]:
        """Check that the end is after the start, and that points by place are numbers."""
        if not self.place_points:
            problem = Sentence(
                "must be %(places)d whole numbers up to %(most)d at most, with commas between them",
                places=MOST_PLACES,
                most=MOST_POINTS,
            )
            return {"by_place": problem}
        if self.starts and self.ends and self.starts >= self.ends:
            return {"ends": Sentence("must be after the points begin (%(at)s)", at=self.starts)}
        return {}

    @property
    def place_points(self) -> tuple[int, ...]:
        """Return the points of each place, empty if they cannot be read."""
        parts = [part.strip() for part in self.by_place.split(",")]
        if len(parts) > MOST_PLACES or not all(re.fullmatch("[0-9]{1,5}", part) for part in parts):
            return ()
        points = tuple(map(int, parts))
        return points if max(points) <= MOST_POINTS else ()


@dataclass(frozen=True)
class Window:
    """A season's start and end, in microseconds since 1970 (UTC)."""

    start: int
    end: int
    """The first moment after it."""

    def __post_init__(self) -> None:
        if not self.start < self.end:
            raise ValueError("a season must end after it starts")

    def counts(self, at: Integers) -> Booleans:
        """Return ``(n,)`` whether results at these times count for the ladder."""
        return (self.start <= at) & (at < self.end)

    def may_begin(self, at: Integers, ladder: Ladder) -> Booleans:
        """Return ``(n,)`` whether a season game may start at these times."""
        return self.counts(at) & (at < self.end - round(ladder.grace * MICROSECONDS_PER_SECOND))


def score_ratios(score: Floats, winning_score: Floats, deserted: Booleans) -> Floats:
    """Return ``(n,)`` shares of the winning score, 0 for deserters and if nobody scored."""
    scored = winning_score > 0
    ratio = np.where(scored, score, 0.0) / np.where(scored, winning_score, 1.0)
    return np.where(deserted, 0.0, np.maximum(ratio, 0.0))


def award_points(
    rules: PointRules,
    odds: Floats,
    score_ratio: Floats,
    *,
    victory: Booleans,
    deserted: Booleans,
    in_season: Booleans,
) -> Integers:
    """Return ``(n,)`` points of players for their games, 0 outside the season.

    ``odds`` of victory and ``score_ratio`` are 0 to 1.
    """
    points = rules.points(odds, np.where(deserted, 0.0, score_ratio))
    points = np.where(victory & ~deserted, np.maximum(points, 1), points)
    return np.where(in_season, points, 0)


def points_by_place(
    points: Sequence[int], ranks: Integers, *, deserted: Booleans, in_season: Booleans
) -> Integers:
    """Return ``(n,)`` points of players whose sides have these ranks in their matches, from 0."""
    table = np.array([*points, 0], dtype=np.int64)
    given = table[np.minimum(ranks, len(points))]
    return np.where(in_season & ~deserted, given, 0)


def listing(ladder: Ladder, before: int, after: int) -> Literal["update", "remove", "none"]:
    """Return how a change of a player's points affects the leaderboard."""
    if after >= ladder.leaderboard_points:
        return "update"
    return "remove" if before >= ladder.leaderboard_points else "none"
