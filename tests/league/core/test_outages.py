"""What visitors get while the database or the disk is out of order, and afterwards."""

import errno
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg
import pytest
from django.db import OperationalError, close_old_connections, connection, transaction
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from league.models import Arena, Match, Player
from league.outages import Outage, outage_behind
from league.web.core.outages import explanation
from tests.support.api_steps import by_token, send, win
from tests.support.cast import beats_as_agreed
from tests.support.celery_steps import database_url, happens_within
from tests.support.frozen import Freezer
from tests.support.full_disk import full_disk
from tests.support.web_steps import browser_of, result_form, words

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("duel")]
REPORTS = "/api/v1/arenas/duel/reports/"


def new_pool() -> None:
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined] # of PostgreSQL alone


def visitor() -> Client:
    return Client(raise_request_exception=False)


def kill_connection() -> None:
    """End this thread's connection to PostgreSQL, as an administrator or a crash would."""
    pid = connection.connection.info.backend_pid
    with psycopg.connect(database_url(), autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])


@contextmanager
def killed(at: str) -> Iterator[None]:
    """Kill the connection before the first statement that contains ``at``."""
    hit: list[str] = []

    def watch(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if at in sql and not hit:
            hit.append(sql)
            kill_connection()
        return execute(sql, *rest)

    with connection.execute_wrapper(watch):
        yield


def test_a_page_whose_connection_is_lost_says_when_to_come_back() -> None:
    with killed("league_arena"):
        page = visitor().get("/")
    assert (page.status_code, page["Retry-After"]) == (503, "5")
    assert page["Cache-Control"] == "no-store"
    assert "The site's database does not respond" in words(page)
    assert "Your last entry" not in words(page)
    close_old_connections()  # as after each request, but those of tests
    with killed("league_arena"):
        answer = visitor().get("/api/v1/arenas/")
    assert (answer.status_code, answer["Content-Type"]) == (503, "application/problem+json")
    assert answer.json()["code"] == "unavailable"
    close_old_connections()
    assert visitor().get("/").status_code == 200


def test_a_report_whose_connection_is_lost_is_not_stored_twice(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    program = by_token(alice)
    program.raise_request_exception = False
    body = win(alice, charlie, client_token=str(uuid4()))
    with killed('INSERT INTO "league_match"'):
        answer = send(program, REPORTS, body)
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert answer.json()["errors"] == []
    close_old_connections()
    assert send(program, REPORTS, body).status_code == 201
    assert Match.objects.count() == 1


def test_while_the_disk_is_full_everything_can_be_read(
    duel: Arena, alice: Player, charlie: Player, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    program = by_token(alice)
    program.raise_request_exception = False
    with full_disk("league_match"):
        answer = send(program, REPORTS, win(alice, charlie))
        assert (answer.status_code, answer["Retry-After"]) == (503, "30")
        assert answer.json()["code"] == "disk_full"
        browser = browser_of(alice)
        browser.raise_request_exception = False
        form = result_form("Charlie")
        page = browser.post(reverse("report", args=["duel"]), form)
        assert page.status_code == 503
        assert explanation(Outage.FULL) in words(page)
        assert "Your last entry may not have been saved" in words(page)
        assert browser.get(duel.get_absolute_url()).status_code == 200
    assert len(caplog.records) == 2
    for line in caplog.records:
        assert line.exc_info is None
        text = line.getMessage()
        assert text.startswith("503 /")
        assert text.endswith('could not extend file "base/1/2": No space left on device')
    assert browser.post(reverse("report", args=["duel"]), form).status_code == 302
    assert Match.objects.count() == 1


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let this process have limits as gunicorn's have, but shorter ones."""
    monkeypatch.setenv("PGOPTIONS", "-c statement_timeout=500 -c lock_timeout=300")
    new_pool()
    yield
    new_pool()


@pytest.mark.usefixtures("limits")
def test_nobody_waits_long_for_a_lock(duel: Arena, alice: Player, charlie: Player) -> None:
    match = beats_as_agreed(alice, charlie, duel)
    program = by_token(charlie)
    program.raise_request_exception = False
    with psycopg.connect(database_url()) as other:
        other.execute("SELECT FROM league_match WHERE id = %s FOR UPDATE", [match.pk])
        began = time.monotonic()
        answer = send(program, f"/api/v1/matches/{match.pk}/confirm/", {"revision": 1})
        assert time.monotonic() - began < 2
    assert (answer.status_code, answer.json()["code"]) == (503, "busy")
    answer = send(program, f"/api/v1/matches/{match.pk}/confirm/", {"revision": 1})
    assert answer.status_code == 200


@pytest.mark.usefixtures("limits")
def test_a_statement_that_takes_too_long_is_ended() -> None:
    with connection.cursor() as cursor, pytest.raises(OperationalError) as ended:
        cursor.execute("SELECT pg_sleep(3)")
    assert outage_behind(ended.value) is Outage.BUSY


def test_without_a_database_each_page_is_a_503(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connection.settings_dict, "HOST", "/nowhere")
    pool = {**connection.settings_dict["OPTIONS"]["pool"], "timeout": 0.5}
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "pool", pool)
    new_pool()
    answers = [visitor().get(address) for address in ("/", "/api/v1/matches/", "/healthz")]
    assert [answer.status_code for answer in answers] == [503, 503, 200]
    assert "The site's database does not respond" in words(answers[0])
    monkeypatch.undo()
    new_pool()
    assert visitor().get("/").status_code == 200


def test_after_the_server_was_restarted_no_dead_connection_is_handed_out() -> None:
    connection.ensure_connection()
    held = [connection.pool.getconn() for _ in range(4)]  # type: ignore[attr-defined]
    pids = [each.info.backend_pid for each in held]
    for each in held:
        each._pool.putconn(each)
    with psycopg.connect(database_url(), autocommit=True) as other:
        for pid in pids:
            other.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
    began = time.monotonic()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    assert time.monotonic() - began < 1


def test_a_stopped_cache_costs_no_page_more_than_a_moment(settings: Settings) -> None:
    cache = dict(settings.CACHES["default"])
    location = urlsplit(cache["LOCATION"])
    valkey = Freezer(Path(location.path))
    cache["LOCATION"] = location._replace(path=str(valkey.socket)).geturl()
    cache["OPTIONS"] = {**cache["OPTIONS"], "socket_timeout": 1.0}
    settings.CACHES = {"default": cache}
    settings.REQUESTS_A_MINUTE = {"costly": {"address": 1, "account": 1}}
    assert visitor().get("/players/?q=al").status_code == 200
    assert happens_within(lambda: visitor().get("/players/?q=al").status_code == 429, 10)
    valkey.freeze()
    began = time.monotonic()
    assert [visitor().get("/players/?q=al").status_code for _ in range(5)] == [200] * 5
    assert time.monotonic() - began < 3
    valkey.end()


def test_a_bug_is_still_an_error() -> None:
    with mock.patch("league.web.home.views.first_admin.is_missing_now", side_effect=RuntimeError):
        assert visitor().get("/").status_code == 500
    with mock.patch("league.rates.client_address", side_effect=RuntimeError):
        answer = visitor().get("/api/v1/arenas/")
    assert answer.status_code == 500
    assert answer.json()["code"] == "error"
    assert outage_behind(ZeroDivisionError()) is None
    assert outage_behind(OperationalError("no cause")) is None
    assert outage_behind(OSError(errno.ENOSPC, "No space left on device")) is Outage.FULL
    assert outage_behind(OSError(errno.ENOENT, "No such file")) is None
    deadlock = OperationalError()
    deadlock.__cause__ = psycopg.errors.DeadlockDetected()
    assert outage_behind(deadlock) is None
