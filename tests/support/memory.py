"""A place in memory for what tests write, where the machine has room for it.

A test that commits is followed by a fresh copy of its database: a thousand files made, and a
thousand deleted. ext4 gives the number of a deleted file to no new one for some minutes, and looks
for another from the first number on. After a hundred copies each took 0.9 s of CPU. In memory it
takes 0.03 s, however many there were.
"""

import os
import shutil
import tempfile
from pathlib import Path

from embedded import locks

MEMORY = Path("/dev/shm")  # noqa: S108  mkdtemp makes private folders in it
ROOM = 3 * 2**30
"""Free bytes from which memory is used. A whole run takes about a third of that."""
PREFIX = "laurel-servers-"


def has_room() -> bool:
    """Return whether there is a file system in memory with enough of it.

    Programs have to be allowed there, too: a test installs some.
    """
    if not MEMORY.is_dir() or not os.access(MEMORY, os.W_OK | os.X_OK):
        return False
    allows_programs = not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC
    return allows_programs and shutil.disk_usage(MEMORY).free > ROOM


def use_for_temporary_files() -> None:
    """Let this process, and those it starts, keep temporary files in memory."""
    if "TMPDIR" not in os.environ and has_room():
        os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)


def use_for_servers(data: Path) -> None:
    """Let the servers of a data folder keep their files in memory, unless they have some on disk.

    They stay there for the next run, until the machine is started again. Those of data folders that
    were deleted go.
    """
    servers = data / "servers"
    data.mkdir(0o711, parents=True, exist_ok=True)
    lock = locks.open_lock(data / "memory.lock")
    locks.wait_lock(lock, locks.EXCLUSIVE, print, "another run of the tests")
    try:
        if not servers.exists() and has_room():
            _link_to_memory(servers)
    finally:
        os.close(lock)
    _remove_abandoned()


def _link_to_memory(servers: Path) -> None:
    folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=MEMORY))
    folder.chmod(0o711)
    if servers.is_symlink():  # to a folder that is gone
        servers.unlink()
    try:
        servers.symlink_to(folder)
    except FileExistsError:  # somebody has just started servers on disk
        folder.rmdir()
    else:
        (folder / "used-by").write_text(str(servers.absolute()))


def _remove_abandoned() -> None:
    for folder in MEMORY.glob(f"{PREFIX}*"):
        try:
            is_used = Path((folder / "used-by").read_text()).resolve() == folder
        except OSError:
            continue  # somebody else's, or just being made
        if not is_used:
            shutil.rmtree(folder, ignore_errors=True)
