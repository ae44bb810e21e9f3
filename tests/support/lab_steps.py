"""Steps for tests of the rating laboratory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from league.models import Job
from league.services.core.clock import database_now
from league.services.jobs import jobs
from league.services.laboratory import working
from league.services.laboratory.entries import OWN, Entry
from league.services.laboratory.histories import corrections_of
from league.work import WORK
from ratings.history import Match, Participant, Side
from tests.support.cast import NOW
from tests.support.imported_histories import HOUR, START, import_matches

if TYPE_CHECKING:
    from collections.abc import Mapping

    from league.models import Arena, Season, User


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


def play_rounds(arena: Arena, count: int, *, sides: int, size: int, seed: int = 1) -> None:
    """Import matches of so many sides of so many players, with random places."""
    rng = np.random.default_rng(seed)
    matches = []
    for number in range(count):
        people = rng.permutation(2 * sides * size)[: sides * size].reshape(sides, size).tolist()
        places = rng.permutation(sides).tolist()
        playing = [
            Side(place, [Participant(f"Player {one}") for one in team])
            for place, team in zip(places, people, strict=True)
        ]
        matches.append(Match(str(number), START + 3 * HOUR * number, playing))
    import_matches(arena, matches)


def work_off() -> list[Job]:
    """Let a worker do the waiting jobs, and return them."""
    found = jobs.waiting()
    for job in found:
        jobs.carry_out(job, WORK, database_now())
    return list(Job.objects.filter(pk__in=found).order_by("pk"))


def a_done_comparison(
    season: Season, by: User, parameters: Mapping[str, object] | None = None
) -> Job:
    """A comparison of a season's own rules, or of its system with other parameters."""
    entry = Entry(OWN, season.rating_system, parameters or season.rating_parameters)
    made = jobs.ask(
        "lab",
        "A comparison",
        by=by,
        now=NOW,
        arena=season.arena,
        season=season,
        comparison="c",
        split=0,
        horizon=season.matches.rated().latest("rated_order").rated_order,
        corrections=corrections_of(season),
        version=season.rules_version,
        at=NOW.isoformat(),
        **entry.written(),
    )
    made.state = Job.State.DONE
    made.result = working.carry_out(made, jobs.Progress(made), NOW)
    made.save()
    return made
