"""The players of a simulation: arrivals, parties, sessions and ratings.

The default is the workload that the published matchmakers were measured on. Parties arrive at
random (Poisson); three in four are one player, the fourth is two friends of similar rating.
Sessions have random lengths (exponential). Ratings are normal, and few players are dishonored.
Others have five friends, two groups of ratings or heavy tails, a burst, modes or regions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from matchmaking.regions import RegionChoice
from matchmaking.ticket import Player
from ratings.tunables.kinds import DurationWithUnit
from ratings.tunables.parameters import Parameters, parameter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.random import Generator

SOURCE = "docs/matchmaking.md: The simulation"


class Workload(Parameters):
    """The simulated league."""

    online: int = parameter(
        750,
        label="Players online",
        description="Average number of players online, if nobody stays longer for a last match.",
        unit="players",
        minimum=1,
        maximum=1_000_000,
        source=SOURCE,
    )
    hours: float = parameter(
        2.0,
        label="Hours",
        description="Length of the simulation.",
        unit="hours",
        above=0.0,
        maximum=1000.0,
        source=SOURCE,
    )
    warm_up: DurationWithUnit = parameter(
        900.0,
        label="Warm-up",
        description="Matches made before this time do not count.",
        unit="seconds",
        minimum=0.0,
        maximum=86400.0,
        source=SOURCE,
    )
    session: DurationWithUnit = parameter(
        3600.0,
        label="Session",
        description="Average length of a party's session. Nobody leaves the queue or a match: "
        "after its session a party stops queueing.",
        unit="seconds",
        above=0.0,
        maximum=86400.0,
        source=SOURCE,
    )
    duos: float = parameter(
        0.25,
        label="Duos",
        description="Share of parties that are two players.",
        unit="share",
        minimum=0.0,
        maximum=1.0,
        source=SOURCE,
    )
    rating_mean: float = parameter(
        1500.0,
        label="Average rating",
        description="Average of the players' ratings.",
        unit="rating points",
        minimum=-1e6,
        maximum=1e6,
        source=SOURCE,
    )
    rating_deviation: float = parameter(
        350.0,
        label="Rating deviation",
        description="Standard deviation of the players' ratings.",
        unit="rating points",
        minimum=0.0,
        maximum=1e6,
        source=SOURCE,
    )
    friends_deviation: float = parameter(
        180.0,
        label="Difference between friends",
        description="Standard deviation of the rating difference in a duo.",
        unit="rating points",
        minimum=0.0,
        maximum=1e6,
        source=SOURCE,
    )
    dishonored: float = parameter(
        0.08,
        label="Dishonored players",
        description="Share of players with stacks of dishonor, from 1 to 20 with equal "
        "probability.",
        unit="share",
        minimum=0.0,
        maximum=1.0,
        source=SOURCE,
    )
    stacks: Literal["even", "offences"] = parameter(
        "even",
        label="Stacks",
        description="How many stacks dishonored players have.",
        choices={"even": "1 to 20, equally likely", "offences": "3, 3, 6, 10, 13 or 20"},
        source=SOURCE,
    )
    ratings: Literal["normal", "bimodal", "heavy"] = parameter(
        "normal",
        label="Ratings",
        description="How parties' ratings are distributed. The average and, except for heavy "
        "tails, the standard deviation are the same.",
        choices={"normal": "Normal", "bimodal": "Two groups", "heavy": "Heavy tails"},
        source=SOURCE,
    )
    fives: float = parameter(
        0.0,
        label="Fives",
        description="Share of parties that are five players.",
        unit="share",
        minimum=0.0,
        maximum=1.0,
        source=SOURCE,
    )
    burst: int = parameter(
        0,
        label="Burst",
        description="Parties that come at the same moment, in the middle of the simulation.",
        unit="parties",
        minimum=0,
        maximum=1_000_000,
        source=SOURCE,
    )
    modes: int = parameter(
        0,
        label="Game modes",
        description="Game modes of which each party wants one, so that no two of them meet.",
        minimum=0,
        maximum=100,
        source=SOURCE,
    )
    regions: int = parameter(
        0,
        label="Regions",
        description="Regions of which each party chooses one, not strictly.",
        minimum=0,
        maximum=100,
        source=SOURCE,
    )
    professions: int = parameter(
        9,
        label="Professions",
        description="Number of professions, all equally frequent; 0 for none.",
        minimum=0,
        maximum=1000,
        source=SOURCE,
    )
    shortest_match: DurationWithUnit = parameter(
        600.0,
        label="Shortest match",
        description="Shortest match length. Lengths up to the longest are equally likely.",
        unit="seconds",
        minimum=0.0,
        maximum=86400.0,
        source=SOURCE,
    )
    longest_match: DurationWithUnit = parameter(
        900.0,
        label="Longest match",
        description="Longest match length.",
        unit="seconds",
        minimum=0.0,
        maximum=86400.0,
        source=SOURCE,
    )
    shortest_rest: DurationWithUnit = parameter(
        10.0,
        label="Shortest rest",
        description="Shortest rest of a party before it queues again. Lengths up to the longest "
        "are equally likely.",
        unit="seconds",
        minimum=0.0,
        maximum=86400.0,
        source=SOURCE,
    )
    longest_rest: DurationWithUnit = parameter(
        60.0,
        label="Longest rest",
        description="Longest rest.",
        unit="seconds",
        minimum=0.0,
        maximum=86400.0,
        source=SOURCE,
    )

    def clashes(self) -> dict[str, str]:
        """Refuse a minimum above its maximum, or a warm-up as long as the simulation."""
        problems = {}
        for low, high in (("shortest_match", "longest_match"), ("shortest_rest", "longest_rest")):
            if getattr(self, low) > getattr(self, high):
                problems[low] = f"must be at most {high}"
        if self.warm_up >= self.hours * 3600:
            problems["warm_up"] = "must be shorter than the simulation"
        return problems


@dataclass(frozen=True)
class Party:
    """Players who queue together, first at ``arrives`` (seconds) and last before ``leaves``."""

    players: tuple[Player, ...]
    arrives: float
    leaves: float
    modes: frozenset[str] = frozenset()
    regions: RegionChoice | None = None


DEVIATIONS = (30.0, 250.0)
GAMES = 500
MOST_STACKS = 20
OFFENCES = (3.0, 3.0, 6.0, 10.0, 13.0, 20.0)
"""Stacks after common offences."""
APART = 0.9
"""Half the distance of two groups of ratings, in standard deviations of all."""
RANK = 20.0
FIRST_RUSH = 600.0
"""Seconds over which the players who are online at the start first queue."""


def parties(workload: Workload, generator: Generator, known: Sequence[Player] = ()) -> list[Party]:
    """Return all parties, in the order of arrival.

    Players who are online at the start queue within the first ten minutes. With ``known`` players,
    such as those of a real season, parties are drawn from them; a duo is then two neighbours in
    rating.
    """
    together = 1.0 + workload.duos
    rate = workload.online / workload.session / together
    end = workload.hours * 3600
    at = generator.uniform(0.0, min(FIRST_RUSH, end), round(workload.online / together)).tolist()
    time = generator.exponential(1 / rate)
    while time < end:
        at.append(time)
        time += generator.exponential(1 / rate)
    at += [end / 2] * workload.burst
    ranked = sorted(known, key=lambda player: player.rating)
    return [
        _with_wishes(workload, generator, _party(workload, generator, ranked, arrives))
        for arrives in sorted(at)
    ]


def _with_wishes(workload: Workload, generator: Generator, party: Party) -> Party:
    """Return the party with the mode and the region that it wants, where there are any."""
    if workload.modes:
        party = replace(party, modes=frozenset({f"mode {generator.integers(workload.modes)}"}))
    if workload.regions:
        names = [f"region {number}" for number in range(workload.regions)]
        near = frozenset({names[generator.integers(workload.regions)]})
        party = replace(party, regions=RegionChoice(near, frozenset(names)))
    return party


def _party(
    workload: Workload, generator: Generator, ranked: Sequence[Player], arrives: float
) -> Party:
    size = 2 if generator.random() < workload.duos else 1
    if workload.fives and generator.random() < workload.fives:
        size = 5
    leaves = arrives + generator.exponential(workload.session)
    if len(ranked) >= size:
        first = int(generator.integers(len(ranked) - size + 1))
        return Party(tuple(ranked[first : first + size]), arrives, leaves)
    rating = _rating(workload, generator)
    players = [_player(workload, generator, rating)]
    for _ in range(size - 1):
        friends = generator.normal(rating, workload.friends_deviation)
        players.append(_player(workload, generator, friends))
    return Party(tuple(players), arrives, leaves)


def _rating(workload: Workload, generator: Generator) -> float:
    mean, deviation = workload.rating_mean, workload.rating_deviation
    if workload.ratings == "heavy":
        return mean + deviation * float(generator.standard_t(3))
    if workload.ratings == "bimodal":
        mean += APART * deviation * (1.0 if generator.random() < 0.5 else -1.0)
        deviation *= (1 - APART**2) ** 0.5
    return generator.normal(mean, deviation)


def _player(workload: Workload, generator: Generator, rating: float) -> Player:
    has_stacks = generator.random() < workload.dishonored
    return Player(
        id=0,
        rating=float(rating),
        deviation=float(generator.uniform(*DEVIATIONS)),
        rank=RANK,
        games=float(generator.integers(GAMES)),
        profession=f"{generator.integers(workload.professions):03}" if workload.professions else "",
        dishonor=_stacks(workload, generator) if has_stacks else 0.0,
    )


def _stacks(workload: Workload, generator: Generator) -> float:
    if workload.stacks == "offences":
        return OFFENCES[int(generator.integers(len(OFFENCES)))]
    return float(generator.integers(1, MOST_STACKS + 1))
