"""The ambiguities of the published page, each with a choice of readings."""

from __future__ import annotations

from functools import partial
from typing import Literal

from ratings.tunables.parameters import Parameters, parameter

GW2 = "PvP Matchmaking Algorithm, Guild Wars 2 Wiki"
CONFIGURATION = f"{GW2}: Matchmaking, Configuration"

_reading = partial(parameter, expert=True)


class Choices(Parameters):
    """Readings of the published page where it is ambiguous; the defaults are literal."""

    empty_team: Literal["opponent_first", "match_average", "zero"] = _reading(
        "opponent_first",
        label="Empty other team",
        description="New matcher: the other team's average rating and largest roster before it "
        "has any player.",
        choices={
            "opponent_first": "not needed: the first pick joins the other team, and is compared "
            "with the target's team",
            "match_average": "those of all players selected so far",
            "zero": "0",
        },
        source=f"{GW2}: pseudo-code of 7 February 2017, otherTeam.rating",
    )
    games: Literal["config", "pseudocode"] = _reading(
        "config",
        label="Weight of games played",
        description="The weight of the difference in games played.",
        choices={
            "config": "Games/@distance, for differences up to Games/@max",
            "pseudocode": "Rating/@distance, without a limit, as in the pseudo-code",
        },
        source=f"{GW2}: pseudo-code, scoreRoster",
    )
    dishonor: Literal["mean_roster_total", "match_total", "player_mean"] = _reading(
        "mean_roster_total",
        label="Dishonor distance",
        description="What a roster's dishonor is compared with.",
        choices={
            "mean_roster_total": "its stacks with the average stacks of the selected rosters",
            "match_total": "its stacks with the total stacks of all selected rosters",
            "player_mean": "its average stacks per player with those of all selected players",
        },
        source=f"{CONFIGURATION}, Dishonor/@distance",
    )
    guild: Literal["opponent", "off"] = _reading(
        "opponent",
        label="Guild teams",
        description="Whether a guild team is drawn to another guild team.",
        choices={
            "opponent": "yes, once, if the other team has one",
            "off": "no",
        },
        source=f"{CONFIGURATION}, GuildTeam/@affinity",
    )
    failed_available: bool = _reading(
        default=False,
        label="Failed targets stay available",
        description="Whether a roster whose own attempt failed can still be picked into another "
        "match in the same tick.",
        source=f"{GW2}: pseudo-code, createMatches",
    )
    falloff: Literal["max", "min"] = _reading(
        "max",
        label="Falloff applies to",
        description="Which limit on the number of potentials the falloff lowers.",
        choices={
            "max": "the maximum that is gathered, as the text says",
            "min": "the minimum that is needed, which fits the published numbers",
        },
        source=f"{CONFIGURATION}, Potentials/@falloff",
    )
    filter_rating: Literal["raw", "effective"] = _reading(
        "raw",
        label="Filter rating",
        description="Which average rating of a roster the filter uses.",
        choices={"raw": "the rating", "effective": "the rating minus the deviation"},
        source=f"{GW2}: Matchmaking",
    )
    power_base: Literal["size-1", "size"] = _reading(
        "size-1",
        label="Power counts",
        description="The number of players that a roster's power in the filter grows with.",
        choices={"size-1": "all but its first player", "size": "all its players"},
        source=f"{CONFIGURATION}, Power/@curve",
    )
    modes: Literal["equal", "common"] = _reading(
        "equal",
        label="Game modes",
        description="Published matchers: which rosters may meet if they want several modes.",
        choices={
            "equal": "those that want exactly the same modes, as in the pseudo-code",
            "common": "those that have a mode in common, as with Laurel",
        },
        source=f"{GW2}: pseudo-code, gatherPotentials",
    )
    rounding: Literal["half_up", "half_even"] = _reading(
        "half_up",
        label="Rounding of timeouts",
        description="How to round a timeout half-way between two multiples.",
        choices={"half_up": "to the longer one", "half_even": "to the even multiple"},
        source=f"{GW2}: Dishonor, roundInterval",
    )
    decay: Literal["sequential", "parallel"] = _reading(
        "sequential",
        label="Expiry of stacks",
        description="Whether stacks of dishonor expire one after another or together.",
        choices={
            "sequential": "one after another, each after its full duration",
            "parallel": "all stacks of an award together",
        },
        source=f"{GW2}: Dishonor",
    )
