"""Start a trial of other rules for a season."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _

from league.models import Job, Trial
from league.services.core.errors import Conflict, Refused
from league.services.jobs import jobs
from league.services.seasons.changing import Rules

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Season, User

KIND = "trial"
MOST_AT_ONCE = 3
"""Trials of one person that wait or run."""
KEPT = timedelta(days=30)
"""How long a trial nobody has discarded is kept."""


def ask(season: Season, rules: Rules, *, by: User, now: datetime) -> Job:
    """Store a trial of ``rules`` and the job that carries it out.

    Raises:
        Conflict: the season is archived, or this person has too many trials running.
        Refused: there is nothing to replay, or nothing that differs.
    """
    if season.archived_at is not None:
        raise Conflict(
            "archived",
            _("%(season)s is archived. Its results can no longer be rated under other rules.")
            % {"season": season},
        )
    if not season.matches.rated().exists():
        raise Refused(
            "no_results",
            _("%(season)s has no rated result to replay yet. Save the rules: they apply at once.")
            % {"season": season},
        )
    held = Rules.of(season)
    if not rules.since(held):
        raise Refused("same_rules", _("These are the rules of %(season)s.") % {"season": season})
    if not rules.within(season).since(held):
        raise Refused(
            "start_only",
            _(
                "Only the start of seasons differs, and %(season)s has started. Save the rules to "
                "use them for the next season."
            )
            % {"season": season},
        )
    running = Job.objects.filter(kind=KIND, by=by, state=Job.State.WAITING, cancelled_at=None)
    if running.count() >= MOST_AT_ONCE:
        raise Conflict(
            "too_many",
            _("%(count)d of your trials are still running. Wait for one, or cancel it.")
            % {"count": MOST_AT_ONCE},
        )
    with transaction.atomic():
        Trial.objects.filter(at__lt=now - KEPT).delete()
        trial = Trial.objects.create(
            season=season,
            by=by,
            at=now,
            rating_system=rules.system,
            rating_parameters=rules.parameters,
            rules=rules.season,
            changes=rules.since(held),
            version=season.rules_version,
        )
        title = _("Trial of other rules for %(season)s") % {"season": season}
        return jobs.ask(
            KIND, title, by=by, now=now, arena=season.arena, season=season, trial=trial.pk
        )
