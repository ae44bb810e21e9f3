"""Whether everything works that the site needs, each with a reason, within two seconds.

PostgreSQL and Valkey are asked by threads of their own over connections of their own. So one that
hangs holds up neither the answer nor the pool of connections, and many questions at once are one.
Reasons tell the public nothing but ages: no addresses, versions or errors of servers.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import psycopg
import redis
from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league import heartbeats
from league.services.core.durations import describe_duration
from league.services.operations import postgres_tools
from league.worker_signals import BEAT, DONE, WORKERS

PATIENCE = 1.5
"""Seconds to wait for answers."""
FRESH = 1.0
"""Seconds for which an answer is used again."""
OLDEST_HEARTBEAT = 60.0
"""Seconds. Beat sends a task each second, and each kind of worker has one every ten seconds. The
slow one is also seen while it is busy."""
LONGEST_LAG = 60.0
"""Seconds that standings may be behind the ratings."""
LIMITS = "-c statement_timeout=1000 -c lock_timeout=500"
"""Limits that end long statements. A pooler ignores it, and has limits of its own."""

FACTS = """
    SELECT (SELECT count(*) FROM (SELECT FROM league_standingchange LIMIT 100000) AS pending),
        (SELECT max(made_at) FROM league_backup WHERE problem = ''),
        (SELECT max(made_at) FROM league_backup WHERE problem <> ''),
        clock_timestamp()
"""


class Check(NamedTuple):
    """An answer about one thing."""

    ok: bool
    reason: str


Checks = dict[str, Check]
NEEDED = ("database", "broker")
"""Without these the site cannot answer. Without the others its pages still work."""


class Facts(NamedTuple):
    """The columns of ``FACTS``."""

    pending: int
    """Standings to update, at most 100,000."""
    backup_made: datetime | None
    backup_failed: datetime | None
    now: datetime


class Question:
    """Something that threads ask, one at a time. Answers are used for ``FRESH`` seconds."""

    def __init__(self, ask: Callable[[], object]) -> None:
        self._ask = ask
        self._lock = threading.Lock()
        self._asked: Asked | None = None

    def ask(self) -> Asked:
        """Ask, or return the answers to what was asked just now, and the questions still open."""
        with self._lock:
            if self._asked is None or self._asked.is_stale():
                self._asked = Asked(self._ask)
            return self._asked


class Asked:
    """A question that a thread has asked."""

    def __init__(self, ask: Callable[[], object]) -> None:
        self._done = threading.Event()
        self._answer: object | None = None
        self._ended_at = 0.0
        threading.Thread(target=self._run, args=(ask,), daemon=True).start()

    def _run(self, ask: Callable[[], object]) -> None:
        try:
            self._answer = ask()
        finally:
            self._ended_at = time.monotonic()
            self._done.set()

    def answer(self, give_up_at: float) -> object | None:
        """Return the answer, ``None`` if there is none by that time of the monotonic clock."""
        self._done.wait(max(0.0, give_up_at - time.monotonic()))
        return self._answer

    def is_stale(self) -> bool:
        return self._done.is_set() and time.monotonic() - self._ended_at > FRESH


def connect() -> psycopg.Connection[Any]:
    """Connect to the database that pages use, for a moment."""
    given = {**postgres_tools.address("default"), "options": LIMITS}
    return psycopg.connect(**given, autocommit=True, prepare_threshold=None)


def ask_database() -> Facts | Exception:
    try:
        with connect() as server:
            return Facts(*server.execute(FACTS.encode()).fetchone() or ())
    except psycopg.Error as error:
        return error


def ask_broker() -> dict[str, float] | Exception:
    try:
        return heartbeats.ages()
    except (redis.RedisError, OSError) as error:
        return error


_database, _broker = Question(ask_database), Question(ask_broker)


def checks() -> Checks:
    """Return all checks by name, those of ``NEEDED`` first."""
    give_up_at = time.monotonic() + PATIENCE
    database, broker = _database.ask(), _broker.ask()
    facts, ages = database.answer(give_up_at), broker.answer(give_up_at)
    found: Checks = {
        "database": responds(facts),
        "broker": responds(ages),
        **{name: heartbeat(ages, name) for name in (BEAT, *WORKERS.values())},
        "standings": standings(facts, ages),
    }
    if settings.BACKUP_FOLDER:
        found["backup"] = backup(facts)
    return found


def is_ready(found: Checks) -> bool:
    """Return whether the site can answer requests."""
    return all(found[name].ok for name in NEEDED)


def responds(answer: object | None) -> Check:
    if answer is None:
        return Check(ok=False, reason=_("does not answer in time"))
    if isinstance(answer, Exception):
        return Check(ok=False, reason=_("does not answer"))
    return Check(ok=True, reason=_("answers"))


def heartbeat(ages: object | None, name: str) -> Check:
    """Check the age of a heartbeat."""
    if not isinstance(ages, dict):
        return Check(ok=False, reason=_("unknown, as the broker does not answer"))
    if name not in ages:
        return Check(ok=False, reason=_("not seen yet"))
    age = ages[name]
    detail = _("last seen %(seconds)d s ago") % {"seconds": age}
    return Check(ok=age <= OLDEST_HEARTBEAT, reason=detail)


def lag(facts: Facts, ages: dict[str, float]) -> float:
    """Return for how many seconds at most the standings have been behind the ratings."""
    if not facts.pending:
        return 0.0
    return ages.get(f"{DONE}update_standings", float("inf"))


def standings(facts: object | None, ages: object | None) -> Check:
    if not isinstance(facts, Facts) or not isinstance(ages, dict):
        return Check(ok=False, reason=_("unknown, as the database or broker does not answer"))
    behind = lag(facts, ages)
    if not facts.pending:
        detail = _("up to date")
    elif behind == float("inf"):
        detail = _("changes wait, and no worker has updated them yet")
    else:
        detail = _("changes have waited for up to %(seconds)d s") % {"seconds": behind}
    return Check(ok=behind <= LONGEST_LAG, reason=detail)


def backup(facts: object | None) -> Check:
    """Check the age of the last backup. Why one failed is for staff only.

    A league without any is in danger, even on its first day: the schedule makes the first within
    ten minutes.
    """
    if not isinstance(facts, Facts):
        return Check(ok=False, reason=_("unknown, as the database does not answer"))
    made, failed = facts.backup_made, facts.backup_failed
    if failed and (made is None or failed > made):
        return Check(ok=False, reason=_("the last one failed: the admin's first page says why"))
    if made is None:
        return Check(ok=False, reason=_("none was made yet"))
    hours, age = settings.BACKUP_HOURS, facts.now.astimezone(UTC) - made
    is_late = age > 2 * timedelta(hours=hours)
    detail = (
        ngettext(
            "the last one was made %(age)s ago, but one is due every hour",
            "the last one was made %(age)s ago, but one is due every %(hours)d hours",
            hours,
        )
        if is_late
        else _("the last one was made %(age)s ago")
    )
    return Check(ok=not is_late, reason=detail % {"age": describe_duration(age), "hours": hours})
