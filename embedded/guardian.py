"""The guardian: one small process for each home that starts the servers, watches and stops them.

The first user forks it. It starts the servers with what its parent has already loaded, then
replaces itself by a fresh interpreter of a few megabytes that goes on watching: a server that
dies is started again; when no user is left, both are stopped. If the guardian itself is killed,
the kernel stops the servers.
"""

import json
import os
import signal
import sys
import time
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

if __name__ == "__main__":  # the fresh interpreter knows no other import path
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from embedded import locks, postgres, processes, valkey
from embedded.accounts import Account
from embedded.binaries import Binaries
from embedded.errors import EmbeddedError
from embedded.locks import Report
from embedded.places import Home

STALLED = 120.0
"""Seconds without a word in its log after which a starting PostgreSQL is given up."""
FIRM = 60.0
"""Seconds after which a server that was asked to stop is made to."""
POLL = 0.001
"""Seconds between looks at servers that are starting."""
WATCH = 0.1
"""Seconds between looks at the users and the servers."""
SLOWEST_RETRY = 5.0
"""Seconds at most between two tries to bring up a server that died."""


@dataclass
class Guard:
    """What the guardian knows: its home, its open locks, its children."""

    home: Home
    binaries: Binaries
    guardian_lock: int
    servers_lock: int
    children: dict[str, int] = field(default_factory=dict)

    def spawn(self, name: str) -> None:
        """Start the server called `name`."""
        server, log = _SERVERS[name], _log(self.home, name)
        self.children[name] = processes.spawn(
            server.command(self.binaries, self.home),
            self.home.account,
            log=log,
            keep=self.servers_lock,
            on_orphaned=server.STOP,
        )


_SERVERS = {"valkey": valkey, "postgres": postgres}  # the slower to start comes first


def _log(home: Home, name: str) -> Path:
    return home.postgres_log if name == "postgres" else home.valkey_log


def launch(home: Home, binaries: Binaries, report: Report) -> None:
    """Fork the guardian of `home` and return when the servers are ready.

    :raises EmbeddedError: when they cannot be started.
    """
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        # Python warns of forking beside other threads: the child uses nothing that they may hold.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if not child:
        _become_guardian(home, binaries, writing)
    os.close(writing)
    os.waitpid(child, 0)
    with os.fdopen(reading) as answers:
        for line in answers:
            kind, _, text = line.rstrip("\n").partition(" ")
            if kind == "ready":
                return
            if kind == "failed":
                raise EmbeddedError(text)
            report(text)
    raise EmbeddedError(
        f"The process that starts the servers was killed: see {home.postgres_log} and start again."
    )


def _become_guardian(home: Home, binaries: Binaries, answers: int) -> NoReturn:
    try:
        os.setsid()
        if os.fork():
            os._exit(0)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        nothing = os.open(os.devnull, os.O_RDWR)
        for standard in (0, 1, 2):
            os.dup2(nothing, standard)
        processes.close_all_but(answers)
        os.chdir("/")
        _start(home, binaries, answers)
    finally:
        os._exit(1)


def _start(home: Home, binaries: Binaries, answers: int) -> None:
    def say(kind: str, text: str = "") -> None:
        try:
            os.write(answers, f"{kind} {' '.join(text.split())}\n".encode())
        except BrokenPipeError:
            return

    try:
        guard = _bring_up(home, binaries, lambda text: say("waiting", text))
    except EmbeddedError as error:
        say("failed", str(error))
        return
    except OSError as error:
        say("failed", f"The servers could not be started: {error}. Mend that and start again.")
        return
    # Whoever is told "ready" may tell us to end: that is heard once we watch.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    say("ready")
    os.close(answers)
    _watch_from_a_fresh_interpreter(guard)


def _bring_up(home: Home, binaries: Binaries, report: Report) -> Guard:
    guardian_lock = locks.open_lock(home.lock("guardian"))
    locks.wait_lock(guardian_lock, locks.EXCLUSIVE, report, "another guardian to stop")
    servers_lock = locks.open_lock(home.lock("servers"))
    _wait_for_orphans(home, servers_lock, report)
    guard = Guard(home, binaries, guardian_lock, servers_lock)
    if not home.postgres.exists():
        postgres.initialise(binaries, home, servers_lock)
    postgres.check_version(home)
    postgres.remove_stale_locks(home)
    begin = postgres.log_size(home)
    try:
        for name in _SERVERS:
            guard.spawn(name)
        _wait_until_ready(guard, begin, report)
    except BaseException:
        _stop(guard)
        raise
    return guard


def _wait_for_orphans(home: Home, servers_lock: int, report: Report) -> None:
    """Wait until no server of an earlier guardian is alive: each of them holds the lock."""
    if locks.try_lock(servers_lock, locks.EXCLUSIVE):
        return
    for folder, number in ((home.postgres, postgres.ABANDON), (home.valkey, valkey.STOP)):
        for pid in processes.working_in(folder):
            processes.signal_quietly(pid, number)
    locks.wait_lock(servers_lock, locks.EXCLUSIVE, report, "the servers of a killed run to end")


def _wait_until_ready(guard: Guard, begin: int, report: Report) -> None:
    """Wait as long as the servers live and PostgreSQL's log goes on."""
    now = time.monotonic()
    heard, size, report_at = now, begin, now + locks.PATIENCE
    while not (postgres.is_ready(guard.home) and valkey.is_ready(guard.home)):
        time.sleep(POLL)
        _raise_if_ended(guard, begin)
        now = time.monotonic()
        if (new_size := postgres.log_size(guard.home)) != size:
            heard, size = now, new_size
        said = postgres.log_since(guard.home, begin)
        if now - heard > STALLED and not postgres.is_ready(guard.home):
            raise EmbeddedError(
                postgres.explain(guard.home, said, f"has been silent for {STALLED:.0f} s, starting")
            )
        if now > report_at:
            report_at = now + locks.PATIENCE
            report(f"waiting for the database to start; it says: {postgres.last_line(said)}")


def _raise_if_ended(guard: Guard, begin: int) -> None:
    if processes.ended(guard.children["postgres"]):
        del guard.children["postgres"]
        said = postgres.log_since(guard.home, begin)
        raise EmbeddedError(postgres.explain(guard.home, said, "stopped while starting"))
    if processes.ended(guard.children["valkey"]):
        del guard.children["valkey"]
        last = (guard.home.valkey_log.read_text(errors="replace").splitlines() or ["(nothing)"])[-1]
        raise EmbeddedError(
            f"Valkey stopped while starting: see {guard.home.valkey_log} and start again. "
            f"It ends: {last}"
        )


def _stop(guard: Guard) -> None:
    """Stop the servers: asked first, made to after `FIRM` seconds."""
    for name, pid in guard.children.items():
        processes.signal_quietly(pid, _SERVERS[name].STOP)
    deadline = time.monotonic() + FIRM
    while guard.children:
        for name, pid in list(guard.children.items()):
            if processes.ended(pid):
                del guard.children[name]
            elif time.monotonic() > deadline:
                processes.signal_quietly(pid, _SERVERS[name].ABANDON)
        time.sleep(locks.POLL)


def _watch_from_a_fresh_interpreter(guard: Guard) -> NoReturn:
    processes.pass_on(guard.guardian_lock)
    processes.pass_on(guard.servers_lock)
    processes.exec_python(Path(__file__).resolve(), _to_json(guard))


def _to_json(guard: Guard) -> str:
    account, binaries = guard.home.account, guard.binaries
    return json.dumps(
        {
            "home": str(guard.home.folder),
            "account": [account.name, account.uid, account.gid],
            "binaries": [str(binaries.postgres), str(binaries.initdb), str(binaries.valkey)],
            "locks": [guard.guardian_lock, guard.servers_lock],
            "children": guard.children,
        }
    )


def _from_json(text: str) -> Guard:
    told = json.loads(text)
    guardian_lock, servers_lock = told["locks"]
    processes.keep_back(guardian_lock)
    processes.keep_back(servers_lock)
    return Guard(
        Home(Path(told["home"]), Account(*told["account"])),
        Binaries(*(Path(path) for path in told["binaries"])),
        guardian_lock,
        servers_lock,
        told["children"],
    )


def _watch(guard: Guard) -> None:
    """Until the last user is gone (or we are told to end), keep the servers alive; then stop them.

    The users' lock is given up by ending: whoever waits for it then finds nobody serving.
    """
    told_to_end: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: told_to_end.append(number))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    users = locks.open_lock(guard.home.lock("users"))
    retry_at, delay = 0.0, WATCH
    while not (told_to_end or locks.try_lock(users, locks.EXCLUSIVE)):
        for name, pid in list(guard.children.items()):
            if processes.ended(pid):
                del guard.children[name]
        missing = [name for name in _SERVERS if name not in guard.children]
        now = time.monotonic()
        if missing and now >= retry_at:
            for name in missing:
                _revive(guard, name)
            delay = min(2 * delay, SLOWEST_RETRY)
            retry_at = now + delay
        elif not missing and now > retry_at + SLOWEST_RETRY:
            delay = WATCH
        time.sleep(WATCH)
    _stop(guard)
    _remove_sockets(guard.home)
    os.close(guard.servers_lock)
    os.close(guard.guardian_lock)


def _revive(guard: Guard, name: str) -> None:
    if name == "postgres":
        # Backends that outlived their server keep its memory, and with it a new one from starting.
        for pid in processes.working_in(guard.home.postgres):
            processes.signal_quietly(pid, postgres.ABANDON)
        postgres.remove_stale_locks(guard.home)
    guard.spawn(name)


def _remove_sockets(home: Home) -> None:
    folder = home.sockets()
    try:
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()
    except OSError:
        return  # a temporary folder: left behind, it harms nobody


if __name__ == "__main__":
    _watch(_from_json(sys.argv[1]))
