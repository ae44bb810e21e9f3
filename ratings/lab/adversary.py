"""Volatility farming: does losing on purpose pay?

Source: A. Ebtekar and P. Liu, "Elo-MMR", 2021, section 5.1 and figure 2. A strong player first
plays honestly, then throws every contest in which their rating is above a threshold, then plays
honestly again. Where a system moves erratic players further, the last honest contests can carry
such a player above what honesty all along would have given.

The field is made up, and the same performances are played twice: honestly (control) and with the
attack (adversary). The attacker adapts: whether to throw the next contest depends on the rating
that the system under attack has just given.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ratings.lab.synthetic import World, free_for_all, placed
from ratings.replay import final_states

if TYPE_CHECKING:
    from collections.abc import Callable

    from ratings.system import RatingSystem
    from ratings.types import Booleans, Floats, Integers

ATTACKER = 0
"""The attacker's row among the players."""


@dataclass(frozen=True)
class Attack:
    """The field and the plan; the plan's lengths are the paper's."""

    players: int = 500
    entrants: int = 100
    """Of each contest, the attacker among them."""
    ahead: float = 3.0
    """The attacker's skill, in widths of the field above its mean."""
    honest: int = 45
    """Contests before the attack."""
    farming: int = 45
    final: int = 15
    """Honest contests after it."""
    below: float = 0.0
    """The threshold, in rating points below the rating that honesty had given before the attack."""

    @property
    def contests(self) -> int:
        return self.honest + self.farming + self.final


@dataclass(frozen=True)
class Farmed:
    """The attacker's ratings ``(contests,)`` after each contest, both ways."""

    control: Floats
    adversary: Floats
    thrown: Booleans
    """``(contests,)`` the contests that the adversary lost on purpose."""
    gain: float
    """Rating points by which the adversary is better off in the end; below 0 if worse."""


def farm(
    system: RatingSystem,
    attack: Attack,
    rng: np.random.Generator,
    thrown: Booleans | None = None,
) -> Farmed:
    """Attack ``system``; the same generator state gives the same field and performances.

    With ``thrown`` the attacker throws those contests, whatever the rating: so an attack on one
    system can be carried over to another. Raises ``UnsupportedMatch`` if the system rates no
    free-for-all of that size.
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

    control, _ = _played(system, entrants, performances, lambda _contest, _rating: False)
    threshold = sign * control[attack.honest - 1] - attack.below
    until = attack.honest + attack.farming

    def throws(contest: int, rating: float) -> bool:
        if thrown is not None:
            return bool(thrown[contest])
        return attack.honest <= contest < until and sign * rating > threshold

    adversary, lost = _played(system, entrants, performances, throws)
    return Farmed(control, adversary, lost, float(sign * (adversary[-1] - control[-1])))


def _played(
    system: RatingSystem,
    entrants: Integers,
    performances: Floats,
    throws: Callable[[int, float], bool],
) -> tuple[Floats, Booleans]:
    """The attacker's rating after each contest, and which were thrown."""
    names = [str(number) for number in range(int(entrants.max()) + 1)]
    states = system.newcomers(len(names))
    ratings = np.empty(len(entrants))
    thrown = np.zeros(len(entrants), dtype=np.bool_)
    for contest, (players, performed) in enumerate(zip(entrants, performances, strict=True)):
        shown = performed.copy()
        thrown[contest] = throws(contest, float(states.rating[ATTACKER]))
        if thrown[contest]:
            shown[players == ATTACKER] = performed.min() - 1.0
        history = free_for_all(names, players[None], placed(shown[None]), first_day=contest)
        states = final_states(system, history, states)
        ratings[contest] = states.rating[ATTACKER]
    return ratings, thrown
