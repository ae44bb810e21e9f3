"""`make run`: the whole site on this machine, until Ctrl-C.

Start the servers, run `manage.py prepare`, then run web, three workers, beat and the demo's
simulated players side by side. Print the address and the admin's password when the site answers.
Start each of them again that ends, and the web process if it is silent.
"""

import errno
import http.client
import os
import shutil
import signal
import socket
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import NoReturn

from embedded import processes, servers
from embedded.errors import EmbeddedError
from embedded.home import default_data
from embedded.supervisor import Child, Stopped, Supervisor

PROJECT = Path(__file__).resolve().parent.parent
START_TIMEOUT = 120.0  # seconds that the site's processes have to become healthy
POLL = 0.1  # seconds between checks of the processes


def main() -> int:
    """Run the site and return the exit status."""
    supervisor = Supervisor()
    # A killed `make` or terminal must not leave a site that holds the port and the data.
    processes.die_with_parent(signal.SIGTERM, os.getppid())
    problem = ""
    try:
        run(supervisor)
    except EmbeddedError as error:
        problem = f"laurel: {error}\n"
    except (Stopped, BrokenPipeError):
        pass
    finally:
        supervisor.stop()
        servers.leave()
    sys.stderr.write(problem)  # last, so that it is not lost among the lines of what stops
    return 1 if problem else 0


def run(supervisor: Supervisor) -> NoReturn:
    """Start everything, then watch it until a stop is requested."""
    host, port = os.environ.get("HOST", "127.0.0.1"), os.environ.get("PORT", "8000")
    with listen(host, port) as listener:
        wants_players = wants_simulated_players(os.environ)
        attach(supervisor)
        environment = site_environment(host, port)
        if supervisor.run_to_end([sys.executable, "manage.py", "prepare"], PROJECT, environment):
            raise EmbeddedError("The site could not be prepared: see the lines above.")
        playground = simulated_players_arena() if wants_players else ""
        web_answers = partial(answers, host, int(port))
        children = site_processes(listener, web_answers, has_players=bool(playground))
        supervisor.start(children, PROJECT, environment)
        wait_until_up(supervisor, partial(answers, host, int(port), "/readyz"))
        write(welcome(environment, playground))
        while True:
            watch(supervisor)


def listen(host: str, port: str) -> socket.socket:
    """Return the socket of the web process, listening, so that nobody else can take the port."""
    if not (port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        raise EmbeddedError(
            f"PORT={port} is not a port. Choose a number from 1 to 65535, as in "
            "`make run PORT=8001`."
        )
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server(
            (host, int(port)),
            family=family,
            backlog=2048,
            dualstack_ipv6=family == socket.AF_INET6 and socket.has_dualstack_ipv6(),
        )
    except OSError as error:
        raise EmbeddedError(_cannot_listen(host, port, error)) from error


def _cannot_listen(host: str, port: str, error: OSError) -> str:
    another = int(port) + 1 if 1024 <= int(port) < 65535 else 8001
    if error.errno == errno.EADDRINUSE:
        return (
            f"Port {port} is used by another program. Stop that program, or choose another port "
            f"with `make run PORT={another}`."
        )
    if error.errno == errno.EACCES:
        return f"Only root may use port {port}. Choose one above 1023 with `make run PORT=8001`."
    return (
        f"The site cannot listen at HOST={host}: {error.strerror}. Choose an address of this "
        "machine, as in `make run HOST=127.0.0.1`."
    )


def wants_simulated_players(environment: Mapping[str, str]) -> bool:
    """Return whether simulated players are to play in the demo league, if there is one.

    By default they play on a trial site: one with the embedded servers and without an https
    address.

    :raises EmbeddedError: when a variable has none of its values.
    """
    demo = _choice(environment, "DEMO", {"0": "for no demo league", "1": "for one"})
    players = _choice(
        environment, "LAUREL_DEMO_PLAYERS", {"1": "for simulated players", "0": "for none"}
    )
    own = environment.get("DATABASE_URL"), environment.get("REDIS_URL")
    is_trial = not any(own) and not environment.get("LAUREL_SITE_URL", "").startswith("https:")
    return demo != "0" and (players == "1" or (not players and is_trial))


def _choice(environment: Mapping[str, str], name: str, choices: Mapping[str, str]) -> str:
    """Return the value of a variable, which is one of `choices` (value, use) or empty."""
    value = environment.get(name, "")
    if value and value not in choices:
        known = " or ".join(f"{choice} {use}" for choice, use in choices.items())
        raise EmbeddedError(f"{name}={value} is unknown. Use {known}, or leave it out.")
    return value


def attach(supervisor: Supervisor) -> None:
    """Start the servers and stay attached, unless the environment names other servers."""
    if not has_own_servers():
        return
    write("Starting PostgreSQL and Valkey ...")

    def report(text: str) -> None:
        write(f"  {text}")
        supervisor.check_stop()

    servers.attach(report=report)
    supervisor.check_stop()


def has_own_servers() -> bool:
    """Return whether the site runs on the embedded PostgreSQL or Valkey."""
    return not (os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL"))


def site_environment(host: str, port: str) -> dict[str, str]:
    """Return the environment of the site's processes."""
    is_local = host in {"127.0.0.1", "::1", "0.0.0.0", "::"}  # noqa: S104  compared, not bound
    url = f"http://{'localhost' if is_local else host}:{port}"
    return {
        "LAUREL_SITE_URL": url,
        "PYTHONUNBUFFERED": "1",
        "PROMETHEUS_MULTIPROC_DIR": str(empty_metrics_folder()),
        **os.environ,
    }


def empty_metrics_folder() -> Path:
    """Return the folder in which the site's processes share their counts."""
    folder = default_data() / "metrics"
    # Else the counts of an earlier run would be added to those of this one.
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def simulated_players_arena() -> str:
    """Return the name of the arena where `prepare` found simulated players, empty for none."""
    note = default_data() / "simulated-players"
    return note.read_text() if note.exists() else ""


def site_processes(
    listener: socket.socket, web_answers: Callable[[], bool], *, has_players: bool
) -> list[Child]:
    """Return the processes of the site."""
    python, bind = sys.executable, f"fd://{listener.fileno()}"
    gunicorn = [python, "-m", "gunicorn", "league.wsgi", "--bind", bind]
    celery = [python, "-m", "celery", "--quiet", "--app", "league"]
    worker = [*celery, "worker", "--loglevel", "WARNING"]
    worker += ["--without-mingle", "--without-gossip", "--without-heartbeat"]  # nobody to talk to
    quick = [*worker, "--queues", "ticks,settling", "--hostname", "quick@%h", "--concurrency", "2"]
    # Alone it needs half the memory of a parent and a child, and nothing of it can be orphaned.
    slow = [*worker, "--queues", "slow", "--hostname", "slow@%h", "--pool", "solo"]
    outgoing = [*worker, "--queues", "outgoing", "--hostname", "outgoing@%h"]
    outgoing += ["--pool", "threads", "--concurrency", "8"]  # they wait for other sites
    beat = [*celery, "beat", "--loglevel", "WARNING", "--pidfile", ""]
    children = [
        Child("web", gunicorn, answers=web_answers, pass_fds=(listener.fileno(),)),
        Child("worker", quick, orphan_signal=signal.SIGQUIT),
        Child("slow", slow, orphan_signal=signal.SIGKILL),
        Child("outgoing", outgoing, orphan_signal=signal.SIGKILL),
        Child("beat", beat),
    ]
    if has_players:
        children.append(Child("players", [python, "manage.py", "demo_players"]))
    return children


def wait_until_up(supervisor: Supervisor, is_ready: Callable[[], bool]) -> None:
    """Wait until the site answers."""
    deadline = time.monotonic() + START_TIMEOUT
    while not is_ready():
        watch(supervisor)
        if time.monotonic() > deadline:
            raise EmbeddedError(
                f"The site is not ready after {START_TIMEOUT:.0f} s: the lines above say why."
            )


def watch(supervisor: Supervisor) -> None:
    """Stop if asked to, and start again what has ended."""
    supervisor.check_stop()
    for event in supervisor.keep_running():
        write(event)
    if has_own_servers() and not servers.are_guarded():
        write("PostgreSQL and Valkey have ended. They start again.")
        servers.attach(report=write)
    # One thread asks everything in turn, as a child that dies with its parent needs (`processes`).
    time.sleep(POLL)


def answers(host: str, port: int, path: str = "/healthz") -> bool:
    """Return whether the site says that all is well."""
    # A socket is bound to these addresses, but nobody can connect to them.
    reachable = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104  compared, not bound
    # With the silences that are allowed in a row, a silent process is replaced within 15 seconds.
    connection = http.client.HTTPConnection(reachable, port, timeout=3)
    try:
        connection.request("GET", path, headers={"Host": "localhost"})
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def welcome(environment: dict[str, str], playground: str) -> str:
    """Return the address of the site, its first accounts and how to stop it.

    :param playground: the arena in which simulated players play, empty for none.
    """
    lines = ["", f"Laurel is at {environment['LAUREL_SITE_URL']}/"]
    accounts = default_data() / "demo-accounts"
    if accounts.exists():
        lines += [f"  {line}" for line in accounts.read_text().splitlines()]
    if playground:
        lines += [
            f"  Simulated players play in the arena “{playground}”. To pause them, close its queue",
            "  in the admin. To start without them, use `LAUREL_DEMO_PLAYERS=0 make run`.",
        ]
    elif environment.get("LAUREL_DEMO_PLAYERS") == "1":
        lines.append("  Nobody is simulated: only the demo league has simulated players.")
    return "\n".join([*lines, "Press Ctrl-C to stop.", ""])


def write(text: str) -> None:
    """Write lines to standard output at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
