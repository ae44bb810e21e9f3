"""Synthetic histories with known true skills.

Source: A. Ebtekar and P. Liu, "Elo-MMR", 2021, section 6.1. Skills start normal and drift in normal
steps, and a round ranks its players by performances with a logistic spread around their skills.
Players drift when they take part, as in the paper's own generator. In the small set, most of a
thousand players sit out most of 15,000 rounds, and constant drift would bury everyone's first
skill.
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
    """Parameters of a synthetic history."""

    players: int
    rounds: int
    entrants: int
    """Players per round, drawn uniformly from all."""
    mean: float = 1500.0
    deviation: float = 350.0
    """Standard deviation of the initial skills."""
    drift: float = 35.0
    """Standard deviation of a skill's step before each of the player's rounds."""
    performance: float = 200.0
    """Standard deviation of a performance around the skill."""

    def skills(self, rng: np.random.Generator) -> Floats:
        """Draw ``(players,)`` initial skills."""
        return rng.normal(self.mean, self.deviation, self.players)

    def performances(self, rng: np.random.Generator, skills: Floats) -> Floats:
        """Draw performances in one round for players with these skills, in the same shape."""
        return rng.logistic(skills, self.performance * math.sqrt(3.0) / math.pi)


SMALL = World(players=1_000, rounds=15_000, entrants=5)
"""The paper's synth-small."""
LARGE = World(players=10_000, rounds=50, entrants=10_000)
"""The paper's synth-large."""


@dataclass(frozen=True)
class Synthetic:
    """A synthetic history in which each round is a free-for-all, one round a day."""

    history: History
    skills: Floats
    """``(N,)`` true skill of each participant in their match."""


def generate(world: World, rng: np.random.Generator) -> Synthetic:
    """Play all rounds of ``world``. The same generator state gives the same history."""
    skill_of = world.skills(rng)
    player = np.empty((world.rounds, world.entrants), dtype=np.int64)
    skills = np.empty((world.rounds, world.entrants))
    for number in range(world.rounds):
        entrants = rng.permutation(world.players)[: world.entrants]
        skill_of[entrants] += rng.normal(0.0, world.drift, world.entrants)
        player[number] = entrants
        skills[number] = skill_of[entrants]
    places = place(world.performances(rng, skills))
    names = [f"player {number}" for number in range(1, world.players + 1)]
    return Synthetic(free_for_all(names, player, places), skills.ravel())


def place(performances: Floats) -> Integers:
    """Return ``(m, s)`` places from 0 by performance, best first, without ties."""
    order = np.argsort(-performances, axis=-1, kind="stable")
    return np.argsort(order, axis=-1, kind="stable")


def free_for_all(
    names: list[str], player: Integers, places: Integers, first_day: int = 0
) -> History:
    """Build rounds, one a day. ``player`` and ``places`` are ``(rounds, entrants)``."""
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
    """Cut each round into rounds of ``size`` by drawing lots, keeping the order of places.

    Source: the paper's section 6.5. All rounds of ``synthetic`` must have the same size, divisible
    by ``size``.
    """
    whole = synthetic.history
    rounds = len(whole)
    entrants = len(whole.player) // rounds
    if entrants % size:
        raise ValueError(f"rounds of {entrants} cannot be cut into groups of {size}")
    lots = np.argsort(rng.random((rounds, entrants)), axis=-1)
    at = (lots + entrants * np.arange(rounds)[:, None]).reshape(-1, size)
    history = free_for_all(
        whole.players, whole.player[at], place(-whole.places[at].astype(np.float64))
    )
    times = np.repeat(whole.times, entrants // size)
    return Synthetic(History(**{**vars(history), "times": times}), synthetic.skills[at].ravel())
