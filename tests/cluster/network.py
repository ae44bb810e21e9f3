"""Machines of one network: namespaces of Linux, each with an address, joined by a bridge."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

PREFIX = "laurel-"
SWITCH = f"{PREFIX}switch"
HERE = f"{PREFIX}here"
"""The machine that this process moves to, from which the visitors come."""
ADDRESSES = {
    "here": "10.97.0.1",
    "edge": "10.97.0.2",
    "web1": "10.97.0.11",
    "web2": "10.97.0.12",
    "work1": "10.97.0.21",
    "work2": "10.97.0.22",
    "broker": "10.97.0.31",
    "pooler": "10.97.0.40",
    "db1": "10.97.0.41",
    "db2": "10.97.0.42",
}
NETWORK = "10.97.0.0/24"
NEW_NETWORK = 0x40000000
"""``CLONE_NEWNET`` of ``setns(2)``."""
Command = Sequence[str | Path]


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True, text=True)


@contextmanager
def network(folder: Path) -> Iterator[dict[str, Machine]]:
    """Make the machines, and move this thread and those that it starts to the one named ``here``.

    Their programs log to ``folder``.
    """
    remove()
    machines = {name: Machine(name, folder) for name in ADDRESSES}
    try:
        ip("netns", "add", SWITCH)
        ip("-n", SWITCH, "link", "add", "switch", "type", "bridge")
        ip("-n", SWITCH, "link", "set", "switch", "up")
        for machine in machines.values():
            machine.plug_in()
        with Path(f"/run/netns/{HERE}").open() as namespace:
            enter(namespace.fileno())
        yield machines
    finally:
        for machine in machines.values():
            machine.kill()
        remove()


def enter(namespace: int) -> None:
    if ctypes.CDLL(None, use_errno=True).setns(namespace, NEW_NETWORK):
        raise OSError(ctypes.get_errno(), "This process cannot move to its network namespace.")


def remove() -> None:
    """Remove the namespaces, including those left by a killed run."""
    for name in (SWITCH, *(PREFIX + name for name in ADDRESSES)):
        if Path(f"/run/netns/{name}").exists():
            kill(pid for pid in pids_in(name) if pid != os.getpid())
            ip("netns", "del", name)


def kill(pids: Iterable[int]) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def pids_in(namespace: str) -> list[int]:
    found = subprocess.run(
        ["ip", "netns", "pids", namespace], check=False, capture_output=True, text=True
    )
    return [int(pid) for pid in found.stdout.split()]


class Machine:
    """A machine: processes that see a network of their own."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.address = ADDRESSES[name]
        self.namespace = PREFIX + name
        self.folder = folder
        self._children: list[subprocess.Popen[bytes]] = []

    def plug_in(self) -> None:
        cable = f"lc-{self.name}"
        ip("netns", "add", self.namespace)
        ip(
            "-n",
            SWITCH,
            "link",
            "add",
            cable,
            "type",
            "veth",
            "peer",
            "name",
            "eth0",
            "netns",
            self.namespace,
        )
        ip("-n", SWITCH, "link", "set", cable, "master", "switch", "up")
        ip("-n", self.namespace, "addr", "add", f"{self.address}/24", "dev", "eth0")
        ip("-n", self.namespace, "link", "set", "eth0", "up")
        ip("-n", self.namespace, "link", "set", "lo", "up")

    def start(self, name: str, command: Command, **options: Any) -> subprocess.Popen[bytes]:
        """Start a program on this machine."""
        with (self.folder / f"{self.name}-{name}.log").open("ab") as log:
            child = subprocess.Popen(
                ["ip", "netns", "exec", self.namespace, *command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                **options,
            )
        self._children.append(child)
        return child

    def run(self, command: Command, env: Mapping[str, str] | None = None) -> str:
        """Run a program on this machine and return what it writes."""
        done = subprocess.run(
            ["ip", "netns", "exec", self.namespace, *command],
            check=False,
            capture_output=True,
            text=True,
            env=env,
        )
        if done.returncode:
            raise SystemExit(f"{' '.join(map(str, command))}: {done.stdout}{done.stderr}")
        return done.stdout

    def kill(self) -> None:
        """Cut the power: nothing on this machine can close its connections."""
        if self.name == "here":
            return
        ip_down = ["ip", "-n", self.namespace, "link", "set", "eth0", "down"]
        subprocess.run(ip_down, check=False, capture_output=True)
        deadline = time.monotonic() + 10
        while (pids := pids_in(self.namespace)) and time.monotonic() < deadline:
            kill(pids)
            time.sleep(0.05)
        for child in self._children:
            child.wait()
        self._children.clear()
