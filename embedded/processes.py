"""Child processes that never outlive their parent, and their logs."""

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from embedded import accounts
from embedded.accounts import Account

Command = Sequence[str | Path]

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


def die_with_parent(number: signal.Signals, parent: int) -> None:
    """Let the kernel send this process `number` when its parent, `parent`, ends (Linux only).

    Call it after any change of user, which would undo it.
    """
    if _libc is None:
        return
    _libc.prctl(_PR_SET_PDEATHSIG, int(number), 0, 0, 0)
    # The parent ended before the kernel was asked to watch it.
    if os.getppid() != parent:
        os.kill(os.getpid(), number)


def start(
    command: Command, orphan_signal: signal.Signals, **options: Any
) -> subprocess.Popen[bytes]:
    """Start `command` with the options of `subprocess.Popen`, without input by default.

    The kernel sends it `orphan_signal` if this process, which must have a single thread, dies.
    """
    parent = os.getpid()

    def prepare() -> None:
        if orphan_signal != signal.SIGKILL:
            # A shell lets what it starts in the background ignore SIGINT and SIGQUIT.
            signal.signal(orphan_signal, signal.SIG_DFL)
        die_with_parent(orphan_signal, parent)

    return subprocess.Popen(
        command,
        preexec_fn=prepare,  # noqa: PLW1509  one thread
        **{"stdin": subprocess.DEVNULL, **options},
    )


def start_server(
    command: Command, account: Account, log: Path, orphan_signal: signal.Signals, **options: Any
) -> subprocess.Popen[bytes]:
    """Start `command` as `account`, by default in `/`, and append its output to `log`."""
    if os.geteuid() != account.pw_uid:
        options |= {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
    # Root must not follow a link that the servers' account has put there.
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600)
    try:
        accounts.match_owner(output, log.parent)
        # Nothing of the user's settings: a locale or PG* variable would change what the servers do.
        environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}
        options = {"cwd": "/", **options, "env": environment, "umask": 0o077}
        return start(command, orphan_signal, stdout=output, stderr=output, **options)
    finally:
        os.close(output)


def signal_all_in(folder: Path, number: signal.Signals) -> None:
    """Send `number` to every process whose working folder is `folder` (Linux only)."""
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended, or belongs to another user
            if (entry / "cwd").readlink() == folder:
                os.kill(int(entry.name), number)


class Log:
    """The part of the log at `path` that is written from now on."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._start = self.size()

    def size(self) -> int:
        """Return the size of the whole file in bytes."""
        return self.path.stat().st_size if self.path.exists() else 0

    def text(self) -> str:
        """Return the new part, at most its last 64 KiB."""
        with self.path.open("rb") as file:
            file.seek(max(self._start, self.size() - 65536))
            return file.read().decode(errors="replace")

    def last_line(self) -> str:
        """Return the last line of the new part that reports an error, else its last line."""
        lines = [line.strip() for line in self.text().splitlines() if line.strip()]
        marks = ("FATAL:", "PANIC:", "error:")
        errors = [line for line in lines if any(mark in line for mark in marks)]
        return (errors or lines or ["(nothing)"])[-1]

    def explain(self, problem: str) -> str:
        """Return a message that says what happened, why, and what to do."""
        remedy = f"see {self.path} and start again"
        if "No space left on device" in self.text():
            remedy = f"the disk that holds {self.path.parent} is full. Free some space"
        return f"{problem}: {remedy}. The log ends: {self.last_line()}"
