"""Real workers and schedulers on the test database, to start, watch and kill."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import redis
from django.conf import settings
from django.db import connection

from embedded import binaries
from league.kinds import KINDS
from tests.support.nursery import Forked, nursery

if TYPE_CHECKING:
    from collections.abc import Callable

PROJECT = Path(__file__).resolve().parents[2]
RESUMES_WITHIN = 60.0
"""Seconds after which work resumes, whatever was lost."""
STARTS_WITHIN = 120.0
"""Seconds that a worker or scheduler may take to start on a busy machine."""


def database_url() -> str:
    """Return the URL of the test database, for other processes."""
    database = connection.settings_dict
    user = quote(database["USER"], safe="")
    password = quote(database["PASSWORD"], safe="")
    host = quote(str(database["HOST"]), safe="")
    return f"postgresql://{user}:{password}@{host}/{database['NAME']}"


def kill(process: subprocess.Popen[bytes] | Forked) -> None:
    """``kill -9`` a process and all processes it has started."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def happens_within(condition: Callable[[], object], seconds: float) -> bool:
    """Return whether ``condition`` becomes true within some seconds."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


class Crew:
    """Workers and schedulers. ``end`` kills those still running."""

    def __init__(self, folder: Path, broker: str = "") -> None:
        self.folder = folder
        self.broker = broker or settings.REDIS_URL
        self._started: list[tuple[Forked, Path]] = []

    def worker(self, *kinds: str, at_a_time: int = 2) -> Forked:
        """Start a worker for these kinds of tasks, named as if on its own machine."""
        return self._start(
            "worker",
            "--pool",
            "threads",
            "--concurrency",
            str(at_a_time),
            "--loglevel",
            "warning",
            "--queues",
            ",".join(kinds or KINDS),
            "--hostname",
            f"worker{len(self._started)}@%h",
            "--without-mingle",
            "--without-gossip",
            "--without-heartbeat",
        )

    def clock(self) -> Forked:
        """Start a beat with its own schedule."""
        schedule = str(self.folder / f"schedule{len(self._started)}")
        return self._start("beat", "--schedule", schedule, "--pidfile", "", "--loglevel", "warning")

    def _start(self, *command: str) -> Forked:
        log = self.folder / f"{command[0]}{len(self._started)}.log"
        process = nursery({"DATABASE_URL": database_url(), "REDIS_URL": self.broker}).start(
            log, ["-A", "league", *command]
        )
        self._started.append((process, log))
        return process

    def log_of(self, process: Forked) -> str:
        """Return the log of a process."""
        [log] = [log for started, log in self._started if started is process]
        return log.read_text(errors="replace")

    def end(self) -> None:
        for process, _log in self._started:
            kill(process)


@cache
def place_of_brokers() -> Path:
    """Return the folder in which each broker of this process makes its own.

    All have one address, one after the other, so that one nursery forks the workers of all.
    """
    place = tempfile.mkdtemp(prefix="laurel-brokers-")
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    return Path(place)


class Broker:
    """A Valkey for one test, which loses its data when stopped. There can be one at a time.

    ``refuse_writes`` makes it answer as on a full disk: it cannot save its snapshots.
    """

    def __init__(self) -> None:
        self._folder = place_of_brokers() / "broker"
        self._folder.mkdir()
        self._socket = self._folder / "broker.sock"  # a socket's path has to be short
        self._snapshot = self._folder / "dump.rdb"
        self.url = f"unix://{self._socket}?db=0"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it empty and wait until it responds."""
        self._process = subprocess.Popen(
            [
                binaries.find().valkey,
                "--dir",
                self._folder,
                "--port",
                "0",
                "--unixsocket",
                self._socket,
                "--save",
                "1 1",
                "--appendonly",
                "no",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        assert happens_within(self.answers, STARTS_WITHIN)

    def answers(self) -> bool:
        with closing(redis.Redis.from_url(self.url)) as client:
            try:
                return bool(client.ping())
            except redis.RedisError:
                return False

    def refuse_writes(self) -> None:
        """Put a folder where snapshots go, and wait until writes are refused."""
        self._snapshot.unlink(missing_ok=True)
        self._snapshot.mkdir()
        assert happens_within(lambda: not self.accepts_writes(), STARTS_WITHIN)

    def accept_writes(self) -> None:
        """Let it save again, and wait until it has noticed."""
        self._snapshot.rmdir()
        with closing(redis.Redis.from_url(self.url)) as client:
            client.bgsave()
        assert happens_within(self.accepts_writes, STARTS_WITHIN)

    def accepts_writes(self) -> bool:
        with closing(redis.Redis.from_url(self.url)) as client:
            try:
                return bool(client.set("probe", "1"))
            except redis.ResponseError:
                return False

    def stop(self) -> None:
        """Kill it and lose its data."""
        if self._process:
            kill(self._process)
            self._snapshot.unlink(missing_ok=True)

    def end(self) -> None:
        if self._process:
            kill(self._process)
        shutil.rmtree(self._folder)
