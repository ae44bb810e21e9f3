"""Generated queues and rules, random by seed, and ticks in a form to compare with the plain
reading.
"""

import random
from collections.abc import Hashable
from dataclasses import replace
from typing import Any

from matchmaking.regions import RegionChoice
from matchmaking.rules.arena import Choices, MatcherRules, QueueRules, Rules
from matchmaking.tick import Tick
from matchmaking.ticket import Player, Queue, Ticket
from tests.support.plain_matchers import PlainTick

PROFESSIONS = [*"ABCDEFGHI", ""]
ANY_MODE = [frozenset[str]()]
MODES = [frozenset[str](), frozenset({"conquest"}), frozenset({"conquest", "stronghold"})]
PAIRS_OF_MODES = [
    frozenset({"conquest", "stronghold"}),
    frozenset({"conquest", "courtyard"}),
    frozenset({"courtyard", "stronghold"}),
    frozenset({"courtyard"}),
]
"""Any two of the first three share a mode, all three do not."""


def seeded(seed: int) -> random.Random:
    """Return a random generator that is the same each time."""
    return random.Random(seed)  # noqa: S311 - generated queues keep no secrets


def solo(name: Hashable, rating: float = 1500.0, *, wait: float = 0.0, **player: Any) -> Ticket:
    """Return a single player in the queue, at time 0."""
    return Ticket(name, -wait, (Player(name, rating, **player),))


def party(name: str, *ratings: float, wait: float = 0.0, **player: Any) -> Ticket:
    """Return players who queue together, at time 0."""
    members = (Player(f"{name}{number}", rating, **player) for number, rating in enumerate(ratings))
    return Ticket(name, -wait, tuple(members))


def random_tickets(
    rng: random.Random, length: int, *, coarse: bool, modes: list[frozenset[str]]
) -> list[Ticket]:
    """Return tickets of 1 to 5 players; ``coarse`` ones have few distinct figures, so many ties."""
    tickets = []
    for number in range(length):
        size = 1 if rng.random() < 0.6 else rng.randint(1, 5)
        players = tuple(
            Player(
                f"{number}-{member}",
                *_rating(rng, coarse=coarse),
                rank=rng.randint(0, 80),
                games=rng.randint(0, 900),
                profession=rng.choice(PROFESSIONS),
                dishonor=rng.choice([0] * 9 + [3, 10]),
            )
            for member in range(size)
        )
        wait = float(rng.randrange(0, 700, 60)) if coarse else rng.uniform(0, 700)
        tickets.append(Ticket(f"t{number}", -wait, players, rng.choice(modes), rng.random() < 0.2))
    return tickets


def in_regions(rng: random.Random, tickets: list[Ticket]) -> list[Ticket]:
    """Return the tickets with choices of regions, a few of them with none at all for now."""
    places = ("europe", "america", "asia")

    def choice() -> RegionChoice:
        now = frozenset(rng.sample(places, rng.choice([0, 1, 1, 2])))
        return RegionChoice(now, now | frozenset(rng.sample(places, rng.randint(0, 3))))

    return [replace(ticket, regions=choice()) for ticket in tickets]


def _rating(rng: random.Random, *, coarse: bool) -> tuple[float, float]:
    rating, deviation = rng.gauss(1500, 300), rng.uniform(30, 350)
    if coarse:
        return round(rating / 100) * 100.0, round(deviation / 100) * 100.0
    return rating, deviation


def random_choices(rng: random.Random) -> Choices:
    """Return random values for the choices that affect a tick."""
    return Choices(
        empty_team=rng.choice(["opponent_first", "match_average", "zero"]),
        games=rng.choice(["config", "pseudocode"]),
        dishonor=rng.choice(["mean_roster_total", "match_total", "player_mean"]),
        guild=rng.choice(["opponent", "off"]),
        failed_available=rng.random() < 0.5,
        falloff=rng.choice(["max", "min"]),
        filter_rating=rng.choice(["raw", "effective"]),
        power_base=rng.choice(["size-1", "size"]),
        modes=rng.choice(["equal", "common"]),
    )


def random_rules(rng: random.Random) -> Rules:
    """Return random rules near the published ones, for teams of 1 to 5."""
    return Rules(
        team_size=rng.choice([1, 2, 3, 5]),
        choices=random_choices(rng),
        queue=QueueRules(
            iteration_rosters=rng.choice([3, 100, 1000]),
            potentials_min=rng.choice([0, 3, 8]),
            potentials_max=rng.choice([8, 20, 500]),
            potentials_falloff=rng.choice([0, 0.16, 2]),
            potentials_start=rng.choice([0.0, 60.0]),
            rating_start=rng.choice([0.0, 60.0, 300.0]),
            rating_min=rng.choice([0, 25, 300]),
            power_percent=rng.choice([0, 1, 10]),
            power_curve=rng.choice([0, 1, 1.7]),
        ),
        matcher=MatcherRules(
            rank_distance=rng.choice([0, -3]),
            roster_size_perfect_fit=rng.choice([0, 40]),
            roster_size_max_diff=rng.choice([1, 3]),
            profession_unique=rng.choice([0, 25]),
            profession_max=rng.choice([1, 2]),
        ),
    )


Picked = tuple[list[Hashable], list[Hashable], list[tuple[Hashable, int]]]


def by_id(queue: Queue, tick: Tick) -> tuple[list[Picked], list[Hashable]]:
    """Return a tick's matches (teams and picks) and its remaining tickets, by ticket id."""
    matches = [
        (
            [queue.ids[ticket] for ticket in match.team1],
            [queue.ids[ticket] for ticket in match.team2],
            [(queue.ids[pick.ticket], int(pick.team)) for pick in match.picks],
        )
        for match in tick.matches
    ]
    return matches, [queue.ids[ticket] for ticket in tick.left]


def plain_by_id(tick: PlainTick) -> tuple[list[Picked], list[Hashable]]:
    """Return the plain reading's tick in the same form."""
    matches = [
        (match.team1, match.team2, [(ticket, team) for ticket, team, _ in match.picks])
        for match in tick.matches
    ]
    return matches, tick.queue
