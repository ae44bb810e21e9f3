"""A PostgreSQL with a replica that streams from it, both of the programs of ``make run``."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg

from embedded import accounts, binaries
from tests.support.celery_steps import STARTS_WITHIN, happens_within, kill

if TYPE_CHECKING:
    from collections.abc import Sequence

USER = "laurel"
SETTINGS = """
listen_addresses = ''
unix_socket_directories = '{folder}'
wal_level = replica
max_wal_senders = 3
shared_buffers = 64MB
fsync = off
autovacuum = off
timezone = 'UTC'
jit = off
"""


class Server:
    """A PostgreSQL server in a folder of its own, with its socket beside the data."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.account = accounts.for_servers(folder)
        accounts.give(folder, self.account)
        self.data = folder / "data"
        self.programs = binaries.reachable_by(self.account, binaries.find()).postgres.parent
        self.process: subprocess.Popen[bytes] | None = None

    def create(self) -> None:
        """Create an empty server and start it."""
        self.run("initdb", "-D", self.data, "-U", USER, "-A", "trust", "--no-sync", "--locale=C")
        self.start()

    def follow(self, primary: Server) -> None:
        """Copy another server, and start to stream from it."""
        source = f"host={primary.folder} user={USER}"
        self.run("pg_basebackup", "-D", self.data, "-R", "-c", "fast", "--no-sync", "-d", source)
        self.start()

    def start(self) -> None:
        settings = SETTINGS.format(folder=self.folder)
        (self.data / "postgresql.conf").write_text(settings)
        self.process = subprocess.Popen(
            self.dropped("postgres", "-D", self.data),
            cwd="/",
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        assert happens_within(self.answers, STARTS_WITHIN)

    def answers(self) -> bool:
        try:
            self.session("postgres").close()
        except psycopg.OperationalError:
            return False
        return True

    def session(self, database: str) -> psycopg.Connection:
        return psycopg.connect(
            host=str(self.folder), user=USER, dbname=database, autocommit=True, connect_timeout=2
        )

    def _children(self) -> list[int]:
        assert self.process
        pid = self.process.pid
        return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def end(self) -> None:
        if self.process:
            for child in self._children() if self.process.poll() is None else []:
                with suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)
            kill(self.process)

    def run(self, program: str, *words: str | Path) -> None:
        subprocess.run(self.dropped(program, *words), check=True, capture_output=True, cwd="/")

    def dropped(self, program: str, *words: str | Path) -> Sequence[str | Path]:
        """Return a command that does not run as root."""
        command = [self.programs / program, *words]
        if os.geteuid() != 0:
            return command
        return ["setpriv", f"--reuid={self.account.pw_uid}", "--clear-groups", *command]


def copy_database(source: str, target: Server, name: str) -> None:
    """Copy a database, by its URL, into a new one of another server."""
    with target.session("postgres") as session:
        session.execute(f'CREATE DATABASE "{name}" TEMPLATE template0'.encode())
    into = f"host={target.folder} user={USER} dbname={name}"
    programs = binaries.find().postgres.parent
    with subprocess.Popen(
        [programs / "pg_dump", "-Fc", "--no-owner", "-d", source], stdout=subprocess.PIPE
    ) as dump:
        subprocess.run(
            [programs / "pg_restore", "--no-owner", "-d", into], stdin=dump.stdout, check=True
        )
