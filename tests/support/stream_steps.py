"""The real web server on the test database, and programs that read streams of events from it."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings

from league.event_streams import LIFE
from tests.support.celery_steps import PROJECT, STARTS_WITHIN, database_url, happens_within

if TYPE_CHECKING:
    from collections.abc import Iterator

CONFIGURATION = """
exec(open("gunicorn.conf.py").read())
from pathlib import Path
workers = 1
import league.event_streams as streams
streams.LOOK_EVERY, streams.BEAT_EVERY, streams.LATE, streams.SENT_AHEAD = 0.2, 5, 6.0, 2048


def post_fork(server, worker):
    streams.LIFE = float((Path(__file__).parent / "life").read_text())
"""
PATIENCE = 30.0
OPEN = {"01", "08"}
"""Established, or closed by the client alone."""


def servers() -> dict[str, str]:
    """Return the environment in which a site uses the database and the Valkey of this process."""
    return {"DATABASE_URL": database_url(), "REDIS_URL": settings.REDIS_URL}


class Site:
    """A web server on the test database."""

    def __init__(self, folder: Path, **more: str) -> None:
        (folder / "configuration.py").write_text(CONFIGURATION)
        self._life = folder / "life"
        self._life.write_text(str(LIFE))
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.port = listener.getsockname()[1]
            options = ["--config", str(folder / "configuration.py")]
            options += ["--bind", f"fd://{listener.fileno()}"]
            self.process = subprocess.Popen(
                [sys.executable, "-m", "gunicorn", "league.wsgi", *options],
                cwd=PROJECT,
                env={**os.environ, **servers(), **more},
                pass_fds=[listener.fileno()],
                stderr=subprocess.DEVNULL,
            )

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(20)

    def renew(self, life: float = LIFE) -> None:
        """Kill what answers requests, and wait until another process does, which knows nothing.

        That one is forked by the server, which has loaded the site: to load it takes two seconds.
        Its streams end after ``life`` seconds.
        """
        self._life.write_text(str(life))
        old = self._workers()
        for worker in old:
            os.kill(worker, signal.SIGKILL)
        assert happens_within(lambda: self._workers() not in ([], old), STARTS_WITHIN)

    def _workers(self) -> list[int]:
        pid = self.process.pid
        return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def connections(self) -> int:
        """Return how many connections the server has open."""
        lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        here = f":{self.port:04X}"
        return sum(line[1].endswith(here) and line[3] in OPEN for line in lines)

    @contextmanager
    def stream(self, path: str, token: str = "", **headers: str) -> Iterator[Reader]:
        """Read a stream of the API for a while."""
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as connection:
            yield Reader(connection, path, token, headers)


class Reader:
    """A program that reads a stream."""

    def __init__(
        self, connection: socket.socket, path: str, token: str, headers: dict[str, str]
    ) -> None:
        self.connection, self.read = connection, b""
        lines = [f"GET /api/v1/{path}/stream/ HTTP/1.1", "Host: localhost"]
        lines += [f"Authorization: Bearer {token}"] if token else []
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        connection.sendall("\r\n".join([*lines, "", ""]).encode())
        self.head = self.until(b"\r\n\r\n")

    def until(self, mark: bytes) -> str:
        """Return what comes up to a mark."""
        while mark not in self.read:
            data = self.connection.recv(65536)
            if not data:
                raise EOFError(self.read)
            self.read += data
        text, _mark, self.read = self.read.partition(mark)
        return text.decode()

    def next(self) -> tuple[str, str, Any]:
        """Return the id, the name and the data of the next event."""
        text = self.until(b"\n\n")
        while "data: " not in text:
            text = self.until(b"\n\n")
        found = re.fullmatch(r"id: (\S+)\nevent: (\S+)\ndata: (.*)", text)
        assert found, text
        return found[1], found[2], json.loads(found[3])

    def event(self) -> dict[str, Any]:
        """Return the data of the next event about a match, with its id as ``event``."""
        mark, name, data = self.next()
        assert name == "match"
        return {**data, "event": mark}

    def ends(self) -> bool:
        """Return whether the stream ends within some seconds."""
        deadline = time.monotonic() + PATIENCE
        self.connection.settimeout(PATIENCE)
        try:
            while self.connection.recv(65536):
                if time.monotonic() > deadline:
                    return False
        except ConnectionResetError:
            pass
        except TimeoutError:
            return False
        return True
