"""Processes that are killed at a kill point, forked from one that has loaded Django.

The parent reads lines of JSON, each with an act, its facts and the moment at which to kill. It
answers each with the signal or the exit status that ended the process. It opens no connection
itself, so each process that it forks has its own.
"""

from __future__ import annotations

import json
import logging
import os
import re
import signal
import subprocess
import sys
import traceback
from typing import TYPE_CHECKING, Any

import django
from django.db import connection

from league.services.core import kill_points
from league.services.core.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

WRITING = re.compile(r"\s*(INSERT|UPDATE|DELETE|WITH)\b")
FAILED = 3
"""The exit status after an exception."""


class Victims:
    """Starts processes that may be killed on the way."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.chaos.victims"],
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def act(self, name: str, facts: Mapping[str, Any], moment: str = "", harm: str = "") -> int:
        """Let a process act, and kill it at a moment, if one is named. Return its exit status.

        For a killed process, this is -9. ``harm`` names a deliberate fault in its work.
        """
        assert self._process.stdin
        assert self._process.stdout
        order = {"name": name, "facts": facts, "moment": moment, "harm": harm}
        self._process.stdin.write(f"{json.dumps(order)}\n")
        self._process.stdin.flush()
        return int(json.loads(self._process.stdout.readline()))

    def end(self) -> None:
        self._process.communicate()


def kill_at(name: str, moment: str) -> None:
    """Kill this process as it reaches a kill point."""

    def watcher(reached: str, at: str) -> None:
        if (reached, at) == (name, moment):
            os.kill(os.getpid(), signal.SIGKILL)

    kill_points.watch(watcher)


def commit_each_write() -> None:
    """Commit each writing statement by itself, as if there were no transaction."""

    def wrapper(execute: Any, sql: str, *arguments: Any) -> Any:
        found = execute(sql, *arguments)
        if WRITING.match(sql):
            connection.connection.commit()
        return found

    connection.execute_wrappers.append(wrapper)


HARMS: dict[str, Callable[[], None]] = {"commit each write": commit_each_write}


def carry_out(order: Mapping[str, Any]) -> int:
    from tests.chaos.scenarios import SCENARIOS  # noqa: PLC0415 - once Django is set up

    if order["harm"]:
        HARMS[order["harm"]]()
    if order["moment"]:
        kill_at(order["name"], order["moment"])
    try:
        SCENARIOS[order["name"]].act(order["facts"])
    except Refused:  # as of what has been done already
        return 0
    except Exception:  # noqa: BLE001 - the caller learns of it, whatever it is
        traceback.print_exc()
        return FAILED
    return 0


def main() -> None:
    django.setup()
    logging.disable(logging.INFO)
    import tests.chaos.scenarios  # noqa: F401, PLC0415 - so that no fork has to load it

    for line in sys.stdin:
        process = os.fork()
        if not process:
            os._exit(carry_out(json.loads(line)))
        _process, status = os.waitpid(process, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
