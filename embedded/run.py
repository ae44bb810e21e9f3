"""`make run`: the whole site on this machine, until Ctrl-C.

Servers first, then what the site needs before it can start (`manage.py prepare`), then web, worker
and beat side by side, and the demo's simulated players unless they are not wanted. When all are
healthy, the address and the admin's password are printed.
"""

import errno
import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from embedded import places, processes, servers
from embedded.errors import EmbeddedError
from embedded.services import Service, Services

PROJECT = Path(__file__).resolve().parent.parent
SLOWEST = 120.0
"""Seconds that the site's processes have to become healthy."""
LOOK = 0.1
"""Seconds between looks at the processes."""


class Stopped(Exception):
    """Somebody asked for the end: Ctrl-C, SIGTERM, a closed terminal, a killed parent."""


class Wishes:
    """How often the end was asked for: once is politely, twice is now."""

    def __init__(self) -> None:
        self.count = 0
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._heard)

    def _heard(self, number: int, frame: object) -> None:
        del number, frame
        self.count += 1

    def check(self) -> None:
        """Raise `Stopped` if the end was asked for."""
        if self.count:
            raise Stopped

    def urgent(self) -> bool:
        """Whether it was asked for again."""
        return self.count > 1


def main() -> int:
    """Run the site; answer the exit status."""
    wishes = Wishes()
    processes.die_with_parent(signal.SIGTERM, os.getppid())
    host, port = os.environ.get("HOST", "127.0.0.1"), os.environ.get("PORT", "8000")
    services: Services | None = None
    try:
        refuse_bad_port(host, port)
        players = players_wanted(os.environ)
        attach(wishes)
        environment = environment_for(host, port)
        prepare(environment, wishes)
        services = Services(site(host, port, players=players), sys.stdout)
        services.start(PROJECT, environment)
        wait_until_healthy(services, host, int(port), wishes)
        say(welcome(environment, players=players))
        serve(services, wishes)
    except (Stopped, BrokenPipeError):
        return 0
    except EmbeddedError as error:
        complain(str(error))
        return 1
    finally:
        if services:
            services.stop(wishes.urgent)
        servers.leave()
    return 0


def refuse_bad_port(host: str, port: str) -> None:
    """Find out before anything is started whether we may listen there."""
    if not (port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        raise EmbeddedError(
            f"PORT={port} is no port: choose a number from 1 to 65535, as in `make run PORT=8001`."
        )
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as attempt:
        attempt.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            attempt.bind((host, int(port)))
        except OSError as error:
            raise EmbeddedError(_cannot_listen(host, port, error)) from error


def players_wanted(environment: Mapping[str, str]) -> bool:
    """Whether the demo's simulated players are to play: as `LAUREL_DEMO_PLAYERS` says; if it says
    nothing, on a site for trying things out, with servers of its own and no https address."""
    asked = environment.get("LAUREL_DEMO_PLAYERS", "")
    if asked not in {"", "0", "1"}:
        raise EmbeddedError(
            f"LAUREL_DEMO_PLAYERS={asked} says neither yes nor no to the demo's simulated players: "
            "set it to 1 or 0."
        )
    in_earnest = (
        environment.get("DATABASE_URL")
        or environment.get("REDIS_URL")
        or environment.get("LAUREL_SITE_URL", "").startswith("https:")
    )
    return asked == "1" or not (asked or in_earnest)


def _cannot_listen(host: str, port: str, error: OSError) -> str:
    another = str(int(port) + 1 if 1024 <= int(port) < 65535 else 8001)
    if error.errno == errno.EADDRINUSE:
        return (
            f"Port {port} is taken by another program: stop that one, or choose another port with "
            f"`make run PORT={another}`."
        )
    if error.errno == errno.EACCES:
        return f"Port {port} is open to root only: choose one above 1023 with `make run PORT=8001`."
    return (
        f"The site cannot listen at HOST={host}: {error.strerror}. Choose an address of this "
        "machine, as in `make run HOST=127.0.0.1`."
    )


def attach(wishes: Wishes) -> None:
    """Have the servers up, unless the environment names others; stay their user to the end."""
    if os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL"):
        return
    say("Starting PostgreSQL and Valkey ...")

    def report(text: str) -> None:
        say(f"  {text}")
        wishes.check()

    servers.attach(report=report)
    wishes.check()


def environment_for(host: str, port: str) -> dict[str, str]:
    """What the site's processes are told."""
    shown = "localhost" if host in {"127.0.0.1", "::1", "0.0.0.0", "::"} else host  # noqa: S104  compared, not listened at
    return {"LAUREL_SITE_URL": f"http://{shown}:{port}", "PYTHONUNBUFFERED": "1", **os.environ}


def prepare(environment: dict[str, str], wishes: Wishes) -> None:
    """Bring the database, the static files and the demo league up to date."""
    parent = os.getpid()
    preparing = subprocess.Popen(
        [sys.executable, "manage.py", "prepare"],
        cwd=PROJECT,
        env=environment,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=lambda: processes.die_with_parent(signal.SIGKILL, parent),  # noqa: PLW1509  this process has one thread
    )
    try:
        while preparing.poll() is None:
            wishes.check()
            time.sleep(LOOK / 4)
    finally:
        preparing.kill()
        preparing.wait()
    if preparing.returncode:
        raise EmbeddedError(
            "The site could not be prepared: `manage.py prepare` failed, and says above why."
        )


def site(host: str, port: str, *, players: bool) -> list[Service]:
    """The processes of the site; with the simulated players if they are wanted."""
    python = sys.executable
    address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    gunicorn = [python, "-m", "gunicorn", "league.wsgi", "--bind", address]
    gunicorn += ["--worker-class", "gthread", "--workers", "1", "--threads", "8"]
    gunicorn += ["--access-logfile", "-", "--access-logformat", "%(m)s %(U)s %(s)s %(M)s ms"]
    gunicorn += ["--graceful-timeout", "5", "--no-control-socket"]
    celery = [python, "-m", "celery", "--quiet", "--app", "league"]
    worker = [*celery, "worker", "--loglevel", "INFO", "--concurrency", "2"]
    worker += ["--without-mingle", "--without-gossip", "--without-heartbeat"]  # there is but one
    beat = [*celery, "beat", "--loglevel", "INFO", "--pidfile", ""]
    services = [
        Service("web", gunicorn),
        Service("worker", worker, " ready.", routine=": INFO/", on_orphaned=signal.SIGQUIT),
        Service("beat", beat, "beat: Starting...", routine=": INFO/"),
    ]
    if players:
        act = [python, "manage.py", "demo_players"]
        services.append(Service("players", act, " simulated players play in ", vital=False))
    return services


def wait_until_healthy(services: Services, host: str, port: int, wishes: Wishes) -> None:
    """Wait until the web process answers for the servers too, and worker and beat have begun."""
    deadline = time.monotonic() + SLOWEST
    while not (all(service.ready for service in services.all) and answers(host, port)):
        _look(services, wishes)
        if time.monotonic() > deadline:
            late = [service.name for service in services.all if not service.ready] or ["web"]
            raise EmbeddedError(
                f"The site's {' and '.join(late)} did not come up in {SLOWEST:.0f} s: its last "
                "lines above say why."
            )


def serve(services: Services, wishes: Wishes) -> None:
    """Stream the logs until somebody asks for the end, or a process ends by itself."""
    while True:
        _look(services, wishes)


def _look(services: Services, wishes: Wishes) -> None:
    wishes.check()
    services.listen(LOOK)
    for gone in services.dismiss_ended():
        say(f"The site's {gone.name} process has ended; the site goes on without it.")
    if ended := services.first_ended():
        services.listen(LOOK)
        raise EmbeddedError(
            f"The site's {ended.name} process has ended, and the rest was stopped with it: its "
            "last lines above say why. Mend that and start again."
        )


def answers(host: str, port: int) -> bool:
    """Whether the site says that it is healthy."""
    reachable = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104  compared, not listened at
    connection = http.client.HTTPConnection(reachable, port, timeout=2)
    try:
        connection.request("GET", "/health/", headers={"Host": "localhost"})
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def welcome(environment: dict[str, str], *, players: bool) -> str:
    """Where the site is and how to get in."""
    lines = ["", f"Laurel is at {environment['LAUREL_SITE_URL']}/"]
    accounts = places.default_data() / "demo-accounts"
    if accounts.exists():
        lines += [f"  {line}" for line in accounts.read_text().splitlines()]
    if players:
        lines += [
            "  Simulated players play in the arena “Skirmish 5v5”. To let them rest, close its",
            "  queue in the admin; to start without them, `LAUREL_DEMO_PLAYERS=0 make run`.",
        ]
    return "\n".join([*lines, "Ctrl-C stops it.", ""])


def say(text: str) -> None:
    """Tell whoever started us."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def complain(text: str) -> None:
    """Tell them what went wrong, if they still listen."""
    try:
        sys.stderr.write(f"laurel: {text}\n")
        sys.stderr.flush()
    except BrokenPipeError:
        return


if __name__ == "__main__":
    sys.exit(main())
