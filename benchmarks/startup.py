"""Measure the time to the first SELECT with our supervisor and with the plain server programs.

    python -m benchmarks.startup [ROUNDS]

A cold start has no data: `initdb`, then `postgres` and `valkey-server` in parallel until they
answer a SELECT and a PING, compared with `embedded.servers.attach()` and a SELECT, which also
create the role and the database. A second start has data. Both take turns and their medians are
compared. The goals are ratios of at most 1.3 and 1.5.
"""

import os
import platform
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg

from embedded import accounts, binaries, servers

Command = list[str | Path]

AIMS = {"cold": 1.3, "second": 1.5}


def main(rounds: int) -> int:
    """Measure and print. Return how many goals were missed."""
    seconds: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory(prefix="bench-", dir="/tmp") as folder:
        base = Path(folder)
        base.chmod(0o755)
        for number in range(rounds):
            turns: list[tuple[str, Raw | Ours]] = [
                ("raw", Raw(base / f"raw{number}")),
                ("ours", Ours(base / f"ours{number}")),
            ]
            for name, subject in turns if number % 2 else reversed(turns):
                for start in AIMS:
                    try:
                        took = _timed(subject.start)
                    finally:
                        subject.stop()
                    seconds.setdefault(f"{name} {start}", []).append(took)
                shutil.rmtree(subject.folder)
    return _print(seconds, rounds)


def _timed(start: Callable[[], None]) -> float:
    begin = time.perf_counter()
    start()
    return time.perf_counter() - begin


def _until(action: Callable[[], None]) -> None:
    while True:
        try:
            return action()
        except (psycopg.OperationalError, OSError):
            time.sleep(0.001)


class Raw:
    """The server programs, as a person would start them in a shell."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.account = accounts.for_servers(folder)
        self.programs = binaries.reachable_by(self.account, binaries.find())
        folder.mkdir(mode=0o700)
        os.chown(folder, self.account.pw_uid, self.account.pw_gid)
        self.running: list[subprocess.Popen[bytes]] = []
        self.data = folder / "data"

    def start(self) -> None:
        """Initialise if necessary, start, select."""
        if not self.data.exists():
            initdb: Command = [self.programs.initdb, "-D", self.data, "-U", "postgres"]
            initdb += ["-A", "trust"]
            subprocess.run(initdb, check=True, stdout=subprocess.DEVNULL, **self._as_account())
        valkey: Command = [
            self.programs.valkey,
            "--port",
            "0",
            "--unixsocket",
            self.folder / "valkey",
        ]
        valkey += ["--dir", self.folder, "--save", "", "--appendonly", "yes"]
        postgres: Command = [self.programs.postgres, "-D", self.data, "-k", self.folder, "-h", ""]
        self.running = [
            subprocess.Popen(
                command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **self._as_account()
            )
            for command in (valkey, postgres)
        ]
        _until(self._select)
        _until(self._ping)

    def stop(self) -> None:
        """Stop the servers."""
        for server in self.running:
            server.send_signal(signal.SIGINT)
            server.wait()

    def _select(self) -> None:
        with psycopg.connect(f"host={self.folder} user=postgres") as connection:
            connection.execute("SELECT 1")

    def _ping(self) -> None:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(self.folder / "valkey"))
            connection.sendall(b"PING\r\n")
            if not connection.recv(64).startswith(b"+PONG"):
                raise ConnectionError("still loading")

    def _as_account(self) -> dict[str, Any]:
        if os.geteuid() == self.account.pw_uid:
            return {}
        return {"user": self.account.pw_uid, "group": self.account.pw_gid, "extra_groups": []}


class Ours:
    """The supervisor of the site."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def start(self) -> None:
        """Attach, select."""
        found = servers.attach(self.folder)
        with psycopg.connect(found.database_url) as connection:
            connection.execute("SELECT 1")

    def stop(self) -> None:
        """Detach, which stops the servers."""
        servers.leave(self.folder)


def _print(seconds: dict[str, list[float]], rounds: int) -> int:
    version = subprocess.run(
        [binaries.find().postgres, "--version"], check=True, capture_output=True, text=True
    ).stdout.strip()
    print(f"{version}, Python {platform.python_version()}, {platform.platform()},")
    print(f"{os.cpu_count()} cores, user number {os.geteuid()}, medians of {rounds} rounds\n")
    print("start     raw ms   ours ms   ratio    aim")
    missed = 0
    for start, aim in AIMS.items():
        raw, ours = (statistics.median(seconds[f"{name} {start}"]) for name in ("raw", "ours"))
        missed += ours / raw > aim
        print(f"{start:8}{1000 * raw:8.1f}{1000 * ours:10.1f}{ours / raw:8.2f}{aim:7.1f}")
    return missed


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 11))
