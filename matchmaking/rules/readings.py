"""The readings of the published page: what it leaves open, or says in two ways."""

from __future__ import annotations

from typing import Literal

from ratings.tunables.parameters import Parameters, parameter

GW2 = "PvP Matchmaking Algorithm, Guild Wars 2 Wiki"
CONFIGURATION = f"{GW2}: Matchmaking, Configuration"


class Choices(Parameters):
    """What the published page leaves open, or says in two ways: the first value is as published."""

    empty_team: Literal["opponent_first", "match_average", "zero"] = parameter(
        "opponent_first",
        label="While the other team is empty",
        description="New matcher: what the other team's average rating and largest roster are "
        "before anybody has joined it.",
        choices={
            "opponent_first": "not asked for: the first pick joins the other team, and is "
            "measured against the target's team",
            "match_average": "those of everybody selected so far",
            "zero": "0",
        },
        source=f"{GW2}: pseudo-code of 7 February 2017, otherTeam.rating",
    )
    games: Literal["config", "pseudocode"] = parameter(
        "config",
        label="Weight of games played",
        description="Which weight the difference of games played gets.",
        choices={
            "config": "Games/@distance, for differences up to Games/@max",
            "pseudocode": "Rating/@distance, without a limit, as the pseudo-code has it",
        },
        source=f"{GW2}: pseudo-code, scoreRoster",
    )
    dishonor: Literal["mean_roster_total", "match_total", "player_mean"] = parameter(
        "mean_roster_total",
        label="Distance of dishonor",
        description="What a roster's dishonor is compared with.",
        choices={
            "mean_roster_total": "the roster's stacks with the average of the selected rosters' "
            "stacks",
            "match_total": "the roster's stacks with the stacks of all selected together",
            "player_mean": "the average stacks of its players with the average of all selected "
            "players",
        },
        source=f"{CONFIGURATION}, Dishonor/@distance",
    )
    guild: Literal["opponent", "off"] = parameter(
        "opponent",
        label="Guild teams",
        description="Whether a guild's team is drawn to another guild's team.",
        choices={
            "opponent": "yes, once, if the other team has one",
            "off": "no",
        },
        source=f"{CONFIGURATION}, GuildTeam/@affinity",
    )
    failed_available: bool = parameter(
        default=False,
        label="Failed targets stay available",
        description="Whether a roster that no match was found for can still be picked into "
        "another's match in the same tick.",
        source=f"{GW2}: pseudo-code, createMatches",
    )
    falloff: Literal["max", "min"] = parameter(
        "max",
        label="What falls off",
        description="Which number of potentials the falloff lowers.",
        choices={
            "max": "the most that are gathered, as the text says",
            "min": "the fewest that are needed, which fits the published numbers",
        },
        source=f"{CONFIGURATION}, Potentials/@falloff",
    )
    filter_rating: Literal["raw", "effective"] = parameter(
        "raw",
        label="Rating of the filter",
        description="Which average rating of a roster the filter looks at.",
        choices={"raw": "the rating", "effective": "the rating less the deviation"},
        source=f"{GW2}: Matchmaking",
    )
    power_base: Literal["size-1", "size"] = parameter(
        "size-1",
        label="Power counts",
        description="What a roster's power in the filter grows with.",
        choices={"size-1": "the partners of its first player", "size": "all its players"},
        source=f"{CONFIGURATION}, Power/@curve",
    )
    rounding: Literal["half_up", "half_even"] = parameter(
        "half_up",
        label="Rounding of timeouts",
        description="Where a timeout lies half-way between two multiples.",
        choices={"half_up": "the longer", "half_even": "the one with the even multiple"},
        source=f"{GW2}: Dishonor, roundInterval",
    )
    decay: Literal["sequential", "parallel"] = parameter(
        "sequential",
        label="Decay of stacks",
        description="Whether stacks of dishonor expire one after the other or together.",
        choices={
            "sequential": "one after the other, each lasting its full duration",
            "parallel": "all that were awarded together at the same time",
        },
        source=f"{GW2}: Dishonor",
    )
