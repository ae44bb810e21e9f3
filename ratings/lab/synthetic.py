"""Made-up histories whose true skills are known.

Source: A. Ebtekar and P. Liu, "Elo-MMR", 2021, section 6.1: skills start normal, drift by normal
steps, and a round ranks its players by performances of logistic spread around their skills. A
player drifts when they take part, as in the paper's own generator: in the small set most of a
thousand players sit out most of 15,000 rounds, and drifting all the time would bury everyone's
first skill.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ratings.history import History

if TYPE_CHECKING:
    from ratings.types import Floats, Integers

DAY = 86_400_000_000


@dataclass(frozen=True)
class World:
    """Who there is and what a round is like."""

    players: int
    rounds: int
    entrants: int
    """Players of each round, drawn evenly from all."""
    mean: float = 1500.0
    deviation: float = 350.0
    """Of the skills at the start."""
    drift: float = 35.0
    """Deviation of a skill's step before each round of the player."""
    performance: float = 200.0
    """Deviation of a performance around the skill."""

    def skills(self, rng: np.random.Generator) -> Floats:
        """``(players,)`` at the start."""
        return rng.normal(self.mean, self.deviation, self.players)

    def performances(self, rng: np.random.Generator, skills: Floats) -> Floats:
        """How players of these skills perform in one round, in the shape of ``skills``."""
        return rng.logistic(skills, self.performance * math.sqrt(3.0) / math.pi)


SMALL = World(players=1_000, rounds=15_000, entrants=5)
"""The paper's synth-small."""
LARGE = World(players=10_000, rounds=50, entrants=10_000)
"""The paper's synth-large."""


@dataclass(frozen=True)
class Synthetic:
    """A made-up history, each round a free-for-all, one round a day."""

    history: History
    skills: Floats
    """``(N,)`` the true skill with which each participant played."""


def generate(world: World, rng: np.random.Generator) -> Synthetic:
    """Play all rounds of ``world``; the same generator state gives the same history."""
    skill_of = world.skills(rng)
    player = np.empty((world.rounds, world.entrants), dtype=np.int64)
    skills = np.empty((world.rounds, world.entrants))
    for number in range(world.rounds):
        entrants = rng.permutation(world.players)[: world.entrants]
        skill_of[entrants] += rng.normal(0.0, world.drift, world.entrants)
        player[number] = entrants
        skills[number] = skill_of[entrants]
    places = placed(world.performances(rng, skills))
    names = [f"player {number}" for number in range(1, world.players + 1)]
    return Synthetic(free_for_all(names, player, places), skills.ravel())


def placed(performances: Floats) -> Integers:
    """``(m, s)`` places from 0 by performance, best first; no two perform quite alike."""
    order = np.argsort(-performances, axis=-1, kind="stable")
    return np.argsort(order, axis=-1, kind="stable")


def free_for_all(
    names: list[str], player: Integers, places: Integers, first_day: int = 0
) -> History:
    """Rounds of one size, a day apart; ``player`` and ``places`` are ``(rounds, entrants)``."""
    rounds, entrants = player.shape
    count = rounds * entrants
    return History(
        players=names,
        professions=[""],
        match_ids=[str(first_day + number) for number in range(1, rounds + 1)],
        times=DAY * np.arange(first_day, first_day + rounds, dtype=np.int64),
        weights=np.ones(rounds),
        perf_ceilings=np.full(rounds, np.inf),
        side_offsets=np.arange(0, count + 1, entrants),
        places=places.ravel(),
        scores=np.full(count, np.nan),
        participant_offsets=np.arange(count + 1),
        player=player.ravel(),
        seconds=np.full(count, np.nan),
        quits=np.zeros(count, dtype=np.bool_),
        profession=np.zeros(count, dtype=np.int64),
    )


def in_groups(synthetic: Synthetic, size: int, rng: np.random.Generator) -> Synthetic:
    """Each round as rounds of ``size``, players drawn to groups by lot, by their places in it.

    Source: the paper's section 6.5. All rounds of ``synthetic`` are of one size, which ``size``
    divides.
    """
    whole = synthetic.history
    rounds = len(whole)
    entrants = len(whole.player) // rounds
    if entrants % size:
        raise ValueError(f"rounds of {entrants} cannot be cut into groups of {size}")
    lots = np.argsort(rng.random((rounds, entrants)), axis=-1)
    at = (lots + entrants * np.arange(rounds)[:, None]).reshape(-1, size)
    history = free_for_all(
        whole.players, whole.player[at], placed(-whole.places[at].astype(np.float64))
    )
    times = np.repeat(whole.times, entrants // size)
    return Synthetic(History(**{**vars(history), "times": times}), synthetic.skills[at].ravel())
