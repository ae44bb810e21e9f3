"""The league on every page: name, logo, colours, announcements, maintenance.

Each process reads it in one statement a second at most, so pages and hot paths pay nothing for it.
"""

from __future__ import annotations

import json
import logging
import math
from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import monotonic
from typing import Any

from django.db import DatabaseError, connection
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from league.models.site import NAME
from league.services.core.errors import Unavailable
from league.services.site.colours import digest_of
from league.services.site.texts import render_text

KEPT = 1.0
"""Seconds for which a process uses what it has read."""
MOST_SHOWN = 5
"""The most announcements on a page."""
USUAL_WAIT, LONGEST_WAIT = 300, 86_400
"""Seconds after which a program should try again during maintenance without an end, and at most."""
log = logging.getLogger(__name__)

READ = """
    SELECT
        (SELECT row_to_json(one) FROM (
            SELECT s.name, s.time_zone, s.accent, s.dark_accent, l.digest, l.width, l.height
            FROM league_leaguesettings AS s
            LEFT JOIN league_leaguelogo AS l ON l.digest = s.logo_id
        ) AS one),
        (SELECT row_to_json(one) FROM (
            SELECT message, since, until FROM league_maintenance WHERE since IS NOT NULL
        ) AS one),
        (SELECT json_agg(one ORDER BY id DESC) FROM (
            SELECT a.id, a.text, a.starts_at, a.ends_at, arena.slug
            FROM league_announcement AS a
            LEFT JOIN league_arena AS arena ON arena.id = a.arena_id
            WHERE a.starts_at < now() + interval '1 minute'
                AND (a.ends_at IS NULL OR a.ends_at > now())
            ORDER BY a.id DESC LIMIT 50
        ) AS one)
"""


@dataclass(frozen=True)
class Announced:
    """A running or upcoming announcement."""

    id: int
    html: SafeString
    starts_at: datetime
    ends_at: datetime | None
    slug: str | None
    """Of its arena, ``None`` for the whole league."""

    def runs(self, now: datetime) -> bool:
        return self.starts_at <= now and (self.ends_at is None or now < self.ends_at)


@dataclass(frozen=True)
class Paused:
    """Maintenance: new matches are refused with this message."""

    message: str
    until: datetime | None

    def wait(self, now: datetime) -> int:
        """Return the seconds after which to try again."""
        if self.until is None or self.until <= now:
            return USUAL_WAIT
        return min(math.ceil((self.until - now).total_seconds()), LONGEST_WAIT)


@dataclass(frozen=True)
class Logo:
    """The address and size of the logo."""

    digest: str
    width: int
    height: int


@dataclass(frozen=True)
class Frame:
    """The league on every page."""

    name: str = NAME
    time_zone: str = "UTC"
    accent: str = ""
    dark_accent: str = ""
    logo: Logo | None = None
    maintenance: Paused | None = None
    announcements: tuple[Announced, ...] = field(default=())

    @property
    def colours(self) -> str:
        """A digest of the league's own colours, empty if it has none."""
        return digest_of(self.accent, self.dark_accent)

    def announcements_for(
        self, slug: str | None, dismissed: set[str], now: datetime
    ) -> list[Announced]:
        """Return the announcements for a page of an arena, or of the whole league."""
        found = [
            one
            for one in self.announcements
            if one.slug in {None, slug} and str(one.id) not in dismissed and one.runs(now)
        ]
        return found[:MOST_SHOWN]


_kept: tuple[float, Frame] = (0.0, Frame())
"""Until when a process uses what it has read, in its own time, and that."""


def current() -> Frame:
    """Return what pages show now, at most a second old.

    While the database does not respond, what was read last goes on.
    """
    until, kept = _kept
    if monotonic() < until:
        return kept
    try:
        found = read()
    except DatabaseError:
        log.warning("The settings of the league could not be read; the last ones go on.")
        return kept
    keep(found)
    return found


def last_frame() -> Frame:
    """Return what the process read last, without asking the database."""
    return _kept[1]


def keep(frame: Frame, seconds: float = KEPT) -> None:
    """Let this process use a frame for a while."""
    global _kept  # noqa: PLW0603 - one for the process
    _kept = (monotonic() + seconds, frame)


def forget() -> None:
    """Let this process read it again at once."""
    keep(_kept[1], 0)


def read() -> Frame:
    with connection.cursor() as cursor:
        cursor.execute(READ)
        league, maintenance, announcements = (as_json(each) for each in cursor.fetchone())
    given: dict[str, Any] = {}
    if league:
        names = ("name", "time_zone", "accent", "dark_accent")
        given = {name: league[name] for name in names}
        if league["digest"]:
            given["logo"] = Logo(league["digest"], league["width"], league["height"])
    if maintenance:
        given["maintenance"] = Paused(maintenance["message"], moment(maintenance["until"]))
    shown = [
        Announced(
            one["id"],
            render_text(one["text"]),
            moment(one["starts_at"]) or datetime.max.replace(tzinfo=UTC),
            moment(one["ends_at"]),
            one["slug"],
        )
        for one in announcements or ()
    ]
    return Frame(**given, announcements=tuple(shown))


def as_json(value: Any) -> Any:
    return json.loads(value) if isinstance(value, str) else value


def moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text).astimezone(UTC) if text else None


def refuse_new_matches(now: datetime) -> None:
    """Refuse what leads to new matches during maintenance.

    Raises:
        Unavailable: maintenance is on. The message is that of staff.
    """
    paused = current().maintenance
    if paused is not None:
        raise Unavailable("maintenance", message_of(paused), wait=paused.wait(now))


def message_of(paused: Paused) -> str:
    """Return what players read during maintenance."""
    return paused.message or _(
        "The league is being maintained. New matches start again soon; running ones can end."
    )
