"""A site for the tests of `make run`."""

import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

from tests.embedded.helpers import PROJECT, children_of, processes_of, wait_until

FIRST_START = 240.0
"""Seconds that a first start may take, including the demo league."""

STOP = 15.0
"""Seconds that a site may take to end, whatever ended it."""

VARIABLES = (
    "DATABASE_URL",
    "REDIS_URL",
    "LAUREL_SITE_URL",
    "HOST",
    "LAUREL_DEMO_PLAYERS",
    "DEMO",
)
"""What must not come from the environment of the tests."""


class Site:
    """A site that runs on `data`, started by a shell as make would start it."""

    def __init__(self, data: Path, port: int | str, **variables: str) -> None:
        self.data, self.port = data, port
        environment = {**os.environ, "LAUREL_DATA": str(data), "PORT": str(port)}
        for name in VARIABLES:
            environment.pop(name, None)
        environment |= variables
        self.parent = subprocess.Popen(
            ["/bin/sh", "-c", f"'{sys.executable}' -m embedded.run; exit $?"],
            cwd=PROJECT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self.output = ""
        self._seen = 0
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.parent.stdout
        for line in self.parent.stdout:
            self.output += line

    def up(self) -> "Site":
        """Wait until it is up."""
        self.read_until("Press Ctrl-C to stop.")
        return self

    def read_until(self, words: str) -> None:
        """Wait until it has written `words`, after those of the last call."""
        deadline = time.monotonic() + FIRST_START
        while (found := self.output.find(words, self._seen)) < 0:
            is_late = time.monotonic() > deadline or not self._reader.is_alive()
            assert not is_late, f"the site did not write “{words}”:\n{self.output}"
            time.sleep(0.02)
        self._seen = found + len(words)

    def status(self, path: str, timeout: float = 30) -> int:
        """Return the status of its response."""
        connection = http.client.HTTPConnection("127.0.0.1", int(self.port), timeout=timeout)
        try:
            connection.request("GET", path)
            return connection.getresponse().status
        finally:
            connection.close()

    def works(self) -> bool:
        """Return whether database, broker and pages respond."""
        try:
            return all(self.status(path, 5) == 200 for path in ("/readyz", "/"))
        except (OSError, http.client.HTTPException):
            return False

    def press_ctrl_c(self) -> None:
        """Send the signal to every process in the foreground, as a terminal does."""
        os.killpg(self.parent.pid, signal.SIGINT)

    def pid_of(self, *words: str) -> int:
        """Return its first process with these words in its command. Wait until there is one."""

        def found() -> list[int]:
            commands = processes_of(self.data).items()
            return sorted(
                pid for pid, text in commands if all(word in text.split() for word in words)
            )

        wait_until(found)
        return found()[0]

    def started_pid(self, *words: str) -> int:
        """Return the process with these words that `embedded.run` has started. Wait for it."""

        def found() -> list[int]:
            commands = processes_of(self.data)
            return [
                pid
                for pid in children_of(self.run_pid())
                if all(word in commands.get(pid, "").split() for word in words)
            ]

        wait_until(found)
        return found()[0]

    def run_pid(self) -> int:
        """Return the process of `embedded.run` itself."""
        [pid] = [
            pid
            for pid, command in processes_of(self.data).items()
            if "embedded.run" in command and not command.startswith("/bin/sh")
        ]
        return pid

    def read_rest(self) -> str:
        """Wait until it has ended, and return all of its output."""
        self.parent.wait(FIRST_START)
        self._reader.join(FIRST_START)
        assert self.parent.stdout
        self.parent.stdout.close()
        return self.output

    def wait_until_gone(self) -> None:
        """Wait until none of its processes is left."""
        wait_until(lambda: not processes_of(self.data), STOP)
        self.read_rest()


@contextmanager
def reserved_port() -> Iterator[int]:
    """Give a port, and reserve it by a socket that does not listen.

    Only a site that asks for this port may then listen on it: both sockets allow it by
    SO_REUSEADDR, and the kernel gives a port that is in use to nobody who asks for a free one.
    """
    with socket.socket() as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        holder.bind(("127.0.0.1", 0))
        yield holder.getsockname()[1]
