"""Queues, rules and ticks for tests of the matcher ``laurel``."""

from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import strategies as st

from matchmaking.laurel import matcher
from matchmaking.rank_filter import RankFilter
from matchmaking.rules.arena import Rules
from matchmaking.rules.laurel import LaurelRules
from matchmaking.tick import Tick
from matchmaking.ticket import Queue
from tests.support.matchmaking_queues import (
    MODES,
    PAIRS_OF_MODES,
    in_regions,
    random_rules,
    random_tickets,
    seeded,
)

DUEL = Rules(team_size=1)
PAIRS = Rules(team_size=2)
FIVES = Rules(team_size=5)

SEEDS = st.integers(0, 10**6)


def tick(queue: Queue, rules: Rules, now: float = 0.0, **options: Any) -> Tick:
    """Run one tick of the matcher, without chance."""
    return matcher.match(queue, rules, now=now, generator=None, **options)


def names(queue: Queue, made: Tick) -> list[tuple[set[object], set[object]]]:
    """Return the matches by ticket ids."""
    return [
        (
            {queue.ids[ticket] for ticket in match.team1},
            {queue.ids[ticket] for ticket in match.team2},
        )
        for match in made.matches
    ]


def any_queue(seed: int, length: int) -> tuple[Queue, Rules]:
    """Return a random queue, with some opponents met and some rank filters, and random rules."""
    rng = seeded(seed)
    tickets = [
        replace(
            ticket,
            players=tuple(
                replace(
                    player,
                    percentile=rng.uniform(0, 100),
                    rank_filter=RankFilter(rng.uniform(5, 60), strict=rng.random() < 0.5)
                    if rng.random() < 0.1
                    else None,
                )
                for player in ticket.players
            ),
        )
        for ticket in random_tickets(
            rng, length, coarse=False, modes=rng.choice([MODES, PAIRS_OF_MODES])
        )
    ]
    queue = Queue.of(in_regions(rng, tickets) if rng.random() < 0.3 else tickets)
    met = [sorted(rng.sample(range(length), 2)) for _ in range(length if length > 1 else 0)]
    rules = random_rules(rng).model_copy(
        update={
            "laurel": LaurelRules(
                fairness=rng.choice([0.02, 0.1, 0.3]),
                asking=rng.choice([-2000.0, 0.0, 1000.0]),
                bound=rng.choice([0.0, 300.0, 1e6]),
                rematch_share=rng.choice([0.0, 0.5, 1.0]),
            )
        }
    )
    return replace(queue, met=np.array(met, dtype=np.int64).reshape(-1, 2)), rules
