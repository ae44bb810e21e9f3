"""``manage.py demo_players``: the demo's simulated players, acting until they are stopped."""

from __future__ import annotations

import logging
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import InterfaceError, OperationalError, close_old_connections

from league.models import Arena
from league.services.core.clock import database_now
from league.services.demo.players import Crowd, simulated

ROUND = 1.0
"""Seconds between two rounds."""
PAUSE = 5.0
"""Seconds until the next try, when the database does not answer."""

logger = logging.getLogger("league.demo_players")


class Command(BaseCommand):
    help = (
        "Let the simulated players of the demo's 5v5 arena queue, accept, play and report, through "
        "the same services as people, until Ctrl-C. While its queue is closed in the admin they "
        "finish what they have begun, and rest."
    )

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument(
            "--arena", metavar="SLUG", default="skirmish", help="the demo's arena (%(default)s)"
        )

    def handle(self, *, arena: str, **options: Any) -> None:
        found = Arena.objects.filter(slug=arena).first()
        if found is None:
            raise CommandError(f"There is no arena “{arena}”: `manage.py demo` makes the demo's.")
        players = simulated(found)
        if not players:
            raise CommandError(f"Nobody in {found} is simulated: only the demo's own arena is.")
        self.stdout.write(
            f"{len(players)} simulated players play in {found}; close its queue in the admin to "
            "let them rest."
        )
        crowd = Crowd(found)
        try:
            while True:
                began = time.monotonic()
                pause = take_turn(crowd)
                time.sleep(max(pause - (time.monotonic() - began), ROUND / 10))
        except KeyboardInterrupt:
            return


def take_turn(crowd: Crowd) -> float:
    """One round; how many seconds after its beginning the next one is to begin."""
    close_old_connections()
    try:
        crowd.act(database_now())
    except (OperationalError, InterfaceError) as error:
        logger.warning("The database does not answer; the players wait. %s", error)
        return PAUSE
    except Exception:
        logger.exception("A round of the simulated players failed; the next one goes on.")
        return PAUSE
    return ROUND
