"""The site's own processes under `make run`: started, merged into one log, stopped.

Each leads a session of its own, so Ctrl-C reaches only the supervisor, which then stops them in
order. If the supervisor is killed, the kernel stops them.
"""

import os
import selectors
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from embedded import processes

STOP_TIMEOUT = 10.0  # seconds that a child has to stop before it is killed
KILL_TIMEOUT = 2.0  # seconds to wait until killed processes are gone


@dataclass
class Child:
    """A process of the site.

    :param ready_text: a part of the log line that shows that it is ready; empty if none does.
    :param routine_text: lines with this text are dropped once it is ready.
    :param required: whether the site stops when it stops.
    :param orphan_signal: what the kernel sends it if the supervisor dies.
    :param pass_fds: the open files that it inherits.
    """

    name: str
    command: list[str]
    ready_text: str = ""
    routine_text: str = ""
    required: bool = True
    orphan_signal: signal.Signals = signal.SIGTERM
    pass_fds: tuple[int, ...] = ()
    is_ready: bool = field(init=False)
    partial_line: bytes = field(init=False, default=b"")
    process: subprocess.Popen[bytes] = field(init=False)

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
    """The processes of the site. Their output is merged line by line.

    Ctrl-C, SIGTERM and SIGHUP are requests to stop: the first in order, the second at once.
    """

    def __init__(self, output: TextIO) -> None:
        self.children: list[Child] = []
        self._output = output
        self._selector = selectors.DefaultSelector()
        self._stop_requests: list[int] = []
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda number, _: self._stop_requests.append(number))

    def check_stop(self) -> None:
        """Raise `Stopped` if a stop was requested."""
        if self._stop_requests:
            raise Stopped

    def start(self, child: Child, folder: Path, environment: dict[str, str]) -> None:
        """Start `child` in `folder`."""
        child.process = processes.start(
            child.command,
            child.orphan_signal,
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=child.pass_fds,
            start_new_session=True,
        )
        child.is_ready = not child.ready_text
        self.children.append(child)
        assert child.process.stdout  # noqa: S101  for the type checker: it is a pipe
        self._selector.register(child.process.stdout, selectors.EVENT_READ, child)

    def forward_output(self, seconds: float) -> None:
        """Write what the children have written, after waiting for it up to `seconds`."""
        for key, _ in self._selector.select(seconds):
            text = os.read(key.fd, 65536)
            if not text:
                self._selector.unregister(key.fileobj)
            child: Child = key.data
            *lines, child.partial_line = (child.partial_line + text).split(b"\n")
            for line in lines:
                self._forward(child, line.decode(errors="replace"))
        self._output.flush()

    def _forward(self, child: Child, line: str) -> None:
        if child.is_ready and child.routine_text and child.routine_text in line:
            return
        child.is_ready = child.is_ready or child.ready_text in line
        self._output.write(f"{child.name:7} | {line}\n")

    def remove_ended(self) -> list[Child]:
        """Remove the children that have ended, kill what they had started, and return them."""
        ended = [child for child in self.children if child.process.poll() is not None]
        for child in ended:
            child.kill_session()
            self.children.remove(child)
        return ended

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
