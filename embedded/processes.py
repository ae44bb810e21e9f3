"""Starting server processes so that none outlives the process that watches it."""

import ctypes
import fcntl
import os
import signal
import sys
from pathlib import Path
from typing import NoReturn

from embedded import accounts
from embedded.accounts import Account

ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


def die_with_parent(number: signal.Signals, parent: int) -> None:
    """Ask the kernel to send this process `number` when its parent, `parent`, is gone (Linux).

    To be called after any change of user, which would undo it.
    """
    if _libc is None:
        return
    _libc.prctl(_PR_SET_PDEATHSIG, int(number), 0, 0, 0)
    if os.getppid() != parent:
        os.kill(os.getpid(), number)


def spawn(
    command: list[str],
    account: Account,
    *,
    log: Path,
    keep: int,
    on_orphaned: signal.Signals,
    text: str = "",
) -> int:
    """Start `command` as `account`; answer its process number.

    Its output is appended to `log`; `text` is its input. Of this process's open files it inherits
    `keep` alone. It is sent `on_orphaned` if this process dies.
    """
    parent = os.getpid()
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600)
    accounts.give_to_owner(log.parent, output)
    source = _readable(text)
    child = os.fork()
    if child:
        os.close(output)
        os.close(source)
        return child
    try:
        os.dup2(source, 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        pass_on(keep)
        close_all_but(keep)
        _exec(command, account, on_orphaned, parent)
    finally:
        os._exit(127)


def _exec(command: list[str], account: Account, on_orphaned: signal.Signals, parent: int) -> None:
    os.umask(0o077)
    os.chdir("/")
    try:
        accounts.become(account)
        die_with_parent(on_orphaned, parent)
        os.execve(command[0], command, ENVIRONMENT)  # noqa: S606  a server, from a literal list
    except OSError as error:
        os.write(2, f"FATAL:  cannot start {command[0]}: {error.strerror}\n".encode())


def _readable(text: str) -> int:
    if not text:
        return os.open(os.devnull, os.O_RDONLY)
    reading, writing = os.pipe()
    os.write(writing, text.encode())
    os.close(writing)
    return reading


def pass_on(descriptor: int) -> None:
    """Let the programs that this process executes inherit an open file."""
    fcntl.fcntl(descriptor, fcntl.F_SETFD, 0)


def keep_back(descriptor: int) -> None:
    """Let no program that this process executes inherit an open file."""
    fcntl.fcntl(descriptor, fcntl.F_SETFD, fcntl.FD_CLOEXEC)


def close_all_but(*kept: int) -> None:
    """Close every open file of this process but the standard three and `kept`."""
    low = 3
    for descriptor in sorted(kept):
        os.closerange(low, descriptor)
        low = max(low, descriptor + 1)
    os.closerange(low, max(_highest_descriptor() + 1, low))


def _highest_descriptor() -> int:
    return max(int(entry.name) for entry in Path("/dev/fd").iterdir())


def ended(pid: int) -> bool:
    """Whether our child `pid` is gone (and is now reaped)."""
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:
        return True


def signal_quietly(pid: int, number: signal.Signals) -> None:
    """Send `number` to `pid`, which may be gone already."""
    try:
        os.kill(pid, number)
    except (ProcessLookupError, PermissionError):
        return


def working_in(folder: Path) -> list[int]:
    """The processes whose working folder is `folder` (Linux; elsewhere none are found)."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if (entry / "cwd").readlink() == folder:
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def exec_python(script: Path, *arguments: str) -> NoReturn:
    """Replace this process by a fresh, small interpreter that runs `script`."""
    os.execv(sys.executable, [sys.executable, "-I", "-S", str(script), *arguments])  # noqa: S606
