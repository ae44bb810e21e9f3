"""Rules that are saved in an arena for its next season, and begin in the running one instead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction

from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.jobs import jobs
from league.services.other_rules.outcomes import check_reason, check_seen
from league.services.seasons import changing
from league.services.seasons.changing import Rules
from league.services.seasons.opening import RUN_SEASONS

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Job, Season, User
    from league.services.jobs.jobs import Progress
    from league.services.seasons.differences import Difference

KIND = "saved-rules"


def saved_rules(season: Season) -> Rules:
    """Return the rules of the arena of a season, as far as they can be those of this season."""
    arena = season.arena
    parameters = arena.system().parameters.model_dump(mode="json")
    return Rules(arena.rating_system, parameters, arena.rules().to_json()).within(season)


def waiting_changes(season: Season) -> list[Difference]:
    """Return the saved changes that do not count in a season, in words."""
    return saved_rules(season).since(Rules.of(season))


def obstacle(season: Season) -> str:
    """Return why the saved rules cannot begin with the next match, empty if they can."""
    return changing.obstacle(Rules.of(season), saved_rules(season))


def ask(season: Season, *, digest: str, by: User, reason: str, now: datetime) -> Job:
    """Store a job that applies the saved rules from a season's next match on.

    Raises:
        Conflict: the rules have changed since the ``digest`` that the person has seen.
        Refused: there is no reason, nothing differs, or they cannot begin between two matches.
    """
    check_reason(reason)
    check_seen(season, digest)
    if not waiting_changes(season):
        raise Refused("same_rules", _("These are the rules of the season already."))
    if why := obstacle(season):
        raise Refused("not_between_matches", why)
    title = _("Saved rules for %(season)s") % {"season": season}
    return jobs.ask(
        KIND,
        title,
        by=by,
        now=now,
        arena=season.arena,
        season=season,
        page=season.arena_id,
        digest=digest,
        reason=reason.strip(),
    )


def carry_out(job: Job, progress: Progress, now: datetime) -> dict[str, Any]:
    """Do the work of a job of this kind."""
    if job.season is None:
        raise Conflict("no_season", _("The season is gone."))
    if not job.by.has_perms(RUN_SEASONS, job.season):
        raise Forbidden("not_staff", _("You may not change the rules of this season."))
    with transaction.atomic():
        season = changing.lock(job.season.pk)
        check_seen(season, job.given["digest"])
        changing.apply_from_next_match(
            season.pk,
            saved_rules(season),
            by=job.by,
            reason=job.given["reason"],
            now=now,
            progress=progress,
        )
    return {"season": season.pk}
