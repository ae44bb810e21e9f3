"""Files whose locks say who is alive.

A lock belongs to an open file, which the process's forked children share, and the kernel gives it
up when the last of them is gone, however they went: nothing here can be left behind stale.
"""

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from embedded import accounts

SHARED = fcntl.LOCK_SH
EXCLUSIVE = fcntl.LOCK_EX

Report = Callable[[str], None]
"""Told, in a few words, what is being waited for."""

POLL = 0.005
PATIENCE = 2.0
"""Seconds of silent waiting before it is reported."""


def open_lock(path: Path) -> int:
    """Open the lock file at `path` (made if missing, never through a symbolic link)."""
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(path, flags, 0o600)
    accounts.give_to_owner(path.parent, descriptor)
    return descriptor


def try_lock(descriptor: int, mode: int) -> bool:
    """Take the lock if it is free; say whether it was."""
    try:
        fcntl.flock(descriptor, mode | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def wait_lock(descriptor: int, mode: int, report: Report, waiting_for: str) -> None:
    """Take the lock as soon as it is free, however long that takes."""
    silent_until = time.monotonic() + PATIENCE
    while not try_lock(descriptor, mode):
        if time.monotonic() > silent_until:
            report(f"waiting for {waiting_for}")
            silent_until = float("inf")
        time.sleep(POLL)


def unlock(descriptor: int) -> None:
    """Give the lock up and keep the file open."""
    fcntl.flock(descriptor, fcntl.LOCK_UN)


def is_held(path: Path) -> bool:
    """Whether some process holds the lock at `path` exclusively."""
    descriptor = open_lock(path)
    try:
        return not try_lock(descriptor, SHARED)
    finally:
        os.close(descriptor)


@contextmanager
def holding(path: Path, report: Report, waiting_for: str) -> Iterator[None]:
    """Hold the lock at `path` exclusively for the length of a `with` block."""
    descriptor = open_lock(path)
    try:
        wait_lock(descriptor, EXCLUSIVE, report, waiting_for)
        yield
    finally:
        os.close(descriptor)
