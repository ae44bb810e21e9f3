"""The league on every page: name, logo, colours, announcements, maintenance.

Each process reads it once a second at most, so pages and hot paths pay nothing for it.
"""

from __future__ import annotations

import logging
import math
from dataclasses import dataclass, field
from datetime import timedelta
from time import monotonic
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import DatabaseError
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from league.models import Announcement, LeagueSettings, Maintenance
from league.models.site import NAME
from league.services.core.errors import Unavailable
from league.services.site.colours import digest_of
from league.services.site.texts import render_text

if TYPE_CHECKING:
    from datetime import datetime

    from django.utils.safestring import SafeString

KEPT = 1.0
"""Seconds for which a process uses what it has read."""
MOST_SHOWN = 5
"""The most announcements on a page."""
MOST_READ = 50
USUAL_WAIT, LONGEST_WAIT = 300, 86_400
"""Seconds after which a program should try again during maintenance without an end, and at most."""
log = logging.getLogger(__name__)


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
    """The address and size of the logo or the picture."""

    digest: str
    width: int
    height: int


@dataclass(frozen=True)
class Frame:
    """The league on every page."""

    name: str = NAME
    about: str = ""
    time_zone: str = "UTC"
    language: str = settings.LANGUAGE_CODE
    accent: str = ""
    dark_accent: str = ""
    logo: Logo | None = None
    picture: Logo | None = None
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
    rows = LeagueSettings.objects.select_related("logo", "picture")
    league = rows.defer("logo__webp", "picture__webp").first()
    paused = Maintenance.objects.filter(since__isnull=False).first()
    soon = Now() + timedelta(minutes=1)
    announced = Announcement.objects.filter(Q(ends_at=None) | Q(ends_at__gt=Now()))
    announced = announced.filter(starts_at__lt=soon).select_related("arena").order_by("-pk")
    given: dict[str, Any] = {}
    if league:
        names = ("name", "about", "time_zone", "language", "accent", "dark_accent")
        given = {name: getattr(league, name) for name in names}
        for name, one in (("logo", league.logo), ("picture", league.picture)):
            if one:
                given[name] = Logo(one.digest, one.width, one.height)
    if paused:
        given["maintenance"] = Paused(paused.message, paused.until)
    shown = [
        Announced(
            one.pk,
            render_text(one.text),
            one.starts_at,
            one.ends_at,
            one.arena.slug if one.arena else None,
        )
        for one in announced[:MOST_READ]
    ]
    return Frame(**given, announcements=tuple(shown))


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
