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
from tests.embedded.helpers import (
    PROJECT,
    data_folder,
    guardian_pid,
    kill_all_of,
    processes_of,
    wait_until,
)

FIRST_START = 120.0
"""Seconds that a first start may take, including the demo league."""

STOP = 15.0
"""Seconds that a site may take to end, whatever ended it."""


class Site:
    """A site that runs on `data`, started by a shell as make would start it."""

    def __init__(self, data: Path, port: int | str, **variables: str) -> None:
        self.data, self.port = data, port
        environment = {**os.environ, "LAUREL_DATA": str(data), "PORT": str(port)}
        for name in ("DATABASE_URL", "REDIS_URL", "LAUREL_SITE_URL", "HOST", "LAUREL_DEMO_PLAYERS"):
            environment.pop(name, None)
        environment |= variables
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
        self.output = ""

    def up(self) -> "Site":
        """Wait until it is up."""
        self.read_until("Press Ctrl-C to stop.")
        return self

    def read_until(self, words: str) -> None:
        """Read its output until a line with `words`."""
        assert self.parent.stdout
        timer = Timer(FIRST_START, lambda: kill_all_of(self.data))
        timer.start()
        for line in self.parent.stdout:
            self.output += line
            if words in line:
                timer.cancel()
                return
        timer.cancel()
        pytest.fail(f"the site did not write “{words}”:\n{self.output}")

    def status(self, path: str) -> int:
        """Return the status of its response."""
        connection = http.client.HTTPConnection("127.0.0.1", int(self.port), timeout=30)
        try:
            connection.request("GET", path)
            return connection.getresponse().status
        finally:
            connection.close()

    def press_ctrl_c(self) -> None:
        """Send the signal to every process in the foreground, as a terminal does."""
        os.killpg(self.parent.pid, signal.SIGINT)

    def run_pid(self) -> int:
        """Return the process of `embedded.run` itself."""
        [pid] = [
            pid
            for pid, command in processes_of(self.data).items()
            if "embedded.run" in command and not command.startswith("/bin/sh")
        ]
        return pid

    def read_rest(self) -> str:
        """Read its output to the end, and return all of it."""
        output, _ = self.parent.communicate(timeout=FIRST_START)
        self.output += output or ""
        return self.output

    def wait_until_gone(self) -> None:
        """Wait until none of its processes is left."""
        wait_until(lambda: not processes_of(self.data), STOP)
        self.read_rest()


@contextmanager
def reserved_port() -> Iterator[int]:
    """Give a port, and reserve it by a socket that does not listen.

    Only a site that asks for this port may then listen on it: both sockets allow it by
    SO_REUSEADDR, and the kernel gives a port that is in use to nobody who asks for a free one.
    """
    with socket.socket() as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        holder.bind(("127.0.0.1", 0))
        yield holder.getsockname()[1]


@pytest.fixture
def port() -> Iterator[int]:
    """A port that is reserved for the test."""
    with reserved_port() as number:
        yield number


@pytest.fixture(scope="module")
def seeded() -> Iterator[Path]:
    """The data folder of a site that was started once and stopped with Ctrl-C."""
    with data_folder() as data, reserved_port() as number:
        site = Site(data, number).up()
        assert site.status("/health/") == 200
        assert site.status("/") == 200
        assert f"Laurel is at http://localhost:{number}/" in site.output
        assert "`LAUREL_DEMO_PLAYERS=0 make run`" in site.output
        assert "200 simulated players play in Skirmish 5v5" in site.output
        # A broker that stalls while the site starts is reported, and asked again.
        started = len(site.output)
        site.press_ctrl_c()
        site.wait_until_gone()
        assert "Traceback" not in site.output[started:]
        assert re.search(r"admin: \w+ / \S{8,}", site.output)
        assert stat.S_IMODE((data / "demo-accounts").stat().st_mode) == 0o600
        yield data


def test_a_second_start_prepares_nothing_again_and_ends_with_its_parent(
    seeded: Path, port: int
) -> None:
    site = Site(seeded, port, LAUREL_DEMO_PLAYERS="0").up()
    assert "imulated players" not in site.output
    assert not any("demo_players" in text for text in processes_of(seeded).values())
    assert "Collecting the static files" not in site.output
    assert "The demo league exists" in site.output
    assert site.status("/health/") == 200

    site.parent.kill()
    site.wait_until_gone()


def test_nothing_is_left_when_the_runner_itself_is_killed(seeded: Path, port: int) -> None:
    site = Site(seeded, port).up()
    os.kill(site.run_pid(), signal.SIGKILL)
    site.wait_until_gone()


@pytest.mark.parametrize(
    ("environment", "wanted"),
    [
        ({}, True),
        ({"DATABASE_URL": "postgresql://db/laurel"}, False),
        ({"REDIS_URL": "redis://broker/0"}, False),
        ({"LAUREL_SITE_URL": "https://league.example"}, False),
        ({"LAUREL_SITE_URL": "https://league.example", "LAUREL_DEMO_PLAYERS": "1"}, True),
        ({"LAUREL_DEMO_PLAYERS": "0"}, False),
    ],
)
def test_simulated_players_play_on_a_trial_site_or_when_wanted(
    environment: dict[str, str], wanted: bool
) -> None:
    assert players_wanted(environment) is wanted


def test_a_switch_that_is_neither_1_nor_0_is_refused(new_data: Path, port: int) -> None:
    site = Site(new_data, port, LAUREL_DEMO_PLAYERS="off")
    assert "laurel: LAUREL_DEMO_PLAYERS=off is neither 1 nor 0" in site.read_rest()
    assert site.parent.returncode == 1


def test_a_required_process_that_ends_stops_the_site_but_simulated_players_do_not(
    seeded: Path, port: int
) -> None:
    site = Site(seeded, port).up()
    os.kill(_leader(site, "manage.py", "demo_players"), signal.SIGKILL)
    site.read_until("The players process has ended. The site keeps running without it.")
    assert site.status("/arenas/skirmish/queue/") == 200
    os.kill(_leader(site, "celery", "beat"), signal.SIGKILL)
    assert "laurel: The beat process has ended, so the site was stopped." in site.read_rest()
    assert site.parent.returncode == 1
    site.wait_until_gone()


def _leader(site: Site, *words: str) -> int:
    [pid] = [
        pid
        for pid, command in processes_of(site.data).items()
        if all(word in command.split() for word in words)
    ]
    return pid


def test_a_start_that_is_cancelled_half_way_leaves_nothing(seeded: Path, port: int) -> None:
    site = Site(seeded, port)
    wait_until(lambda: any("manage.py" in text for text in processes_of(seeded).values()))
    assert guardian_pid(seeded)
    site.press_ctrl_c()
    site.wait_until_gone()
    assert "Traceback" not in site.output


def test_a_taken_port_is_named_before_anything_is_started(new_data: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        number = other.getsockname()[1]
        site = Site(new_data, number)
        assert site.read_rest() == (
            f"laurel: Port {number} is used by another program. Stop that program, or choose "
            f"another port with `make run PORT={number + 1}`.\n"
        )
    assert site.parent.returncode == 1
    assert not (new_data / "servers" / "postgres").exists()


def test_an_unusable_data_folder_is_named(new_data: Path, port: int) -> None:
    new_data.write_text("not a folder")
    site = Site(new_data, port)
    assert f"{new_data} is not a folder. Move it away" in site.read_rest()
    assert "Traceback" not in site.output
    assert site.parent.returncode == 1


@pytest.mark.parametrize("wrong", ["0", "65536", "eighty", "-1", "٨٠"])
def test_a_port_that_is_not_valid_is_refused(wrong: str, new_data: Path) -> None:
    site = Site(new_data, wrong)
    assert f"laurel: PORT={wrong} is not a port. Choose a number from 1" in site.read_rest()
    assert site.parent.returncode == 1
