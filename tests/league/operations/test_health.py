"""What monitors hear: whether the site is up and ready, soon and whatever else hangs."""

from __future__ import annotations

import time
from datetime import timedelta
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test import Client

from league import heartbeats
from league.models import Backup
from league.services.core.clock import database_now
from league.services.operations import readiness
from league.worker_signals import BEAT, DONE, WORKERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_django import Settings

    from league.models import Player

    BrokerAt = Callable[[str], None]

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("fresh_metrics"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning"),
]


def ask(address: str = "/readyz", **headers: str) -> Any:
    return Client().get(address, **headers)  # type: ignore[arg-type] # headers of WSGI


def seen(what: str, seconds_ago: float) -> None:
    at = heartbeats.valkey_time(heartbeats.client()) - seconds_ago
    heartbeats.client().hset(heartbeats.KEY, what, str(at))


@pytest.fixture
def everyone_there(fresh_metrics: object) -> None:
    for process in (BEAT, *WORKERS.values(), f"{DONE}update_standings"):
        seen(process, 3)


@pytest.mark.usefixtures("everyone_there")
def test_a_site_is_ready_and_says_why_by_one_line_a_check(settings: Settings) -> None:
    settings.BACKUP_FOLDER = "/backups"
    Backup.objects.create(made_at=database_now() - timedelta(hours=5), name="a")
    answer = ask()
    assert answer.status_code == 200
    assert answer.json() == {
        "ready": True,
        "ok": True,
        "checks": {
            "database": "ok: answers",
            "broker": "ok: answers",
            "beat": "ok: last seen 3 s ago",
            "worker-ticks": "ok: last seen 3 s ago",
            "worker-settling": "ok: last seen 3 s ago",
            "worker-slow": "ok: last seen 3 s ago",
            "worker-outgoing": "ok: last seen 3 s ago",
            "standings": "ok: up to date",
            "backup": "ok: the last one was made 5 hours ago",
        },
    }
    assert len(answer.content.splitlines()) == 15
    assert "no-store" in answer.headers["Cache-Control"]


def test_what_only_delays_work_leaves_the_site_ready() -> None:
    answer = ask()
    assert answer.status_code == 200
    assert answer.json()["ready"]
    assert not answer.json()["ok"]
    assert answer.json()["checks"]["beat"] == "failed: not seen yet"
    alone = ask("/readyz/beat")
    assert (alone.status_code, alone.json()["reason"]) == (503, "not seen yet")
    assert alone.headers["Retry-After"]
    assert ask("/readyz/broker").status_code == 200
    assert ask("/readyz/nothing").status_code == 404


@pytest.mark.usefixtures("everyone_there")
@pytest.mark.parametrize("process", [BEAT, *WORKERS.values()])
def test_a_process_that_was_not_seen_for_a_minute_is_named(process: str) -> None:
    seen(process, 61)
    answer = ask()
    assert answer.status_code == 200
    assert answer.json()["checks"][process] == "failed: last seen 61 s ago"


def test_standings_are_late_when_changes_wait_for_a_minute() -> None:
    def said(seconds_ago: float | None) -> str:
        if seconds_ago is not None:
            seen(f"{DONE}update_standings", seconds_ago)
        facts = readiness.ask_database()
        return str(readiness.standings(facts, readiness.ask_broker()))

    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO league_standingchange (season_id, player_id) VALUES (1, 1)")
    assert "ok=False, reason='changes wait, and no worker has updated them yet'" in said(None)
    assert "ok=False, reason='changes have waited for up to 61 s'" in said(61)
    assert "ok=True, reason='changes have waited for up to 2 s'" in said(2)
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM league_standingchange")
    assert "ok=True, reason='up to date'" in said(61)


def test_a_failed_or_late_backup_is_told_without_its_reason(settings: Settings) -> None:
    settings.BACKUP_FOLDER = "/backups"
    now = database_now()

    def said() -> str:
        return str(readiness.backup(readiness.ask_database()))

    Backup.objects.create(made_at=now - timedelta(hours=49), name="a")
    late = "the last one was made 2 days 1 hour ago, but one is due every 24 hours"
    assert f"ok=False, reason='{late}'" in said()
    settings.BACKUP_HOURS = 36
    assert "ok=True, reason='the last one was made 2 days 1 hour ago'" in said()
    Backup.objects.create(made_at=now - timedelta(hours=1), name="b", problem="secret-host")
    assert 'ok=False, reason="the last one failed' in said()
    assert "secret-host" not in said()


@pytest.mark.usefixtures("everyone_there")
def test_a_site_without_a_backup_is_ready_but_not_all_right(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readiness, "FRESH", 0.0)
    settings.BACKUP_FOLDER = "/backups"
    answer = ask()
    assert answer.status_code == 200
    assert answer.json()["ready"]
    assert not answer.json()["ok"]
    assert answer.json()["checks"]["backup"] == "failed: none was made yet"
    assert ask("/readyz/backup").status_code == 503
    Backup.objects.create(made_at=database_now(), name="a")
    assert ask().json()["ok"]
    assert ask("/readyz/backup").status_code == 200


@pytest.mark.usefixtures("everyone_there")
def test_a_site_that_schedules_no_backups_is_not_asked_for_one(settings: Settings) -> None:
    settings.BACKUP_FOLDER = ""
    assert ask().json()["ok"]
    assert "backup" not in ask().json()["checks"]
    assert ask("/readyz/backup").status_code == 404


@pytest.mark.parametrize("address", ["10.1.2.3", "localhost:8000", "web", "[::1]", "evil.example"])
def test_monitors_ask_by_any_name_without_tls_also_in_production(
    address: str, settings: Settings
) -> None:
    settings.ALLOWED_HOSTS = ["league.example"]
    settings.SECURE_SSL_REDIRECT = True
    for path in ("/healthz", "/readyz", "/readyz/database", "/metrics"):
        answer = ask(path, HTTP_HOST=address)
        assert (path, answer.status_code) == (path, 200)
    settings.SECURE_SSL_REDIRECT = False
    assert ask("/", HTTP_HOST=address).status_code == 400


def within_two_seconds(address: str = "/readyz") -> Any:
    ask("/healthz")  # the first request of a process imports the pages
    began = time.monotonic()
    answer = ask(address)
    assert time.monotonic() - began < 2
    return answer


def test_a_database_that_hangs_is_named_within_two_seconds_also_to_many(
    silent: int, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = Client()
    assert alice.user
    browser.force_login(alice.user)
    monkeypatch.setitem(connection.settings_dict, "HOST", "127.0.0.1")
    monkeypatch.setitem(connection.settings_dict, "PORT", str(silent))
    answer = within_two_seconds()
    assert answer.status_code == 503
    assert answer.json()["checks"]["database"] == "failed: does not answer in time"
    assert answer.json()["checks"]["broker"] == "ok: answers"
    assert within_two_seconds("/healthz").json() == {"alive": True}

    askers = [Thread(target=within_two_seconds) for _ in range(5)]
    began = time.monotonic()
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    assert time.monotonic() - began < 4
    monkeypatch.undo()
    assert browser.get("/").status_code == 200


def test_a_database_that_is_gone_is_named_without_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connection.settings_dict, "HOST", "/nowhere-secret")
    answer = within_two_seconds()
    assert answer.status_code == 503
    assert answer.json()["checks"]["database"] == "failed: does not answer"
    assert "secret" not in answer.content.decode()
    assert within_two_seconds("/metrics").status_code == 200


def test_a_broker_that_hangs_or_is_gone_is_named(broker_at: BrokerAt, silent: int) -> None:
    broker_at(f"redis://127.0.0.1:{silent}/0")
    answer = within_two_seconds()
    assert answer.status_code == 503
    assert answer.json()["checks"]["broker"].startswith("failed: does not answer")
    assert answer.json()["checks"]["database"] == "ok: answers"
    assert (
        answer.json()["checks"]["worker-ticks"] == "failed: unknown, as the broker does not answer"
    )


def test_no_session_is_read_and_nothing_is_written() -> None:
    assert not ask("/healthz", HTTP_COOKIE="sessionid=nonsense").cookies
    assert ask("/healthz").headers.get("X-Request-ID") is None
    assert Client().post("/healthz").status_code == 405
    assert Client().post("/metrics").status_code == 405
