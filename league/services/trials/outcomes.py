"""The ways on from a trial: apply its rules, plan them for the next season, or discard it.

Each acts on the season as it is then, not as it was when the trial ran. ``since`` says what has
happened in between.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from league.models import Arena, Season, StaffAction, Trial
from league.models.explained import translate
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.staff_log import of_arena
from league.services.corrections import rerating
from league.services.jobs import jobs
from league.services.seasons import changing
from league.services.seasons.changing import Rules
from league.services.seasons.planning import lock_plans
from ratings.seasons.rules import read_rules
from ratings.system import UnsupportedMatch

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Job, User
    from league.services.jobs.jobs import Progress

NEXT_MATCH = "rules"
"""The kind of job that applies a trial's rules from the next match on."""
RERATE = "rerate-trial"
"""The kind of job that rates a season again under a trial's rules."""


@dataclass(frozen=True)
class Since:
    """What happened in a season after a trial."""

    results: int
    corrections: int
    rules: bool
    """Whether the season's rules changed."""

    def __bool__(self) -> bool:
        return bool(self.results or self.corrections or self.rules)


def since(trial: Trial) -> Since:
    """Return what happened in its season after a trial. Two statements."""
    season = trial.season
    return Since(
        season.matches.rated().filter(rated_order__gt=trial.horizon).count(),
        season.corrections.filter(pk__gt=trial.corrections).count(),
        season.rules_version != trial.version,
    )


def obstacle(trial: Trial) -> str:
    """Return why a trial's rules cannot apply from the next match on, empty if they can."""
    season = trial.season
    if season.archived_at is not None:
        return _("The season is archived. Its rules no longer change.")
    return changing.obstacle(Rules.of(season), Rules.of(trial).within(season))


def obstacle_to_rerating(trial: Trial) -> str:
    """Return why a season cannot be rated again under a trial's rules, empty if it can."""
    season = trial.season
    if season.archived_at is not None:
        return _("The season is archived. Its results no longer change.")
    new = Rules.of(trial).within(season)
    if new.system != season.rating_system and season.matches.rated().unplayed().exists():
        return _(
            "The season has steps of decay or costs of ignored challenges, which only its own "
            "rating system knows. Plan another system for the next season."
        )
    if season.season_rules().points.ladder.counts != (read_rules(new.season).points.ladder.counts):
        return _(
            "Ladder points count for all matches of a season or for none. Plan the change for the "
            "next season."
        )
    return ""


def ask(kind: str, trial: Trial, *, version: int, by: User, reason: str, now: datetime) -> Job:
    """Store a job that applies a trial's rules to its season, as one of two kinds.

    ``version`` is the number of the season's rules that the person has seen.

    Raises:
        Conflict: the trial is not done, has been applied, or the season's rules have changed.
        Refused: there is no reason.
    """
    if not reason.strip():
        raise Refused("no_reason", _("Give a reason. Everyone can read it."), field="reason")
    check_open(trial)
    check_version(trial.season, version)
    why = obstacle(trial) if kind == NEXT_MATCH else obstacle_to_rerating(trial)
    if why:
        raise Refused("not_in_this_season", why)
    title = _("Other rules for %(season)s") % {"season": trial.season}
    return jobs.ask(
        kind,
        title,
        by=by,
        now=now,
        arena=trial.season.arena,
        season=trial.season,
        trial=trial.pk,
        reason=reason.strip(),
        version=version,
    )


def check_open(trial: Trial) -> None:
    """Raise ``Conflict`` if a trial has not run yet, or was applied already."""
    if trial.report is None:
        raise Conflict("not_done", _("This trial has not run yet."))
    if trial.outcome in {Trial.Outcome.NEXT_MATCH, Trial.Outcome.RERATED}:
        raise Conflict("applied", _("These rules have been applied already."))


def check_version(season: Season, version: int) -> None:
    """Raise ``Conflict`` if the rules of a season are not those that somebody has seen."""
    if season.rules_version != version:
        raise Conflict(
            "rules_changed",
            _("The rules of the season have changed since you saw this page. Check it again."),
        )


def apply_from_next_match(job: Job, progress: Progress, now: datetime) -> dict[str, Any]:
    """Do the work of a job of the kind ``rules``."""
    with transaction.atomic():
        trial = locked_trial(job)
        season = changing.lock(trial.season_id)
        check_version(season, job.given["version"])
        changing.apply_from_next_match(
            season.pk,
            Rules.of(trial),
            by=job.by,
            reason=job.given["reason"],
            now=now,
            progress=progress,
        )
        finish(trial, Trial.Outcome.NEXT_MATCH)
    return {"trial": trial.pk}


def rerate(job: Job, progress: Progress, now: datetime) -> dict[str, Any]:
    """Do the work of a job of the kind ``rerate-trial``."""
    with transaction.atomic():
        trial = locked_trial(job)
        season = changing.lock(trial.season_id)
        check_version(season, job.given["version"])
        if why := obstacle_to_rerating(trial):
            raise Refused("not_in_this_season", why)
        new = Rules.of(trial).within(season)
        rerating.rerate(
            season,
            system=new.system,
            parameters=new.parameters,
            rules=new.season,
            by=job.by,
            reason=job.given["reason"],
            now=now,
            progress=progress,
        )
        finish(trial, Trial.Outcome.RERATED)
    return {"trial": trial.pk}


def locked_trial(job: Job) -> Trial:
    """Return the locked trial of a job.

    Raises:
        Conflict: it is gone or was applied.
        Forbidden: whoever started the job may not run the seasons of its arena, or no longer.
    """
    trial = Trial.objects.select_for_update().filter(pk=job.given["trial"]).first()
    if trial is None:
        raise Conflict("no_trial", _("This trial has been discarded."))
    if not job.by.has_perms(["league.change_arena", "league.add_season"], trial.season):
        raise Forbidden("not_staff", _("You may not change the rules of this season."))
    check_open(trial)
    return trial


def finish(trial: Trial, outcome: Trial.Outcome) -> None:
    trial.outcome = outcome
    trial.save(update_fields=["outcome"])


def plan(trial: Trial, *, by: User, reason: str, now: datetime) -> Arena:
    """Save a trial's rules as those of its arena, for the next season.

    Raises:
        Refused: the arena has these rules already, there is no reason, or they do not fit the
            arena as it is now.
        Conflict: the trial was applied, or has not run yet.
    """
    check_open(trial)
    with transaction.atomic():
        arena = plan_rules(trial.season.arena_id, Rules.of(trial), by=by, reason=reason, now=now)
        finish(trial, Trial.Outcome.PLANNED)
    return arena


def plan_rules(arena_id: int, rules: Rules, *, by: User, reason: str, now: datetime) -> Arena:
    """Save rules as those of an arena, for the next season.

    Raises:
        Refused: as for ``plan``.
    """
    if not reason.strip():
        raise Refused("no_reason", _("Give a reason. Everyone can read it."), field="reason")
    with transaction.atomic():
        arena = Arena.objects.get(pk=arena_id)
        lock_plans(arena)
        arena.refresh_from_db()
        changes = rules.since(rules_of(arena))
        if not changes:
            raise Refused("same_rules", _("The next season has these rules already."))
        arena.rating_system = rules.system
        arena.rating_parameters = dict(rules.parameters)
        arena.season_rules = dict(rules.season)
        check_fits(arena)
        arena.save()
        StaffAction.objects.create(
            actor=by,
            kind=StaffAction.Kind.RULES,
            reason=reason.strip(),
            details={**of_arena(arena), "from": "next season"},
            before={one["field"]: one["old"] for one in changes},
            after={one["field"]: one["new"] for one in changes},
            at=now,
        )
    return arena


def rules_of(arena: Arena) -> Rules:
    """Return the rules of an arena's next season."""
    return Rules(arena.rating_system, arena.rating_parameters, arena.rules().to_json())


def check_fits(arena: Arena) -> None:
    """Raise ``Refused`` if an arena's rules do not fit its format, which can have changed."""
    try:
        arena.full_clean()
        for sides, size in (
            (arena.sides_min, arena.team_size_min),
            (arena.sides_max, arena.team_size_max),
        ):
            arena.system().check([size] * sides)
    except ValidationError as error:
        raise Refused("invalid", " ".join(error.messages)) from error
    except UnsupportedMatch as error:
        raise Refused("unsupported", translate(error.sentence)) from error


def discard(trial: Trial, *, by: User, reason: str, now: datetime) -> None:
    """Delete a trial with its findings. The staff log keeps the rules that it tried.

    Raises:
        Refused: there is no reason.
        Conflict: it is gone already.
    """
    if not reason.strip():
        raise Refused("no_reason", _("Give a reason for the staff log."), field="reason")
    with transaction.atomic():
        held = Trial.objects.select_for_update(of=["self"]).select_related("season__arena")
        found = held.filter(pk=trial.pk).first()
        if found is None:
            raise Conflict("no_trial", _("This trial has been discarded."))
        StaffAction.objects.create(
            actor=by,
            kind=StaffAction.Kind.DELETED,
            reason=reason.strip(),
            details={
                "model": "league.trial",
                "id": str(found.pk),
                "object": str(found),
                **of_arena(found.season.arena),
            },
            before={one["field"]: one["new"] for one in found.changes},
            at=now,
        )
        found.delete()
