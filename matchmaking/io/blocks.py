"""The published configuration beyond queue and matcher: ratings, ladder season, ladder points.

The matchmaker only carries these, so that a configuration file is read and written as a whole.
A block's ``model_fields_set`` says what its file had.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field

from matchmaking.dishonor import DishonorRules
from matchmaking.prediction import PredictionRules
from matchmaking.rules.arena import GW2, MOST, Rules
from ratings.tunables.kinds import DurationWithUnit, Time
from ratings.tunables.parameters import Parameters, parameter

RATINGS = f"{GW2}: Ratings, Configuration"
LADDER = f"{GW2}: Ladder, Configuration"
Name = Annotated[str, Field(min_length=1, max_length=100)]

_DAY = 86400.0
_NEVER = datetime(1, 1, 1, tzinfo=UTC)


def _number(
    default: float, description: str, xml: str, *, minimum: float = 0.0, maximum: float = MOST
) -> Any:
    return parameter(
        default,
        label=xml.replace("/@", " "),
        description=description,
        minimum=minimum,
        maximum=maximum,
        xml=xml,
        source=RATINGS,
    )


class RatingsBlock(Parameters):
    """``<Ratings>``: of everybody, or, with a type, what differs for ratings of that type."""

    type: Name = parameter(
        "All",
        label="Type",
        description="Ratings that this block is for; without it, all.",
        xml="@type",
        source=RATINGS,
    )
    use_season: bool = parameter(
        default=False,
        label="Season's own ratings",
        description="Whether games of a season use ratings of their own.",
        xml="@use-season",
        source=RATINGS,
    )
    reset: Time = parameter(
        _NEVER,
        label="Reset",
        description="Ratings from before this time are set to the default.",
        xml="@reset",
        source=RATINGS,
    )
    partial_reset: Time = parameter(
        _NEVER,
        label="Partial reset",
        description="Deviations from before this time are set to the default.",
        xml="@partial-reset",
        source=RATINGS,
    )
    rating_default: float = _number(
        1200, "Rating of a player without games.", "Rating/@default", minimum=-MOST
    )
    rating_min: float = _number(100, "Lowest rating.", "Rating/@min", minimum=-MOST)
    rating_max: float = _number(5000, "Highest rating.", "Rating/@max", minimum=-MOST)
    rating_max_change: float = _number(
        300, "Largest change of a rating by one game.", "Rating/@max-change"
    )
    rating_profession_ratio: float = _number(
        0,
        "Share of the profession's rating beside the core rating.",
        "Rating/@profession-ratio",
        maximum=1,
    )
    deviation_default: float = _number(
        350, "Deviation of a player without games.", "Deviation/@default"
    )
    deviation_min: float = _number(30, "Smallest deviation.", "Deviation/@min")
    deviation_max: float = _number(350, "Largest deviation.", "Deviation/@max")
    deviation_period: DurationWithUnit = _number(
        3 * _DAY, "Length of one period without games.", "Deviation/@period"
    )
    deviation_max_periods: float = _number(
        20,
        "Periods without games in which a deviation grows from the smallest to the largest.",
        "Deviation/@max-periods",
    )
    volatility_default: float = _number(
        0.06, "Volatility of a player without games.", "Volatility/@default"
    )
    volatility_min: float = _number(0.04, "Smallest volatility.", "Volatility/@min")
    volatility_max: float = _number(0.08, "Largest volatility.", "Volatility/@max")
    volatility_system_constant: float = _number(
        0.5, "How much volatilities change over time.", "Volatility/@system-constant"
    )
    decay_points: float = _number(700, "Most that decay takes from a rating.", "Decay/@points")
    decay_grace_period: DurationWithUnit = _number(
        3 * _DAY, "Time without games before decay begins.", "Decay/@grace-period"
    )
    decay_period: DurationWithUnit = _number(
        7 * _DAY, "Time in which decay becomes largest.", "Decay/@decay-period"
    )
    decay_recover_per_game: DurationWithUnit = _number(
        _DAY, "Time that each game takes off the decay.", "Decay/@recover-per-game"
    )
    placement_type: Literal["LinearScale"] = parameter(
        "LinearScale",
        label="Placement type",
        description="Formula for a new season's ratings.",
        choices={"LinearScale": "Drawn towards a centre"},
        xml="Placement/@type",
        source=RATINGS,
    )
    placement_param1: float = _number(
        1200, "Centre that ratings are drawn towards.", "Placement/@param1", minimum=-MOST
    )
    placement_param2: float = _number(
        0.5, "Share of the distance from the centre that stays.", "Placement/@param2", minimum=-MOST
    )

    def clashes(self) -> dict[str, str]:
        """Smallest above largest."""
        return {
            f"{what}_min": f"must be at most {what}_max ({getattr(self, f'{what}_max'):g})"
            for what in ("rating", "deviation", "volatility")
            if getattr(self, f"{what}_min") > getattr(self, f"{what}_max")
        }


class LadderSeason(Parameters):
    """``<Ladder>``: when results count for ladder points."""

    start: Time = parameter(
        datetime.fromisoformat("2015-03-20T09:00:00-07:00"),
        label="Start",
        description="Results before this time do not count.",
        xml="@start",
        source=LADDER,
    )
    end: Time = parameter(
        datetime.fromisoformat("2015-05-14T09:00:00-07:00"),
        label="End",
        description="Results from this time on do not count.",
        xml="@end",
        source=LADDER,
    )
    grace: float = parameter(
        60.0,
        label="Grace",
        description="Minutes before the end in which no new games of the season begin.",
        unit="minutes",
        minimum=0.0,
        maximum=MOST,
        xml="@grace",
        source=LADDER,
    )
    leaderboard_points: int = parameter(
        0,
        label="Points for the leaderboard",
        description="Points that a player needs to be on the leaderboard.",
        unit="points",
        minimum=-MOST,
        maximum=MOST,
        xml="@leaderboard-points",
        source=LADDER,
    )

    def clashes(self) -> dict[str, str]:
        """Start after end."""
        if self.start > self.end:
            return {"start": f"must be before the end ({self.end.isoformat()})"}
        return {}


class Checkpoint(Parameters):
    """``<Checkpoint>``: the points for a score that reaches a share of the winner's."""

    ladder_points: int = parameter(
        0,
        label="Ladder points",
        description="Points that are awarded, or taken if below 0.",
        unit="points",
        minimum=-MOST,
        maximum=MOST,
        xml="@LadderPoints",
        source=LADDER,
    )
    score_ratio: float = parameter(
        0.0,
        label="Score ratio",
        description="Least share of the winning score.",
        minimum=0.0,
        maximum=1.0,
        xml="@ScoreRatio",
        source=LADDER,
    )


class PointRule(Parameters):
    """``<PointRule>``: the checkpoints from some odds of victory on."""

    odds: float = parameter(
        0.0,
        label="Odds",
        description="Least odds of victory.",
        minimum=0.0,
        maximum=1.0,
        xml="@Odds",
        source=LADDER,
    )
    checkpoints: tuple[Checkpoint, ...] = ()


class PointRules(Parameters):
    """``<PointRules>``: ladder points in one mode of the game."""

    mode: Name = parameter(
        "Conquest",
        label="Mode",
        description="The mode of the game that these rules are for.",
        xml="@Mode",
        source=LADDER,
    )
    rules: tuple[PointRule, ...] = ()


Block = RatingsBlock | Rules | DishonorRules | PointRules | LadderSeason | PredictionRules
BlockOf = TypeVar(
    "BlockOf", RatingsBlock, Rules, DishonorRules, PointRules, LadderSeason, PredictionRules
)


@dataclass(frozen=True)
class Document:
    """A configuration file: its blocks, in its order."""

    blocks: tuple[Block, ...]

    def all(self, kind: type[BlockOf]) -> list[BlockOf]:
        """The blocks of one kind."""
        return [block for block in self.blocks if isinstance(block, kind)]
