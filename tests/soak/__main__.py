"""Run a separate site under ordinary use, and print what memory its processes take over time."""

from __future__ import annotations

import logging
import os
import random
import sys
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from tests.embedded.site import Site, reserved_port
from tests.soak.memory import Memory

if TYPE_CHECKING:
    from tests.chaos.load import Story

MINUTES = 30.0
SAMPLED_EVERY = 30.0
WARM_UP = 1 / 3
"""The part of the time in which caches and pools fill: growth counts only after it."""
PAUSE = 1.0
"""Seconds between two steps of each person, so that the machine is not busy."""
FINISHED_WITHIN = 30.0


def main() -> int:
    """Return 1 if a request failed, or something acknowledged was lost."""
    seed = int(os.environ.get("SEED") or random.randrange(10**6))  # noqa: S311 - to repeat a run
    minutes = float(os.environ.get("MINUTES") or MINUTES)
    tell(f"SEED={seed} MINUTES={minutes:g}")
    with TemporaryDirectory(prefix="laurel-soak-") as name, reserved_port() as port:
        data = Path(name) / "data"
        Path(name).chmod(0o755)
        site = Site(data, port, DEMO="1", LAUREL_DEMO_PLAYERS="1").up()
        try:
            os.environ["LAUREL_DATA"] = str(data)
            os.environ["DJANGO_SETTINGS_MODULE"] = "league.settings"
            import django  # noqa: PLC0415 - the environment comes first

            django.setup()
            logging.disable(logging.INFO)
            return soak(int(port), data, 60 * minutes, random.Random(seed))  # noqa: S311 - as above
        finally:
            site.press_ctrl_c()
            log = site.read_rest()
            Path(os.environ.get("SOAK_LOG") or os.devnull).write_text(log)


def soak(port: int, data: Path, seconds: float, chance: random.Random) -> int:
    """Let people use a site for some time, and print its memory."""
    from tests.chaos.clients import Record  # noqa: PLC0415 - once Django is set up
    from tests.chaos.load import Captains, Lonely, Queue  # noqa: PLC0415 - as above
    from tests.chaos.model import Model  # noqa: PLC0415 - as above
    from tests.soak.visitors import Visitor  # noqa: PLC0415 - as above

    record, model, memory = Record(), Model(), Memory(data)
    kinds: list[type[Story]] = [Visitor, Visitor, Visitor, Captains, Captains, Queue, Lonely]
    stories = [kind(port, record, model, chance.randrange(2**32)) for kind in kinds]
    for story in stories:
        story.pause = PAUSE
        story.start()
    until = time.monotonic() + seconds
    memory.note()
    while time.monotonic() < until:
        time.sleep(max(min(SAMPLED_EVERY, until - time.monotonic()), 0.0))
        memory.note()
        tell(memory.latest())
    for story in stories:
        story.stop.set()
    for story in stories:
        story.join(FINISHED_WITHIN)
        story.give_up.set()
    problems = [*model.missing(), *(problem for story in stories for problem in story.problems)]
    tell("\n".join(memory.table(WARM_UP * seconds)))
    answers = Counter(one.status for one in record.sent)
    tell(
        f"{len(record.sent)} requests ({len(record.sent) / seconds:.1f} a second), "
        f"{len(model.reports)} reports, {len(model.rated)} results, "
        f"{len(model.corrections)} corrections, {len(model.tickets)} rosters in queues, "
        f"besides the simulated players. Answers: "
        + ", ".join(f"{count} × {status}" for status, count in sorted(answers.items()))
    )
    for problem in problems:
        tell(f"  WRONG: {problem}")
    return 1 if problems or any(not 200 <= status < 500 for status in answers) else 0


def tell(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
