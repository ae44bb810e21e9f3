"""The ticks of the last day, run again under their own rules and under others."""

from datetime import timedelta
from typing import Any, cast

import pytest
from django.test import Client
from django.urls import reverse

from league.models import ArenaQueue, Job, StaffAction, Tick, Ticket, User
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.jobs import jobs
from league.services.queue import rerunning
from league.services.queue.queueing import join, leave
from league.services.queue.rerunning import Settings
from league.services.queue.ticks import tick
from league.work import WORK
from tests.support.admin_steps import FormReader, errors_of, form_on, send, staff
from tests.support.cast import NOW
from tests.support.queue_steps import crowd, everyone_is_there
from tests.support.web_steps import words

__all__ = ["staff"]


STEP = timedelta(seconds=30)


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


def typed_page(queue: ArenaQueue) -> str:
    return reverse("admin:league_arenaqueue_change", args=[queue.pk])


@pytest.fixture
def rerun_job(staff: Client, queue: ArenaQueue, countless_reports: None) -> Job:
    """A re-run of an evening with five potential matches, as Olga typed it."""
    queue.arena.team_size_max = queue.arena.team_size_min = 1
    queue.arena.save()
    evening(queue)
    Tick.objects.update(at=database_now() - timedelta(hours=1))
    typed = {**form_on(staff, typed_page(queue)), "_try": "Try"}
    wrong = staff.post(typed_page(queue), {**typed, "queue__potentials_min": "many"})
    assert "queue__potentials_min" in errors_of(wrong)
    assert not Job.objects.exists()
    staff.post(typed_page(queue), {**typed, "queue__potentials_min": "5"})
    job = Job.objects.get()
    jobs.carry_out(job.pk, WORK, database_now())
    return job


def result_page(job: Job) -> str:
    return reverse("admin:league_arenaqueue_rerun", args=[job.pk])


def to_apply(staff: Client, job: Job) -> dict[str, Any]:
    """Return what the button to apply the settings sends, without a reason."""
    page = staff.get(result_page(job))
    assert page.context["may_apply"]
    sent: dict[str, Any] = {}
    for name, value in page.context["typed"]:
        sent.setdefault(name, []).append(value)
    return {**sent, "_rerun": str(job.pk), "_save": "1"}


def least(queue: ArenaQueue) -> int:
    queue.refresh_from_db()
    return queue.matching().queue.potentials_min


def test_olga_tries_settings_from_the_form_of_the_queue(
    staff: Client, queue: ArenaQueue, rerun_job: Job
) -> None:
    done = staff.get(reverse("admin:league_job_change", args=[rerun_job.pk]))
    text = words(staff.get(done.context["result"]))
    assert "Matches made" in text
    assert "Nothing has been changed." in text
    assert least(queue) != 5


def test_olga_applies_what_she_tried_without_typing_it_again(
    staff: Client, queue: ArenaQueue, rerun_job: Job
) -> None:
    sent = to_apply(staff, rerun_job)
    nothing = errors_of(staff.post(typed_page(queue), sent))
    assert nothing == {"__all__": ["Give a reason for the staff log."]}
    assert least(queue) != 5
    sent["_reason"] = "Fairer by far."
    assert staff.post(typed_page(queue), sent).status_code == 302
    assert least(queue) == 5
    action = StaffAction.objects.latest("pk")
    assert (action.kind, action.reason) == ("changed", "Fairer by far.")
    page = staff.get(result_page(rerun_job))
    assert "have been applied already" in words(page)
    again = errors_of(staff.post(typed_page(queue), {**sent, "queue__potentials_min": "6"}))
    assert "These settings have been applied already." in again["__all__"]
    assert least(queue) == 5


def test_settings_that_somebody_changed_meanwhile_are_shown_before_they_are_applied(
    staff: Client, queue: ArenaQueue, rerun_job: Job
) -> None:
    send(staff, typed_page(queue), {"ready_window": "2m"})
    sent = {**to_apply(staff, rerun_job), "_reason": "Fairer."}
    response = staff.post(typed_page(queue), sent)
    assert [one.what for one in response.context["meanwhile"]] == ["Ready window"]
    assert least(queue) != 5
    reader = FormReader()
    reader.feed(response.content.decode())
    assert (reader.values["_rerun"], reader.values["_reason"]) == (str(rerun_job.pk), "Fairer.")
    assert staff.post(typed_page(queue), {**reader.values, "_save": "1"}).status_code == 302
    assert least(queue) == 5
    assert queue.ready_window == timedelta(minutes=2)
    rerun_job.refresh_from_db()
    assert rerun_job.result["outcome"] == "applied"


def test_olga_discards_what_she_tried(staff: Client, queue: ArenaQueue, rerun_job: Job) -> None:
    sent = {**to_apply(staff, rerun_job), "_reason": "Fairer."}
    assert staff.post(result_page(rerun_job), {"reason": " "}).status_code == 200
    assert staff.post(result_page(rerun_job), {"reason": "Too slow."}).status_code == 302
    action = StaffAction.objects.get(kind=StaffAction.Kind.DELETED)
    assert action.reason == "Too slow."
    assert action.before is not None
    assert action.before["queue.potentials_min"] == 5
    assert "have been discarded" in words(staff.get(result_page(rerun_job)))
    refused = errors_of(staff.post(typed_page(queue), sent))
    assert refused == {"__all__": ["These settings have been discarded."]}
    assert "have been discarded" in words(staff.post(result_page(rerun_job), {"reason": "Again."}))
    assert least(queue) != 5


@pytest.mark.parametrize("number", ["", "x", "999999", "9" * 30])
def test_a_rerun_that_is_gone_is_not_applied(
    staff: Client, queue: ArenaQueue, rerun_job: Job, number: str
) -> None:
    sent = {**to_apply(staff, rerun_job), "_reason": "Fairer.", "_rerun": number}
    assert "no longer exists" in errors_of(staff.post(typed_page(queue), sent))["__all__"][0]
    assert least(queue) != 5
