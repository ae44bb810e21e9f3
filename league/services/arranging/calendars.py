"""A date as an iCalendar file (RFC 5545)."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from league.services.core.errors import Conflict

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Arrangement

LONGEST_LINE = 75
"""Octets in a line without its line break. Longer ones are folded."""
DURATION = "PT1H"
"""How long calendars show a match: nobody knows how long it will take."""
ESCAPED = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n"})


def calendar(one: Arrangement, url: str) -> bytes:
    """Return an agreed date as a file for calendars, with the address of its page.

    Raises:
        Conflict: the captains have not agreed on it.
    """
    if one.accepted_at is None:
        raise Conflict("not_agreed", _("The captains have not agreed on this date."))
    against = _("%(one)s against %(other)s") % {
        "one": one.proposer_name,
        "other": one.opponent_name,
    }
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Laurel//Dates//EN",
        "BEGIN:VEVENT",
        f"UID:{one.uid}",
        f"SEQUENCE:{one.revision - 1}",
        f"DTSTAMP:{in_utc(one.changed_at or one.accepted_at)}",
        f"DTSTART:{in_utc(one.play_at)}",
        f"DURATION:{DURATION}",
        f"SUMMARY:{escaped(f'{against} ({one.arena})')}",
        f"URL:{url}",
        f"STATUS:{'CANCELLED' if one.state == one.State.CALLED_OFF else 'CONFIRMED'}",
        "END:VEVENT",
        "END:VCALENDAR",
    ]
    return b"".join(folded(line) for line in lines)


def in_utc(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def escaped(text: str) -> str:
    """Return text as a value, without control characters other than line breaks."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    visible = "".join(sign for sign in plain if sign == "\n" or sign.isprintable())
    return visible.translate(ESCAPED)


def folded(line: str) -> bytes:
    """Return a line with its break, folded so that no part is too long or cuts a character."""
    parts, part = [], b""
    for sign in line:
        octets = sign.encode()
        if len(part) + len(octets) > LONGEST_LINE:
            parts.append(part)
            part = b" "
        part += octets
    return b"\r\n".join([*parts, part, b""])
