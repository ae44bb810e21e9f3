"""The players of a simulation: arrivals, parties, sessions and ratings.

The default is the workload that the published matchmakers were measured on. Parties arrive at
random (Poisson); three in four are one player, the fourth is two friends of similar rating.
Sessions have random lengths (exponential). Ratings are normal, and few players are dishonored.
Others have five friends, two groups of ratings or heavy tails, a burst, modes or regions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from matchmaking.regions import RegionChoice
from matchmaking.rules.limits import DAY
from matchmaking.ticket import Player
from ratings.tunables.kinds import DurationWithUnit
from ratings.tunables.parameters import Parameters, parameter
from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.random import Generator

SOURCE = "docs/matchmaking.md: The simulation"


def _declare(default: Any, label: str, description: str, **limits: Any) -> Any:
    """Declare a parameter of the simulated league, from 0 unless the ``limits`` say otherwise."""
    given = {"minimum": 0, "source": SOURCE, **limits}
    return parameter(default, label=label, description=description, **given)


_share = partial(_declare, unit="share", maximum=1.0)
_points = partial(_declare, unit="rating points", maximum=1e6)
_seconds = partial(_declare, unit="seconds", maximum=DAY)


class Workload(Parameters):
    """The simulated league."""

    online: int = _declare(
        750,
        "Players online",
        "Average number of players online, if nobody stays longer for a last match. A burst comes "
        "on top.",
        unit="players",
        minimum=1,
        maximum=1_000_000,
    )
    hours: float = _declare(
        2.0,
        "Hours",
        "Length of the simulation.",
        unit="hours",
        minimum=None,
        above=0.0,
        maximum=1e3,
    )
    warm_up: DurationWithUnit = _seconds(
        900.0, "Warm-up", "Matches made before this time do not count."
    )
    session: DurationWithUnit = _seconds(
        3600.0,
        "Session",
        "Average length of a party's session. Nobody leaves the queue or a match: after its "
        "session a party stops queueing.",
        minimum=None,
        above=0.0,
    )
    duos: float = _share(0.25, "Duos", "Share of parties other than fives that are two players.")
    fives: float = _share(
        0.0, "Fives", "Share of parties that are five players, or a whole smaller team."
    )
    rating_mean: float = _points(
        1500.0, "Average rating", "Average of the players' ratings.", minimum=-1e6
    )
    rating_deviation: float = _points(
        350.0, "Rating deviation", "Standard deviation of the players' ratings."
    )
    friends_deviation: float = _points(
        180.0,
        "Difference between friends",
        "Standard deviation of a friend's rating from that of the party's first player.",
    )
    dishonored: float = _share(0.08, "Dishonored players", "Share of players with stacks.")
    stacks: Literal["even", "offences"] = _declare(
        "even",
        "Stacks",
        "How many stacks of dishonor dishonored players have.",
        minimum=None,
        choices={"even": "1 to 20, equally likely", "offences": "3, 3, 6, 10, 13 or 20"},
    )
    ratings: Literal["normal", "bimodal", "heavy"] = _declare(
        "normal",
        "Ratings",
        "How parties' ratings are distributed. The average and, except for heavy tails, the "
        "standard deviation are the same.",
        minimum=None,
        choices={"normal": "Normal", "bimodal": "Two groups", "heavy": "Heavy tails"},
    )
    burst: int = _declare(
        0,
        "Burst",
        "Parties that come at the same moment, in the middle of the simulation.",
        unit="parties",
        maximum=1_000_000,
    )
    modes: int = _declare(
        0,
        "Game modes",
        "Game modes of which each party wants one, so that no two of them meet.",
        maximum=100,
    )
    regions: int = _declare(
        0, "Regions", "Regions of which each party chooses one, not strictly.", maximum=100
    )
    professions: int = _declare(
        9,
        "Professions",
        "Number of professions, all equally frequent; 0 for none.",
        maximum=1000,
    )
    shortest_match: DurationWithUnit = _seconds(
        600.0, "Shortest match", "Lengths up to the longest are equally likely."
    )
    longest_match: DurationWithUnit = _seconds(900.0, "Longest match", "Longest match length.")
    shortest_rest: DurationWithUnit = _seconds(
        10.0,
        "Shortest rest",
        "Shortest rest of a party before it queues again. Lengths up to the longest are equally "
        "likely.",
    )
    longest_rest: DurationWithUnit = _seconds(60.0, "Longest rest", "Longest rest.")

    def clashes(self) -> dict[str, Sentence]:
        """Refuse a minimum above its maximum, or a warm-up as long as the simulation."""
        problems = {}
        for low, high in (("shortest_match", "longest_match"), ("shortest_rest", "longest_rest")):
            if getattr(self, low) > getattr(self, high):
                problems[low] = self.too_high(low, high)
        if self.warm_up >= self.hours * 3600:
            problems["warm_up"] = Sentence("must be shorter than the simulation")
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


def parties(
    workload: Workload, generator: Generator, known: Sequence[Player] = (), team_size: int = 5
) -> list[Party]:
    """Return all parties, in the order of arrival. None is larger than a team.

    Players who are online at the start queue within the first ten minutes. With ``known`` players,
    such as those of a real season, parties are drawn from them; a duo is then two neighbours in
    rating.
    """
    together = _party_size(workload, team_size)
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
        _with_wishes(workload, generator, _party(workload, generator, ranked, arrives, team_size))
        for arrives in sorted(at)
    ]


def _party_size(workload: Workload, team_size: int) -> float:
    """Return the average number of players in a party."""
    duo, five = min(2, team_size), min(5, team_size)
    smaller = workload.duos * duo + (1 - workload.duos)
    return five * workload.fives + (1 - workload.fives) * smaller


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
    workload: Workload,
    generator: Generator,
    ranked: Sequence[Player],
    arrives: float,
    team_size: int,
) -> Party:
    size = 2 if generator.random() < workload.duos else 1
    if workload.fives and generator.random() < workload.fives:
        size = 5
    size = min(size, team_size)
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
