"""Logs: which request or task each line belongs to, slow statements, and mails about errors."""

from __future__ import annotations

import logging
import time
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.cache import cache
from django.core.mail import mail_admins
from redis.exceptions import RedisError

from league.outages import Outage, chain, outage_behind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from django.db.backends.base.base import BaseDatabaseWrapper

LONGEST_STATEMENT = 1_000
"""Characters of a slow statement that are logged. Values are parameters, and not part of it."""
ERROR_PAUSE = 600
"""Seconds without another mail about the same line of code."""
slow = logging.getLogger("league.statements")


@dataclass
class Work:
    """A request or a task, and the statements it has run."""

    ids: dict[str, str]
    """The fields of its log lines, such as ``request_id``."""
    statements: int = 0
    seconds: float = 0.0
    """Time spent in statements."""


_work: ContextVar[Work | None] = ContextVar("work", default=None)


@contextmanager
def working(**ids: str) -> Iterator[Work]:
    """Mark all log lines within with these ids, and count the statements."""
    work = Work(ids)
    token = _work.set(work)
    try:
        yield work
    finally:
        _work.reset(token)


class WorkIds(logging.Filter):
    """Add the ids of the current request or task to a record."""

    def filter(self, record: logging.LogRecord) -> bool:
        if work := _work.get():
            vars(record).update(work.ids)
        else:  # Django logs most refusals when the middleware is done
            request = vars(record).get("request")
            vars(record).update(getattr(request, "log_ids", {}))
        return True


class Record(logging.LogRecord):
    """A record that names an outage in one line.

    A full disk makes each request and task fail, and their tracebacks would fill it further. Where
    the database was busy there may be a bug, so that traceback stays.
    """

    outage: BaseException | None = None
    """The error that began it."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        error = self.exc_info[1] if self.exc_info else None
        if outage_behind(error) in {Outage.FULL, Outage.UNAVAILABLE}:
            *_wrappers, self.outage = chain(error)
            self.exc_info = None

    def getMessage(self) -> str:  # noqa: N802 - Python's name
        message = super().getMessage()
        if self.outage is None:
            return message
        line, reason = first_line(message), first_line(str(self.outage))
        return line if reason in line else f"{line} {reason}"


def first_line(text: str) -> str:
    return text.strip().partition("\n")[0]


class WithoutRoutine(logging.Filter):
    """Drop the line that beat writes for each task it sends."""

    def filter(self, record: logging.LogRecord) -> bool:
        return "Sending due task" not in str(record.msg)


def watch_statements(connection: BaseDatabaseWrapper, **_sent: Any) -> None:
    """Count and time the statements of a connection. A receiver of ``connection_created``."""
    if time_statement not in connection.execute_wrappers:
        connection.execute_wrappers.append(time_statement)


def time_statement(
    execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
) -> Any:
    began = time.perf_counter()
    try:
        return execute(sql, params, many, context)
    finally:
        seconds = time.perf_counter() - began
        if work := _work.get():
            work.statements += 1
            work.seconds += seconds
            if seconds * 1000 >= settings.SLOW_STATEMENT_MS:
                log_slow(sql, seconds)


def log_slow(sql: str, seconds: float) -> None:
    """Log a slow statement of a request or a task. Those of commands may take their time."""
    text = " ".join(str(sql).split())[:LONGEST_STATEMENT]
    slow.warning("%.0f ms: %s", seconds * 1000, text, extra={"ms": round(seconds * 1000)})


class ErrorMail(logging.Handler):
    """Mail an error to the admins, at most one each ten minutes for the same line of code.

    The mail has the traceback and the ids of the request or task. It has no form, cookie or
    address, which may be private.
    """

    def emit(self, record: logging.LogRecord) -> None:
        if not is_new(record):
            return
        lines = [f"{name}: {value}" for name, value in vars(record).items() if name in SAID]
        first = first_line(record.getMessage())[:200]
        text = (self.formatter or logging.Formatter()).format(record)
        mail_admins(f"{record.levelname}: {first}", "\n".join([*lines, "", text]))

    def handle(self, record: logging.LogRecord) -> bool:
        try:
            return bool(super().handle(record))
        except Exception:  # noqa: BLE001 - whatever it is, it must not make the error worse
            self.handleError(record)
            return False


SAID = ("request_id", "route", "task_id", "task")


def is_new(record: logging.LogRecord) -> bool:
    """Return whether an error should be mailed. Without the cache, none is: all would be."""
    trace = record.exc_info[2] if record.exc_info else None
    place = f"{record.name}:{record.lineno}"
    while trace:
        place, trace = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}", trace.tb_next
    try:
        return bool(cache.add(f"error-mail:{place.replace(' ', '_')}", 1, ERROR_PAUSE))
    except (RedisError, OSError):
        return False
