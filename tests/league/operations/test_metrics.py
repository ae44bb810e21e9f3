"""Metrics: who may read them, and that they count what every process does."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings

from league.kinds import KINDS
from league.models import Arena, Backup, Player, Status
from league.services.core.clock import database_now
from tests.support.cast import beats_as_agreed
from tests.support.celery_steps import STARTS_WITHIN, Crew, happens_within
from tests.support.web_steps import browser_of

LOCAL = {"REMOTE_ADDR": "127.0.0.1"}


def samples(**headers: str) -> dict[str, float]:
    """Return the metrics by name and labels: ``laurel_tasks_total(success,back_up)``.

    Labels are in the order of their names.
    """
    answer: Any = Client().get("/metrics", **headers)  # type: ignore[arg-type] # headers of WSGI
    assert answer.status_code == 200
    return {
        f"{sample.name}({','.join(value for _, value in sorted(sample.labels.items()))})": (
            sample.value
        )
        for family in text_string_to_metric_families(answer.content.decode())
        for sample in family.samples
    }


def test_requests_are_counted_by_route_and_status_and_never_by_address(
    fresh_metrics: None, duel: Arena, alice: Player
) -> None:
    browser = browser_of(alice)
    for _ in range(3):
        browser.get("/arenas/duel/")
    browser.get("/arenas/nowhere/")
    for address in ("/wp-login.php", "/secret-of-a-visitor/"):
        browser.get(address)
    browser.generic("BREW", "/")
    found = samples()
    assert found["laurel_requests_total(GET,/arenas/<slug:slug>/,200)"] == 3
    assert found["laurel_requests_total(GET,/arenas/<slug:slug>/,404)"] == 1
    assert found["laurel_requests_total(GET,unknown,404)"] == 2
    assert found["laurel_requests_total(other,/,405)"] == 1
    assert found["laurel_request_seconds_count(/arenas/<slug:slug>/)"] == 4
    assert found["laurel_request_seconds_bucket(+Inf,/arenas/<slug:slug>/)"] == 4
    assert 0 < found["laurel_request_seconds_sum(/arenas/<slug:slug>/)"] < 60
    assert found["laurel_check_ok(database)"] == 1
    assert found["laurel_check_ok(beat)"] == 0
    assert found["laurel_standings_lag_seconds()"] == 0
    assert not any("secret" in name or "metrics" in name for name in found)


@pytest.mark.django_db(transaction=True)
def test_the_age_of_backups_sets_off_an_alert_also_if_there_is_none(
    fresh_metrics: None, settings: Settings
) -> None:
    settings.BACKUP_FOLDER, settings.BACKUP_HOURS = "/backups", 6
    now = database_now()
    Backup.objects.create(made_at=now, name="a", problem="The disk is full.")
    found = samples()
    assert found["laurel_backup_interval_seconds()"] == 6 * 3600
    assert found["laurel_backup_age_seconds()"] == float("inf")
    assert found["laurel_check_ok(backup)"] == 0
    Backup.objects.create(made_at=now - timedelta(hours=5), name="b")
    assert samples()["laurel_backup_age_seconds()"] == pytest.approx(5 * 3600, abs=60)


def test_the_page_adds_up_all_processes_also_those_of_other_containers(
    fresh_metrics: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))
    lines = "measuring.tasks.labels('a b', 'x').inc(); measuring.rating_seconds.observe(0.3)"
    same = "import os; os.getpid = lambda: 7; import socket; socket.gethostname = lambda: "
    for host in ("one", "two"):  # the first process of each container has the same number
        command = f"{same}'{host}'; from league import measuring; {lines}"
        environment = {**os.environ, "LAUREL_OFFLINE": "1"}
        subprocess.run([sys.executable, "-c", command], env=environment, check=True)
    assert len(list(tmp_path.glob("counter_*.db"))) == 2
    found = samples()
    assert found["laurel_tasks_total(x,a b)"] == 2
    assert found["laurel_rating_seconds_bucket(0.25)"] == 0
    assert found["laurel_rating_seconds_bucket(0.5)"] == 2
    assert found["laurel_rating_seconds_sum()"] == pytest.approx(0.6)
    assert found["laurel_check_ok(database)"] == 1


@pytest.mark.parametrize(
    ("token", "behind_proxy", "headers", "status"),
    [
        ("", False, {}, 200),
        ("", False, {"REMOTE_ADDR": "::1"}, 200),
        ("", False, {"REMOTE_ADDR": "10.0.0.5"}, 403),
        ("", False, {"REMOTE_ADDR": ""}, 403),
        ("", False, {"HTTP_X_FORWARDED_FOR": "127.0.0.1"}, 403),
        ("", False, {"HTTP_FORWARDED": "for=127.0.0.1"}, 403),
        ("", True, {}, 403),
        ("", False, {"REMOTE_ADDR": "10.0.0.5", "HTTP_AUTHORIZATION": "Bearer "}, 403),
        ("pässword", True, {"HTTP_AUTHORIZATION": "Bearer other"}, 401),
        ("token", False, {}, 401),
        ("token", False, {"HTTP_AUTHORIZATION": "Basic token"}, 401),
        ("token", False, {"HTTP_AUTHORIZATION": "Bearer tokens"}, 401),
        ("token", True, {"HTTP_AUTHORIZATION": "Bearer token", "REMOTE_ADDR": "10.0.0.5"}, 200),
    ],
)
def test_metrics_are_for_this_machine_or_for_who_has_the_token(
    token: str,
    behind_proxy: bool,
    headers: dict[str, str],
    status: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(settings, "METRICS_TOKEN", token)
    monkeypatch.setattr(settings, "PROXY_HOPS", int(behind_proxy))
    answer: Any = Client().get("/metrics", **{**LOCAL, **headers})  # type: ignore[arg-type] # headers of WSGI
    assert answer.status_code == status
    assert (b"laurel_" in answer.content) == (status == 200)


@pytest.fixture
def crew(fresh_metrics: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Crew]:
    monkeypatch.setenv("LAUREL_LOG", "json")
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))
    made = Crew(tmp_path)
    yield made
    made.end()


@pytest.mark.django_db(transaction=True)
def test_workers_and_beat_tell_what_they_do_and_log_json_with_task_ids(
    crew: Crew, duel: Arena, alice: Player, charlie: Player
) -> None:
    now = database_now()
    match = beats_as_agreed(
        alice, charlie, duel, now=now - duel.confirmation_window - timedelta(seconds=1)
    )
    worker, _clock = crew.worker(), crew.clock()

    def is_rated() -> bool:
        match.refresh_from_db()
        return match.status == Status.RATED

    assert happens_within(is_rated, STARTS_WITHIN)
    done = "laurel_tasks_total(success,confirm_expired_reports)"
    assert happens_within(lambda: samples().get(done), 10)
    found = samples()
    assert found["laurel_rating_seconds_count()"] == 1
    for process in ("beat", "worker-ticks", "worker-settling"):
        assert found[f"laurel_check_ok({process})"] == 1
        assert found[f"laurel_heartbeat_age_seconds({process})"] < 10
    assert {f"laurel_messages({kind})" for kind in KINDS} <= found.keys()
    assert found["laurel_task_age_seconds(start_due_ticks)"] < 10

    from league.celery import app  # noqa: PLC0415 - of the process under test

    app.send_task("league.tasks.tick_queue", ["nonsense"])
    failed = "laurel_tasks_total(failure,tick_queue)"
    assert happens_within(lambda: samples().get(failed), 10)
    lines = [json.loads(line) for line in crew.log_of(worker).splitlines() if line[:1] == "{"]
    [error] = [line for line in lines if line["level"] == "ERROR"]
    assert error["task"] == "tick_queue"
    assert len(error["task_id"]) == 36
    assert "ValueError" in error["exc_info"]
    assert any(" ready." in line["message"] for line in lines)
    assert not any("received" in line["message"] for line in lines)
