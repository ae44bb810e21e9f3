"""A second web server, which reaches the database over a network that can be cut.

The network is a pair of virtual devices. One end is in a network namespace of its own, where a
relay passes connections on to the database's socket. Both vanish with the relay.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.request import urlopen

from embedded.postgres import DATABASE, PORT, ROLE
from tests.chaos.disk import MARK, succeeds
from tests.embedded.site import reserved_port

if TYPE_CHECKING:
    from collections.abc import Iterator

STARTS_WITHIN = 60.0


class Network:
    """The network between a web server and its database."""

    def __init__(self, sockets: Path) -> None:
        address = f"{sockets}/.s.PGSQL.{PORT}"
        relay = [sys.executable, "-m", "tests.chaos.relay", address, str(PORT)]
        self.relay = subprocess.Popen(["unshare", "--net", *relay])
        self.device = f"chaos{self.relay.pid}"[:14]
        subnet = f"10.213.{self.relay.pid % 256}"
        self.host = f"{subnet}.2"
        self._wait_for_namespace()
        other = f"{self.device}p"
        self._ip("link", "add", self.device, "type", "veth", "peer", other)
        self._ip("link", "set", other, "netns", str(self.relay.pid))
        self._ip("address", "add", f"{subnet}.1/30", "dev", self.device)
        self._ip("link", "set", self.device, "up")
        self._far("address", "add", f"{self.host}/30", "dev", other)
        self._far("link", "set", other, "up")

    def _wait_for_namespace(self) -> None:
        own, new = (Path(f"/proc/{pid}/ns/net") for pid in ("self", self.relay.pid))
        deadline = time.monotonic() + STARTS_WITHIN
        while new.readlink() == own.readlink():
            assert time.monotonic() < deadline
            time.sleep(0.01)

    def cut(self) -> None:
        self._far("link", "set", f"{self.device}p", "down")

    def mend(self) -> None:
        self._far("link", "set", f"{self.device}p", "up")

    def end(self) -> None:
        self.relay.kill()
        self.relay.wait()

    def _ip(self, *words: str) -> None:
        subprocess.run(["ip", *words], check=True)

    def _far(self, *words: str) -> None:
        inside = ["nsenter", "--target", str(self.relay.pid), "--net"]
        subprocess.run([*inside, "ip", *words], check=True)


def may_be_cut() -> bool:
    """Return whether this process may make networks."""
    tools = all(map(shutil.which, ("unshare", "nsenter", "ip")))
    return tools and os.environ.get(MARK) == "1" and succeeds("unshare", "--net", "true")


@contextmanager
def far_web_server(sockets: Path, redis_url: str) -> Iterator[tuple[int, Network]]:
    """Start a web server that reaches the database over a network; yield the port and network."""
    network = Network(sockets)
    with reserved_port() as port:
        url = f"postgresql://{ROLE}@{network.host}:{PORT}/{DATABASE}?sslmode=disable"
        server = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "league.wsgi", "--bind", f"127.0.0.1:{port}"],
            env={**os.environ, "DATABASE_URL": url, "REDIS_URL": redis_url},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            wait_until_up(port)
            yield port, network
        finally:
            server.terminate()
            server.wait()
            network.end()


def wait_until_up(port: int) -> None:
    deadline = time.monotonic() + STARTS_WITHIN
    while True:
        try:
            with urlopen(f"http://127.0.0.1:{port}/readyz", timeout=10):
                return
        except OSError:
            assert time.monotonic() < deadline, "the second web server did not start"
            time.sleep(0.2)
