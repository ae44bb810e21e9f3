"""`make run`, from the first line to the last process."""

import http.client
import os
import re
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer

import pytest

from embedded.run import players_wanted
from tests.embedded.people import (
    PROJECT,
    data_folder,
    kill_everything_of,
    pid_of,
    processes_of,
    until,
)

FIRST_START = 120.0
"""Seconds that a first start may take at most, the demo league being made."""

PROMPTLY = 15.0
"""Seconds that a site may take to be gone, however it was ended."""


class Site:
    """A site that runs on `data`, started by a shell as make would."""

    def __init__(self, data: Path, port: int | str, **told: str) -> None:
        self.data, self.port = data, port
        environment = {**os.environ, "LAUREL_DATA": str(data), "PORT": str(port)}
        for name in ("DATABASE_URL", "REDIS_URL", "LAUREL_SITE_URL", "HOST", "LAUREL_DEMO_PLAYERS"):
            environment.pop(name, None)
        environment |= told
        self.parent = subprocess.Popen(
            ["/bin/sh", "-c", f"'{sys.executable}' -m embedded.run; exit $?"],
            cwd=PROJECT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self.said = ""

    def up(self) -> "Site":
        """Wait until it says that it is up."""
        self.hear("Ctrl-C stops it.")
        return self

    def hear(self, words: str) -> None:
        """Wait until it says so."""
        assert self.parent.stdout
        impatience = Timer(FIRST_START, lambda: kill_everything_of(self.data))
        impatience.start()
        for line in self.parent.stdout:
            self.said += line
            if words in line:
                impatience.cancel()
                return
        impatience.cancel()
        pytest.fail(f"the site did not say “{words}”:\n{self.said}")

    def status(self, path: str) -> int:
        """What it answers."""
        connection = http.client.HTTPConnection("127.0.0.1", int(self.port), timeout=30)
        try:
            connection.request("GET", path)
            return connection.getresponse().status
        finally:
            connection.close()

    def press_ctrl_c(self) -> None:
        """What the terminal does then: everything in the foreground gets the signal."""
        os.killpg(self.parent.pid, signal.SIGINT)

    def run_pid(self) -> int:
        """The process of `embedded.run` itself."""
        [pid] = [
            pid
            for pid, told in processes_of(self.data).items()
            if "embedded.run" in told and not told.startswith("/bin/sh")
        ]
        return pid

    def last_words(self) -> str:
        """All that it said, read to the end."""
        said, _ = self.parent.communicate(timeout=FIRST_START)
        self.said += said or ""
        return self.said

    def leaves_nothing(self) -> None:
        """Wait until no process of it is left."""
        until(lambda: not processes_of(self.data), PROMPTLY)
        self.last_words()


@contextmanager
def kept_port() -> Iterator[int]:
    """A port that nobody listens on, and that nobody else is given meanwhile.

    It is bound but not listened on, in a way that lets a site listen there.
    """
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


@pytest.fixture
def port() -> Iterator[int]:
    with kept_port() as number:
        yield number


@pytest.fixture(scope="module")
def seeded() -> Iterator[Path]:
    """The data folder of a site that has been started once, and stopped with Ctrl-C."""
    with data_folder() as data, kept_port() as number:
        site = Site(data, number).up()
        assert site.status("/health/") == 200
        assert site.status("/") == 200
        assert f"Laurel is at http://localhost:{number}/" in site.said
        assert "`LAUREL_DEMO_PLAYERS=0 make run`" in site.said
        assert "200 simulated players play in Skirmish 5v5" in site.said
        site.press_ctrl_c()
        site.leaves_nothing()
        assert "Traceback" not in site.said
        assert re.search(r"admin: \w+ / \S{8,}", site.said)
        assert stat.S_IMODE((data / "demo-accounts").stat().st_mode) == 0o600
        yield data


def test_a_second_start_makes_nothing_anew_and_ends_with_the_process_that_started_it(
    seeded: Path, port: int
) -> None:
    site = Site(seeded, port, LAUREL_DEMO_PLAYERS="0").up()
    assert "imulated players" not in site.said
    assert not any("demo_players" in told for told in processes_of(seeded).values())
    assert "Collecting the static files" not in site.said
    assert "The demo league is there" in site.said
    assert site.status("/health/") == 200

    site.parent.kill()
    site.leaves_nothing()


def test_nothing_is_left_when_the_runner_itself_is_killed(seeded: Path, port: int) -> None:
    site = Site(seeded, port).up()
    os.kill(site.run_pid(), signal.SIGKILL)
    site.leaves_nothing()


@pytest.mark.parametrize(
    ("told", "wanted"),
    [
        ({}, True),
        ({"DATABASE_URL": "postgresql://db/laurel"}, False),
        ({"REDIS_URL": "redis://broker/0"}, False),
        ({"LAUREL_SITE_URL": "https://league.example"}, False),
        ({"LAUREL_SITE_URL": "https://league.example", "LAUREL_DEMO_PLAYERS": "1"}, True),
        ({"LAUREL_DEMO_PLAYERS": "0"}, False),
    ],
)
def test_simulated_players_play_on_a_site_for_trying_out_or_when_asked(
    told: dict[str, str], wanted: bool
) -> None:
    assert players_wanted(told) is wanted


def test_a_switch_that_says_neither_yes_nor_no_is_refused(new_data: Path, port: int) -> None:
    site = Site(new_data, port, LAUREL_DEMO_PLAYERS="off")
    assert "laurel: LAUREL_DEMO_PLAYERS=off says neither yes nor no" in site.last_words()
    assert site.parent.returncode == 1


def test_a_process_that_ends_by_itself_takes_the_site_down_but_simulated_players_do_not(
    seeded: Path, port: int
) -> None:
    site = Site(seeded, port).up()
    os.kill(_leader(site, "manage.py", "demo_players"), signal.SIGKILL)
    site.hear("The site's players process has ended; the site goes on without it.")
    assert site.status("/arenas/skirmish/queue/") == 200
    os.kill(_leader(site, "celery", "beat"), signal.SIGKILL)
    assert "laurel: The site's beat process has ended, and the rest was stopped" in (
        site.last_words()
    )
    assert site.parent.returncode == 1
    site.leaves_nothing()


def _leader(site: Site, *words: str) -> int:
    [pid] = [
        pid
        for pid, told in processes_of(site.data).items()
        if all(word in told.split() for word in words)
    ]
    return pid


def test_a_start_that_is_given_up_half_way_leaves_nothing(seeded: Path, port: int) -> None:
    site = Site(seeded, port)
    until(lambda: any("manage.py" in told for told in processes_of(seeded).values()))
    assert pid_of(seeded, "guardian.py")
    site.press_ctrl_c()
    site.leaves_nothing()
    assert "Traceback" not in site.said


def test_a_taken_port_is_named_before_anything_is_started(new_data: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        number = other.getsockname()[1]
        site = Site(new_data, number)
        assert site.last_words() == (
            f"laurel: Port {number} is taken by another program: stop that one, or choose another "
            f"port with `make run PORT={number + 1}`.\n"
        )
    assert site.parent.returncode == 1
    assert not (new_data / "servers" / "postgres").exists()


@pytest.mark.parametrize("wrong", ["0", "65536", "eighty", "-1", "٨٠"])
def test_a_port_that_is_none_is_refused(wrong: str, new_data: Path) -> None:
    site = Site(new_data, wrong)
    assert f"laurel: PORT={wrong} is no port: choose a number from 1" in site.last_words()
    assert site.parent.returncode == 1
