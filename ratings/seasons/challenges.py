"""The rules of challenges on a ladder."""

from __future__ import annotations

from ratings.tunables.kinds import Duration
from ratings.tunables.parameters import Parameters, parameter

SOURCE = "Laurel, for Kreimeier 2000, Jacob's Ladder"


class Challenges(Parameters):
    """The rules of challenges on a ladder. The ladder sets the cost of ignoring."""

    answer: Duration = parameter(
        "3d",
        label="Time to answer a challenge",
        description="How long a challenged player has to accept or decline. After that, the "
        "challenge counts as ignored and costs the ranks set in the ladder's parameters.",
        unit="time",
        minimum="1m",
        maximum="30d",
        source=SOURCE,
    )
    play: Duration = parameter(
        "7d",
        label="Time to play",
        description="How long both players have from acceptance to reporting the result. After "
        "that, the match is void at no cost. Staff decide about no-shows.",
        unit="time",
        minimum="1m",
        maximum="90d",
        source=SOURCE,
    )
    sent: int = parameter(
        1,
        label="Open challenges sent per player",
        description="How many challenges sent by a player may be unanswered or unplayed at a time.",
        unit="challenges",
        minimum=1,
        maximum=100,
        source=SOURCE,
    )
    received: int = parameter(
        1,
        label="Open challenges received per player",
        description="How many players can challenge the same player at a time. Others have to "
        "wait.",
        unit="challenges",
        minimum=1,
        maximum=100,
        source=SOURCE,
    )
    rest: Duration = parameter(
        "1d",
        label="Rest before a rematch",
        description="How long after a challenge the same two players cannot challenge each other "
        "again, in either direction.",
        unit="time",
        minimum=0,
        maximum="365d",
        source="Kreimeier 2000, Jacob's Ladder: rematch regulations",
    )
    decline_cost: int = parameter(
        1,
        label="Cost of declining a challenge",
        description="Number of ranks a player drops for declining. Each passed player moves up by "
        "one. With 0, declining is free, which may leave the top unchallenged.",
        unit="ranks",
        minimum=0,
        maximum=1_000_000,
        source=SOURCE,
    )
    draws: bool = parameter(
        default=False,
        label="Random challenges",
        description="Once a day, a player may challenge a random player above them within reach. A "
        "random challenge does not count as one of the open challenges sent. Withdrawing it does "
        "not allow another draw that day.",
        source="Kreimeier 2000, Jacob's Ladder: random selection of opponents",
    )
