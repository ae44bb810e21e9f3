"""Volatility farming: does losing on purpose pay?

Source: A. Ebtekar and P. Liu, "Elo-MMR", 2021, section 5.1 and figure 2. A strong player first
plays honestly, then throws every contest in which their rating is above a threshold, then plays
honestly again. If a system moves erratic players further, the last honest contests can take such a
player above the rating that honest play alone would have given.

The field is synthetic, and the same performances are played twice: honestly (control) and with the
attack (adversary). The attacker adapts: they throw the next contest depending on their current
rating in the attacked system.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ratings.lab.synthetic import World, free_for_all, place
from ratings.replay import final_states

if TYPE_CHECKING:
    from collections.abc import Callable

    from ratings.system import RatingSystem
    from ratings.types import Booleans, Floats, Integers

ATTACKER = 0
"""The attacker's index among the players."""


@dataclass(frozen=True)
class Attack:
    """The field and the plan, with the paper's numbers of contests."""

    players: int = 500
    entrants: int = 100
    """Entrants of each contest, including the attacker."""
    ahead: float = 3.0
    """The attacker's skill, in widths of the field above its mean."""
    honest: int = 45
    """Contests before the attack."""
    farming: int = 45
    final: int = 15
    """Honest contests after it."""
    below: float = 0.0
    """The threshold, in rating points below the attacker's rating before the attack."""

    @property
    def contests(self) -> int:
        return self.honest + self.farming + self.final


@dataclass(frozen=True)
class FarmingResult:
    """The attacker's ratings ``(contests,)`` after each contest, with and without the attack."""

    control: Floats
    adversary: Floats
    thrown: Booleans
    """``(contests,)`` whether the adversary lost the contest on purpose."""
    gain: float
    """The adversary's final rating minus the control's, below 0 if the attack does not pay."""


def farm(
    system: RatingSystem,
    attack: Attack,
    rng: np.random.Generator,
    thrown: Booleans | None = None,
) -> FarmingResult:
    """Attack ``system``. The same generator state gives the same field and performances.

    With ``thrown``, the attacker throws those contests whatever their rating, so that an attack on
    one system can be repeated on another. Raises ``UnsupportedMatch`` if the system does not rate
    free-for-alls of that size.
    """
    world = World(players=attack.players, rounds=attack.contests, entrants=attack.entrants)
    skills = world.skills(rng)
    skills[ATTACKER] = world.mean + attack.ahead * world.deviation
    others = [
        1 + rng.permutation(attack.players - 1)[: attack.entrants - 1]
        for _ in range(attack.contests)
    ]
    entrants = np.insert(np.array(others), 0, ATTACKER, axis=-1)
    performances = world.performances(rng, skills[entrants])
    sign = -1.0 if system.shows.lowest_first else 1.0

    control, _ = _play(system, entrants, performances, lambda _contest, _rating: False)
    threshold = sign * control[attack.honest - 1] - attack.below
    until = attack.honest + attack.farming

    def throws(contest: int, rating: float) -> bool:
        if thrown is not None:
            return bool(thrown[contest])
        return attack.honest <= contest < until and sign * rating > threshold

    adversary, lost = _play(system, entrants, performances, throws)
    return FarmingResult(control, adversary, lost, float(sign * (adversary[-1] - control[-1])))


def _play(
    system: RatingSystem,
    entrants: Integers,
    performances: Floats,
    throws: Callable[[int, float], bool],
) -> tuple[Floats, Booleans]:
    """Return the attacker's rating after each contest, and which contests were thrown."""
    names = [str(number) for number in range(int(entrants.max()) + 1)]
    states = system.newcomers(len(names))
    ratings = np.empty(len(entrants))
    thrown = np.zeros(len(entrants), dtype=np.bool_)
    for contest, (players, performed) in enumerate(zip(entrants, performances, strict=True)):
        performed_now = performed.copy()
        thrown[contest] = throws(contest, float(states.rating[ATTACKER]))
        if thrown[contest]:
            performed_now[players == ATTACKER] = performed.min() - 1.0
        history = free_for_all(names, players[None], place(performed_now[None]), first_day=contest)
        states = final_states(system, history, states)
        ratings[contest] = states.rating[ATTACKER]
    return ratings, thrown
