"""``manage.py demo_players``: run the demo's simulated players until stopped."""

from __future__ import annotations

import logging
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import InterfaceError, OperationalError, close_old_connections

from league.models import Arena
from league.services.core.clock import database_now
from league.services.demo.players import ARENA, Crowd, simulated_players

ROUND = 1.0
"""Seconds from one round to the next."""
PAUSE = 5.0
"""Seconds until the next try if the database does not respond."""

logger = logging.getLogger("league.demo_players")


class Command(BaseCommand):
    help = (
        "Let the simulated players of the demo's 5v5 arena queue, accept, play and report through "
        "the same services as people, until Ctrl-C. If the queue is closed in the admin, they "
        "finish their matches and rest."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument(
            "--arena",
            metavar="SLUG",
            default=ARENA,
            help="slug of the demo's arena (default %(default)s)",
        )

    def handle(self, *, arena: str, **options: Any) -> None:
        found = Arena.objects.filter(slug=arena).first()
        if found is None:
            raise CommandError(f"There is no arena “{arena}”. Run `manage.py demo` to create it.")
        players = simulated_players(found)
        if not players:
            raise CommandError(f"{found} has no simulated players. Only the demo's arena has some.")
        self.stdout.write(
            f"{len(players)} simulated players play in {found}. Close its queue in the admin "
            "to let them rest."
        )
        crowd = Crowd(found)
        try:
            while True:
                began = time.monotonic()
                pause = run_round(crowd)
                time.sleep(max(pause - (time.monotonic() - began), ROUND / 10))
        except KeyboardInterrupt:
            return


def run_round(crowd: Crowd) -> float:
    """Run one round. Return the seconds from its start until the next one should start."""
    close_old_connections()
    try:
        crowd.act(database_now())
    except (OperationalError, InterfaceError) as error:
        logger.warning("The database does not respond; the players wait. %s", error)
        return PAUSE
    except Exception:
        logger.exception("A round of the simulated players failed; the next one continues.")
        return PAUSE
    return ROUND
