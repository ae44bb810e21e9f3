"""Long work of staff is done once, as a whole or not at all, and pages say how far it is."""

from datetime import datetime
from typing import Any

import pytest
from django.core.cache import cache
from django.db import OperationalError
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext
from psycopg.errors import AdminShutdown

from league import tasks
from league.models import FormerName, Job, Player, User
from league.services.core.errors import Refused
from league.services.jobs import jobs
from tests.support.cast import NOW, account
from tests.support.result_steps import user_of
from tests.support.web_steps import browser_of, words


def leave_a_trace(job: Job) -> None:
    FormerName.objects.create(player=account("Trace"), name=f"Trace {job.pk}", given_up_at=NOW)


def work_hard(job: Job, progress: jobs.Progress, now: datetime) -> dict[str, Any]:
    leave_a_trace(job)
    progress("Working", 3, 4)
    return {"at": now.isoformat(), "given": job.given}


def refuse(job: Job, progress: jobs.Progress, now: datetime) -> None:
    leave_a_trace(job)
    raise Refused("line", "Line 7 has no winner.", field="file")


def crash(job: Job, progress: jobs.Progress, now: datetime) -> None:
    leave_a_trace(job)
    raise ZeroDivisionError


def lose_the_database(job: Job, progress: jobs.Progress, now: datetime) -> None:
    raise OperationalError from AdminShutdown()


def cancelled_meanwhile(job: Job, progress: jobs.Progress, now: datetime) -> None:
    leave_a_trace(job)
    jobs.cancel(job, NOW)
    progress("Working", 4, 4)
    raise AssertionError("the work went on")


WORK: dict[str, jobs.Work] = {
    "hard": work_hard,
    "refused": refuse,
    "crash": crash,
    "lost": lose_the_database,
    "cancelled": cancelled_meanwhile,
}


def done(kind: str, boss: User, **given: Any) -> Job:
    job = jobs.ask(kind, "Some work", by=boss, now=NOW, **given)
    jobs.carry_out(job.pk, WORK, NOW)
    job.refresh_from_db()
    return job


def test_work_is_done_once_and_its_result_kept(boss: User) -> None:
    job = done("hard", boss, season_id_of="x")
    jobs.carry_out(job.pk, WORK, NOW)
    job.refresh_from_db()
    assert job.state == Job.State.DONE
    assert job.result == {"at": NOW.isoformat(), "given": {"season_id_of": "x"}}
    assert FormerName.objects.count() == 1
    assert jobs.progress_of(job) == ("Working", 3, 4)


@pytest.mark.parametrize(
    ("kind", "state", "refusal"),
    [
        ("refused", Job.State.FAILED, "Line 7 has no winner."),
        ("crash", Job.State.FAILED, "Something went wrong and nothing was changed. See the log"),
        ("cancelled", Job.State.CANCELLED, ""),
    ],
)
def test_work_that_stops_changes_nothing(kind: str, state: str, refusal: str, boss: User) -> None:
    job = done(kind, boss)
    assert job.state == state
    assert job.refusal.startswith(refusal)
    assert not FormerName.objects.exists()


def test_whoever_asked_reads_how_it_went_in_their_language(boss: User) -> None:
    boss.language = "de"
    boss.save()
    with translation.override("de"):
        expected = gettext("Something went wrong and nothing was changed. See the log for details.")
    assert done("crash", boss).refusal == expected
    assert not expected.startswith("Something")


def test_a_job_waits_while_the_database_is_away(boss: User) -> None:
    with pytest.raises(OperationalError):
        done("lost", boss)
    assert jobs.waiting() == [Job.objects.get().pk]


def test_a_job_that_kills_its_workers_is_given_up(boss: User) -> None:
    job = jobs.ask("hard", "Some work", by=boss, now=NOW)
    Job.objects.filter(pk=job.pk).update(attempts=jobs.MOST_ATTEMPTS)
    jobs.carry_out(job.pk, WORK, NOW)
    job.refresh_from_db()
    assert (job.state, job.refusal) == (
        Job.State.FAILED,
        "Workers began it 3 times and were killed each time.",
    )


def test_only_failed_jobs_can_be_started_again(boss: User) -> None:
    failed, finished = done("crash", boss, line=3), done("hard", boss)
    again = jobs.retry(failed, by=boss, now=NOW)
    assert (again.kind, again.given, again.state) == ("crash", {"line": 3}, Job.State.WAITING)
    with pytest.raises(Refused, match="Only jobs that failed"):
        jobs.retry(finished, by=boss, now=NOW)


def test_the_page_shows_progress_until_the_job_is_done(
    boss: User, olga: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "WORK", WORK)
    browser = browser_of(olga)
    job = jobs.ask("hard", "Some work", by=boss, now=NOW)
    cache.delete(jobs.key(job))  # of another test's job with this number and time
    page = reverse("admin:league_job_change", args=[job.pk])
    waiting = browser.get(page)
    assert "Waiting for a worker" in words(waiting)
    assert f'content="3;url={page}"' in waiting.text  # without scripts, also behind an anchor
    jobs.Progress(job)("Rating matches", 3000, 4000)
    assert "Rating matches: 3,000 of 4,000" in words(browser.get(page))
    browser.post(page)
    assert "It stops at its next step." in words(browser.get(page))
    tasks.carry_out_jobs()
    assert "Cancelled. Nothing was changed." in words(browser.get(page))
    answer = browser.post(page, {"again": "1"}, follow=True)
    assert "The job was started again." in words(answer)
    tasks.carry_out_jobs()
    assert "Done." in words(browser.get(page.replace(str(job.pk), str(job.pk + 1))))


def test_other_staff_may_not_follow_a_job(boss: User, eve: Player) -> None:
    User.objects.filter(player=eve).update(is_staff=True)
    job = jobs.ask("hard", "Some work", by=boss, now=NOW)
    browser = Client()
    browser.force_login(user_of(eve))
    page = reverse("admin:league_job_change", args=[job.pk])
    assert browser.get(page).status_code == browser.post(page).status_code == 403
    for unknown in ("999999", "x", "9" * 30):
        address = reverse("admin:league_job_change", args=[unknown])
        assert browser.get(address).status_code == 404
