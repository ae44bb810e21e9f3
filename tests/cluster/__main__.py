"""Run the site on nine machines, take some of them away under load, and count what that costs."""

from __future__ import annotations

import os
import random
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from tests.cluster import needs
from tests.cluster.network import network
from tests.cluster.servers import Pooler, Postgres, start_balancer, start_broker, wait_for
from tests.cluster.site import Site

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cluster.network import Machine
    from tests.cluster.traffic import Sample, Traffic

DETECTION = 3.0
"""Seconds until somebody, or a program such as Patroni, notices the loss of the primary."""
PHASE = 20.0
"""Seconds of load after each loss."""
AFTERWARDS = 10.0
"""Seconds until standings and the last tasks are done."""
HEADINGS = ("phase", "requests", "refused", "longest", "refused until", "tick pause")


def main() -> int:
    """Return 1 if anything acknowledged was lost, or the ratings differ from their replay."""
    needs.meet()
    folder = Path(tempfile.mkdtemp(prefix="laurel-cluster-"))
    folder.chmod(0o777)  # PostgreSQL and PgBouncer run without privileges
    try:
        with network(folder) as machines:
            return Cluster(machines, folder).run()
    finally:
        if "KEEP" not in os.environ:
            shutil.rmtree(folder, ignore_errors=True)


def write(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


@dataclass(frozen=True)
class Phase:
    """A part of the run."""

    name: str
    began: float
    ended: float
    since: datetime
    until: datetime


class Cluster:
    """The machines, and what happens to them."""

    def __init__(self, machines: dict[str, Machine], folder: Path) -> None:
        self.machines = machines
        self.folder = folder
        self.webs = [machines["web1"], machines["web2"]]
        self.primary = Postgres(machines["db1"], folder)
        self.standby = Postgres(machines["db2"], folder)
        self.pooler = Pooler(machines["pooler"], folder)
        self.address = f"http://{machines['edge'].address}"
        self.phases: list[Phase] = []

    def run(self) -> int:
        began = time.monotonic()
        self.start()
        write(f"Nine machines serve the site after {time.monotonic() - began:.0f} s.")
        traffic = self.visitors()
        self.phase("all is well", lambda: None)
        self.phase("web2 loses power", self.machines["web2"].kill)
        self.phase("work1 loses power, with beat", self.machines["work1"].kill)
        self.phase("db1 loses power, db2 is promoted", self.fail_over)
        self.phase("afterwards", lambda: None)
        traffic.stop()
        time.sleep(AFTERWARDS)
        return max(self.report(traffic), self.correct(traffic))

    def start(self) -> None:
        from tests.support.running_site import PROJECT  # noqa: PLC0415

        write("Starting PostgreSQL, its standby, PgBouncer, Valkey and HAProxy ...")
        self.primary.create()
        self.pooler.point_to(self.primary)
        self.pooler.start()
        broker = start_broker(self.machines["broker"])
        hosts = f"{self.primary.machine.address},{self.standby.machine.address}"
        databases = {
            "web": self.pooler.url("laurel_web"),
            "work": self.pooler.url("laurel"),
            "replica": self.standby.url,
            "direct": f"postgresql://laurel@{hosts}/laurel?target_session_attrs=read-write",
        }
        site = Site(self.folder, self.address, databases, broker)
        write("Migrating the database through PgBouncer ...")
        site.manage(self.machines["web1"], "migrate", "--verbosity", "0")
        site.manage(self.machines["web1"], "collectstatic", "--noinput", "--verbosity", "0")
        self.standby.follow(self.primary)
        for web in self.webs:
            site.start_web(web)
        for name in ("work1", "work2"):
            site.start_work(self.machines[name])
        start_balancer(self.machines["edge"], self.webs)
        site.wait_until_up(self.webs)

        os.environ.update(site.environment(self.machines["here"], "direct"))
        for name in ("DATABASE_DIRECT_URL", "DATABASE_REPLICA_URL"):
            os.environ[name] = ""
        os.environ["LAUREL_DB_POOL_SECONDS"] = "20"  # also while one of two servers is gone
        os.environ["DJANGO_SETTINGS_MODULE"] = "league.settings"
        os.chdir(PROJECT)
        import django  # noqa: PLC0415 - the environment comes first

        django.setup()

    def visitors(self) -> Traffic:
        from tests.cluster import league  # noqa: PLC0415 - once Django is set up
        from tests.cluster.traffic import Traffic  # noqa: PLC0415

        arena, playing, queueing = league.found(self.address)
        traffic = Traffic(self.address)
        random.seed(1)
        paths = [*league.PATHS, *(f"/players/{one.player.pk}/" for one in playing[:6])]
        for _ in range(3):
            traffic.start(traffic.reader(paths))
            traffic.start(traffic.pair(arena.slug, playing))
        for person in queueing:
            traffic.start(traffic.queuer("raid", person))
        time.sleep(5)  # until caches and connections are warm
        return traffic

    def phase(self, name: str, happens: Callable[[], None]) -> None:
        write(f"{name} ...")
        since, began = datetime.now(UTC), time.monotonic()
        happens()
        time.sleep(max(0.0, PHASE - (time.monotonic() - began)))
        self.phases.append(Phase(name, began, time.monotonic(), since, datetime.now(UTC)))

    def fail_over(self) -> None:
        """Take the primary away, and fail over after a while."""
        self.primary.machine.kill()
        time.sleep(DETECTION)
        self.standby.promote()
        self.pooler.point_to(self.standby)
        self.pooler.reload()

        from django.db import connection  # noqa: PLC0415 - once Django is set up

        connection.close()  # to the primary that is gone

    def correct(self, traffic: Traffic) -> int:
        """Let the remaining worker correct a result, through PgBouncer. Return 1 if it fails."""
        from tests.cluster import league  # noqa: PLC0415

        if not traffic.done.confirmations:
            return 1
        request = league.ask_for_correction(traffic.done)

        def is_finished() -> bool:
            request.refresh_from_db()
            return request.finished_at is not None

        wait_for(is_finished, "a worker has made the correction")
        wrong = league.differences()
        write(f"A correction by the remaining worker: {request.state} {request.refusal}")
        for line in wrong:
            write(f"WRONG: {line}")
        return 1 if wrong or request.state != request.State.DONE else 0

    def report(self, traffic: Traffic) -> int:
        from tests.cluster import league  # noqa: PLC0415

        rows: list[tuple[str, ...]] = [HEADINGS]
        for phase in self.phases:
            samples = [one for one in traffic.samples if phase.began <= one.ended < phase.ended]
            pause = league.longest_pause(phase.since, phase.until)
            rows.append((phase.name, *figures(samples, phase.began), f"{pause:.1f} s"))
        widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
        for row in rows:
            cells = [row[0].ljust(widths[0])]
            cells += [text.rjust(width) for text, width in zip(row[1:], widths[1:], strict=True)]
            write("  ".join(cells))
        for text in sorted({one.problem for one in traffic.samples if one.refused})[:8]:
            write(f"refused with: {' '.join(text.split())[:150]}")
        for text in traffic.declined[:5]:
            write(f"declined: {text}")
        done = traffic.done
        missing, wrong = league.lost(done), league.differences()
        write(
            f"acknowledged: {len(done.reports)} reports, {len(done.confirmations)} confirmations, "
            f"{len(done.queued)} places in the queue; lost: {len(missing)}"
        )
        for line in [*missing[:20], *wrong]:
            write(f"LOST or WRONG: {line}")
        if not wrong:
            write("Ratings equal the replay of all results, and the queue obeys its rules.")
        return 1 if missing or wrong or not done.confirmations else 0


def figures(samples: list[Sample], began: float) -> tuple[str, ...]:
    refused = [one for one in samples if one.refused]
    last = max((one.ended - began for one in refused), default=0.0)
    return (
        f"{len(samples)}",
        f"{len(refused)}",
        f"{max((one.seconds for one in samples), default=0.0):.1f} s",
        f"{last:.1f} s" if refused else "–",
    )


if __name__ == "__main__":
    sys.exit(main())
