"""The parameters of TrueSkill."""

from __future__ import annotations

from typing import Literal

from ratings.tunables.parameters import Parameters, parameter

PAPER = "the baseline of Ebtekar and Liu 2021"
HERBRICH = "Herbrich et al. 2006"

Ties = Literal["level", "neighbours"]


class TrueSkillParameters(Parameters):
    """The baseline's values on the scale of the other systems.

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
        description="How unsure a newcomer's rating is: with 95% certainty the true skill lies "
        "within two deviations of it. TrueSkill's own scale has 25/3.",
        unit="rating points",
        above=0,
        maximum=1_000_000,
        source=PAPER,
    )
    beta: float = parameter(
        175.0,
        label="Spread of performances (β)",
        description="How much one player's performance varies from match to match. With a lead of "
        "β over an opponent, both known well, a player wins about 76% of their duels. The more "
        "chance in the game, the larger. TrueSkill's own scale has 25/6.",
        unit="rating points",
        above=0,
        maximum=1_000_000,
        source=PAPER,
    )
    drift: float = parameter(
        35.0,
        label="Drift for each match (τ)",
        description="How much a player's skill is expected to change from one match to the next. "
        "It keeps ratings of regular players from freezing; higher follows form faster. "
        "TrueSkill's own scale has 25/300.",
        unit="rating points",
        minimum=0,
        maximum=1_000_000,
        source=PAPER,
    )
    eps: float = parameter(
        1.0,
        label="Half the draw margin (ε)",
        description="Sides draw when their performances are within 2ε, so a win means a lead of "
        "more than that. Each place of a large contest counts as one such lead: with 10,000 "
        "strict places the best and the last lie at least 20,000 ε apart, so keep it small there. "
        "Only used while the draw probability is 0.",
        unit="rating points",
        minimum=0.000_001,
        maximum=1_000_000,
        source=PAPER,
    )
    draw_probability: float = parameter(
        0.0,
        label="Draw probability",
        description="How often two equal sides draw; sets the draw margin from the number of "
        "players of the two, in place of ε. TrueSkill's own default is 0.1. 0 leaves it to ε.",
        minimum=0,
        maximum=0.99,
        source=HERBRICH,
    )
    ties: Ties = parameter(
        "level",
        label="Three or more sides on one place",
        description="How a place is read that several sides share. A drawn match of two sides is "
        "the same either way. Among neighbours the outcome depends on the order in which tied "
        "sides are listed, as it does in most TrueSkill programs; on a level it does not.",
        choices={
            "level": "all lie within ε, half the draw margin, of one level",
            "neighbours": "each lies within the draw margin of the next as listed",
        },
        source=f"level: {PAPER}; neighbours: {HERBRICH}",
    )
    ignore_all_tied: bool = parameter(
        default=False,
        label="Ignore matches without a winner",
        description="Whether a match in which all sides tie changes nothing, not even drift. "
        "Otherwise it draws the ratings of those who tied together.",
        source=f"{PAPER}, whose program ignores them",
    )
    empty_seat: float = parameter(
        450.0,
        label="An empty seat counts as",
        description="A side is as strong as the sum of its members. Where sides are uneven, or "
        "somebody played only part of the time, the empty seat counts as a player of this rating. "
        "450 is a newcomer's rating less three deviations; TrueSkill's own scale has 0.",
        unit="rating points",
        minimum=-1_000_000,
        maximum=1_000_000,
        source=f"{HERBRICH}, whose empty seat is 0 = 25 - 3 · 25/3",
    )
