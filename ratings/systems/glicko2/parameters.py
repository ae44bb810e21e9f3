"""The parameters of Glicko-2, named after the attributes of the ``<Ratings>`` block."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ratings.contests.draws import draws
from ratings.contests.first_side import first_side
from ratings.contests.margins import Margin, margin
from ratings.contests.team_strength import team_strength
from ratings.numerics import TeamStrength
from ratings.tunables.kinds import Duration
from ratings.tunables.parameters import Parameters, parameter
from ratings.tunables.published import Published

if TYPE_CHECKING:
    from ratings.tunables.sentences import Sentence

SOURCE = "GW2 <Ratings>"
GLICKMAN = "Glickman 2012"


class Glicko2Parameters(Parameters):
    """Each attribute with its group: ``Rating/@max-change`` is ``rating_max_change``."""

    rating_default: float = parameter(
        1200.0,
        label="Rating: default",
        description="The rating of a newcomer.",
        unit="rating points",
        minimum=-100_000,
        maximum=100_000,
        source=f"{SOURCE} Rating/@default",
    )
    rating_min: float = parameter(
        100.0,
        label="Rating: lowest",
        description="No rating falls below this, however many matches are lost.",
        unit="rating points",
        minimum=-100_000,
        maximum=100_000,
        source=f"{SOURCE} Rating/@min",
        expert=True,
    )
    rating_max: float = parameter(
        5000.0,
        label="Rating: highest",
        description="No rating rises above this.",
        unit="rating points",
        minimum=-100_000,
        maximum=100_000,
        source=f"{SOURCE} Rating/@max",
        expert=True,
    )
    rating_max_change: float = parameter(
        300.0,
        label="Rating: largest change",
        description="The most that one match can change a rating. It limits the first matches of "
        "newcomers, whose ratings move the most.",
        unit="rating points",
        above=0,
        maximum=100_000,
        source=f"{SOURCE} Rating/@max-change",
    )
    rating_profession_ratio: float = parameter(
        0.0,
        label="Rating: profession ratio",
        description="How much the rating for the profession played counts against the core "
        "rating: 0 is the core only, 1 the profession only.",
        minimum=0,
        maximum=1,
        source=f"{SOURCE} Rating/@profession-ratio",
        expert=True,
    )
    profession_ratings: bool = parameter(
        default=True,
        label="Ratings by profession",
        description="Whether players also have a rating for each profession they play, from the "
        "same matches. At profession ratio 0 these are only shown. Above 0 they are always kept.",
        source="GW2 Ratings: “a rating is also kept for each profession”",
        expert=True,
    )
    deviation_default: float = parameter(
        350.0,
        label="Deviation: default",
        description="The uncertainty of a newcomer's rating: with 95% certainty the true strength "
        "is within two deviations of it. The larger it is, the further the first matches move a "
        "player.",
        unit="rating points",
        minimum=1,
        maximum=10_000,
        source=f"{SOURCE} Deviation/@default",
    )
    deviation_min: float = parameter(
        30.0,
        label="Deviation: lowest",
        description="No rating counts as more certain than this, so that the ratings of frequent "
        "players still move when their strength changes.",
        unit="rating points",
        minimum=1,
        maximum=10_000,
        source=f"{SOURCE} Deviation/@min",
        expert=True,
    )
    deviation_max: float = parameter(
        350.0,
        label="Deviation: highest",
        description="No rating counts as less certain than this, however long a player is away.",
        unit="rating points",
        minimum=1,
        maximum=10_000,
        source=f"{SOURCE} Deviation/@max",
        expert=True,
    )
    deviation_period: Duration = parameter(
        "30d",
        label="Deviation: period of inactivity",
        description="Length of a period of inactivity. Each whole period without a match makes a "
        "rating less certain, so that the matches after a break move it more. In Guild Wars 2, "
        "whose players play every day, it is 3 days.",
        unit="time",
        minimum="1m",
        maximum="3650d",
        source=f"{SOURCE} Deviation/@period; ours",
    )
    deviation_max_periods: int = parameter(
        240,
        label="Deviation: periods to the highest",
        description="After this many periods without a match, the deviation has grown from the "
        "lowest to the highest: nothing certain is known about the player any more. Growth is "
        "fast at first: with 240 periods of 30 days, from 60 to 100 points within a year. In "
        "Guild Wars 2 it takes 20.",
        unit="periods",
        minimum=1,
        maximum=100_000,
        source=f"{SOURCE} Deviation/@max-periods; ours",
        expert=True,
    )
    deviation_growth: Literal["even", "volatility"] = parameter(
        "even",
        label="Deviation: growth without matches",
        description="How a deviation grows while a player is away: by the same for everybody, from "
        "the lowest to the highest in the number of periods above, or by the player's own "
        "volatility, once for each whole period. If ratings are updated by rating periods, the "
        "latter counts the rating periods without a match.",
        choices={
            "even": "evenly up to the highest, as in Guild Wars 2",
            "volatility": "by the player's volatility, as in Glickman's step 6",
        },
        source=f"{SOURCE} Deviation/@max-periods; {GLICKMAN}, step 6",
    )
    volatility_default: float = parameter(
        0.06,
        label="Volatility: default",
        description="How much a newcomer's strength is expected to vary from match to match.",
        minimum=0.0001,
        maximum=1,
        source=f"{SOURCE} Volatility/@default",
        expert=True,
    )
    volatility_min: float = parameter(
        0.04,
        label="Volatility: lowest",
        description="Even the steadiest player's strength is expected to vary this much.",
        minimum=0.0001,
        maximum=1,
        source=f"{SOURCE} Volatility/@min",
        expert=True,
    )
    volatility_max: float = parameter(
        0.08,
        label="Volatility: highest",
        description="Erratic results raise a player's volatility up to this. Warning: a high limit "
        "with a large system constant permits farming: a player loses on purpose, becomes "
        "volatile, and then wins back more than they lost. The default prevents it.",
        minimum=0.0001,
        maximum=1,
        source=f"{SOURCE} Volatility/@max",
        expert=True,
    )
    volatility_system_constant: float = parameter(
        0.5,
        label="Volatility: system constant (τ)",
        description="How fast volatility can change. Between 0.3 and 1.2 is reasonable. A smaller "
        "value keeps ratings stable after improbable results. Warning: values from 1 permit "
        "farming by losing on purpose, especially with rating periods, unless the highest "
        "volatility is as low as the default.",
        minimum=0.01,
        maximum=3,
        source=f"{SOURCE} Volatility/@system-constant; range of {GLICKMAN}",
    )
    update: Literal["match", "period"] = parameter(
        "match",
        label="Update",
        description="Rate every match on its own, or all matches of a rating period together, "
        "against opponents as rated before it. Either way, ratings move after each match.",
        choices={"match": "after every match", "period": "by rating periods"},
        source=f"the wiki's choice; {GLICKMAN}",
    )
    period: Duration = parameter(
        "1w",
        label="Rating period",
        description="Length of a rating period, if ratings are updated by periods. Glickman "
        "recommends a length in which most players play 10 to 15 matches. Periods are counted from "
        "1 January 1970.",
        unit="time",
        minimum="1m",
        maximum="3650d",
        source=GLICKMAN,
    )
    team_strength: TeamStrength = team_strength()
    first_side: float = first_side()
    draws: float = draws()
    margin: Margin = margin()

    @property
    def variance_per_period(self) -> float:
        """Return the square that each period of inactivity adds to a deviation's."""
        return (self.deviation_max**2 - self.deviation_min**2) / self.deviation_max_periods

    @property
    def grows_by_volatility(self) -> bool:
        """Whether the addition is a player's volatility squared instead."""
        return self.deviation_growth == "volatility"

    def clashes(self) -> dict[str, Sentence]:
        """Check that in each group the default is between the lowest and the highest value."""
        clashes: dict[str, Sentence] = {}
        for group in ("rating", "deviation", "volatility"):
            low, high = getattr(self, f"{group}_min"), getattr(self, f"{group}_max")
            default = getattr(self, f"{group}_default")
            if low > high:
                clashes[f"{group}_min"] = self.too_high(f"{group}_min", f"{group}_max")
            elif not low <= default <= high:
                clashes[f"{group}_default"] = self.not_between(
                    f"{group}_default", f"{group}_min", f"{group}_max"
                )
        return clashes


PUBLISHED = {
    "gw2": Published(
        label="Guild Wars 2",
        source="“PvP Matchmaking Algorithm”, Guild Wars 2 Wiki, <Ratings>",
        parameters={
            "rating_default": 1200,
            "rating_min": 100,
            "rating_max": 5000,
            "rating_max_change": 300,
            "rating_profession_ratio": 0,
            "deviation_default": 350,
            "deviation_min": 30,
            "deviation_max": 350,
            "deviation_period": "3d",
            "deviation_max_periods": 20,
            "deviation_growth": "even",
            "volatility_default": 0.06,
            "volatility_min": 0.04,
            "volatility_max": 0.08,
            "volatility_system_constant": 0.5,
            "update": "match",
        },
    ),
    "glickman": Published(
        label="Glickman’s paper",
        source="M. E. Glickman, “Example of the Glicko-2 system”, 2012. It has no limits, and "
        "leaves the length of a period open: a week is ours",
        parameters={
            "rating_default": 1500,
            "rating_min": -100_000,
            "rating_max": 100_000,
            "rating_max_change": 100_000,
            "rating_profession_ratio": 0,
            "deviation_default": 350,
            "deviation_min": 1,
            "deviation_max": 10_000,
            "deviation_growth": "volatility",
            "volatility_default": 0.06,
            "volatility_min": 0.0001,
            "volatility_max": 1,
            "volatility_system_constant": 0.5,
            "update": "period",
            "period": "1w",
        },
    ),
}
