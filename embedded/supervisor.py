"""The site's own processes under `make run`: started, merged into one log, restarted, stopped.

Each leads a session of its own, so Ctrl-C reaches only the supervisor, which then stops them in
order. If the supervisor is killed, the kernel stops them.
"""

import json
import os
import selectors
import signal
import subprocess
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, TextIO, cast

from embedded import processes
from embedded.errors import EmbeddedError

MOST_FAILURES = 5
"""How often a child may end within `FAILURES_KEPT` seconds. It is not started after the last."""
FAILURES_KEPT = 60.0
ASK_EVERY = 3.0  # seconds between two checks of whether a child answers
MOST_SILENCES = 3  # unanswered checks in a row, after which a child is killed
FIRST_PAUSE = 0.5  # seconds before the first restart; each further one takes twice as long
LINES_KEPT = 8  # of each child's log, for the error that explains why it was given up
STOP_TIMEOUT = 10.0  # seconds that a child has to stop before it is killed
KILL_TIMEOUT = 2.0  # seconds to wait until killed processes are gone


@dataclass
class Child:
    """A process of the site.

    :param ready_text: a part of the log line that shows that it is ready; empty if none does.
    :param routine_text: lines with this text are dropped once it is ready.
    :param required: whether the site stops when it cannot be kept running.
    :param answers: returns whether it answers. It is asked every few seconds once it is ready.
    :param orphan_signal: what the kernel sends it if the supervisor dies.
    :param pass_fds: the open files that it inherits.
    """

    name: str
    command: list[str]
    ready_text: str = ""
    routine_text: str = ""
    required: bool = True
    answers: Callable[[], bool] | None = None
    orphan_signal: signal.Signals = signal.SIGTERM
    pass_fds: tuple[int, ...] = ()
    is_ready: bool = field(init=False)
    partial_line: bytes = field(init=False, default=b"")
    last_lines: deque[str] = field(init=False, default_factory=lambda: deque(maxlen=LINES_KEPT))
    process: subprocess.Popen[bytes] = field(init=False)
    options: dict[str, Any] = field(init=False)
    failed_at: list[float] = field(init=False, default_factory=list)
    restart_at: float | None = field(init=False, default=None)
    ask_at: float = field(init=False, default=0.0)
    silences: int = field(init=False, default=0)

    def is_silent(self, now: float) -> bool:
        """Ask it, if that is due, and return whether it has been silent too often."""
        if self.answers is None or not self.is_ready or now < self.ask_at:
            return False
        self.silences = 0 if self.answers() else self.silences + 1
        self.ask_at = time.monotonic() + (0 if self.silences else ASK_EVERY)
        return self.silences >= MOST_SILENCES

    def note_failure(self, now: float) -> bool:
        """Note that it has ended. Return whether it may start again, at `restart_at`."""
        self.failed_at = [at for at in self.failed_at if at > now - FAILURES_KEPT] + [now]
        self.restart_at = now + FIRST_PAUSE * 2 ** (len(self.failed_at) - 1)
        return len(self.failed_at) < MOST_FAILURES

    def describe_end(self) -> str:
        """Return how it has ended."""
        status = self.process.returncode
        if status < 0:
            return f"was killed by {signal.Signals(-status).name}"
        return f"has ended with status {status}"

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


def as_text(process: str, line: str) -> str:
    """Return a line of a process of the site as people read it."""
    return f"{process:7} | {line}"


def as_json(process: str, line: str) -> str:
    """Return a line of a process of the site as a JSON object that names the process."""
    try:
        given = json.loads(line)
    except ValueError:
        given = None
    if not isinstance(given, dict):
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S%z")
        given = {"time": now, "level": "INFO", "message": line}
    return json.dumps({**given, "process": process}, ensure_ascii=False)


class Supervisor:
    """The processes of the site. Their output is merged line by line.

    Ctrl-C, SIGTERM and SIGHUP are requests to stop: the first in order, the second at once.

    :param formatted: returns a line of a process as it is to be written.
    """

    def __init__(self, output: TextIO, formatted: Callable[[str, str], str] = as_text) -> None:
        self.children: list[Child] = []
        self._output = output
        self._formatted = formatted
        self._selector = selectors.DefaultSelector()
        self._stop_requests: list[int] = []
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda number, _: self._stop_requests.append(number))

    def check_stop(self) -> None:
        """Raise `Stopped` if a stop was requested."""
        if self._stop_requests:
            raise Stopped

    def start(self, child: Child, folder: Path, environment: dict[str, str]) -> None:
        """Start `child` in `folder`, and keep it running."""
        child.options = {"cwd": folder, "env": environment, "pass_fds": child.pass_fds}
        self.children.append(child)
        self._launch(child)

    def run_to_end(self, child: Child, folder: Path, environment: dict[str, str]) -> int:
        """Run `child` in `folder` to its end, and return its exit status."""
        child.options = {"cwd": folder, "env": environment}
        self._launch(child)
        try:
            while child.process.poll() is None:
                self.check_stop()
                self.forward_output(0.05)
        finally:
            child.kill_session()
            child.process.wait()
            self._read_the_rest(child)
        return child.process.returncode

    def _launch(self, child: Child) -> None:
        child.process = processes.start(
            child.command,
            child.orphan_signal,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            **child.options,
        )
        child.is_ready = not child.ready_text
        child.partial_line, child.restart_at, child.silences = b"", None, 0
        child.last_lines.clear()
        assert child.process.stdout  # noqa: S101  for the type checker: it is a pipe
        self._selector.register(child.process.stdout, selectors.EVENT_READ, child)

    def forward_output(self, seconds: float) -> None:
        """Write what the children have written, after waiting for it up to `seconds`."""
        for key, _ in self._selector.select(seconds):
            self._read(key.data, key.fd)
        self._output.flush()

    def _read(self, child: Child, descriptor: int) -> bool:
        """Forward what there is to read, and return whether there was anything."""
        text = os.read(descriptor, 65536)
        if not text:
            self._forget(descriptor)
            return False
        *lines, child.partial_line = (child.partial_line + text).split(b"\n")
        for line in lines:
            self._forward(child, line.decode(errors="replace"))
        return True

    def _forget(self, descriptor: int) -> None:
        output = self._selector.unregister(descriptor).fileobj
        cast("IO[bytes]", output).close()

    def _forward(self, child: Child, line: str) -> None:
        if child.is_ready and child.routine_text and child.routine_text in line:
            return
        child.is_ready = child.is_ready or child.ready_text in line
        if not line:
            return
        child.last_lines.append(line)
        self._output.write(f"{self._formatted(child.name, line)}\n")

    def keep_running(self) -> list[str]:
        """Start children again that have ended, each after a pause. Return what happened, in words.

        :raises EmbeddedError: when a required child has ended `MOST_FAILURES` times in a minute.
        """
        now = time.monotonic()
        events = []
        for child in list(self.children):
            if child.restart_at is not None:
                if now >= child.restart_at:
                    self._launch(child)
            elif child.process.poll() is not None:
                events.append(self._clean_up(child, now))
            elif child.is_silent(now):
                events.append(f"The {child.name} process does not answer.")
                child.process.kill()
        return events

    def _clean_up(self, child: Child, now: float) -> str:
        child.kill_session()
        self._read_the_rest(child)
        event = f"The {child.name} process {child.describe_end()}"
        if child.note_failure(now):
            return f"{event}. It starts again."
        self.children.remove(child)
        event += f", {MOST_FAILURES} times within {FAILURES_KEPT:.0f} seconds"
        if not child.required:
            return f"{event}. The site keeps running without it."
        lines = "".join(f"\n  {line}" for line in child.last_lines) or " (nothing)"
        raise EmbeddedError(
            f"{event}, so the site was stopped. Fix that and start again. Its log ends:{lines}"
        )

    def _read_the_rest(self, child: Child) -> None:
        assert child.process.stdout  # noqa: S101  as above
        if child.process.stdout.closed:
            return
        descriptor = child.process.stdout.fileno()
        os.set_blocking(descriptor, False)
        with suppress(BlockingIOError):  # a process keeps it open
            while self._read(child, descriptor):
                pass
        if not child.process.stdout.closed:
            self._forget(descriptor)

    def stop(self) -> None:
        """Stop all children, and kill them after `STOP_TIMEOUT` seconds or a second request."""
        for child in self.children:
            child.process.terminate()
        deadline = time.monotonic() + STOP_TIMEOUT
        while any(child.process.poll() is None for child in self.children):
            if time.monotonic() > deadline or len(self._stop_requests) > 1:
                break
            self._forward_the_last(0.05)
        deadline = time.monotonic() + KILL_TIMEOUT
        while [child for child in self.children if child.kill_session()]:
            if time.monotonic() > deadline:
                break
            time.sleep(0.01)
        self._forward_the_last(0)

    def _forward_the_last(self, seconds: float) -> None:
        with suppress(BrokenPipeError):  # nobody reads our output any more
            self.forward_output(seconds)
