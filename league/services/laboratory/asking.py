"""Start a comparison of rating systems for an arena."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING
from uuid import uuid4

from django.db import transaction
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from league.models import Job
from league.services.core.clock import microseconds
from league.services.core.errors import Conflict, Refused
from league.services.jobs import jobs
from league.services.laboratory.entries import OWN
from league.services.laboratory.histories import corrections_of, counted, played, season_of
from league.services.seasons.planning import lock_planners
from ratings.registry import SYSTEMS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Arena, Season, User
    from league.services.laboratory.entries import Entry

KIND = "lab"
LEAST_MATCHES = 20
"""Rated matches without which a comparison would be nothing but chance."""
LEAST_JUDGED = 10
"""Matches after the split, and before it if parameters are fitted to them."""
MOST_MATCHES = 250_000
LONGEST = timedelta(minutes=30)
"""What one system may take."""
MOST_AT_ONCE = 2
"""Comparisons of one person that wait or run."""


def too_few(season: Season | None, matches: int) -> str:
    """Return why a season cannot be compared, empty if it can."""
    if season is None or matches < LEAST_MATCHES:
        return _(
            "A comparison needs at least %(least)d rated matches in a season, and here are "
            "%(count)d. With fewer, it would be nothing but chance."
        ) % {"least": LEAST_MATCHES, "count": matches}
    if matches > MOST_MATCHES:
        return _(
            "%(season)s has %(count)s rated matches; a comparison takes up to %(most)s. Use "
            "“manage.py lab” on the server for more."
        ) % {
            "season": season,
            "count": number_format(matches, force_grouping=True),
            "most": number_format(MOST_MATCHES, force_grouping=True),
        }
    return ""


def check_split(season: Season, split: datetime, *, fits: bool) -> None:
    """Raise ``Refused`` if a split leaves too few matches on one side."""
    before = played(season).filter(played_at__lt=split).count()
    after = played(season).filter(played_at__gte=split).count()
    if after < LEAST_JUDGED:
        raise Refused(
            "split_late",
            _("%(count)d matches were played from then on; judging takes at least %(least)d.")
            % {"count": after, "least": LEAST_JUDGED},
            field="split",
        )
    if fits and before < LEAST_JUDGED:
        raise Refused(
            "split_early",
            _("%(count)d matches were played before; fitting takes at least %(least)d.")
            % {"count": before, "least": LEAST_JUDGED},
            field="split",
        )


def check_running(arena: Arena, by: User) -> None:
    """Raise ``Conflict`` if a comparison of the arena, or too many of this person, are running."""
    running = Job.objects.filter(kind=KIND, state=Job.State.WAITING, cancelled_at=None)
    if running.filter(arena=arena).exists():
        raise Conflict(
            "running",
            _("Systems are being compared here already. Wait for the comparison, or cancel it."),
        )
    of_person = running.filter(by=by).values_list("given__comparison", flat=True).distinct()
    if of_person.count() >= MOST_AT_ONCE:
        raise Conflict(
            "too_many",
            _("%(count)d of your comparisons are still running. Wait for one, or cancel it.")
            % {"count": MOST_AT_ONCE},
        )


def ask(
    arena: Arena, entries: Sequence[Entry], split: datetime, *, by: User, now: datetime
) -> list[Job]:
    """Store a job for each of the ``entries``, judged by the matches from ``split`` on.

    Raises:
        Conflict: a comparison is running.
        Refused: there are too few or too many matches, in all or on one side of the split.
    """
    with transaction.atomic():
        lock_planners(arena)
        check_running(arena, by)
        season = season_of(arena)
        matches, horizon = counted(season) if season else (0, 0)
        why = too_few(season, matches)
        if why or season is None:
            raise Refused("matches", why)
        check_split(season, split, fits=any(entry.fitted for entry in entries))
        shared = {
            "comparison": uuid4().hex,
            "split": microseconds(split),
            "horizon": horizon,
            "corrections": corrections_of(season),
            "version": season.rules_version,
            "at": now.isoformat(),
        }
        return [
            jobs.ask(
                KIND,
                title_of(arena, entry),
                by=by,
                now=now,
                arena=arena,
                season=season,
                **shared,
                **entry.written(),
            )
            for entry in entries
        ]


def title_of(arena: Arena, entry: Entry) -> str:
    system = _(SYSTEMS[entry.system].label)
    if entry.key == OWN:
        text = _("Comparison in %(arena)s: %(system)s as it is")
    elif entry.fitted:
        text = _("Comparison in %(arena)s: %(system)s, fitted")
    else:
        text = _("Comparison in %(arena)s: %(system)s")
    return text % {"arena": arena, "system": system}
