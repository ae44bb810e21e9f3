"""Steps for tests of the rating laboratory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from league.models import Job
from league.services.core.clock import database_now
from league.services.jobs import jobs
from league.tasks import WORK
from ratings.history import Match, Participant, Side
from tests.support.imported_histories import HOUR, START, import_matches

if TYPE_CHECKING:
    from league.models import Arena


def play_duels(arena: Arena, count: int, players: int = 8, seed: int = 1) -> None:
    """Import duels between players of different skill, one in three hours."""
    rng = np.random.default_rng(seed)
    skills = rng.normal(0, 1.2, players)
    matches = []
    for number in range(count):
        one, other = rng.choice(players, 2, replace=False).tolist()
        won = rng.random() < 1 / (1 + np.exp(skills[other] - skills[one]))
        sides = [
            Side(0 if won else 1, [Participant(f"Player {one}")]),
            Side(1 if won else 0, [Participant(f"Player {other}")]),
        ]
        matches.append(Match(str(number), START + 3 * HOUR * number, sides))
    import_matches(arena, matches)


def work_off() -> list[Job]:
    """Let a worker do the waiting jobs, and return them."""
    found = jobs.waiting()
    for job in found:
        jobs.carry_out(job, WORK, database_now())
    return list(Job.objects.filter(pk__in=found).order_by("pk"))
