"""Attach to Laurel's own PostgreSQL and Valkey, and leave them."""

import os
import sys
import time
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from embedded import accounts, binaries, guardian, locks, postgres, valkey
from embedded.home import Home, default_data, make_sockets, prepare
from embedded.locks import Report

_joined: dict[Path, tuple[Home, int]] = {}
"""The home and the users' lock for each data folder that this process, or its parent, joined."""


class Servers(NamedTuple):
    """The addresses of the running servers."""

    sockets: Path
    valkey_password: str

    @property
    def database_url(self) -> str:
        """PostgreSQL's address as libpq reads it: `postgresql://laurel@%2Ftmp%2F.../laurel`."""
        host = quote(str(self.sockets), safe="")
        return f"postgresql://{postgres.ROLE}@{host}/{postgres.DATABASE}"

    @property
    def redis_url(self) -> str:
        """Valkey's address as Redis clients read it: `unix://:…@/tmp/.../valkey.sock?db=0`."""
        login = f":{self.valkey_password}@" if self.valkey_password else ""
        return f"unix://{login}{self.sockets / valkey.SOCKET}?db=0"


def _print(text: str) -> None:
    sys.stderr.write(f"laurel: {text}\n")


def attach(data: Path | None = None, report: Report = _print) -> Servers:
    """Return the addresses of the servers of the folder `data`. Start them if they do not run.

    They run until the last process that attached, or was forked by one that did, has ended.

    :param data: the data folder; by default LAUREL_DATA, else `.laurel` in the project.
    :param report: called with what is being waited for, when that takes more than two seconds.
    :raises EmbeddedError: when the servers cannot run; the message says what to do.
    """
    data = (data or default_data()).absolute()
    home = prepare(data)
    start = locks.open_lock(home.path("start.lock"))
    try:
        # Processes that start together take turns, so that one guardian is launched.
        waiting_for = "another process to start the servers"
        locks.wait_lock(start, locks.EXCLUSIVE, report, waiting_for)
        # First become a user: the guardian stops its servers when it sees none.
        _join(data, home, report)
        if not _are_running(home, report):
            programs = binaries.reachable_by(home.account, binaries.find())
            sockets = make_sockets(home)
            postgres.configure(home, sockets, accounts.by_uid(os.geteuid()).pw_name)
            valkey.configure(home, sockets)
            guardian.launch(home, programs, report)
    finally:
        os.close(start)
    return Servers(home.sockets, valkey.password(home))


def _join(data: Path, home: Home, report: Report) -> None:
    """Become a user. A guardian that is stopping the servers lets nobody join until it is done."""
    if data not in _joined:
        users = locks.open_lock(home.path("users.lock"))
        waiting_for = "the servers to stop before they start again"
        locks.wait_lock(users, locks.SHARED, report, waiting_for)
        _joined[data] = home, users


def are_guarded(data: Path | None = None) -> bool:
    """Return whether the servers of `data`, to which this process is attached, have a guardian."""
    home, _ = _joined[(data or default_data()).absolute()]
    try:
        return locks.is_held(home.path("guardian.lock"))
    except FileNotFoundError:  # the folder has gone
        return False


def leave(data: Path | None = None) -> None:
    """Stop using the servers of `data`. The last user to leave waits until they have stopped."""
    data = (data or default_data()).absolute()
    if data not in _joined:
        return
    home, users = _joined.pop(data)
    try:
        while locks.is_held(home.path("guardian.lock")):
            # The lock is held by other users, or by a guardian that is stopping the servers.
            if not locks.try_lock(users, locks.EXCLUSIVE) and locks.try_lock(users, locks.SHARED):
                return
            # The guardian waits for this lock, and stops once it gets it.
            locks.unlock(users)
            time.sleep(locks.POLL)
    finally:
        os.close(users)


def _are_running(home: Home, report: Report) -> bool:
    """Return whether the servers answer. Wait while their guardian restarts one that died."""
    report_at = time.monotonic() + locks.REPORT_AFTER
    while locks.is_held(home.path("guardian.lock")):
        if postgres.is_ready(home) and valkey.is_ready(home):
            return True
        if time.monotonic() > report_at:
            report(f"waiting for a server to restart; {home.folder}/*.log say why it has not")
            report_at = float("inf")
        time.sleep(locks.POLL)
    return False
