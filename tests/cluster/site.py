"""Laurel's own processes on the machines."""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import TYPE_CHECKING
from urllib.request import urlopen

from tests.cluster.servers import wait_for
from tests.support.running_site import PROJECT

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cluster.network import Machine

CELERY = (sys.executable, "-m", "celery", "-A", "league")
WORKER = (*CELERY, "worker", "--loglevel", "info", "--without-mingle", "--without-gossip")


class Site:
    """The settings that all machines share, and what runs where."""

    def __init__(self, folder: Path, address: str, databases: dict[str, str], broker: str) -> None:
        self.folder = folder
        self.address = address
        self.databases = databases
        """URLs: for ``web``, for ``work``, ``direct`` to PostgreSQL, and of its ``replica``."""
        self.shared = {
            **os.environ,
            "LAUREL_SITE_URL": address,
            "LAUREL_PROXY_HOPS": "1",
            "SECRET_KEY": "of-machines-that-exist-for-minutes-only",
            "DATABASE_DIRECT_URL": databases["direct"],
            "DATABASE_REPLICA_URL": databases["replica"],
            "REDIS_URL": broker,
            "LAUREL_STATIC": str(folder / "static"),
            "LAUREL_BACKUP_FOLDER": "off",
            "LAUREL_API_RATE_ANONYMOUS": "1000000",
            "LAUREL_API_RATE_ACCOUNT": "1000000",
        }
        for name in ("PYTHONDONTWRITEBYTECODE", "LAUREL_OFFLINE"):
            self.shared.pop(name, None)

    def environment(self, machine: Machine, use: str) -> dict[str, str]:
        own = {"LAUREL_DATA": str(self.folder / f"data-{machine.name}")}
        return {**self.shared, **own, "DATABASE_URL": self.databases[use]}

    def manage(self, machine: Machine, *command: str) -> str:
        """Run a command of ``manage.py`` on a machine, through the pooler."""
        python = [sys.executable, str(PROJECT / "manage.py"), *command]
        return machine.run(python, env=self.environment(machine, "work"))

    def start_web(self, machine: Machine) -> None:
        machine.start(
            "web",
            [sys.executable, "-m", "gunicorn", "league.wsgi", "--bind", "0.0.0.0:8000"],
            cwd=PROJECT,
            env=self.environment(machine, "web"),
        )

    def start_work(self, machine: Machine) -> None:
        """Start a beat, and workers of all kinds. Ticks and settling share a pool."""
        options = {"cwd": PROJECT, "env": self.environment(machine, "work")}
        name = f"@{machine.name}"
        quick = ("--queues", "ticks,settling", "--concurrency", "2", "--hostname", f"quick{name}")
        slow = ("--queues", "slow", "--pool", "solo", "--hostname", f"slow{name}")
        machine.start("quick", [*WORKER, *quick], **options)
        machine.start("slow", [*WORKER, *slow], **options)
        outgoing = ("--queues", "outgoing", "--pool", "threads", "--hostname", f"outgoing{name}")
        machine.start("outgoing", [*WORKER, *outgoing], **options)
        schedule = str(self.folder / f"schedule-{machine.name}")
        beat = ("beat", "--loglevel", "info", "--pidfile", "", "--schedule", schedule)
        machine.start("beat", [*CELERY, *beat], **options)

    def wait_until_up(self, webs: list[Machine]) -> None:
        """Wait until each web machine answers, and all workers and a beat were seen."""
        for web in webs:
            wait_for(partial(answers, f"http://{web.address}:8000/readyz"), web.name)
        for name in ("beat", "worker-ticks", "worker-settling", "worker-slow", "worker-outgoing"):
            wait_for(partial(answers, f"{self.address}/readyz/{name}"), name)


def answers(address: str) -> bool:
    try:
        with urlopen(address, timeout=5):  # noqa: S310 - our own
            return True
    except OSError:
        return False
