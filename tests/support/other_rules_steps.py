"""Steps for tests of other rules."""

import numpy as np

from league.models import Arena, Job, Season, Trial, User
from league.services.core.clock import database_now
from league.services.jobs import jobs
from league.services.other_rules import asking
from league.services.other_rules.candidates import TYPED, Candidate
from league.work import WORK
from ratings.history import History, Match, Participant, Side
from tests.support.cast import NOW
from tests.support.imported_histories import HOUR, START, import_matches


def play_duels(
    arena: Arena,
    count: int,
    players: int = 8,
    seed: int = 1,
    *,
    draws: float = 0.0,
    turned: int | None = None,
) -> History:
    """Import duels between players of different skill, one in three hours, and return them.

    A share of ``draws`` is drawn, and the one numbered ``turned`` ended the other way round.
    """
    rng = np.random.default_rng(seed)
    skills = rng.normal(0, 1.2, players)
    matches = []
    for number in range(count):
        one, other = rng.choice(players, 2, replace=False).tolist()
        won = (rng.random() < 1 / (1 + np.exp(skills[other] - skills[one]))) != (number == turned)
        lost = 0 if draws and rng.random() < draws else 1
        sides = [
            Side(0 if won else lost, [Participant(f"Player {one}")]),
            Side(lost if won else 0, [Participant(f"Player {other}")]),
        ]
        matches.append(Match(str(number), START + 3 * HOUR * number, sides))
    import_matches(arena, matches)
    return History.build(matches)


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


def a_trial(season: Season, by: User) -> tuple[Trial, Job]:
    """A trial of another largest change, which a worker has done, and its job."""
    parameters = {**season.rating_parameters, "rating_max_change": 100}
    typed = Candidate(TYPED, season.rating_system, parameters)
    job = asking.ask(season, [typed], season.starts_at, by=by, now=NOW)
    jobs.carry_out(job.pk, WORK, NOW)
    job.refresh_from_db()
    assert job.state == Job.State.DONE, job.refusal
    return Trial.objects.get(pk=job.given["trial"]), job
