"""Workers and schedulers of Celery, forked from a process that has loaded the site.

To load it takes a second of CPU, and a test starts up to four of them. The parent reads lines of
JSON, each with a log and the words of a command, and answers each with the number of the process
that it has forked. It opens no connection itself, so each process has its own.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import django

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PROJECT = Path(__file__).resolve().parents[2]
NEEDED = [
    "league.tasks",
    "league.one_beat",
    "celery.apps.beat",
    "celery.apps.worker",
    "celery.bin.celery",
    "celery.concurrency.thread",
    "celery.worker.consumer",
]
"""What workers and schedulers import as they start, which no fork has to load then."""
KEPT = 2
"""Nurseries that wait for more work: mostly one for the usual environment, and a test's own."""


class Forked:
    """A process that the parent has forked, which leads a group of its own."""

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def poll(self) -> int | None:
        """Return a number once it has ended."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return 0
        return None

    def wait(self) -> None:
        while self.poll() is None:
            time.sleep(0.01)


class Nursery:
    """Forks processes that have this environment."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._parent = subprocess.Popen(
            [sys.executable, "-m", "tests.support.nursery"],
            cwd=PROJECT,
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def start(self, log: Path, command: Sequence[str]) -> Forked:
        """Start ``celery`` with these words. What it writes goes to a new file."""
        log.touch()
        assert self._parent.stdin
        assert self._parent.stdout
        self._parent.stdin.write(f"{json.dumps([str(log), command])}\n")
        self._parent.stdin.flush()
        return Forked(int(self._parent.stdout.readline()))

    def end(self) -> None:
        self._parent.communicate()


_nurseries: list[tuple[dict[str, str], Nursery]] = []
"""Those of this process, with their environments. What was used last is last."""


def nursery(changes: Mapping[str, str]) -> Nursery:
    """Return the nursery for the present environment with some changes."""
    wanted = {**os.environ, **changes}
    wanted.pop("PYTEST_CURRENT_TEST", None)
    known = [pair for pair in _nurseries if pair[0] == wanted]
    for pair in known:
        _nurseries.remove(pair)
    while len(_nurseries) >= KEPT:
        _nurseries.pop(0)[1].end()
    _nurseries.append(known[0] if known else (wanted, Nursery(wanted)))
    return _nurseries[-1][1]


def be(log: str, command: Sequence[str]) -> None:
    """Go on as ``celery`` with these words."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDONLY)
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    for number, file in enumerate((nothing, output, output)):
        os.dup2(file, number)
    sys.argv = ["celery", *command]
    from celery.__main__ import main as celery  # noqa: PLC0415 - like the site, once it is set up

    celery()


def main() -> None:
    django.setup()
    for module in NEEDED:
        import_module(module)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # so that none that has ended stays
    for line in sys.stdin:
        process = os.fork()
        if not process:
            be(*json.loads(line))
            return
        os.setpgid(process, process)
        sys.stdout.write(f"{process}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
