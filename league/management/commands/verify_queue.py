"""``manage.py verify_queue``: has everything in the queues happened by the rules?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from league.models import ArenaQueue
from league.services.core.clock import database_now
from league.services.integrity.queue import breaches, figures

if TYPE_CHECKING:
    from collections.abc import Mapping

    from league.services.integrity.queue import Figures


class Command(BaseCommand):
    help = (
        "Check the laws of the queues in the database: nobody in two live matches or rosters that "
        "wait, every ticket and ready check in a state that it can be in, matches of those who "
        "were asked, penalties for those who earned them. Prints the figures of each queue, and "
        "exits with an error if a law is broken."
    )

    def handle(self, **options: Any) -> None:
        for queue in ArenaQueue.objects.select_related("arena"):
            self.stdout.write(f"{queue.arena}: {in_words(figures(queue.arena))}")
        broken = breaches(database_now())
        for breach in broken:
            self.stdout.write(str(breach))
        if broken:
            are = "is" if len(broken) == 1 else "are"
            raise CommandError(f"{len(broken)} of the queues’ laws {are} broken.")
        self.stdout.write("No law of the queues is broken.")


def in_words(known: Figures) -> str:
    """A queue's figures as a sentence for each part."""
    return (
        f"{sum(known.matches.values())} matches{listed(known.matches)}; "
        f"{sum(known.checks.values())} ready checks{listed(known.checks)}, let down "
        f"{known.let_down} times; {known.waiting} rosters wait, {known.served} found a match "
        f"after {seconds(known.wait_median)} (median), {seconds(known.wait_p95)} (95 %), "
        f"{seconds(known.wait_longest)} (longest); {known.ticks} ticks, the slowest "
        f"{seconds(known.slowest_tick, 3)}, at most {seconds(known.longest_gap)} apart"
    )


def listed(counts: Mapping[str, int]) -> str:
    return f" ({', '.join(f'{counts[name]} {name}' for name in sorted(counts))})" if counts else ""


def seconds(value: float | None, decimals: int = 1) -> str:
    return "nothing yet" if value is None else f"{value:.{decimals}f} s"
