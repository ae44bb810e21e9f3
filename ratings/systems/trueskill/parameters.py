"""The parameters of TrueSkill."""

from __future__ import annotations

from typing import Literal

from ratings.contests.first_side import first_side
from ratings.contests.margins import Margin, margin
from ratings.contests.without_winner import ignore_all_tied
from ratings.tunables.parameters import Parameters, parameter
from ratings.tunables.published import Published

PAPER = "the baseline of Ebtekar and Liu 2021"
HERBRICH = "Herbrich et al. 2006"

Ties = Literal["level", "neighbours"]


class TrueSkillParameters(Parameters):
    """The parameters, with defaults on the scale of the other systems.

    TrueSkill's own scale is the alternative: rating 25, deviation 25/3, beta 25/6, drift 25/300,
    draw probability 0.1, empty seat 0.
    """

    initial_rating: float = parameter(
        1500.0,
        label="Starting rating",
        description="The rating of a newcomer. TrueSkill's own scale starts at 25.",
        unit="rating points",
        minimum=-1_000_000,
        maximum=1_000_000,
        source=PAPER,
    )
    initial_deviation: float = parameter(
        350.0,
        label="Starting deviation",
        description="The uncertainty of a newcomer's rating: with 95% certainty the true skill is "
        "within two deviations of it. 25/3 on TrueSkill's own scale.",
        unit="rating points",
        minimum=0.000_001,
        maximum=1_000_000,
        source=PAPER,
    )
    beta: float = parameter(
        175.0,
        label="Spread of performances (β)",
        description="How much one player's performance varies from match to match. With a lead of "
        "β over an opponent, a well-known player wins about 76% of their duels. The more chance in "
        "the game, the larger it should be. 25/6 on TrueSkill's own scale.",
        unit="rating points",
        minimum=0.000_001,
        maximum=1_000_000,
        source=PAPER,
    )
    drift: float = parameter(
        15.0,
        label="Drift per match (τ)",
        description="How much a player's skill is expected to change from one match to the next. "
        "It keeps the ratings of regular players from freezing. With a higher value, ratings "
        "follow form faster. TrueSkill's own is 25/300, a hundredth of a newcomer's deviation and "
        "so 3.5 here.",
        unit="rating points",
        minimum=0,
        maximum=1_000_000,
        source=f"{PAPER} (35); {HERBRICH} (3.5 on this scale); ours",
    )
    eps: float = parameter(
        1.0,
        label="Half the draw margin (ε)",
        description="Sides draw when their performances are within 2ε, so a win means a lead of "
        "more than that. Each place of a large contest counts as one such lead: with 10,000 "
        "distinct places, the best and the last are at least 20,000 ε apart, so keep it small "
        "there. If it is as large as ratings are apart, sharing first place can be worth less than "
        "coming second. Only used while the draw probability is 0.",
        unit="rating points",
        minimum=0.000_001,
        maximum=1_000_000,
        source=PAPER,
    )
    draw_probability: float = parameter(
        0.0,
        label="Draw probability",
        description="How often two equal sides draw. It sets the draw margin from the number of "
        "players on both sides, instead of ε. TrueSkill's own default is 0.1. With 0, ε is used.",
        minimum=0,
        maximum=0.99,
        source=HERBRICH,
    )
    ties: Ties = parameter(
        "level",
        label="Three or more sides on one place",
        description="How to read a place that several sides share. A drawn match of two sides is "
        "the same either way. With neighbours, the result depends on the order in which tied "
        "sides are listed, as in most TrueSkill programs. With a level, it does not.",
        choices={
            "level": "all are within ε, half the draw margin, of one level",
            "neighbours": "each is within the draw margin of the next as listed",
        },
        source=f"level: {PAPER}; neighbours: {HERBRICH}",
    )
    ignore_all_tied: bool = ignore_all_tied()
    first_side: float = first_side()
    margin: Margin = margin()
    empty_seat: float = parameter(
        450.0,
        label="Rating of an empty seat",
        description="A side's strength is the sum of its members' ratings. If sides are uneven, or "
        "somebody played only part of the time, the empty seat counts as a player of this rating. "
        "450 is a newcomer's rating minus three deviations. 0 on TrueSkill's own scale.",
        unit="rating points",
        minimum=-1_000_000,
        maximum=1_000_000,
        source=f"{HERBRICH}, whose empty seat is 0 = 25 - 3 · 25/3",
    )


PUBLISHED = {
    "microsoft": Published(
        label="Microsoft, on its own scale",
        source="R. Herbrich, T. Minka and T. Graepel, “TrueSkill”, 2006",
        parameters={
            "initial_rating": 25,
            "initial_deviation": 25 / 3,
            "beta": 25 / 6,
            "drift": 25 / 300,
            "draw_probability": 0.1,
            "empty_seat": 0,
        },
    ),
    "elo-mmr": Published(
        label="the Elo-MMR paper",
        source="A. Ebtekar and P. Liu, “Elo-MMR”, 2021, its TrueSkill",
        parameters={
            "initial_rating": 1500,
            "initial_deviation": 350,
            "beta": 175,
            "drift": 35,
            "eps": 1,
            "draw_probability": 0,
        },
    ),
}
