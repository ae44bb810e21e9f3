"""The parameters of Glicko, in Glickman's form and in the normalised form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ratings.contests.draws import draws
from ratings.contests.first_side import first_side
from ratings.contests.margins import Margin, margin
from ratings.contests.team_strength import team_strength
from ratings.contests.without_winner import ignore_all_tied
from ratings.numerics import TeamStrength
from ratings.tunables.kinds import Duration
from ratings.tunables.parameters import Parameters, parameter
from ratings.tunables.published import Published

if TYPE_CHECKING:
    from ratings.tunables.sentences import Sentence

GLICKMAN = "Glickman 1999"
PAPER = "Elo-MMR 2021, its Glicko"


class GlickoParameters(Parameters):
    """Parameters of both forms. The help says if only one form uses a parameter."""

    form: Literal["glickman", "paper"] = parameter(
        "glickman",
        label="Form",
        description="Glickman's form rates all matches of a rating period together. The paper's "
        "form rates each contest on its own and averages over the opponents, so that a contest of "
        "thousands moves nobody further than a duel.",
        choices={
            "glickman": "Glickman's, with rating periods",
            "paper": "the paper's, normalised for large contests",
        },
        source=f"{GLICKMAN}; {PAPER}",
    )
    rating_default: float = parameter(
        1500.0,
        label="Starting rating",
        description="The rating of a newcomer.",
        unit="rating points",
        minimum=-1_000_000,
        maximum=1_000_000,
        source=GLICKMAN,
    )
    deviation_default: float = parameter(
        350.0,
        label="Starting deviation",
        description="The uncertainty of a newcomer's rating: with 95% certainty the true strength "
        "is within two deviations of it. The larger it is, the further the first matches move a "
        "player.",
        unit="rating points",
        minimum=1,
        maximum=10_000,
        source=GLICKMAN,
    )
    deviation_min: float = parameter(
        30.0,
        label="Lowest deviation",
        description="No rating counts as more certain than this, so that the ratings of frequent "
        "players still move when their strength changes. Used by Glickman's form only.",
        unit="rating points",
        minimum=1,
        maximum=10_000,
        source=GLICKMAN,
        expert=True,
    )
    deviation_max: float = parameter(
        350.0,
        label="Highest deviation",
        description="No rating counts as less certain than this, however long a player is away. "
        "Used by Glickman's form only.",
        unit="rating points",
        minimum=1,
        maximum=10_000,
        source=GLICKMAN,
        expert=True,
    )
    deviation_growth: float = parameter(
        10.0,
        label="Growth of the deviation (c)",
        description="How much less certain a rating gets with time. Its square is added to the "
        "square of the deviation for each rating period since the player's last (Glickman's form) "
        "or for each contest (the paper's form). With 10 and periods of a week, it grows from 60 "
        "to 94 within a year. Glickman's example has 34.6, but for longer periods.",
        unit="rating points",
        minimum=0,
        maximum=10_000,
        source=f"{GLICKMAN} (34.6 in his example); {PAPER} (35); ours",
    )
    period: Duration = parameter(
        "1w",
        label="Rating period",
        description="Matches of the same period count as played at the same time. Glickman "
        "recommends a length in which most players play 5 to 10 matches. Periods are counted from "
        "1 January 1970. Used by Glickman's form only.",
        unit="time",
        minimum="1m",
        maximum="3650d",
        source=GLICKMAN,
    )
    scale: float = parameter(
        400.0,
        label="Scale",
        description="With a lead of this many points, the stronger of two well-known players wins "
        "ten times as often as the other. With a larger scale, the same lead means less.",
        unit="rating points",
        minimum=0.000_001,
        maximum=1_000_000,
        source=f"{GLICKMAN}; {PAPER} (its beta of 315.08)",
    )
    ignore_all_tied: bool = ignore_all_tied()
    team_strength: TeamStrength = team_strength()
    first_side: float = first_side()
    draws: float = draws()
    margin: Margin = margin()

    def clashes(self) -> dict[str, Sentence]:
        """Check that in Glickman's form a newcomer's deviation is between lowest and highest."""
        low, high = self.deviation_min, self.deviation_max
        if self.form == "paper" or low <= self.deviation_default <= high:
            return {}
        if low > high:
            return {"deviation_min": self.too_high("deviation_min", "deviation_max")}
        names = ("deviation_default", "deviation_min", "deviation_max")
        return {names[0]: self.not_between(*names)}


PUBLISHED = {
    "glickman": Published(
        label="Glickman’s paper",
        source="M. E. Glickman, “Parameter estimation in large dynamic paired comparison "
        "experiments”, 1999, and his example of periods of which a hundred make a rating unknown. "
        "Their length is left open: a week is ours",
        parameters={
            "form": "glickman",
            "rating_default": 1500,
            "deviation_default": 350,
            "deviation_min": 30,
            "deviation_max": 350,
            "deviation_growth": 34.6,
            "period": "1w",
            "scale": 400,
        },
    ),
    "elo-mmr": Published(
        label="the Elo-MMR paper",
        source="A. Ebtekar and P. Liu, “Elo-MMR”, 2021, its Glicko",
        parameters={
            "form": "paper",
            "rating_default": 1500,
            "deviation_default": 350,
            "deviation_growth": 35,
            "scale": 400,
        },
    ),
}
