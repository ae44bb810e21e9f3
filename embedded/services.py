"""The site's own processes under `make run`: started, listened to, stopped, none left behind.

Each is the leader of a session of its own, so that Ctrl-C reaches this process alone, which then
stops them in order; and each is stopped by the kernel if this process is killed.
"""

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from embedded import processes

PATIENCE = 10.0
"""Seconds that a service has to stop after being asked to."""
SWEEP = 2.0
"""Seconds that what a service has started has to be gone after being killed."""


@dataclass
class Service:
    """One process of the site.

    :param signs_of_life: what it writes to its log when it is ready; empty if that shows elsewhere.
    :param routine: what marks the lines that are not worth passing on once it is ready: Celery's
        telling of every task that is due, received and done.
    :param on_orphaned: what stops it at once if this process is killed.
    :param vital: whether the site is no site without it.
    """

    name: str
    command: list[str]
    signs_of_life: str = ""
    routine: str = ""
    on_orphaned: signal.Signals = signal.SIGTERM
    vital: bool = True
    process: subprocess.Popen[bytes] | None = None
    said: bytearray = field(default_factory=bytearray)
    ready: bool = False

    def start(self, folder: Path, environment: dict[str, str]) -> None:
        """Start it, its output going to a pipe that `Services` reads."""
        parent = os.getpid()
        self.process = subprocess.Popen(
            self.command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=lambda: processes.die_with_parent(self.on_orphaned, parent),  # noqa: PLW1509  this process has one thread
        )
        self.ready = not self.signs_of_life

    def has_ended(self) -> bool:
        """Whether it was started and is gone."""
        return self.process is not None and self.process.poll() is not None

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal, if it is there."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(number)

    def kill_session(self) -> bool:
        """Kill it and what it has started; say whether there was anything left to kill."""
        if not self.process:
            return False
        self.process.poll()
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return False
        except PermissionError:  # what some systems say of a group that is all dead
            return False
        return True


class Services:
    """All of them, their output merged line by line onto one stream."""

    def __init__(self, services: list[Service], output: TextIO) -> None:
        self.all = services
        self._output = output
        self._width = max(len(service.name) for service in services)
        self._selector = selectors.DefaultSelector()

    def start(self, folder: Path, environment: dict[str, str]) -> None:
        """Start them all."""
        for service in self.all:
            service.start(folder, environment)
            assert service.process  # noqa: S101  for the type checker: it was just started
            assert service.process.stdout  # noqa: S101  likewise: it is a pipe
            self._selector.register(service.process.stdout, selectors.EVENT_READ, service)

    def listen(self, seconds: float) -> None:
        """Pass on what they say, waiting for it for at most that long."""
        for key, _ in self._selector.select(seconds):
            text = os.read(key.fd, 65536)
            if not text:
                self._selector.unregister(key.fileobj)
            self._pass_on(key.data, text)

    def _pass_on(self, service: Service, text: bytes) -> None:
        service.said += text
        *lines, rest = service.said.split(b"\n")
        service.said = bytearray(rest)
        for line in lines:
            words = line.decode(errors="replace")
            if service.ready and service.routine and service.routine in words:
                continue
            if service.signs_of_life and service.signs_of_life in words:
                service.ready = True
            self._output.write(f"{service.name:{self._width}} | {words}\n")
        self._output.flush()

    def first_ended(self) -> Service | None:
        """A vital one that ended by itself, if any has."""
        return next(
            (service for service in self.all if service.vital and service.has_ended()), None
        )

    def dismiss_ended(self) -> list[Service]:
        """Those that are not vital and have ended since the last time: they are none of us now."""
        ended = [service for service in self.all if not service.vital and service.has_ended()]
        for service in ended:
            service.kill_session()
            self.all.remove(service)
        return ended

    def stop(self, in_a_hurry: Callable[[], bool]) -> None:
        """Ask them to stop; after `PATIENCE` seconds, or in a hurry, make them. None is left."""
        for service in self.all:
            service.signal(signal.SIGTERM)
        deadline = time.monotonic() + PATIENCE
        while not all(service.has_ended() or not service.process for service in self.all):
            if time.monotonic() > deadline or in_a_hurry():
                break
            self._listen_if_anybody_reads(0.05)
        deadline = time.monotonic() + SWEEP
        while [service for service in self.all if service.kill_session()]:
            if time.monotonic() > deadline:
                break
            time.sleep(0.01)
        self._listen_if_anybody_reads(0)

    def _listen_if_anybody_reads(self, seconds: float) -> None:
        try:
            self.listen(seconds)
        except BrokenPipeError:
            self._selector.close()
            self._selector = selectors.DefaultSelector()
            time.sleep(seconds)
