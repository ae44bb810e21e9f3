"""A running site survives killed processes."""

import http.client
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from embedded.supervisor import Child
from tests.embedded.helpers import children_of, guardian_pid, postmaster_pid, wait_until
from tests.embedded.site import Site, reserved_port


@pytest.fixture(scope="module")
def site(demo_data: Path) -> Iterator[Site]:
    """A site that all tests of this file kill parts of. In the end its runner is killed itself, and
    nothing may be left."""
    with reserved_port() as number:
        site = Site(demo_data, number).up()
        yield site
        kill(site.run_pid())
        site.wait_until_gone()


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)


def test_a_killed_guardian_is_replaced_though_nobody_attaches(site: Site) -> None:
    killed = guardian_pid(site.data)
    kill(killed)
    site.read_until("PostgreSQL and Valkey have ended. They start again.")
    wait_until(site.works)
    assert guardian_pid(site.data) != killed


def test_a_killed_postgresql_is_restarted(site: Site) -> None:
    killed = postmaster_pid(site.data)
    kill(killed)
    wait_until(lambda: site.works() and postmaster_pid(site.data) != killed)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("beat", ("celery", "beat")),
        ("worker", ("celery", "worker", "ticks,settling")),
        ("slow", ("celery", "worker", "slow")),
        ("outgoing", ("celery", "worker", "outgoing")),
        ("players", ("manage.py", "demo_players")),
        ("web", ("gunicorn",)),
    ],
)
def test_a_killed_process_is_started_again(name: str, words: tuple[str, ...], site: Site) -> None:
    killed = site.started_pid(*words)
    kill(killed)
    site.read_until(f"The {name} process has ended. It starts again.")
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
        site.read_until("The web process has ended. It starts again.")
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


def test_a_process_is_silent_only_after_three_checks_in_a_row_once_it_has_answered() -> None:
    given = iter([False, False, False, False, True, False, False, True, False, False, False])
    child = Child("web", [], answers=lambda: next(given))
    child.started_at = time.monotonic()
    silent = []
    for _ in range(11):
        child.ask_at = 0.0
        silent.append(child.is_silent(time.monotonic()))
    assert silent == [False] * 10 + [True]


def test_pauses_before_a_restart_grow_and_are_forgotten_after_a_minute() -> None:
    child = Child("beat", [])
    child.started_at = 99.0
    pauses = []
    for now in (100.0, 101.0, 102.0, 103.0, 104.0, 105.0, 106.0, 107.0, 200.0):
        child.plan_restart(now)
        assert child.restart_at
        pauses.append(child.restart_at - now)
    assert pauses == [0.5, 1, 2, 4, 8, 16, 30, 30, 0.5]
