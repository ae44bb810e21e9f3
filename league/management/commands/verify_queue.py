"""``manage.py verify_queue``: check that the queues obey their rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from league.models import ArenaQueue
from league.services.core.clock import database_now
from league.services.integrity.queue import breaches, summarize_queue

if TYPE_CHECKING:
    from collections.abc import Mapping

    from league.services.integrity.queue import QueueSummary


class Command(BaseCommand):
    help = (
        "Check the rules of the queues in the database: no player in two live matches or waiting "
        "rosters, every ticket and ready check in a valid state, matches only of players who were "
        "asked, penalties only for players who earned them. Prints figures of each queue, and "
        "exits with an error if a rule is broken."
    )
    requires_system_checks: list[str] = []

    def handle(self, **options: Any) -> None:
        for queue in ArenaQueue.objects.select_related("arena"):
            self.stdout.write(f"{queue.arena}: {summary(summarize_queue(queue.arena))}")
        broken = breaches(database_now())
        for breach in broken:
            self.stdout.write(str(breach))
        if broken:
            raise CommandError(f"Broken rules of the queues: {len(broken)}.")
        self.stdout.write("The queues obey all their rules.")


def summary(known: QueueSummary) -> str:
    """Return a queue's figures in words."""
    return (
        f"{sum(known.matches.values())} matches{list_counts(known.matches)}; "
        f"{sum(known.checks.values())} ready checks{list_counts(known.checks)}, missed by "
        f"{known.let_down} players; {known.waiting} rosters waiting, {known.served} found a match "
        f"after {seconds(known.wait_median)} (median), {seconds(known.wait_p95)} (95 %), "
        f"{seconds(known.wait_longest)} (longest); {known.ticks} ticks, the slowest "
        f"{seconds(known.slowest_tick, 3)}, at most {seconds(known.longest_gap)} apart"
    )


def list_counts(counts: Mapping[str, int]) -> str:
    return f" ({', '.join(f'{counts[name]} {name}' for name in sorted(counts))})" if counts else ""


def seconds(value: float | None, decimals: int = 1) -> str:
    return "nothing yet" if value is None else f"{value:.{decimals}f} s"
