"""Processes and folders that the tests of the embedded servers act with."""

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
from shutil import disk_usage
from tempfile import mkdtemp
from threading import Timer
from typing import IO, Any

import psycopg

PROJECT = Path(__file__).resolve().parents[2]
DEADLINE = 90.0
"""Seconds after which a test gives up on what it waits for."""
AM_ROOT = os.geteuid() == 0


_everybody: list["User"] = []


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
        told = {"LAUREL_DATA": str(data), "TEST_PROJECT": str(project), **(environment or {})}
        self.process = subprocess.Popen(
            [python, str(project / "tests" / "embedded" / "user_process.py")],
            env={**os.environ, **told},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd="/",
            **options,
        )
        self.answer: dict[str, Any] = {}
        _everybody.append(self)

    def attached(self) -> "User":
        """Wait until it has attached."""
        self.answer = self.hear()
        assert "sockets" in self.answer, self.answer
        return self

    def hear(self) -> dict[str, Any]:
        """Its next answer."""
        answer: dict[str, Any] = json.loads(self._line_of(self.process.stdout))
        return answer

    def remark(self) -> str:
        """The next line that it writes to its standard error, which has to be a pipe."""
        return self._line_of(self.process.stderr)

    def _line_of(self, stream: IO[str] | None) -> str:
        assert stream
        impatience = Timer(DEADLINE, self.process.kill)
        impatience.start()
        line = stream.readline()
        impatience.cancel()
        assert line, "the user's process has ended, or was too slow"
        return line

    def told(self, what: str) -> dict[str, Any]:
        """Tell it to do something, and hear what it answers."""
        assert self.process.stdin
        self.process.stdin.write(what + "\n")
        self.process.stdin.flush()
        return self.hear()

    def error(self) -> str:
        """What it was told in place of addresses."""
        answer = self.hear()
        self.leave()
        return str(answer["error"])

    @property
    def sockets(self) -> Path:
        """Where it was told that the sockets are."""
        return Path(self.answer["sockets"])

    def leave(self) -> None:
        """End as a program ends."""
        self._end()

    def kill(self) -> None:
        """End as a program ends that is killed."""
        self.process.kill()
        self._end()

    def _end(self) -> None:
        if self in _everybody:
            _everybody.remove(self)
            self.process.communicate(timeout=DEADLINE)


def as_user(uid: int, gid: int) -> dict[str, Any]:
    """What starts a process as another user; nothing where only one is to be had."""
    return {"user": uid, "group": gid, "extra_groups": []} if AM_ROOT else {}


def connect(sockets: Path, **options: Any) -> "psycopg.Connection[tuple[Any, ...]]":
    """A connection to the database behind `sockets`."""
    return psycopg.connect(
        host=str(sockets), user="laurel", dbname="laurel", autocommit=True, **options
    )


def answer(sockets: Path, question: str) -> Any:
    """The one value that a query gives."""
    with connect(sockets) as connection:
        row = connection.execute(question.encode()).fetchone()
        return row[0] if row else None


def until(condition: Callable[[], object], seconds: float = DEADLINE) -> None:
    """Wait for `condition`; fail when it has not come true by the deadline."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"waited {seconds} s in vain"
        time.sleep(0.01)


def processes_of(data: Path) -> dict[int, str]:
    """Every process that has to do with a data folder: by its command, environment or place."""
    homes = {str(data), str((data / "servers").resolve())}
    found = {}
    for entry in Path("/proc").glob("[0-9]*"):
        if int(entry.name) == os.getpid():
            continue
        try:
            command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            told = (entry / "environ").read_bytes().decode(errors="replace")
            about = f"{command}\n{told}\n{(entry / 'cwd').readlink()}"
        except OSError:
            continue
        if command and any(home in about for home in homes):
            found[int(entry.name)] = command
    return found


def pid_of(data: Path, what: str) -> int:
    """The one process of a data folder whose program or script ends in `what`, once it is there."""

    def found() -> list[int]:
        alive = processes_of(data).items()
        return [pid for pid, told in alive if any(word.endswith(what) for word in told.split()[:4])]

    until(found)
    [pid] = found()
    return pid


def are_stopped(data: Path) -> bool:
    """Whether nothing runs on a data folder but the users that the test still has."""
    return set(processes_of(data)) <= {user.process.pid for user in _everybody}


def postmaster_of(data: Path) -> int:
    """The process number of PostgreSQL's first process."""
    return int((data / "servers" / "postgres" / "postmaster.pid").read_text().split()[0])


def kill_everything_of(data: Path) -> None:
    """Kill every process that has to do with a data folder, at once."""
    while alive := processes_of(data):
        for pid in alive:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        time.sleep(0.01)


def _fast_folder() -> str | None:
    """Memory, where there is enough of it: killed processes lose no less there than on a disk."""
    memory = Path("/dev/shm")  # noqa: S108  mkdtemp makes a private folder in it
    if memory.is_dir() and os.access(memory, os.W_OK) and disk_usage(memory).free > 2**30:
        return str(memory)
    return "/tmp"  # noqa: S108  likewise


@contextmanager
def data_folder(template: Path | None = None, mode: int = 0o755) -> Iterator[Path]:
    """A folder for data, a copy of `template` if there is one.

    What still runs on it in the end is killed, and it is removed.
    """
    base = Path(mkdtemp(prefix="laurel-test-", dir=_fast_folder()))
    base.chmod(mode)
    data = base / "data"
    try:
        if template:
            subprocess.run(["cp", "-a", template, data], check=True)
        yield data
    finally:
        kill_everything_of(data)
        for user in [user for user in _everybody if user.data == data]:
            user.kill()
        sockets = data / "servers" / "sockets"
        if sockets.exists():
            shutil.rmtree(sockets.read_text(), ignore_errors=True)
        if (data / "servers").is_symlink():
            shutil.rmtree((data / "servers").resolve(), ignore_errors=True)
        shutil.rmtree(base)
