"""The ticks of the last day, run again under their own rules and under others."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, cast

import pytest
from django.urls import reverse

from league.models import ArenaQueue, Job, Player, Tick, Ticket, User
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.jobs import jobs
from league.services.queue import rerunning
from league.services.queue.pairing import tick
from league.services.queue.queueing import join, leave
from league.services.queue.rerunning import Settings
from league.tasks import WORK
from tests.support.admin_steps import errors_of, form_on, staff
from tests.support.cast import NOW
from tests.support.queue_steps import crowd, everyone_is_there
from tests.support.result_steps import user_of
from tests.support.web_steps import words

if TYPE_CHECKING:
    from django.test import Client

__all__ = ["staff"]

pytestmark = pytest.mark.django_db

STEP = timedelta(seconds=30)


@pytest.fixture
def boss(olga: Player) -> User:
    return user_of(olga)


def evening(queue: ArenaQueue) -> None:
    """Seven players come in three waves, and whoever is left over from the first gives up."""
    players = crowd(7)
    for number, wave in enumerate((players[:3], players[3:5], players[5:])):
        now = NOW + number * STEP
        for player in wave:
            join(queue.arena, player, [], now=now)
        everyone_is_there()
        assert tick(queue.arena_id, now=now + STEP / 2, seed=1)
        if number == 0:
            left = Ticket.objects.waiting().get()
            leave(left.pk, by=left.captain, now=now + STEP / 2)


def rerun(queue: ArenaQueue, boss: User, settings: Settings) -> dict[str, Any]:
    now = NOW + 4 * STEP
    job = rerunning.ask(queue.arena, settings, by=boss, now=now)
    jobs.carry_out(job.pk, WORK, now)
    job.refresh_from_db()
    assert job.state == Job.State.DONE, job.refusal
    return cast("dict[str, Any]", job.result)


def settings_of(queue: ArenaQueue, **more: Any) -> Settings:
    rules = queue.matching()
    changed = rules.queue.model_copy(update=more)
    return Settings(queue.matcher, rules.model_copy(update={"queue": changed}))


def test_the_same_settings_make_the_same_matches(
    queue: ArenaQueue, boss: User, countless_reports: None
) -> None:
    queue.arena.team_size_max = queue.arena.team_size_min = 1
    queue.arena.save()
    evening(queue)
    proposed = sum(len(one.found) for one in Tick.objects.all())
    result = rerun(queue, boss, settings_of(queue))
    assert result["old"] == result["new"]
    assert (result["old"]["matches"], result["ticks"]) == (proposed, 3)
    assert result["differences"] == []
    assert result["old"]["median"] == 15.0


def test_stricter_settings_make_fewer_matches_and_longer_waits(
    queue: ArenaQueue, boss: User, countless_reports: None
) -> None:
    queue.arena.team_size_max = queue.arena.team_size_min = 1
    queue.arena.save()
    evening(queue)
    stored = list(Tick.objects.values_list("pk", "found"))
    result = rerun(queue, boss, settings_of(queue, potentials_min=5))
    assert result["new"]["matches"] < result["old"]["matches"]
    assert result["new"]["waiting"] > result["old"]["waiting"]
    assert [name for name, *_values in result["differences"]] == ["queue.potentials_min"]
    assert list(Tick.objects.values_list("pk", "found")) == stored


def test_a_queue_in_which_nobody_waited_has_nothing_to_run_again(
    queue: ArenaQueue, boss: User
) -> None:
    with pytest.raises(Refused, match="last 24 hours"):
        rerunning.ask(queue.arena, settings_of(queue), by=boss, now=NOW)


def test_olga_tries_settings_from_the_form_of_the_queue(
    staff: Client, queue: ArenaQueue, countless_reports: None
) -> None:
    queue.arena.team_size_max = queue.arena.team_size_min = 1
    queue.arena.save()
    evening(queue)
    Tick.objects.update(at=database_now() - timedelta(hours=1))
    page = reverse("admin:league_arenaqueue_change", args=[queue.pk])
    typed = {**form_on(staff, page), "_try": "Try"}
    wrong = staff.post(page, {**typed, "queue__potentials_min": "many"})
    assert "queue__potentials_min" in errors_of(wrong)
    assert not Job.objects.exists()
    staff.post(page, {**typed, "queue__potentials_min": "5"})
    job = Job.objects.get()
    jobs.carry_out(job.pk, WORK, database_now())
    done = staff.get(reverse("admin:league_job_change", args=[job.pk]))
    text = words(staff.get(done.context["result"]))
    assert "Matches made" in text
    assert "Nothing has been changed." in text
    queue.refresh_from_db()
    assert queue.matching().queue.potentials_min != 5
