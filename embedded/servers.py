"""The door: `attach()` gives the addresses of Laurel's own PostgreSQL and Valkey, running."""

import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from embedded import accounts, binaries, guardian, locks, places, postgres, valkey
from embedded.locks import Report
from embedded.places import Home

_joined: dict[Path, int] = {}
"""The users' lock of each home that this process (or the one that forked it) has joined."""


@dataclass(frozen=True)
class Servers:
    """Where the running servers are."""

    sockets: Path

    @property
    def database(self) -> dict[str, str]:
        """What a driver needs: host (a folder of sockets), port, user, password, dbname."""
        return {
            "host": str(self.sockets),
            "port": str(postgres.PORT),
            "user": postgres.ROLE,
            "password": "",
            "dbname": postgres.DATABASE,
        }

    @property
    def database_url(self) -> str:
        """The same as a URL, as libpq reads it: `postgresql://laurel@%2Ftmp%2F.../laurel`."""
        host = quote(str(self.sockets), safe="")
        return f"postgresql://{postgres.ROLE}@{host}/{postgres.DATABASE}"

    @property
    def redis_url(self) -> str:
        """Valkey's address, as Redis clients write it: `unix:///tmp/.../valkey.sock?db=0`."""
        return f"unix://{self.sockets / valkey.SOCKET}?db=0"


def _say(text: str) -> None:
    sys.stderr.write(f"laurel: {text}\n")


def attach(data: Path | None = None, report: Report = _say) -> Servers:
    """Give the addresses of the servers of the folder `data`, started if they are not running.

    They run until the last process that attached, and the last that those forked, is gone.

    :param data: the data folder; default LAUREL_DATA, else `.laurel` in the project.
    :param report: told what is being waited for, when it takes more than two seconds.
    :raises EmbeddedError: when the servers cannot be had; its message says what to do.
    """
    home = places.settle(data or places.default_data())
    with locks.holding(home.lock("start"), report, "another process to start the servers"):
        _join(home, report)
        if not _running(home, report):
            _start(home, report)
        return Servers(home.sockets())


def leave(data: Path | None = None) -> None:
    """Stop using the servers of `data`; if nobody else does, return when they have stopped."""
    home = places.settle(data or places.default_data())
    users = _joined.pop(home.folder, None)
    if users is None:
        return
    try:
        while locks.try_lock(users, locks.EXCLUSIVE):  # nobody else, and not yet noticed
            locks.unlock(users)
            time.sleep(locks.POLL)
        while not locks.try_lock(users, locks.SHARED):  # being stopped
            time.sleep(locks.POLL)
    finally:
        os.close(users)


def _join(home: Home, report: Report) -> None:
    """Become a user; while a guardian stops the servers, it keeps everybody waiting here."""
    if home.folder in _joined:
        return
    users = locks.open_lock(home.lock("users"))
    locks.wait_lock(users, locks.SHARED, report, "the servers to stop before they start again")
    _joined[home.folder] = users


def _running(home: Home, report: Report) -> bool:
    """Whether the servers answer; waits while their guardian starts one that died again."""
    silent_until = time.monotonic() + locks.PATIENCE
    while locks.is_held(home.lock("guardian")):
        if postgres.is_ready(home) and valkey.is_ready(home):
            return True
        if time.monotonic() > silent_until:
            report(
                f"waiting for a server that died to be back; {home.folder}/*.log say why it is not"
            )
            silent_until = float("inf")
        time.sleep(locks.POLL)
    return False


def _start(home: Home, report: Report) -> None:
    programs = binaries.reachable_by(home.account)
    sockets = places.make_sockets(home)
    postgres.configure(home, sockets, accounts.of_uid(os.geteuid()).name)
    valkey.configure(home, sockets)
    guardian.launch(home, programs, report)
