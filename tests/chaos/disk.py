"""A small disk for the data of a site, so that it can be filled.

Mounting needs root's rights. Only this process and its children see the mount, so nothing is left
of it, however they end.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from threading import Event, Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MEGABYTES = 1000
MARK = "CHAOS_MAY_MOUNT"


def enter_own_mounts() -> None:
    """Start this program again where it may mount, if possible."""
    if MARK in os.environ or os.geteuid() != 0 or not sys.platform.startswith("linux"):
        return
    alone = ["unshare", "--mount", "--propagation", "private"]
    if shutil.which("unshare") and succeeds(*alone, "true"):
        os.environ[MARK] = "1"
        os.execvp("unshare", [*alone, sys.executable, "-m", "tests.chaos"])  # noqa: S606 - itself


def succeeds(*command: str) -> bool:
    return subprocess.run(command, check=False, stderr=subprocess.DEVNULL).returncode == 0


@contextmanager
def small_disk(folder: Path) -> Iterator[SmallDisk | None]:
    """Mount one at ``folder`` for a while; yield ``None`` where that is not allowed."""
    options = f"size={MEGABYTES}m,mode=755"
    may_mount = os.environ.get(MARK) == "1"
    if not may_mount or not succeeds("mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)):
        yield None
        return
    try:
        yield SmallDisk(folder)
    finally:
        succeeds("umount", "--lazy", str(folder))


class SmallDisk:
    """A file system in memory at a folder."""

    def __init__(self, folder: Path) -> None:
        self._ballast = folder / "ballast"

    @contextmanager
    def full(self) -> Iterator[None]:
        """Keep the disk full for a while."""
        over = Event()
        filling = Thread(target=self._fill, args=(over,))
        filling.start()
        try:
            yield
        finally:
            over.set()
            filling.join()
            self._ballast.unlink()

    def _fill(self, over: Event) -> None:
        size = 2**20
        with self._ballast.open("wb", buffering=0) as file:
            while not over.is_set():
                try:
                    if file.write(bytes(size)) == size:
                        continue
                except OSError:
                    pass
                size = max(size // 2, 1)
                if size == 1:
                    time.sleep(0.1)
