"""The guardian: a small process that starts the servers of one home, restarts and stops them.

The first user launches it. It restarts a server that dies, and stops both when the last user has
left. If the guardian itself is killed, the kernel stops the servers, and `make run` or the next
user to attach launches another.
"""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from embedded import accounts, locks, postgres, valkey
from embedded.errors import EmbeddedError
from embedded.home import Binaries, Home
from embedded.locks import Report
from embedded.processes import Log, signal_all_in, start_server

PROJECT = Path(__file__).resolve().parent.parent
START_TIMEOUT = 120.0  # seconds without a log line after which a starting PostgreSQL is given up
ORPHANS_STOP_WITHIN = 2.0  # seconds before servers without a guardian are forced to stop
STOP_TIMEOUT = 60.0  # seconds that a server has to stop before it is forced to
START_POLL = 0.001  # seconds between checks of servers that are starting
WATCH_POLL = 0.1  # seconds between checks of the users and the running servers
LONGEST_DELAY = 5.0  # seconds at most between two attempts to restart a server

SERVERS = {"postgres": postgres, "valkey": valkey}


def launch(home: Home, binaries: Binaries, report: Report) -> None:
    """Start the guardian of `home`, and return when the servers are ready.

    :raises EmbeddedError: when they cannot be started.
    """
    # A fresh interpreter that imports little: it takes a few megabytes and starts fast.
    command = [sys.executable, "-P", "-S", "-m", "embedded.guardian"]
    with subprocess.Popen(
        [*command, home.folder, str(home.account.pw_uid), *binaries],
        cwd="/",
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    ) as process:
        for line in process.stdout or ():
            kind, _, text = line.rstrip("\n").partition(" ")
            if kind == "ready":
                return
            if kind == "failed":
                raise EmbeddedError(text)
            report(text)
    raise EmbeddedError(
        "The process that starts the servers was killed: see "
        f"{home.path('postgres.log')} and start again."
    )


def main(folder: str, uid: str, *programs: str) -> None:
    """Guard the servers in `folder` until they are no longer needed."""
    if os.fork():  # nobody's child, so that no user has to wait for its end
        return
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    home = Home(Path(folder), accounts.by_uid(int(uid)))
    guardian = Guardian(home, Binaries(*map(Path, programs)))
    try:
        guardian.start()
        _tell("ready")
        # Standard output becomes /dev/null, so that the user's pipe ends and it stops reading.
        os.dup2(0, 1)
        guardian.watch()
    except EmbeddedError as error:
        _tell("failed", str(error))
    except OSError as error:
        _tell("failed", f"The servers could not be started: {error}. Fix that and start again.")
    finally:
        guardian.stop()
        with suppress(OSError):  # sockets that a killed server has left do no harm
            home.sockets.rmdir()


def _tell(kind: str, text: str = "") -> None:
    """Send a line to the user that launched this guardian, if it still listens."""
    with suppress(OSError):
        os.write(1, f"{kind} {' '.join(text.split())}\n".encode())


def _report(text: str) -> None:
    _tell("waiting", text)


def wait_for_orphans(home: Home, servers_lock: int, report: Report) -> None:
    """Wait until the servers of an earlier guardian have ended, which hold this lock.

    The kernel has told them to stop in order, which spares PostgreSQL a recovery.
    """
    deadline = time.monotonic() + ORPHANS_STOP_WITHIN
    while not locks.try_lock(servers_lock, locks.EXCLUSIVE):
        if time.monotonic() > deadline:
            signal_all_in(home.path("postgres"), postgres.FORCE_SIGNAL)
            signal_all_in(home.path("valkey"), valkey.STOP_SIGNAL)
            waiting_for = "servers without a guardian to stop"
            locks.wait_lock(servers_lock, locks.EXCLUSIVE, report, waiting_for)
            return
        time.sleep(locks.POLL)


class Guardian:
    """The servers of one home, as children of this process."""

    def __init__(self, home: Home, binaries: Binaries) -> None:
        self.home = home
        self.binaries = binaries
        self.children: dict[str, subprocess.Popen[bytes]] = {}
        # Open for the life of this process: closing a file would release its lock.
        self._lock = locks.open_lock(home.path("guardian.lock"))
        self._servers_lock = locks.open_lock(home.path("servers.lock"))

    def start(self) -> None:
        """Start both servers, and return when they are ready."""
        locks.wait_lock(self._lock, locks.EXCLUSIVE, _report, "another guardian to stop")
        wait_for_orphans(self.home, self._servers_lock, _report)
        if not self.home.path("postgres").exists():
            postgres.initialise(self.binaries, self.home, self._servers_lock)
        postgres.check_version(self.home)
        logs = {name: Log(self.home.path(f"{name}.log")) for name in SERVERS}
        for name in SERVERS:
            self._start(name)
        self._wait_until_ready(logs)

    def _start(self, name: str) -> None:
        if name == "postgres":
            postgres.clean_up(self.home)
        self.children[name] = start_server(
            SERVERS[name].command(self.binaries, self.home),
            self.home.account,
            self.home.path(f"{name}.log"),
            SERVERS[name].STOP_SIGNAL,
            # Servers inherit the lock, so it is held as long as one lives, whoever was killed.
            pass_fds=[self._servers_lock],
        )

    def _wait_until_ready(self, logs: dict[str, Log]) -> None:
        """Wait while the servers live and PostgreSQL writes to its log."""
        log, size = logs["postgres"], -1
        report_at = time.monotonic() + locks.REPORT_AFTER
        give_up_at = float("inf")
        while not all(server.is_ready(self.home) for server in SERVERS.values()):
            time.sleep(START_POLL)
            for name in self._find_ended():
                title = SERVERS[name].TITLE
                raise EmbeddedError(logs[name].explain(f"{title} stopped while starting"))
            now = time.monotonic()
            # A recovery may take an hour, and is fine as long as it logs its progress.
            if size != log.size():
                size, give_up_at = log.size(), now + START_TIMEOUT
            if now > give_up_at and not postgres.is_ready(self.home):
                problem = f"PostgreSQL has logged nothing for {START_TIMEOUT:.0f} s while starting"
                raise EmbeddedError(log.explain(problem))
            if now > report_at:
                report_at = now + locks.REPORT_AFTER
                _report(f"waiting for the database to start; its log ends: {log.last_line()}")

    def _find_ended(self) -> list[str]:
        return [name for name, child in self.children.items() if child.poll() is not None]

    def watch(self) -> None:
        """Restart servers that die, until the last user has left.

        The lock of the users is released by the end of this process, so that a new user waits
        until the servers have stopped.
        """
        users = locks.open_lock(self.home.path("users.lock"))
        retry_at, delay = 0.0, WATCH_POLL
        # Users hold it shared, so it is free once the last one has ended, however it ended.
        while not locks.try_lock(users, locks.EXCLUSIVE):
            now, ended = time.monotonic(), self._find_ended()
            if ended and now >= retry_at:
                for name in ended:
                    with suppress(OSError):  # try again later
                        self._start(name)
                # A server that fails at once must not be started ten times a second.
                delay = min(2 * delay, LONGEST_DELAY)
                retry_at = now + delay
            elif not ended and now > retry_at + LONGEST_DELAY:
                delay = WATCH_POLL
            time.sleep(WATCH_POLL)

    def stop(self) -> None:
        """Stop the servers, by force after `STOP_TIMEOUT` seconds."""
        for name, child in self.children.items():
            child.send_signal(SERVERS[name].STOP_SIGNAL)
        deadline = time.monotonic() + STOP_TIMEOUT
        for name, child in self.children.items():
            try:
                child.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                child.send_signal(SERVERS[name].FORCE_SIGNAL)
                child.wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
