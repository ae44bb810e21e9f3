"""The ways on from a trial: apply a candidate, plan it for the next season, or discard all.

Each acts on the season as it is then, not as it was when the trial ran. ``read_since`` says what
has happened in between.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import override

from league.models import Arena, Season, StaffAction, Trial
from league.models.explained import translate
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.core.staff_log import of_arena
from league.services.corrections import rerating
from league.services.jobs import jobs
from league.services.other_rules.candidates import candidates_of, with_changes
from league.services.seasons import changing
from league.services.seasons.changing import Rules
from league.services.seasons.planning import lock_plans
from ratings.seasons.rules import read_rules
from ratings.system import UnsupportedMatch

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Job, User
    from league.services.jobs.jobs import Progress

KIND = "rules"
"""The kind of job that applies a candidate's rules, in one of the ``WAYS``."""
Outcome = Trial.Outcome
WAYS = {"next": Outcome.NEXT_MATCH, "rerate": Outcome.RERATED}


@dataclass(frozen=True)
class Since:
    """The changes in a season since a trial."""

    results: int
    corrections: int
    rules: bool
    """Whether the season's rules changed."""

    def __bool__(self) -> bool:
        return bool(self.results or self.corrections or self.rules)


def read_since(trial: Trial) -> Since:
    """Return what happened in its season after a trial. Two statements."""
    season = trial.season
    return Since(
        season.matches.rated().filter(rated_order__gt=trial.horizon).count(),
        season.corrections.filter(pk__gt=trial.corrections).count(),
        season.rules_version != trial.version,
    )


def digest_rules(season: Season) -> str:
    """Return a digest of the rules of a season and of its arena's next one, for pages to send back.

    ``check_seen`` finds out with it whether they have changed.
    """
    arena = season.arena
    held = [season.rules_version, arena.rating_system, arena.rating_parameters, arena.season_rules]
    # Against pages that are out of date, not against forgers: a short digest does.
    return hashlib.sha256(json.dumps(held, sort_keys=True).encode()).hexdigest()[:16]


def check_seen(season: Season, digest: str) -> None:
    """Raise ``Conflict`` if the rules are not those that somebody has seen."""
    if digest_rules(season) != digest:
        raise Conflict(
            "rules_changed",
            _("The rules have changed since you saw this page. Check it again."),
        )


def rules_of(trial: Trial, key: str, base: Rules) -> Rules:
    """Return the rules of a candidate, with those of seasons from ``base`` if it has none.

    Raises ``Refused`` if there is no such candidate, or it has not been rated.
    """
    if key not in rated_candidates(trial):
        raise Refused("no_candidate", _("Choose one of the candidates."), field="candidate")
    return candidates_of(trial)[key].rules(base)


def rated_candidates(trial: Trial) -> list[str]:
    """Return the keys of the candidates under which the season was rated."""
    found = trial.report["found"] if trial.report else {}
    return [one["key"] for one in trial.candidates if found and not found[one["key"]]["refusal"]]


def obstacle(trial: Trial, key: str, way: str) -> str:
    """Return why a candidate's rules cannot apply in one of the ``WAYS``, empty if they can."""
    season = trial.season
    if season.archived_at is not None:
        return _("The season is archived. Its rules and results no longer change.")
    held = Rules.of(season)
    new = rules_of(trial, key, held).within(season)
    if way == "next":
        return changing.obstacle(held, new)
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


def ask(
    trial: Trial, key: str, way: str, *, digest: str, by: User, reason: str, now: datetime
) -> Job:
    """Store a job that applies a candidate's rules to its season, in one of the ``WAYS``.

    ``digest`` is of the rules that the person has seen.

    Raises:
        Conflict: the trial is not done, has been applied, or the rules have changed.
        Refused: there is no reason, or no such candidate.
    """
    check_reason(reason)
    check_open(trial)
    check_seen(trial.season, digest)
    if why := obstacle(trial, key, way):
        raise Refused("not_in_this_season", why)
    title = _("Other rules for %(season)s") % {"season": trial.season}
    return jobs.ask(
        KIND,
        title,
        by=by,
        now=now,
        arena=trial.season.arena,
        season=trial.season,
        trial=trial.pk,
        candidate=key,
        way=way,
        reason=reason.strip(),
        version=trial.season.rules_version,
    )


def check_reason(reason: str) -> None:
    if not reason.strip():
        raise Refused("no_reason", _("Give a reason. Everyone can read it."), field="reason")


def check_open(trial: Trial) -> None:
    """Raise ``Conflict`` if a trial has not run yet, or was applied already."""
    if trial.report is None:
        raise Conflict("not_done", _("This trial has not run yet."))
    if trial.outcome in WAYS.values():
        raise Conflict("applied", _("These rules have been applied already."))


def carry_out(job: Job, progress: Progress, now: datetime) -> dict[str, Any]:
    """Do the work of a job of the kind ``rules``."""
    given = job.given
    shared: dict[str, Any] = {
        "by": job.by,
        "reason": given["reason"],
        "now": now,
        "progress": progress,
    }
    with transaction.atomic():
        trial = lock_for(job)
        season, key, way = trial.season, given["candidate"], given["way"]
        if why := obstacle(trial, key, way):
            raise Refused("not_in_this_season", why)
        new = rules_of(trial, key, Rules.of(season)).within(season)
        if way == "next":
            changing.apply_from_next_match(season.pk, new, **shared)
        else:
            system, parameters = new.system, new.parameters
            rerating.rerate(
                season, system=system, parameters=parameters, rules=new.season, **shared
            )
        finish(trial, WAYS[way], key)
    return {"trial": trial.pk}


def lock_for(job: Job) -> Trial:
    """Return the locked trial of a job, with its locked season.

    Raises:
        Conflict: the trial is gone or was applied, or the rules of the season have changed.
        Forbidden: whoever started the job may not run the seasons of its arena, or no longer.
    """
    trial = Trial.objects.select_for_update().filter(pk=job.given["trial"]).first()
    if trial is None:
        raise Conflict("no_trial", _("This trial has been discarded."))
    # The job may have waited for long, so nothing that was checked when it was stored holds still.
    if not job.by.has_perms(["league.change_arena", "league.add_season"], trial.season):
        raise Forbidden("not_staff", _("You may not change the rules of this season."))
    check_open(trial)
    trial.season = changing.lock(trial.season_id)
    if trial.season.rules_version != job.given["version"]:
        raise Conflict(
            "rules_changed",
            _("The rules of the season have changed since you saw this page. Check it again."),
        )
    return trial


def finish(trial: Trial, outcome: Outcome, key: str) -> None:
    trial.outcome, trial.chosen = outcome, key
    trial.save(update_fields=["outcome", "chosen"])


def plan(trial: Trial, key: str, *, digest: str, by: User, reason: str, now: datetime) -> Arena:
    """Save a candidate's rules as those of its arena, for the next season.

    Raises:
        Refused: the arena has these rules already, there is no reason, or they do not fit the
            arena as it is now.
        Conflict: the trial was applied, has not run yet, or the rules have changed.
    """
    check_reason(reason)
    check_open(trial)
    with transaction.atomic():
        lock_plans(trial.season.arena)
        # Read again behind the lock: the trial brought the season along from before it.
        season = Season.objects.select_related("arena").get(pk=trial.season_id)
        check_seen(season, digest)
        arena = season.arena
        held = Rules(arena.rating_system, arena.rating_parameters, arena.rules().to_json())
        rules = rules_of(trial, key, held)
        with override("en"):  # for the staff log
            changes = rules.since(held)
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
        finish(trial, Outcome.PLANNED, key)
    return arena


def check_fits(arena: Arena) -> None:
    """Raise ``Refused`` if an arena's rules do not fit its format, which can have changed."""
    try:
        arena.full_clean()
        for sides, size in (
            (arena.sides_min, arena.team_size_min),
            (arena.sides_max, arena.team_size_max),
        ):
            arena.system().check_sizes([size] * sides)
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
            before={
                candidate.label: "\n".join(f"{one['field']}: {one['new']}" for one in changes)
                for candidate, changes in with_changes(found)
            },
            at=now,
        )
        found.delete()
