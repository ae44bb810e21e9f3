"""The steps from an empty site to a running league, ticked once they are done."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings

from league.models import Arena, Backup, Email, LeagueSettings, Season, User

SETTLED = timedelta(days=30)
"""A league that has been running for longer needs no list of first steps but of these:"""
NEEDED = {"mail", "backup"}


def mail_is_configured() -> bool:
    """Return whether mails go to a mail server, not only to the log."""
    return "smtp" in settings.MAIL_DELIVERY


def first_steps(now: datetime) -> dict[str, bool] | None:
    """Return which of ``STEPS`` are done. ``None`` if there is nothing left to do or to learn."""
    seasons = Season.objects.filter(opened_at__isnull=False)
    rows = {
        "name": LeagueSettings.objects.all(),
        "mail": Email.objects.filter(state=Email.State.SENT),
        "arena": Arena.objects.all(),
        "season": seasons,
        "people": User.objects.filter(is_staff=False, is_active=True),
        "backup": Backup.objects.filter(problem="", size__gt=0),
    }
    steps = {name: found.exists() for name, found in rows.items()}
    steps["mail"] = steps["mail"] and mail_is_configured()
    if not settings.BACKUP_FOLDER:  # somebody else makes them, or nobody can
        del steps["backup"]
    if seasons.filter(opened_at__lt=now - SETTLED).exists():
        steps = {name: done for name, done in steps.items() if name in NEEDED and not done}
    return None if all(steps.values()) else steps
