"""Real workers share the systems of a comparison, and a lost worker leaves none behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from league import waking
from league.models import Job, Player
from league.services.core.clock import database_now
from league.services.laboratory import asking, entries, histories
from tests.support.cast import arena
from tests.support.celery_steps import RESUMES_WITHIN, STARTS_WITHIN, Crew, happens_within, kill
from tests.support.lab_steps import play_duels
from tests.support.result_steps import user_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.django_db(transaction=True)

TRIED = {"laurel": ["drift", "drift_per_year"], "elo-mmr": ["weight_limit", "sig_limit", "beta"]}


@pytest.fixture
def crew(tmp_path: Path) -> Iterator[Crew]:
    made = Crew(tmp_path)
    yield made
    made.end()


def states(made: list[Job]) -> list[str]:
    found = Job.objects.filter(pk__in=[job.pk for job in made]).order_by("pk")
    return list(found.values_list("state", flat=True))


def test_a_comparison_is_finished_also_after_its_worker_was_killed(
    crew: Crew, olga: Player
) -> None:
    one = arena("chess", rating_system="elo")
    play_duels(one, 400, players=40)
    season = histories.season_of(one)
    assert season
    split = histories.middle_of(season, 400)
    found = entries.entries(one, TRIED)
    made = asking.ask(one, found, split, by=user_of(olga), now=database_now())
    for job in made:
        waking.begin_job(job)
    worker = crew.worker(at_a_time=1)
    begun = Job.objects.filter(attempts__gt=0)
    assert happens_within(begun.exists, STARTS_WITHIN)
    kill(worker)
    assert "waiting" in states(made)

    crew.worker()
    crew.worker()
    crew.clock()
    done = ["done"] * 3
    assert happens_within(lambda: states(made) == done, STARTS_WITHIN + RESUMES_WITHIN)
    trials = [job.result["trial"] for job in Job.objects.order_by("pk")]
    assert [trial["system"] for trial in trials] == ["elo", "laurel", "elo-mmr"]
    assert {trial["matches"] for trial in trials} == {200}
