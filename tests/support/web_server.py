"""The real web server on the test database."""

import os
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from urllib.request import urlopen

from django.conf import settings

from tests.support.celery_steps import PROJECT, STARTS_WITHIN, database_url

CONFIGURATION = """
exec(open("gunicorn.conf.py").read())
workers = 1
SILENT_FOR = 2
"""
SETTINGS = """
from league.settings import *
plain = "django.contrib.staticfiles.storage.StaticFilesStorage"
STORAGES = {**STORAGES, "staticfiles": {"BACKEND": plain}}
"""
PATIENCE = 20.0
"""Seconds that an answer may take on a busy machine."""


class WebServer:
    """Gunicorn with one process of the site, as in production but for a shorter patience."""

    def __init__(self, folder: Path) -> None:
        configuration = folder / "configuration.py"
        configuration.write_text(CONFIGURATION)
        (folder / "served.py").write_text(SETTINGS)
        self.log = folder / "log"
        with (
            socket.create_server(("127.0.0.1", 0), backlog=2048) as listener,
            self.log.open("wb") as log,
        ):
            self.port = listener.getsockname()[1]
            options = ["--config", str(configuration), "--bind", f"fd://{listener.fileno()}"]
            self.process = subprocess.Popen(
                [sys.executable, "-m", "gunicorn", "league.wsgi", *options],
                cwd=PROJECT,
                env={
                    **os.environ,
                    "DJANGO_SETTINGS_MODULE": "served",
                    "PYTHONPATH": str(folder),
                    "DATABASE_URL": database_url(),
                    "REDIS_URL": settings.REDIS_URL,
                },
                pass_fds=[listener.fileno()],
                stderr=log,
            )
        self.status("/healthz", STARTS_WITHIN)

    def stop(self) -> None:
        self.process.terminate()
        assert self.process.wait(PATIENCE) == 0

    def status(self, path: str, patience: float = PATIENCE) -> int:
        """Return the status of a page."""
        address = f"http://127.0.0.1:{self.port}{path}"
        with urlopen(address, timeout=patience) as answer:
            status: int = answer.status
            return status

    def exchange(self, *parts: bytes, then_close: bool = False) -> bytes:
        """Send bytes on a connection of their own, and return all that comes back.

        Raises ``TimeoutError`` if the server does not close it.
        """
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as client:
            answer = b""
            try:
                for part in parts:
                    client.sendall(part)
                    time.sleep(0.02)
                if then_close:
                    client.shutdown(socket.SHUT_WR)
                while data := client.recv(65536):
                    answer += data
            except OSError as error:  # it has been closed before everything was sent or read
                if isinstance(error, TimeoutError):
                    raise
            return answer

    def open_files(self) -> int:
        """Return how many files the worker has open, apart from local sockets.

        Those are its connections to PostgreSQL and Valkey.
        """
        pid = self.process.pid
        [worker] = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        local = {line.split()[6] for line in Path("/proc/net/unix").read_text().splitlines()[1:]}
        files = 0
        for number in Path(f"/proc/{worker}/fd").iterdir():
            with suppress(FileNotFoundError):  # it has just been closed
                files += str(number.readlink())[len("socket:[") : -1] not in local
        return files
