"""Logs: a line for each request, slow statements, ids, and mails about errors."""

import errno
import io
import json
import logging
import re
from typing import Any
from unittest import mock

import psycopg
import pytest
import redis
from django.core.cache import cache
from django.db import connection
from django.test import Client
from pytest_django import Settings
from pythonjsonlogger.json import JsonFormatter

from league import logs
from league.log_settings import logging_settings
from league.models import Arena, Email, Player
from tests.support.web_steps import browser_of


@pytest.fixture(autouse=True)
def nothing_mailed_yet() -> None:
    cache.clear()


def test_a_request_has_one_line_with_route_status_time_and_statements(
    duel: Arena, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "league.access"):
        Client().get("/arenas/duel/?search=Charlie", HTTP_COOKIE="sessionid=secret")
    [line] = [record for record in caplog.records if record.name == "league.access"]
    text = line.getMessage()
    assert re.fullmatch(
        r"GET /arenas/<slug:slug>/ 200 \d+\.\d ms, [1-9]\d* statements in \d+\.\d ms", text
    )
    about: Any = line
    assert (about.route, about.status, about.method) == ("/arenas/<slug:slug>/", 200, "GET")
    assert about.statements > 0
    assert about.ms >= about.database_ms > 0
    assert "Charlie" not in str(vars(line))
    assert "secret" not in str(vars(line))


def test_staff_see_how_long_a_page_took_and_nobody_else_does(
    duel: Arena, alice: Player, olga: Player
) -> None:
    timing = browser_of(olga).get("/arenas/duel/").headers["Server-Timing"]
    assert re.fullmatch(r'db;dur=[\d.]+;desc="\d+ statements", total;dur=[\d.]+', timing)
    for browser in (browser_of(alice), Client()):
        assert "Server-Timing" not in browser.get("/arenas/duel/").headers


def test_a_request_has_the_id_of_the_proxy_or_a_new_one(settings: Settings) -> None:
    def given(sent: str) -> str:
        answer: Any = Client().get("/robots.txt", HTTP_X_REQUEST_ID=sent)
        return str(answer.headers["X-Request-ID"])

    assert re.fullmatch("[0-9a-f]{32}", given("abc-1"))
    settings.PROXY_HOPS = 1
    assert given("abc-1") == "abc-1"
    for wrong in ("", "a b", "x" * 65, "{}", "ä"):
        assert re.fullmatch("[0-9a-f]{32}", given(wrong))


def test_slow_statements_are_logged_without_their_values(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.SLOW_STATEMENT_MS = 50
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_sleep(0.06), 'of a command'")
        with logs.working():
            cursor.execute("SELECT %s::text", ["quick"])
            cursor.execute("SELECT pg_sleep(0.06), %s::text", ["private"])
    [line] = [record for record in caplog.records if record.name == "league.statements"]
    assert re.match(r"\d+ ms: SELECT pg_sleep\(0.06\), %s::text$", line.getMessage())


def broken(browser: Client) -> Any:
    with mock.patch(
        "league.web.home.views.first_admin.is_missing_now", side_effect=RuntimeError("no luck")
    ):
        return browser.get("/?token=private", HTTP_COOKIE="sessionid=secret")


def test_lines_of_json_have_all_that_is_known_of_a_request(
    capsys: pytest.CaptureFixture[str],
) -> None:
    handler = logging.StreamHandler()
    settings = logging_settings("json", mails=False)["formatters"]["json"]
    handler.setFormatter(
        JsonFormatter(
            settings["format"], datefmt=settings["datefmt"], rename_fields=settings["rename_fields"]
        )
    )
    handler.addFilter(logs.WorkIds())
    logging.getLogger().addHandler(handler)
    try:
        answer = broken(Client(raise_request_exception=False))
    finally:
        logging.getLogger().removeHandler(handler)
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines() if line[:1] == "{"]
    error = next(line for line in lines if line["level"] == "ERROR")
    access = next(line for line in lines if line["logger"] == "league.access")
    assert "RuntimeError: no luck" in error["exc_info"]
    assert access["status"] == 500
    assert access["route"] == "/"
    ids = {error["request_id"], access["request_id"], answer.headers["X-Request-ID"]}
    assert len(ids) == 1
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4}", access["time"])
    assert "secret" not in json.dumps(access)


def lines_about(error: Exception, form: str) -> list[str]:
    """Return what a process writes about an error that Celery says more about."""
    settings = dict(logging_settings(form, mails=False)["formatters"][form])
    formatter = JsonFormatter if settings.pop("()", None) else logging.Formatter
    handler_format = formatter(settings.pop("format"), **settings)
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(handler_format)
    log = logging.Logger("apart")
    log.addHandler(handler)
    wrapped = RuntimeError("wrapped")
    wrapped.__cause__ = error
    log.error("Task failed.\nStack", exc_info=wrapped, extra={"data": {"traceback": "File"}})
    return stream.getvalue().splitlines()


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize(
    "error",
    [
        psycopg.errors.DiskFull("No space left on device\nHINT:  Check free disk space."),
        redis.exceptions.OutOfMemoryError("No space left on device"),
        OSError(errno.ENOSPC, "No space left on device"),
        psycopg.OperationalError("No space left on device"),
    ],
)
def test_an_outage_is_one_line(error: Exception, form: str) -> None:
    [line] = lines_about(error, form)
    assert "Task failed. " in line
    assert "No space left on device" in line
    assert "File" not in line


@pytest.mark.parametrize(
    "error",
    [
        psycopg.errors.QueryCanceled("statement timeout"),
        psycopg.errors.DeadlockDetected("deadlock"),
        OSError(errno.ENOENT, "No such file"),
        ZeroDivisionError(),
    ],
)
def test_what_may_be_a_bug_has_its_traceback(error: Exception) -> None:
    assert "RuntimeError: wrapped" in lines_about(error, "text")


def test_an_error_is_mailed_to_the_admins_once_and_without_private_data(
    settings: Settings,
) -> None:
    settings.ADMINS = [("", "ops@example.org")]
    settings.EMAIL_BACKEND = "league.services.notices.outbox.OutboxBackend"
    handler = logs.ErrorMail(level=logging.ERROR)
    handler.addFilter(logs.WorkIds())
    logging.getLogger("django").addHandler(handler)
    try:
        for _ in range(3):
            broken(Client(raise_request_exception=False))
    finally:
        logging.getLogger("django").removeHandler(handler)
    [mail] = Email.objects.all()
    assert mail.recipient == "ops@example.org"
    assert "Internal Server Error: /" in mail.subject
    assert "request_id: " in mail.text
    assert "RuntimeError: no luck" in mail.text
    assert "private" not in mail.text
    assert "secret" not in mail.text


def test_an_error_of_the_error_mail_stops_nothing(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.ADMINS = [("", "ops@example.org")]
    log = logging.Logger("apart")
    log.addHandler(logs.ErrorMail())
    with mock.patch("league.logs.mail_admins", side_effect=OSError("no database")):
        log.error("Broken.")
    assert "no database" in capsys.readouterr().err
