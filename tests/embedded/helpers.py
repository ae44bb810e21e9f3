"""Processes and folders for the tests of the embedded servers."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from threading import Timer
from typing import IO, Any

import psycopg

PROJECT = Path(__file__).resolve().parents[2]
DEADLINE = 90.0
"""Seconds after which a test stops waiting."""
AM_ROOT = os.geteuid() == 0

_users: list["User"] = []


class User:
    """Another process that uses the servers of a data folder."""

    def __init__(
        self,
        data: Path,
        *,
        python: str = sys.executable,
        project: Path = PROJECT,
        environment: dict[str, str] | None = None,
        **options: Any,
    ) -> None:
        self.data = data
        folders = {"LAUREL_DATA": str(data), "TEST_PROJECT": str(project)}
        self.process = subprocess.Popen(
            [python, str(project / "tests" / "embedded" / "user_process.py")],
            env={**os.environ, **folders, **(environment or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd="/",
            **options,
        )
        self.answer: dict[str, Any] = {}
        _users.append(self)

    def attached(self) -> "User":
        """Wait until it has attached."""
        self.answer = self.read_answer()
        assert "sockets" in self.answer, self.answer
        return self

    def read_answer(self) -> dict[str, Any]:
        """Return its next answer."""
        answer: dict[str, Any] = json.loads(self._read_line(self.process.stdout))
        return answer

    def _read_line(self, stream: IO[str] | None) -> str:
        assert stream
        timer = Timer(DEADLINE, self.process.kill)
        timer.start()
        line = stream.readline()
        timer.cancel()
        assert line, "the user's process has ended, or was too slow"
        return line

    def send(self, command: str) -> dict[str, Any]:
        """Send it a command and return its answer."""
        assert self.process.stdin
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        return self.read_answer()

    def error(self) -> str:
        """Return the error that it got instead of addresses."""
        answer = self.read_answer()
        self.leave()
        return str(answer["error"])

    @property
    def sockets(self) -> Path:
        """The folder of the sockets that it was given."""
        return Path(self.answer["sockets"])

    def leave(self) -> None:
        """End like a program that has finished."""
        self._end()

    def kill(self) -> None:
        """End like a program that was killed."""
        self.process.kill()
        self._end()

    def _end(self) -> None:
        if self in _users:
            _users.remove(self)
            self.process.communicate(timeout=DEADLINE)


def run_as(uid: int, gid: int) -> dict[str, Any]:
    """Return the options that start a process as another user, or none without root's rights."""
    return {"user": uid, "group": gid, "extra_groups": []} if AM_ROOT else {}


def connect(sockets: Path, **options: Any) -> "psycopg.Connection[tuple[Any, ...]]":
    """Return a connection to the database behind `sockets`."""
    return psycopg.connect(
        host=str(sockets), user="laurel", dbname="laurel", autocommit=True, **options
    )


def query(sockets: Path, sql: str) -> Any:
    """Return the single value that a query gives."""
    with connect(sockets) as connection:
        row = connection.execute(sql.encode()).fetchone()
        return row[0] if row else None


def wait_until(condition: Callable[[], object], seconds: float = DEADLINE) -> None:
    """Wait for `condition`, and fail if it is still false after some seconds.

    The longer it takes, the longer are the pauses: some conditions look at every process.
    """
    began = time.monotonic()
    while not condition():
        waited = time.monotonic() - began
        assert waited < seconds, f"waited {seconds} s in vain"
        time.sleep(0.01 + min(waited / 20, 0.1))


def processes_of(data: Path) -> dict[int, str]:
    """Return the command of every process that names a data folder or works in it, by number."""
    folders = {str(data), str((data / "servers").resolve())}
    found = {}
    for entry in Path("/proc").glob("[0-9]*"):
        if int(entry.name) == os.getpid():
            continue
        try:
            command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            environment = (entry / "environ").read_bytes().decode(errors="replace")
            text = f"{command}\n{environment}\n{(entry / 'cwd').readlink()}"
        except OSError:
            continue
        if command and any(folder in text for folder in folders):
            found[int(entry.name)] = command
    return found


def pid_of(data: Path, name: str) -> int:
    """Return the one process of a data folder whose program or module ends in `name`.

    Wait until there is one.
    """

    def found() -> list[int]:
        commands = processes_of(data).items()
        return [pid for pid, text in commands if any(x.endswith(name) for x in text.split()[:5])]

    wait_until(found)
    [pid] = found()
    return pid


def children_of(pid: int) -> list[int]:
    """Return the processes that a process has started."""
    return [int(text) for text in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def guardian_pid(data: Path) -> int:
    """Return the number of the guardian's process."""
    return pid_of(data, "embedded.guardian")


def postmaster_pid(data: Path) -> int:
    """Return the number of PostgreSQL's first process."""
    return int((data / "servers" / "postgres" / "postmaster.pid").read_text().split()[0])


def are_stopped(data: Path) -> bool:
    """Return whether nothing runs on a data folder but the users that the test still has."""
    return set(processes_of(data)) <= {user.process.pid for user in _users}


def kill_all_of(data: Path) -> None:
    """Kill every process of a data folder at once."""
    while processes := processes_of(data):
        for pid in processes:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        time.sleep(0.01)


@contextmanager
def data_folder(template: Path | None = None, mode: int = 0o755) -> Iterator[Path]:
    """Give a data folder: a copy of `template`, or one that does not exist yet.

    At the end, kill what still runs on it and remove it.
    """
    base = Path(mkdtemp(prefix="laurel-test-"))
    base.chmod(mode)
    data = base / "data"
    try:
        if template:
            subprocess.run(["cp", "-a", template, data], check=True)
        yield data
    finally:
        kill_all_of(data)
        for user in [user for user in _users if user.data == data]:
            user.kill()
        sockets = data / "servers" / "sockets"
        if sockets.exists():
            shutil.rmtree(sockets.read_text(), ignore_errors=True)
        if (data / "servers").is_symlink():
            shutil.rmtree((data / "servers").resolve(), ignore_errors=True)
        shutil.rmtree(base)
