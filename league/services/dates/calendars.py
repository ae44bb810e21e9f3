"""Dates as iCalendar files (RFC 5545). Their times are in UTC, which every calendar converts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC
from typing import TYPE_CHECKING, Literal

from league.services.core.errors import Conflict
from league.services.core.isolation import gettext as _

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from league.models import Arrangement

LONGEST_LINE = 75
"""Octets in a line without its line break. Longer ones are folded."""
DURATION = "PT1H"
"""The length of a match in calendars, as its real one is not known."""
READ_AGAIN = "PT1H"
"""The interval at which calendars that subscribe should read again."""
ESCAPED = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n"})


@dataclass(frozen=True)
class Event:
    """An entry of a calendar."""

    uid: str
    sequence: int
    """Counts the changes, so that calendars replace what they have."""
    changed_at: datetime
    play_at: datetime
    summary: str
    url: str
    status: Literal["TENTATIVE", "CONFIRMED", "CANCELLED"]
    venue: str = ""


def calendar(one: Arrangement, url: str) -> bytes:
    """Return an agreed date as a file for calendars, with the address of its page.

    Raises:
        Conflict: the captains have not agreed on it.
    """
    if one.accepted_at is None:
        raise Conflict("not_agreed", _("The captains have not agreed on this date."))
    return to_ics([event_of(one, url)])


def event_of(one: Arrangement, url: str) -> Event:
    """Return a date as an event. It is tentative until the captains agree."""
    against = _("%(one)s against %(other)s") % {
        "one": one.proposer_name,
        "other": one.opponent_name,
    }
    return Event(
        uid=str(one.uid),
        sequence=one.revision - 1,
        changed_at=one.changed_at or one.accepted_at or one.created_at,
        play_at=one.play_at,
        summary=f"{against} ({one.arena})",
        url=url,
        status=status_of(one),
        venue=venue_of(one),
    )


def venue_of(one: Arrangement) -> str:
    """Return the venue of a date's fixture, empty without one."""
    game = getattr(one, "game", None)
    return game.fixture.venue if game else ""


def status_of(one: Arrangement) -> Literal["TENTATIVE", "CONFIRMED", "CANCELLED"]:
    if one.state == one.State.CALLED_OFF:
        return "CANCELLED"
    return "CONFIRMED" if one.accepted_at else "TENTATIVE"


def to_ics(events: Iterable[Event], name: str = "") -> bytes:
    """Return a calendar as a file. One with a name is to be read again every hour."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Laurel//Dates//EN"]
    if name:
        lines += [
            f"NAME:{escape(name)}",
            f"X-WR-CALNAME:{escape(name)}",
            f"REFRESH-INTERVAL;VALUE=DURATION:{READ_AGAIN}",
            f"X-PUBLISHED-TTL:{READ_AGAIN}",
        ]
    for one in events:
        lines += [
            "BEGIN:VEVENT",
            f"UID:{one.uid}",
            f"SEQUENCE:{one.sequence}",
            f"DTSTAMP:{in_utc(one.changed_at)}",
            f"DTSTART:{in_utc(one.play_at)}",
            f"DURATION:{DURATION}",
            f"SUMMARY:{escape(one.summary)}",
            f"URL:{one.url}",
            f"STATUS:{one.status}",
            *([f"LOCATION:{escape(one.venue)}"] if one.venue else []),
            "END:VEVENT",
        ]
    return b"".join(fold(line) for line in [*lines, "END:VCALENDAR"])


def in_utc(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def escape(text: str) -> str:
    """Return text as a value, without control characters other than line breaks."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    visible = "".join(sign for sign in plain if sign == "\n" or sign.isprintable())
    return visible.translate(ESCAPED)


def fold(line: str) -> bytes:
    """Return a line with its break, folded so that no part is too long or cuts a character."""
    parts, part = [], b""
    for sign in line:
        octets = sign.encode()
        if len(part) + len(octets) > LONGEST_LINE:
            parts.append(part)
            part = b" "
        part += octets
    return b"\r\n".join([*parts, part, b""])
