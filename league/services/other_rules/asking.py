"""Start a trial of other rules for a season."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction

from league.models import Job, Match, Season, Trial
from league.services.core.errors import Conflict, Refused
from league.services.core.isolation import gettext as _
from league.services.jobs import jobs
from league.services.other_rules.candidates import TYPED, Candidate
from league.services.seasons.changing import Rules

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Arena, User
    from league.models.match import MatchQuerySet

KIND = "trial"
MOST_AT_ONCE = 3
"""Trials of one person that wait or run."""
LEAST_JUDGED = 10
"""Matches without which forecasts are not judged, nor parameters fitted to those before."""
STORED_FOR = timedelta(days=30)
"""The time for which a trial that nobody discards is stored."""


def latest_season(arena: Arena | str) -> Season | None:
    """Return the latest season of an arena, or of its slug, that has rated matches."""
    named = {"arena__slug": arena} if isinstance(arena, str) else {"arena": arena}
    seasons = Season.objects.filter(**named).order_by("-starts_at")
    return seasons.filter(matches__rated_order__isnull=False).first()


def rated_games(season: Season) -> MatchQuerySet:
    """Return the rated matches of a season that somebody played."""
    return season.matches.rated().filter(kind=Match.Kind.GAME)


def middle_of(season: Season, matches: int) -> datetime:
    """Return when the middle one of a season's matches was played, to the minute before."""
    in_order = rated_games(season).order_by("rated_order").values_list("played_at", flat=True)
    middle: datetime = in_order[matches // 2]
    # The form that shows it has no seconds.
    return middle.replace(second=0, microsecond=0)


def check_split(season: Season, split: datetime) -> None:
    """Raise ``Refused`` if a split leaves too few matches to fit parameters, or to judge them."""
    before = rated_games(season).filter(played_at__lt=split).count()
    after = rated_games(season).filter(played_at__gte=split).count()
    if after < LEAST_JUDGED:
        raise Refused(
            "split_late",
            _("%(count)d matches were played from then on; judging a fit takes at least %(least)d.")
            % {"count": after, "least": LEAST_JUDGED},
            field="split",
        )
    if before < LEAST_JUDGED:
        raise Refused(
            "split_early",
            _("%(count)d matches were played before; fitting takes at least %(least)d.")
            % {"count": before, "least": LEAST_JUDGED},
            field="split",
        )


def ask_typed(season: Season, typed: Arena, *, by: User, now: datetime) -> Job:
    """Store a trial of the rules in the form of an arena. Raises as ``ask``."""
    new, held = Candidate.of(TYPED, typed, typed.season_rules), Rules.of(season)
    matches = rated_games(season).count()
    if matches and not new.rules(held).since(held):
        raise Refused("same_rules", _("These are the rules of %(season)s.") % {"season": season})
    if matches and not new.rules(held).within(season).since(held):
        raise Refused(
            "start_only",
            _(
                "Only the start of seasons differs, and %(season)s has started. Save the rules to "
                "use them for the next season."
            )
            % {"season": season},
        )
    split = middle_of(season, matches) if matches else now
    return ask(season, [new], split, by=by, now=now)


def ask(
    season: Season, candidates: Sequence[Candidate], split: datetime, *, by: User, now: datetime
) -> Job:
    """Store a trial of ``candidates``, judged by the matches from ``split`` on, and its job.

    Raises:
        Conflict: this person has too many trials running.
        Refused: there is nothing to replay, or too little to fit parameters to.
    """
    if not rated_games(season).exists():
        raise Refused(
            "no_results",
            _("%(season)s has no rated result to replay yet. Save the rules: they apply at once.")
            % {"season": season},
        )
    if any(one.fitted for one in candidates):
        check_split(season, split)
    running = Job.objects.filter(kind=KIND, by=by, state=Job.State.WAITING, cancelled_at=None)
    if running.count() >= MOST_AT_ONCE:
        raise Conflict(
            "too_many",
            _("%(count)d of your trials are still running. Wait for one, or cancel it.")
            % {"count": MOST_AT_ONCE},
        )
    with transaction.atomic():
        # Here, so that no task of its own has to look for old trials.
        Trial.objects.filter(at__lt=now - STORED_FOR).delete()
        trial = Trial.objects.create(
            season=season,
            by=by,
            at=now,
            candidates=[one.to_json() for one in candidates],
            split=split,
            version=season.rules_version,
        )
        title = _("Trial of other rules for %(season)s") % {"season": season}
        return jobs.ask(
            KIND, title, by=by, now=now, arena=season.arena, season=season, trial=trial.pk
        )
