"""The site's own processes under `make run`: started, restarted when they end, stopped together.

Each leads a session of its own, so Ctrl-C reaches only the supervisor, which then stops them in
order. If the supervisor is killed, the kernel stops them.
"""

import os
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from embedded import processes

ASK_EVERY = 3.0  # seconds between two checks of whether a child answers
MOST_SILENCES = 3  # unanswered checks in a row, after which a child is killed
FIRST_PAUSE = 0.5  # seconds before the first restart; each further one takes twice as long
LONGEST_PAUSE = 30.0
STEADY_AFTER = 60.0  # seconds after which the next restart counts as the first
STOP_TIMEOUT = 10.0  # seconds that a child has to stop before it is killed
KILL_TIMEOUT = 2.0  # seconds to wait until killed processes are gone


@dataclass
class Child:
    """A process of the site.

    :param answers: returns whether it answers. It is asked every few seconds.
    :param orphan_signal: what the kernel sends it if the supervisor dies.
    :param pass_fds: the open files that it inherits.
    """

    name: str
    command: list[str]
    answers: Callable[[], bool] | None = None
    orphan_signal: signal.Signals = signal.SIGTERM
    pass_fds: tuple[int, ...] = ()
    process: subprocess.Popen[bytes] = field(init=False)
    started_at: float = field(init=False, default=0.0)
    has_answered: bool = field(init=False, default=False)
    restart_at: float | None = field(init=False, default=None)
    pause: float = field(init=False, default=FIRST_PAUSE)
    ask_at: float = field(init=False, default=0.0)
    silences: int = field(init=False, default=0)

    def start(self, **options: Any) -> None:
        self.process = processes.start(
            self.command,
            self.orphan_signal,
            pass_fds=self.pass_fds,
            start_new_session=True,
            **options,
        )
        self.started_at, self.restart_at = time.monotonic(), None
        self.has_answered, self.silences = False, 0

    def is_silent(self, now: float) -> bool:
        """Ask it, if that is due, and return whether it has been silent too often."""
        if self.answers is None or now < self.ask_at:
            return False
        answers = self.answers()
        self.has_answered = self.has_answered or answers
        # Importing the site takes seconds on a busy machine, and a kill would start it over.
        is_starting = not self.has_answered and now < self.started_at + STEADY_AFTER
        self.silences = 0 if answers or is_starting else self.silences + 1
        self.ask_at = time.monotonic() + (0 if self.silences else ASK_EVERY)
        return self.silences >= MOST_SILENCES

    def plan_restart(self, now: float) -> None:
        """Choose when to start it again: soon, but not at once if it keeps ending."""
        if now - self.started_at > STEADY_AFTER:
            self.pause = FIRST_PAUSE
        self.restart_at = now + self.pause
        self.pause = min(2 * self.pause, LONGEST_PAUSE)

    def kill_session(self) -> bool:
        """Kill it and all that it has started. Return whether anything was left to kill."""
        self.process.poll()
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):  # some systems refuse a group of zombies
            return False
        return True


class Stopped(Exception):
    """The user or the system asked the site to stop."""


class Supervisor:
    """The processes of the site, in a folder and with an environment.

    Ctrl-C, SIGTERM and SIGHUP are requests to stop: the first in order, the second at once.
    """

    def __init__(self) -> None:
        self.children: list[Child] = []
        self._options: dict[str, Any] = {}
        self._stop_requests: list[int] = []
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda number, _: self._stop_requests.append(number))

    def check_stop(self) -> None:
        """Raise `Stopped` if a stop was requested."""
        if self._stop_requests:
            raise Stopped

    def run_to_end(self, command: list[str], folder: Path, environment: dict[str, str]) -> int:
        """Run a command and return its exit status."""
        child = Child(command[-1], command, orphan_signal=signal.SIGKILL)
        child.start(cwd=folder, env=environment)
        try:
            while child.process.poll() is None:
                self.check_stop()
                # Not wait(): a stop request must be seen while the command runs.
                time.sleep(0.025)
        finally:
            # Also processes that the command has started and left behind.
            child.kill_session()
            child.process.wait()
        return child.process.returncode

    def start(self, children: list[Child], folder: Path, environment: dict[str, str]) -> None:
        """Start children, to be kept running."""
        self._options = {"cwd": folder, "env": environment}
        for child in children:
            child.start(**self._options)
            self.children.append(child)

    def keep_running(self) -> list[str]:
        """Start children again that have ended, each after a pause. Return what happened."""
        now, events = time.monotonic(), []
        for child in self.children:
            if child.restart_at is not None:
                if now >= child.restart_at:
                    child.start(**self._options)
            elif child.process.poll() is not None:
                child.kill_session()
                child.plan_restart(now)
                events.append(f"The {child.name} process has ended. It starts again.")
            elif child.is_silent(now):
                child.process.kill()
                events.append(f"The {child.name} process does not answer.")
        return events

    def stop(self) -> None:
        """Stop all children, and kill them after `STOP_TIMEOUT` seconds or a second request."""
        for child in self.children:
            child.process.terminate()
        deadline = time.monotonic() + STOP_TIMEOUT
        for child in self.children:
            # Not wait(): a second request to stop must end the waiting.
            while child.process.poll() is None and time.monotonic() < deadline:
                if len(self._stop_requests) > 1:
                    break
                time.sleep(0.01)
        deadline = time.monotonic() + KILL_TIMEOUT
        # A killed process takes a moment to go. Until then its files and port are in use.
        while [child for child in self.children if child.kill_session()]:
            if time.monotonic() > deadline:
                break
            time.sleep(0.01)
