"""Undo the results of an evening together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from league.models import CorrectedMatch, CorrectionKind, Job, Match, StaffAction, Status
from league.models.moments import describe_day
from league.models.own_words import Why
from league.services.competitions import counting
from league.services.core.errors import Conflict, Forbidden
from league.services.corrections.checks import check_reason
from league.services.jobs import jobs
from league.services.results.rules import challenges, own_matches
from league.services.transfer.evenings import walkovers
from league.services.transfer.files.result_imports import follow_up
from league.services.transfer.files.undoing import effects_without, take_back

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Arena, User

UNDO, PREVIEW = "evening-undo", "evening-undo-preview"
"""The kinds of the jobs that undo an evening and preview the undo."""


def evening_of(action: StaffAction) -> list[Match]:
    """Return the matches of an evening, in the order of entry."""
    matches = Match.objects.prefetch_related("sides__captain", "sides__roster")
    found = matches.in_bulk(action.details["matches"])
    return [found[pk] for pk in action.details["matches"] if pk in found]


def ask_preview(action: StaffAction, arena: Arena, *, by: User, now: datetime) -> Job:
    """Start a preview of the undo of an evening."""
    check_counts(action)
    title = _("Preview: undo the evening of %(day)s") % {"day": describe_day(action.at)}
    return jobs.ask(PREVIEW, title, by=by, now=now, arena=arena, action=action.pk)


def ask_undo(action: StaffAction, arena: Arena, *, by: User, reason: str, now: datetime) -> Job:
    """Start making the results of an evening void. Raises ``Refused`` without a reason."""
    reason = check_reason(reason)
    check_counts(action)
    title = _("Undo the evening of %(day)s") % {"day": describe_day(action.at)}
    return jobs.ask(UNDO, title, by=by, now=now, arena=arena, action=action.pk, reason=reason)


def counts(action: StaffAction) -> bool:
    """Return whether a result or a walkover of an evening still counts."""
    rated = any(match.status == Status.RATED for match in evening_of(action))
    return rated or bool(walkovers.standing(action))


def check_counts(action: StaffAction) -> None:
    """Raise ``Conflict`` unless a result of an evening still counts."""
    if not counts(action):
        raise Conflict("undone", _("This evening has been undone already."))


def evening_to_undo(job: Job) -> StaffAction:
    """Return the evening of a job. Raises ``Forbidden`` if its asker may not undo it."""
    action = StaffAction.objects.get(pk=job.given["action"], kind=StaffAction.Kind.EVENING)
    for match in evening_of(action):
        if not job.by.has_perm(own_matches.VOID, match):
            raise Forbidden("not_staff", _("You may not void the results of this evening."))
        own_matches.check_own_match(match, job.by, own_matches.VOID)
    return action


def preview_undo(job: Job, progress: jobs.Progress, now: datetime) -> dict[str, Any]:
    """Do the work of a job: preview the undo of an evening. Nothing is written."""
    action = evening_to_undo(job)
    check_counts(action)
    seasons = effects_without(action.details["matches"], progress)
    return {"action": action.pk, "seasons": seasons, "at": now.isoformat()}


def undo(job: Job, progress: jobs.Progress, now: datetime) -> dict[str, Any]:
    """Do the work of a job: void the results of an evening that still count."""
    action, reason = evening_to_undo(job), jobs.reason_of(job)
    voided = take_back(
        action.details["matches"],
        kind=CorrectionKind.VOID,
        cause={"evening": action.pk},
        reason=reason,
        by=job.by,
        now=now,
        progress=progress,
    )
    reopened = walkovers.undo(action, by=job.by, reason=reason, now=now)
    if not voided and not reopened:
        raise Conflict("undone", _("This evening has been undone already."))
    counting.unlink(voided, now)
    challenges.unlink(voided)
    rows = CorrectedMatch.objects.filter(match__in=voided).order_by("correction")
    made = dict(rows.values_list("match", "correction"))
    for pk in voided:
        follow_up(pk, StaffAction.Kind.VOIDED, None, Why(reason), job.by, now, correction=made[pk])
    StaffAction.objects.create(
        actor=job.by,
        kind=StaffAction.Kind.EVENING,
        reason=reason,
        details={
            "arena": action.details["arena"],
            "arena_id": action.details["arena_id"],
            "undoes": action.pk,
            "voided": voided,
            "reopened": reopened,
        },
        at=now,
    )
    progress(_("Done"), 1, 1)
    return {"action": action.pk}


WORK: dict[str, jobs.Work] = {PREVIEW: preview_undo, UNDO: undo}
