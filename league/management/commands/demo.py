"""``manage.py demo``: a league to look at, made once."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from league.management.progress import Bars
from league.services.core.clock import database_now
from league.services.demo import leagues


class Command(BaseCommand):
    help = (
        "Make the demo league: international football since 1872, a ladder and a weekly contest "
        "of invented people, an admin and four captains. Makes only what is not there."
    )

    def handle(self, **options: Any) -> None:
        notes = Path(settings.DATA_DIR) / "demo-accounts"
        if not leagues.missing():
            self.stdout.write(f"The demo league is there; its accounts are in {notes}.")
            return
        bars = Bars(sys.stderr)
        try:
            seeded = leagues.seed(database_now(), bars)
        finally:
            bars.close()
        self.stdout.write(f"Made for the demo league: {', '.join(seeded.arenas)}.")
        if seeded.credentials is None:
            return
        text = (
            f"admin: {leagues.ADMIN} / {seeded.credentials.admin_password}\n"
            f"captains: {', '.join(name.lower() for name in leagues.CAPTAINS)} / "
            f"{seeded.credentials.captains_password}\n"
        )
        write_private(notes, text)
        self.stdout.write(text)


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner may read."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
