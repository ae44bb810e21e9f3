"""``manage.py prepare``: prepare a site on one machine before its processes start."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

from league.models import Arena
from league.services.demo import players, seeding
from league.services.people import first_admin


class Command(BaseCommand):
    help = (
        "Migrate the database, collect the static files if any have changed, and create the demo "
        "league in a new database. Without the demo, which DEMO=0 leaves out, the site's own page "
        "creates the first admin. DEMO=1 adds what is missing of the demo to a league that exists. "
        "Running it again changes nothing."
    )
    requires_system_checks: list[str] = []

    def handle(self, **options: Any) -> None:
        call_command("migrate", interactive=False, verbosity=0)
        self._collect_if_changed()
        if demo_wanted():
            call_command("demo")
        self._note_simulated_players()
        if first_admin.is_missing():
            call_command("setup_code")

    def _collect_if_changed(self) -> None:
        note = Path(settings.STATIC_ROOT) / ".collected-from"
        state = state_of_sources()
        if note.exists() and note.read_text() == state:
            return
        self.stdout.write("Collecting the static files ...")
        call_command("collectstatic", interactive=False, verbosity=0)
        note.write_text(state)

    def _note_simulated_players(self) -> None:
        """Write down for ``make run`` in which arena simulated players can play."""
        note = Path(settings.DATA_DIR) / "simulated-players"
        arena = players.playground()
        if arena is None:
            note.unlink(missing_ok=True)
        else:
            note.write_text(arena.name)


def demo_wanted() -> bool:
    """Return whether to create what is missing of the demo: in a new league, or if asked for.

    A demo that is whole only says where its accounts are.
    """
    demo = os.environ.get("DEMO")
    if demo in {"0", "1"}:
        return demo == "1"
    is_new = first_admin.is_missing() and not Arena.objects.exists()
    return is_new or not seeding.missing()


def state_of_sources() -> str:
    """Return a digest of the project's static files and of the required package versions."""
    digest = hashlib.sha256((settings.BASE_DIR / "locks/run.txt").read_bytes())
    for folder in settings.STATICFILES_DIRS:
        for path in sorted(Path(folder).rglob("*")):
            stat = path.stat()
            digest.update(f"{path}\0{stat.st_size}\0{stat.st_mtime_ns}\n".encode())
    return digest.hexdigest()
