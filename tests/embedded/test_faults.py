"""A running site survives killed processes."""

import http.client
import io
import math
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from embedded import supervisor
from embedded.errors import EmbeddedError
from embedded.supervisor import Child, Supervisor
from tests.embedded.helpers import (
    PROJECT,
    children_of,
    guardian_pid,
    postmaster_pid,
    wait_until,
)
from tests.embedded.site import Site, reserved_port


@pytest.fixture(scope="module")
def site(seeded: Path) -> Iterator[Site]:
    """A site that all tests of this file kill parts of. In the end its runner is killed itself, and
    nothing may be left."""
    with reserved_port() as number:
        site = Site(seeded, number).up()
        wait_until(lambda: "PostgreSQL and Valkey run." in site.output)
        yield site
        kill(site.run_pid())
        site.wait_until_gone()


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)


def test_a_killed_guardian_is_replaced_though_nobody_attaches(site: Site) -> None:
    killed = guardian_pid(site.data)
    kill(killed)
    site.read_until("PostgreSQL and Valkey run again.")
    wait_until(site.works)
    assert guardian_pid(site.data) != killed


def test_a_killed_postgresql_is_restarted(site: Site) -> None:
    killed = postmaster_pid(site.data)
    kill(killed)
    wait_until(lambda: site.works() and postmaster_pid(site.data) != killed)


@pytest.mark.parametrize(
    ("name", "words", "healthy"),
    [
        ("beat", ("celery", "beat"), "beat: Starting..."),
        ("worker", ("celery", "worker", "ticks,settling"), " ready."),
        ("slow", ("celery", "worker", "slow"), " ready."),
        ("outgoing", ("celery", "worker", "outgoing"), " ready."),
        ("servers", ("embedded.keeper",), "PostgreSQL and Valkey run."),
        ("players", ("manage.py", "demo_players"), "simulated players play in"),
        ("web", ("gunicorn",), "Booting worker"),
    ],
)
def test_a_killed_process_is_started_again(
    name: str, words: tuple[str, ...], healthy: str, site: Site
) -> None:
    killed = site.started_pid(*words)
    kill(killed)
    site.read_until(f"The {name} process was killed by SIGKILL. It starts again.")
    if name != "servers":  # which is silent while all is well
        site.read_until(healthy)
    wait_until(site.works)
    assert site.started_pid(*words) != killed


def test_while_a_web_worker_is_replaced_another_one_answers(site: Site) -> None:
    master = site.started_pid("gunicorn")
    kill(two_workers(master)[0])
    for _ in range(20):
        assert site.status("/", timeout=5) == 200
    two_workers(master)
    assert site.started_pid("gunicorn") == master


def test_visitors_wait_while_gunicorn_is_started_again(site: Site) -> None:
    master = site.started_pid("gunicorn")
    workers = two_workers(master)
    kill(master)
    for _ in range(10):
        assert asked_as_browsers_do(site) == 200
    assert site.started_pid("gunicorn") != master
    wait_until(lambda: not any(map(is_alive, workers)))


@pytest.mark.parametrize("all_of_it", [False, True], ids=["workers", "all of gunicorn"])
def test_a_silent_web_server_is_replaced(site: Site, *, all_of_it: bool) -> None:
    master = site.started_pid("gunicorn")
    stopped = [*two_workers(master), *([master] if all_of_it else [])]
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)
    wait_until(lambda: not any(map(is_alive, stopped)))
    if all_of_it:
        site.read_until("The web process does not answer.")
        site.read_until("The web process was killed by SIGKILL. It starts again.")
    wait_until(site.works)


def two_workers(master: int) -> list[int]:
    """Return the web workers. Wait for them: pages are also answered by those they replace."""
    wait_until(lambda: len(children_of(master)) == 2)
    return children_of(master)


def asked_as_browsers_do(site: Site) -> int:
    """Ask for a page, and again if the process that had begun to answer was killed."""
    try:
        return site.status("/")
    except (ConnectionResetError, http.client.RemoteDisconnected):
        return site.status("/")


def is_alive(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


class Alone:
    """A supervisor with one child, whose output it keeps."""

    def __init__(self, program: str, *, required: bool) -> None:
        self.output = io.StringIO()
        self.supervisor = Supervisor(self.output)
        self.child = Child("beat", [sys.executable, "-c", program], required=required)
        self.supervisor.start(self.child, PROJECT, dict(os.environ))

    def run(self) -> list[str]:
        """Keep it running until it is given up, and return what happened."""
        events = []
        try:
            while self.supervisor.children:
                self.supervisor.forward_output(0.01)
                events += self.supervisor.keep_running()
        finally:
            self.supervisor.stop()
        return events


@pytest.fixture
def _haste(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Shorten the pauses, and give the test process its own signal handlers back."""
    monkeypatch.setattr(supervisor, "FIRST_PAUSE", 0.001)
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    handlers = [signal.getsignal(number) for number in numbers]
    yield
    for number, handler in zip(numbers, handlers, strict=True):
        signal.signal(number, handler)


@pytest.mark.usefixtures("_haste")
def test_a_required_process_that_keeps_ending_stops_the_site_and_its_log_says_why() -> None:
    beat = Alone("print('no broker'); raise SystemExit(3)", required=True)
    with pytest.raises(EmbeddedError) as error:
        beat.run()
    assert str(error.value) == (
        "The beat process has ended with status 3, 5 times within 60 seconds, so the site was "
        "stopped. Fix that and start again. Its log ends:\n  no broker"
    )
    assert beat.output.getvalue() == "beat    | no broker\n" * 5


def test_a_process_is_silent_only_after_three_checks_in_a_row_once_it_is_ready() -> None:
    given = iter([False, False, True, False, False, False])
    child = Child("web", [], answers=lambda: next(given))
    child.is_ready = False
    assert not child.is_silent(0.0)
    child.is_ready = True
    assert [child.is_silent(math.inf) for _ in range(6)] == [False] * 5 + [True]


@pytest.mark.usefixtures("_haste")
def test_the_site_keeps_running_without_simulated_players_that_keep_ending() -> None:
    players = Alone("import os; os.abort()", required=False)
    *events, last = players.run()
    assert events == ["The beat process was killed by SIGABRT. It starts again."] * 4
    assert last.endswith("The site keeps running without it.")


def test_pauses_before_a_restart_grow_and_are_forgotten_after_a_minute() -> None:
    child = Child("beat", [])
    pauses = []
    for now in (100.0, 101.0, 102.0, 103.0):
        assert child.note_failure(now)
        assert child.restart_at
        pauses.append(child.restart_at - now)
    assert pauses == [0.5, 1, 2, 4]
    assert not child.note_failure(104.0)
    assert child.note_failure(200.0)
    assert child.restart_at == 200.5
