"""The blocks of the published configuration besides queue and matcher.

The matchmaker only carries ratings, ladder season and ladder points, so that a configuration file
is read and written whole. A block's ``model_fields_set`` holds what its file had.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field

from matchmaking.dishonor import DishonorRules
from matchmaking.prediction import PredictionRules
from matchmaking.rules.arena import Rules
from matchmaking.rules.limits import MOST
from matchmaking.rules.readings import GW2
from ratings.tunables.kinds import DurationWithUnit, Time
from ratings.tunables.parameters import Parameters, parameter
from ratings.tunables.sentences import Sentence

RATINGS = f"{GW2}: Ratings, Configuration"
LADDER = f"{GW2}: Ladder, Configuration"
Name = Annotated[str, Field(min_length=1, max_length=100)]
LONGEST_SETTING = 100_000
"""Characters of the text of one setting."""

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
    """``<Ratings>``: the rating rules, or, with a type, what differs for ratings of that type."""

    type: Name = parameter(
        "All",
        label="Type",
        description="Ratings that this block applies to; all by default.",
        xml="@type",
        source=RATINGS,
    )
    use_season: bool = parameter(
        default=False,
        label="Season ratings",
        description="Whether games of a season use their own ratings.",
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
        1200, "Rating of a new player.", "Rating/@default", minimum=-MOST
    )
    rating_min: float = _number(100, "Lowest rating.", "Rating/@min", minimum=-MOST)
    rating_max: float = _number(5000, "Highest rating.", "Rating/@max", minimum=-MOST)
    rating_max_change: float = _number(
        300, "Largest rating change in one game.", "Rating/@max-change"
    )
    rating_profession_ratio: float = _number(
        0,
        "Share of the profession rating, next to the core rating.",
        "Rating/@profession-ratio",
        maximum=1,
    )
    deviation_default: float = _number(350, "Deviation of a new player.", "Deviation/@default")
    deviation_min: float = _number(30, "Smallest deviation.", "Deviation/@min")
    deviation_max: float = _number(350, "Largest deviation.", "Deviation/@max")
    deviation_period: DurationWithUnit = _number(
        3 * _DAY, "Length of one inactive period.", "Deviation/@period"
    )
    deviation_max_periods: float = _number(
        20,
        "Inactive periods in which a deviation grows from the minimum to the maximum.",
        "Deviation/@max-periods",
    )
    volatility_default: float = _number(0.06, "Volatility of a new player.", "Volatility/@default")
    volatility_min: float = _number(0.04, "Smallest volatility.", "Volatility/@min")
    volatility_max: float = _number(0.08, "Largest volatility.", "Volatility/@max")
    volatility_system_constant: float = _number(
        0.5, "How much volatility changes over time.", "Volatility/@system-constant"
    )
    decay_points: float = _number(700, "Maximum rating points lost to decay.", "Decay/@points")
    decay_grace_period: DurationWithUnit = _number(
        3 * _DAY, "Inactivity before decay begins.", "Decay/@grace-period"
    )
    decay_period: DurationWithUnit = _number(
        7 * _DAY, "Time in which decay reaches its maximum.", "Decay/@decay-period"
    )
    decay_recover_per_game: DurationWithUnit = _number(
        _DAY, "Decay time that each game recovers.", "Decay/@recover-per-game"
    )
    placement_type: Literal["LinearScale"] = parameter(
        "LinearScale",
        label="Placement type",
        description="Formula for the ratings of a new season.",
        choices={"LinearScale": "Pulled towards a centre"},
        xml="Placement/@type",
        source=RATINGS,
    )
    placement_param1: float = _number(
        1200, "Centre that ratings are pulled towards.", "Placement/@param1", minimum=-MOST
    )
    placement_param2: float = _number(
        0.5,
        "Share of the distance from the centre that remains.",
        "Placement/@param2",
        minimum=-MOST,
    )

    def clashes(self) -> dict[str, Sentence]:
        """Refuse a minimum above its maximum, if the block has both."""
        return {
            f"{name}_min": self.too_high(f"{name}_min", f"{name}_max")
            for name in ("rating", "deviation", "volatility")
            if {f"{name}_min", f"{name}_max"} <= self.model_fields_set
            and getattr(self, f"{name}_min") > getattr(self, f"{name}_max")
        }


class LadderSeason(Parameters):
    """``<Ladder>``: the season in which results count for ladder points."""

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
        label="Leaderboard points",
        description="Points that a player needs to be on the leaderboard.",
        unit="points",
        minimum=-MOST,
        maximum=MOST,
        xml="@leaderboard-points",
        source=LADDER,
    )

    def clashes(self) -> dict[str, Sentence]:
        """Refuse a start after the end, if the block has both."""
        if {"start", "end"} <= self.model_fields_set and self.start > self.end:
            return {
                "start": Sentence(
                    "must be before the %(end)s (%(at)s)",
                    end=self.name_of("end"),
                    at=self.end.isoformat(),
                )
            }
        return {}


class Checkpoint(Parameters):
    """``<Checkpoint>``: the points for reaching a share of the winning score."""

    ladder_points: int = parameter(
        0,
        label="Ladder points",
        description="Points awarded, or taken if negative.",
        unit="points",
        minimum=-MOST,
        maximum=MOST,
        xml="@LadderPoints",
        source=LADDER,
    )
    score_ratio: float = parameter(
        0.0,
        label="Score ratio",
        description="Minimum share of the winning score.",
        minimum=0.0,
        maximum=1.0,
        xml="@ScoreRatio",
        source=LADDER,
    )


class PointRule(Parameters):
    """``<PointRule>``: the checkpoints from these odds of victory upwards."""

    odds: float = parameter(
        0.0,
        label="Odds",
        description="Minimum odds of victory.",
        minimum=0.0,
        maximum=1.0,
        xml="@Odds",
        source=LADDER,
    )
    checkpoints: tuple[Checkpoint, ...] = ()


class PointRules(Parameters):
    """``<PointRules>``: the ladder points of one game mode."""

    mode: Name = parameter(
        "Conquest",
        label="Mode",
        description="The game mode that these rules apply to.",
        xml="@Mode",
        source=LADDER,
    )
    rules: tuple[PointRule, ...] = ()


class Setting(Parameters):
    """``<Setting>``: one setting by its name, as text."""

    name: Name = parameter(
        "setting",
        label="Name",
        description="The name of the setting.",
        xml="@name",
        source="Laurel",
    )
    value: Annotated[str, Field(max_length=LONGEST_SETTING)] = parameter(
        "",
        label="Value",
        description="Its value as text; lists and tables as JSON.",
        xml="@value",
        source="Laurel",
    )


class Settings(Parameters):
    """``<Settings>``: what an arena has beyond the published form. The matchmaker ignores it."""

    arena: Name = parameter(
        "Arena",
        label="Arena",
        description="The name of the arena.",
        xml="@arena",
        source="Laurel",
    )
    settings: tuple[Setting, ...] = ()


Block = (
    RatingsBlock | Rules | DishonorRules | PointRules | LadderSeason | PredictionRules | Settings
)
BlockOf = TypeVar(
    "BlockOf",
    RatingsBlock,
    Rules,
    DishonorRules,
    PointRules,
    LadderSeason,
    PredictionRules,
    Settings,
)


@dataclass(frozen=True)
class Document:
    """The blocks of a configuration file, in order."""

    blocks: tuple[Block, ...]

    def all(self, kind: type[BlockOf]) -> list[BlockOf]:
        """Return the blocks of one kind."""
        return [block for block in self.blocks if isinstance(block, kind)]
