"""The steps from an empty site to a running league, ticked by what is true."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection

SETTLED = timedelta(days=30)
"""A league that has been running for longer needs no list of first steps."""
STEPS = ("name", "mail", "arena", "season", "people", "backup")

TRUTHS = """
    SELECT EXISTS (SELECT FROM league_leaguesettings),
        EXISTS (SELECT FROM league_email WHERE state = 'sent'),
        EXISTS (SELECT FROM league_arena),
        EXISTS (SELECT FROM league_season WHERE opened_at IS NOT NULL),
        EXISTS (SELECT FROM league_user WHERE NOT is_staff AND is_active),
        EXISTS (SELECT FROM league_backup WHERE problem = '' AND size > 0),
        EXISTS (SELECT FROM league_season WHERE opened_at < %s)
"""


def mail_is_configured() -> bool:
    """Return whether mails go to a mail server, not only to the log."""
    return "smtp" in settings.MAIL_DELIVERY


def first_steps(now: datetime) -> dict[str, bool] | None:
    """Return which of ``STEPS`` are done. ``None`` if there is nothing left to do or to learn."""
    with connection.cursor() as cursor:
        cursor.execute(TRUTHS, [now - SETTLED])
        *done, has_run = cursor.fetchone()
    steps = dict(zip(STEPS, done, strict=True))
    steps["mail"] = steps["mail"] and mail_is_configured()
    if not settings.BACKUP_FOLDER:  # somebody else makes them, or nobody can
        del steps["backup"]
    return None if has_run or all(steps.values()) else steps
