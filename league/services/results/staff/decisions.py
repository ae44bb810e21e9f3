"""Staff decide reported and disputed matches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils.translation import gettext as _

from league.models import (
    CounterReport,
    Match,
    NoticeKind,
    Participant,
    Settlement,
    StaffAction,
    Status,
)
from league.models.staff import VERDICTS
from league.services.core.errors import Refused
from league.services.core.kill_points import committing
from league.services.core.locking import LockedMatch, lock
from league.services.dishonor import abandons
from league.services.notices.writing import notify_of_match
from league.services.rating.rate import Settled
from league.services.results.playing import servers
from league.services.results.reports.answers import status_conflict
from league.services.results.rules import formats, own_matches
from league.services.results.rules.modes import mode_of_decision
from league.services.results.settling import settle
from league.services.results.staff import changes

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from league.models import User


def decide(
    match_id: int,
    *,
    verdict: StaffAction.Kind,
    by: User,
    reason: str,
    now: datetime,
    placings: Sequence[tuple[int, float | None]] | None = None,
    leavers: Collection[int] | None = None,
    mode: str = "",
) -> Match:
    """Uphold, correct or void a reported or disputed match as staff.

    Live matches can be voided, or given a result by a correction. A match with single events is
    rated by those that came, whatever places a correction names. Voiding a match also voids the
    penalties for leaving it, and so does a correction for players who did not leave according to
    it.

    ``placings`` are a place and a score for each side, in order. ``leavers`` are the ids of the
    players who left before the end, ``None`` for those in the report. ``mode`` is the game mode of
    a correction, by default the one that the match has.

    Raises:
        Forbidden: ``by`` may not decide results, or played in this match and is not the only one
            who can decide it.
        Conflict: the match can no longer be decided.
        Refused: there is no reason, or the correction does not fit the match or names no game mode
            where one is needed.
    """
    own_matches.check_permission(
        by, own_matches.DECIDE, match_id, _("Only staff can decide a result.")
    )
    if not reason.strip():
        raise Refused("no_reason", _("Give a reason. Both sides will read it."), field="reason")
    if verdict not in dict(VERDICTS):
        raise Refused("verdict", _("This is not a decision about a match."), field="verdict")
    with committing("decision"):
        locked = lock(match_id)
        own = own_matches.check_own_match(Match.objects.get(pk=match_id), by)
        open_to = {Status.REPORTED, Status.DISPUTED}
        status = locked.status
        if verdict is not StaffAction.Kind.UPHELD:
            open_to.add(Status.LIVE)
        if locked.status not in open_to:
            raise status_conflict(locked)
        details: dict[str, Any] = {}
        if verdict is StaffAction.Kind.CORRECTED:
            details = correct(locked, placings, leavers, mode)
            if locked.status == Status.LIVE:
                verdict = StaffAction.Kind.ENTERED
                Match.objects.filter(pk=match_id).update(played_at=now, reported_at=now)
                Participant.objects.filter(match_id=match_id, live=True).update(live=False)
            locked = lock(match_id)
        if verdict is StaffAction.Kind.VOIDED:
            make_void(match_id, Settlement.STAFF, now)
        else:
            settle(locked, Settled(Settlement.STAFF), now)
        CounterReport.objects.filter(match=match_id, state=CounterReport.State.OPEN).update(
            state=CounterReport.State.DECIDED
        )
        before, after = changes.of_decision(verdict, status, details)
        action = StaffAction.objects.create(
            actor=by,
            kind=verdict,
            match_id=match_id,
            reason=reason.strip(),
            details=details | own,
            before=before,
            after=after,
            at=now,
        )
        abandons.clear(match_id, action, void=verdict is StaffAction.Kind.VOIDED)
    return Match.objects.get(pk=match_id)


def make_void(match_id: int, settlement: Settlement, now: datetime) -> None:
    """Void a locked match that is not rated, and tell its players."""
    Match.objects.filter(pk=match_id).update(
        status=Status.VOID, settled_at=now, settlement=settlement
    )
    Participant.objects.filter(match_id=match_id, live=True).update(live=False)
    notify_of_match(match_id, NoticeKind.DECIDED, now)


def void_of_server(match_id: int, *, by: User, reason: str, now: datetime) -> Match:
    """Void a live match as the game server that started it, such as after a crash.

    It also voids the penalties for leaving the match.

    Raises:
        Forbidden: ``by`` did not start the match, or may no longer start matches.
        Conflict: the match is not live.
        Refused: there is no reason.
    """
    if not reason.strip():
        raise Refused("no_reason", _("Give a reason. Both sides will read it."), field="reason")
    with transaction.atomic():
        servers.own_match(match_id, by)
        match = lock(match_id)
        if match.status != Status.LIVE:
            raise status_conflict(match)
        make_void(match_id, Settlement.SERVER, now)
        before, after = changes.of_decision(StaffAction.Kind.VOIDED, match.status, {})
        action = StaffAction.objects.create(
            actor=by,
            kind=StaffAction.Kind.VOIDED,
            match_id=match_id,
            reason=reason.strip(),
            before=before,
            after=after,
            at=now,
        )
        abandons.clear(match_id, action, void=True)
    return Match.objects.get(pk=match_id)


def correct(
    locked: LockedMatch,
    placings: Sequence[tuple[int, float | None]] | None,
    leavers: Collection[int] | None,
    mode: str,
) -> dict[str, Any]:
    """Change places, scores, leavers and game mode. Return the old and new ones for the ledger."""
    match = Match.objects.select_related("arena").get(pk=locked.pk)
    sides = list(match.sides.order_by("index"))
    if placings is None or len(placings) != len(sides):
        raise Refused(
            "placings", _("Give a place for each of the %(count)d sides.") % {"count": len(sides)}
        )
    formats.check_result(match.arena, placings, "placings")
    was = [{"place": side.place, "score": side.score} for side in sides]
    for side, (place, score) in zip(sides, placings, strict=True):
        side.place, side.score = place, score
    match.sides.bulk_update(sides, ["place", "score"])
    now = [{"place": side.place, "score": side.score} for side in sides]
    details = {"was": was, "is": now, **correct_mode(match, mode)}
    return details if leavers is None else details | correct_leavers(match, leavers)


def correct_mode(match: Match, mode: str) -> dict[str, str]:
    """Change the game mode of a match. Return the old and new one for the ledger, if it changes."""
    was, match.mode = match.mode, mode_of_decision(match, mode)
    if match.mode == was:
        return {}
    match.save(update_fields=["mode"])
    return {"mode_was": was, "mode_is": match.mode}


def correct_leavers(match: Match, leavers: Collection[int]) -> dict[str, Any]:
    """Change who left a match before its end. Return the old and new ids for the ledger."""
    parts = match.participants.all()
    if set(leavers) - set(parts.values_list("player", flat=True)):
        raise Refused("leavers", _("Only participants can have left the match."), field="leavers")
    was = sorted(parts.filter(quit=True).values_list("player", flat=True))
    parts.update(quit=False)
    parts.filter(player__in=leavers).update(quit=True)
    return {"left_was": was, "left_is": sorted(leavers)}
