"""A real site of its own: web server, workers and clock."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.request import urlopen

if TYPE_CHECKING:
    from collections.abc import Iterator

PROJECT = Path(__file__).resolve().parents[2]
STARTS_WITHIN = 300.0
"""Seconds that the site may take to create its league and answer."""


@contextmanager
def running_site(name: str, *, with_demo: bool = True, with_players: bool = False) -> Iterator[str]:
    """Start a new site and give its address. Django works on its database.

    ``name`` names its data folder. It has the demo league or nothing at all, and ``with_players``
    lets the demo's simulated players play.
    """
    data = PROJECT / ".laurel" / name
    shutil.rmtree(data, ignore_errors=True)
    with socket.socket() as free:
        free.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        environment = {
            **os.environ,
            "LAUREL_DATA": str(data),
            "PORT": str(port),
            "DEMO": "1" if with_demo else "0",
            "LAUREL_DEMO_PLAYERS": "1" if with_players else "0",
        }
        site = subprocess.Popen(
            [sys.executable, "-m", "embedded.run"],
            cwd=PROJECT,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.STDOUT,
        )
        try:
            address = f"http://127.0.0.1:{port}"
            wait_until_up(site, address)
            os.environ["LAUREL_DATA"] = str(data)
            os.environ["DJANGO_SETTINGS_MODULE"] = "league.settings"
            import django  # noqa: PLC0415 - the environment comes first

            django.setup()
            yield address
        finally:
            site.terminate()
            site.wait()


def wait_until_up(site: subprocess.Popen[bytes], address: str) -> None:
    deadline = time.monotonic() + STARTS_WITHIN
    while time.monotonic() < deadline and site.poll() is None:
        try:
            with urlopen(f"{address}/readyz", timeout=10):  # noqa: S310 - our own
                return
        except OSError:
            time.sleep(0.2)
    raise SystemExit("The site did not start. Try `make run` to see why.")
