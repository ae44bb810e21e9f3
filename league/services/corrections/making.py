"""Preview a correction, and make it in one transaction."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from league.models import (
    Correction,
    CorrectionKind,
    Match,
    NoticeKind,
    Season,
    StaffAction,
    Status,
    Undoing,
)
from league.services.core.errors import Conflict
from league.services.corrections.checks import change_of, check_may_correct, details_of
from league.services.dishonor import abandons, discipline
from league.services.notices.writing import notify_of_match
from league.services.replay.apply import Cause, apply, lock_matches_and_season
from league.services.replay.diff import diff
from league.services.replay.edits import Edit
from league.services.replay.previews import preview_of
from league.services.results.rules import own_matches
from league.services.results.staff import changes, objections

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import CorrectionRequest, User
    from league.services.replay.previews import Preview
    from ratings.replay import Progress


@dataclass(frozen=True)
class Decision:
    """A decision of staff about matches of one season, whose effect they have seen."""

    season: Season
    matches: dict[int, Match]
    """The matches that change, by id, locked."""
    edit: Edit
    kind: CorrectionKind
    reason: str
    by: User
    digest: str
    horizon: int
    undoes: Correction | None = None
    details: dict[str, Any] = field(default_factory=dict)
    """Of a decision about several matches: whom it is about."""


def preview(
    match: Match,
    *,
    by: User,
    placings: Sequence[tuple[int, float | None]] | None = None,
    mode: str = "",
) -> Preview:
    """Return the effect of voiding a rated match, or of giving it the result ``placings``.

    ``placings`` are a place and a score for each side, in order. ``mode`` is the game mode of that
    result, by default the one that the match has.

    Raises:
        Forbidden: ``by`` may not correct this result.
        Conflict: the match is not rated.
        Refused: the result does not fit the match.
    """
    check_may_correct(match, by, voids=placings is None)
    return preview_of(diff(match.season, Edit([change_of(match, placings, mode)])))


def make(request: CorrectionRequest, now: datetime, progress: Progress | None = None) -> Correction:
    """Make a requested correction and return it.

    Raises:
        Conflict: the match is no longer rated, the history has changed since the preview, or the
            season is in use.
        Refused: the result does not fit the match.
    """
    with transaction.atomic():
        matches, season = lock_matches_and_season([request.match_id])
        (match,) = matches.values()
        decision = Decision(
            season=season,
            matches=matches,
            edit=Edit([change_of(match, request.placings, request.mode)]),
            kind=CorrectionKind(request.kind),
            reason=request.reason,
            by=request.by,
            digest=request.digest,
            horizon=request.horizon,
        )
        return carry_through(decision, now, progress)


def carry_through(
    decision: Decision, now: datetime, progress: Progress | None = None
) -> Correction:
    """Rate the season again as decided, and record it. The caller holds the locks.

    Raises:
        Conflict: the history has changed since the preview.
        Refused: a new result cannot be rated.
    """
    found = diff(decision.season, decision.edit, progress=progress)
    if found.digest(decision.horizon) != decision.digest:
        raise history_moved()
    cause = Cause(
        decision.kind,
        decision.reason,
        decision.by,
        now,
        decision.details or details_of(found.was, decision.edit.first),
        decision.digest,
    )
    correction = cast("Correction", apply(found, cause))
    if decision.undoes is not None:
        Undoing.objects.create(correction=correction, undone=decision.undoes)
    follow_up(correction, decision, now)
    return correction


def history_moved() -> Conflict:
    return Conflict(
        "history_moved", _("The effect has changed since your preview. Check it again.")
    )


def follow_up(correction: Correction, decision: Decision, now: datetime) -> None:
    """Record the decision, change what else depends on it, and tell the players."""
    action = record_staff_action(correction, decision)
    undone = actions_of(decision.undoes) if decision.undoes else None
    for change in decision.edit.changes:
        if undone is None:
            abandons.clear(change.match, action, void=change.voids)
        objections.close_corrected(change.match, action)
    for each in undone or ():
        discipline.undo(each, action)
        objections.reopen(each)
    games = [match.pk for match in decision.matches.values() if match.is_game]
    for match_id in games:
        notify_of_match(match_id, NoticeKind.DECIDED, now)


def actions_of(correction: Correction) -> list[StaffAction]:
    """Return the staff actions that recorded a correction: one, or one for each match."""
    matches = correction.corrected_matches.values("match")
    about = Q(match__in=matches) | Q(match=None, at=correction.at)
    return list(StaffAction.objects.filter(about, details__correction=correction.pk))


KINDS = {
    CorrectionKind.VOID: StaffAction.Kind.VOIDED,
    CorrectionKind.RESULT: StaffAction.Kind.CORRECTED,
    CorrectionKind.VOID_ALL: StaffAction.Kind.VOIDED_ALL,
    CorrectionKind.UNDO: StaffAction.Kind.UNDONE,
}


def record_staff_action(correction: Correction, decision: Decision) -> StaffAction:
    """Record the correction in the ledger of staff actions."""
    matches, kind = decision.matches.values(), KINDS[decision.kind]
    own = any(own_matches.is_own(match, decision.by) for match in matches)
    undone = {"undoes": decision.undoes.pk} if decision.undoes else {}
    before, after = changes.of_decision(kind, Status.RATED, correction.details)
    return StaffAction.objects.create(
        actor=correction.by,
        kind=kind,
        match=None if decision.kind == CorrectionKind.VOID_ALL else correction.match,
        reason=correction.reason,
        details={
            "correction": correction.pk,
            "arena_id": correction.season.arena_id,
            **undone,
            **correction.details,
            **({"own_match": True} if own else {}),
        },
        before=before,
        after=after,
        at=correction.at,
    )
