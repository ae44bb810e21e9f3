"""A league to look at: international football since 1872, and a pitch to try things on."""

from __future__ import annotations

import lzma
import secrets
import shutil
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from django.contrib.auth.hashers import make_password
from django.db import transaction

from league.models import Arena, Player, User
from league.services.imports import import_history
from league.services.result_files import read
from league.services.results import PlayedBy, ReportedSide, report
from league.services.seasons import open_season

if TYPE_CHECKING:
    from league.services.imports import Progress

RESULTS = Path(__file__).resolve().parent.parent / "demo" / "international_results.csv.xz"
FIRST_MATCH = datetime(1872, 1, 1, tzinfo=UTC)
ADMIN = "admin"
CAPTAINS = ["England", "Scotland", "Brazil", "Argentina"]


@dataclass(frozen=True)
class Credentials:
    """Who can log in to the demo."""

    admin_password: str
    captains_password: str


def is_seeded() -> bool:
    return Arena.objects.filter(slug="football").exists()


def seed(now: datetime, progress: Progress = lambda *_: None) -> Credentials:
    """Make the demo league, whole or not at all; the passwords are told only this once."""
    credentials = Credentials(secrets.token_urlsafe(9), secrets.token_urlsafe(9))
    with transaction.atomic():
        make_admin(credentials.admin_password)
        football = make_arena(
            "football",
            "International football",
            "Every full men’s international since 1872, each nation a player, rated with Glicko-2.",
            "glicko-2",
            FIRST_MATCH,
            # Nations meet a few times a year: with the default of 3 days every one of them would
            # be as uncertain as a newcomer before each match.
            {"deviation_period": "120d"},
        )
        with tempfile.TemporaryDirectory() as folder:
            plain = Path(folder) / "international_results.csv"
            with lzma.open(RESULTS) as packed, plain.open("wb") as unpacked:
                shutil.copyfileobj(packed, unpacked)
            import_history(football, read(plain), now=now, progress=progress)
        make_captains(credentials.captains_password)
        practice = make_arena(
            "practice",
            "Practice pitch",
            "Nothing at stake: report a result here as one captain, confirm it as another, and "
            "watch chess Elo move.",
            "elo",
            now - timedelta(days=30),
        )
        leave_a_report(practice, now)
    return credentials


def make_admin(password: str) -> None:
    if not User.objects.filter(username=ADMIN).exists():
        User.objects.create_superuser(username=ADMIN, password=password)


def make_arena(
    slug: str,
    name: str,
    description: str,
    rating_system: str,
    starts_at: datetime,
    rating_parameters: dict[str, object] | None = None,
) -> Arena:
    arena = Arena(
        slug=slug,
        name=name,
        description=description,
        rating_system=rating_system,
        rating_parameters=rating_parameters or {},
    )
    arena.full_clean()
    arena.save()
    open_season(arena, starts_at=starts_at)
    return arena


def make_captains(password: str) -> None:
    """Accounts for a few nations, so that the way of a result can be tried."""
    hashed = make_password(password)
    for name in CAPTAINS:
        user = User.objects.create(username=name.lower(), password=hashed)
        Player.objects.named(name).update(user=user)


def leave_a_report(practice: Arena, now: datetime) -> None:
    """A result that waits for England's confirmation."""
    scotland, england = (Player.objects.named(name).get() for name in ("Scotland", "England"))
    report(
        practice,
        [
            ReportedSide(scotland, [PlayedBy(scotland)], place=0, score=1),
            ReportedSide(england, [PlayedBy(england)], place=1, score=0),
        ],
        reporter=scotland,
        played_at=now - timedelta(hours=2),
        now=now,
    )
