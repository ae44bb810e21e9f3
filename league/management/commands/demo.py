"""``manage.py demo``: create the demo league."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from league.management.progress import Bars
from league.services.core.clock import database_now
from league.services.demo import seeding
from league.waking import fill_charts


class Command(BaseCommand):
    help = (
        "Create the demo league: international football since 1872, a ladder, a weekly contest, a "
        "chess club and teams with invented players, an admin and four captains. Creates only what "
        "is missing."
    )
    requires_system_checks: list[str] = []

    def handle(self, **options: Any) -> None:
        notes = Path(settings.DATA_DIR) / "demo-accounts"
        if not seeding.missing():
            self.stdout.write(f"The demo league exists. Its accounts are in {notes}.")
            return
        bars = Bars(sys.stderr)
        try:
            seeded = seeding.seed(database_now(), bars)
        finally:
            bars.close()
        fill_charts()
        self.stdout.write(f"Created for the demo league: {', '.join(seeded.arenas)}.")
        if seeded.credentials is None:
            return
        text = (
            f"admin: {seeding.ADMIN} / {seeded.credentials.admin_password}\n"
            f"captains: {', '.join(name.lower() for name in seeding.CAPTAINS)} / "
            f"{seeded.credentials.captains_password}\n"
        )
        write_private(notes, text)
        self.stdout.write(text)


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner can read."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
