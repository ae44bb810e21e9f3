"""A run: load, faults, and the verdict."""

import logging
import os
import sys
import time
from collections.abc import Iterator
from io import StringIO
from random import Random

from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection

from tests.chaos import network
from tests.chaos.clients import Record
from tests.chaos.disk import SmallDisk
from tests.chaos.faults import FAULTS, LASTS, Target
from tests.chaos.load import Captains, Cup, Lonely, Probe, Queue, Reader, Story
from tests.chaos.model import Model
from tests.chaos.recovery import Outcome, Watch
from tests.chaos.victims import Victims
from tests.embedded.site import Site

WARM_UP = 3.0
FINISHED_WITHIN = 60.0
"""Seconds within which work under way must be done once the last fault is over."""
LONGEST_FAULT = 45.0
"""Seconds allowed for a fault and its recovery: none begins with less time left."""
WIDTHS = (38, 9, 9, 9, 9, 7, 7, 7, 7)
VERIFICATIONS = ("verify_ratings", "verify_queue")


class Run:
    """A site under load, and its problems."""

    def __init__(self, site: Site, disk: SmallDisk | None, random: Random) -> None:
        logging.disable(logging.CRITICAL)  # it tells of lost connections
        self.record, self.model = Record(), Model()
        self.random = random
        given = (int(site.port), self.record, self.model)
        self.lonely = Lonely(*given, random.randrange(2**32))
        kinds = (Reader, Reader, Captains, Captains, Cup, Queue, Probe)
        self.stories: list[Story] = [
            self.lonely,
            *(kind(*given, random.randrange(2**32)) for kind in kinds),
        ]
        self.target = Target(site, random, Victims(os.environ), disk, [])
        self.outcomes: list[Outcome] = []

    def go(self, until: float) -> int:
        """Cause all faults in random order, and some again while there is time."""
        for story in self.stories:
            story.start()
        time.sleep(WARM_UP)
        tell("Seconds until pages, results and background work worked again; counts of requests.")
        row("fault", "pages", "results", "work", "answered", "503", "failed", "500", "wrong")
        for title in self.titles(until):
            self.outcomes.append(self.bring_about(title))
            show(self.outcomes[-1])
        if network.may_be_cut():
            self.outcomes.append(self.cut_network())
            show(self.outcomes[-1])
        else:
            tell("Left out, as making a network needs root's rights: the network cut.")
        lost = self.finish()
        differing = [name for name in VERIFICATIONS if not verify(name)]
        good = all(one.is_good for one in self.outcomes) and not lost and not differing
        requests = len(self.record.sent)
        tell(
            f"{requests} requests, {len(self.model.reports)} reports, {len(self.model.rated)} "
            f"results, {len(self.model.corrections)} corrections, {len(self.model.tickets)} "
            f"rosters in queues, {len(self.model.ended)} seasons ended. "
            f"Processes competing for {os.cpu_count()} cores: {busy():.0f} on average. "
            f"{'All is well.' if good else 'NOT ALL IS WELL.'}"
        )
        return 0 if good else 1

    def titles(self, until: float) -> Iterator[str]:
        """Yield every fault once, then random ones until there is no time."""
        possible = [title for title in FAULTS if title != "nothing"]
        if self.target.disk is None:
            possible.remove("disk full for 20 s")
            tell("Left out, as mounting a small disk needs root's rights: disk full.")
        yield "nothing"
        yield from self.random.sample(possible, len(possible))
        while True:
            for title in self.random.sample(possible, len(possible)):
                if time.monotonic() + LONGEST_FAULT > until:
                    return
                yield title

    def bring_about(self, title: str) -> Outcome:
        watch = Watch(title, self.record, self.lonely.arena)
        self.target.problems = []
        FAULTS[title](self.target)
        outcome = watch.outcome()
        outcome.problems = self.target.problems + self.model.missing()
        return outcome

    def cut_network(self) -> Outcome:
        """Cut the network between a second web server and the database. Count its requests only."""
        record = Record()
        with network.far_web_server(self.target.sockets, settings.REDIS_URL) as (port, cable):
            given = (port, record, self.model)
            users = [
                kind(*given, self.random.randrange(2**32)) for kind in (Reader, Captains, Probe)
            ]
            for user in users:
                user.start()
            self.stories += users
            time.sleep(WARM_UP)
            watch = Watch("network to the database cut for 20 s", record, self.lonely.arena)
            cable.cut()
            time.sleep(LASTS)
            cable.mend()
            outcome = watch.outcome()
            for user in users:
                user.stop.set()
                user.join(FINISHED_WITHIN)
        self.record.sent += record.sent
        outcome.problems = self.model.missing()
        return outcome

    def finish(self) -> list[str]:
        """Let everybody finish their work. Return a line for all that is lost or counted twice."""
        for story in self.stories:
            story.stop.set()
        deadline = time.monotonic() + FINISHED_WITHIN
        for story in self.stories:
            story.join(max(0.0, deadline - time.monotonic()))
        for story in self.stories:
            story.give_up.set()
            story.join()
        self.target.victims.end()
        connection.close()
        found = [*self.model.missing(), *self.model.counted_wrong()]
        for story in self.stories:
            found += story.problems
        for problem in found:
            tell(f"  WRONG: {problem}")
        return found


def busy() -> float:
    """Return the average load of the last 5 minutes. Beyond the cores, everything takes longer."""
    return os.getloadavg()[1]


def verify(name: str) -> bool:
    """Run a command that verifies the database. Return whether all is as it should be."""
    told = StringIO()
    try:
        call_command(name, stdout=told)
    except CommandError as error:
        tell(f"{name}: {error}\n{told.getvalue()}")
        return False
    tell(f"{name}: no differences")
    return True


def show(outcome: Outcome) -> None:
    times = (outcome.recovery[name] for name in ("pages", "results", "work"))
    counts = (outcome.answered, outcome.refused, outcome.failed, outcome.errors)
    wrong = len(outcome.problems)
    seconds = ("never" if one is None else f"{one:.1f}" for one in times)
    row(outcome.title, *seconds, *map(str, (*counts, wrong)))
    for problem in outcome.problems:
        tell(f"  WRONG: {problem}")


def row(*cells: str) -> None:
    first, *others = (
        cell.ljust(width) if at == 0 else cell.rjust(width)
        for at, (cell, width) in enumerate(zip(cells, WIDTHS, strict=True))
    )
    tell("".join([first, *others]))


def tell(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()
