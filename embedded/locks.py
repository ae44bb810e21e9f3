"""File locks that show which processes are alive.

The kernel releases a lock when the last process that shares the open file has ended, however it
ended. A lock is therefore never stale.
"""

import fcntl
import os
import time
from collections.abc import Callable
from pathlib import Path

from embedded import accounts

SHARED = fcntl.LOCK_SH
EXCLUSIVE = fcntl.LOCK_EX

Report = Callable[[str], None]
"""Called with a few words on what is being waited for."""

POLL = 0.005  # seconds
REPORT_AFTER = 2.0  # seconds of waiting before it is reported


def open_lock(path: Path) -> int:
    """Open the lock file at `path`. Create it if missing, and follow no symbolic link."""
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(path, flags, 0o600)
    accounts.match_owner(descriptor, path.parent)
    return descriptor


def try_lock(descriptor: int, mode: int) -> bool:
    """Take the lock if it is free, and return whether it was."""
    try:
        fcntl.flock(descriptor, mode | fcntl.LOCK_NB)
    # Another process holds it: an answer, not a fault.
    except BlockingIOError:
        return False
    return True


def wait_lock(descriptor: int, mode: int, report: Report, waiting_for: str) -> None:
    """Take the lock as soon as it is free, however long that takes."""
    report_at = time.monotonic() + REPORT_AFTER
    while not try_lock(descriptor, mode):
        if time.monotonic() > report_at:
            report(f"waiting for {waiting_for}")
            report_at = float("inf")
        # flock has no time-out of its own, and a blocking call could not report or be stopped.
        time.sleep(POLL)


def unlock(descriptor: int) -> None:
    """Release the lock and keep the file open."""
    fcntl.flock(descriptor, fcntl.LOCK_UN)


def is_held(path: Path) -> bool:
    """Return whether a process holds the lock at `path` exclusively."""
    descriptor = open_lock(path)
    try:
        return not try_lock(descriptor, SHARED)
    finally:
        os.close(descriptor)
