"""Objections to rated results: any player of a match asks staff to look at it again.

An objection changes nothing by itself, so nobody gains by one: the result counts until staff
correct it, and an archive does not wait.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from django.db import connection, transaction

from league.models import (
    CorrectionRequest,
    Match,
    NoticeKind,
    Objection,
    Settlement,
    StaffAction,
    Status,
)
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.core.locking import LockedMatch, lock
from league.services.eligibility.reasons import refuse_banned
from league.services.notices.writing import notify_of_match
from league.services.results.reports.answers import status_conflict
from league.services.results.rules import own_matches
from league.services.results.rules.limits import OBJECTIONS_WITHIN, check_objections

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Player, Season, User

State = Objection.State

DECIDED = frozenset({StaffAction.Kind.UPHELD, StaffAction.Kind.CORRECTED})
"""Decisions of staff after hearing the sides, which players cannot take to them again."""

ONE_AFTER_ANOTHER = "SELECT pg_advisory_xact_lock(hashtextextended('objections of a player', %s))"


def closes_at(match: Match) -> datetime | None:
    """Return until when players can object to a match with its arena and season.

    ``None`` if nobody can, at any time. A late result, rated after its season's end, is open until
    the archive is due. No result is open for longer.
    """
    season, window = match.season, match.arena.result_settings().time_to_object
    if match.status != Status.RATED or not match.is_game or match.settled_at is None:
        return None
    if match.settlement == Settlement.IMPORT or not window or season.archived_at is not None:
        return None
    closes, archive_due_at = match.settled_at + window, season.archive_due_at
    if archive_due_at is None:
        return closes
    is_late = season.ends_at is not None and match.settled_at >= season.ends_at
    return archive_due_at if is_late else min(closes, archive_due_at)


def is_open(match: Match, now: datetime) -> bool:
    """Return whether players can object to a result now, unless their side already has."""
    closes = closes_at(match)
    return closes is not None and now < closes and not is_decided(match)


def is_decided(match: Match) -> bool:
    """Return whether staff decided or corrected a result, and did not undo that."""
    undone: set[int | None] = set()
    for action in sorted(match.staff_actions.all(), key=attrgetter("pk"), reverse=True):
        made = action.details.get("correction")
        if made is not None and made in undone:
            continue
        if action.kind in DECIDED:
            return True
        if action.kind == StaffAction.Kind.UNDONE:
            undone.add(action.details.get("undoes"))
    return False


def open_one(match_id: int) -> Objection | None:
    """Return the objection to a match that waits for staff."""
    return Objection.objects.open().filter(match=match_id).select_related("player").first()


def side_of(match: Match, player: Player | None) -> int | None:
    """Return the side that a player plays for, or else leads."""
    if player is None:
        return None
    played = match.participants.filter(player=player).values_list("side__index", flat=True)
    led = match.sides.filter(captain=player).values_list("index", flat=True)
    return next(iter([*played, *led]), None)


def object_to(match_id: int, *, by: Player, reason: str, now: datetime) -> Match:
    """Object to a rated result as anybody who played, so that staff look at it again.

    Raises:
        Forbidden: ``by`` neither plays in the match nor leads a side, or is banned.
        Conflict: the result is not open to objections, or not to those of this side.
        LimitReached: ``by`` has objected too often.
        Refused: there is no reason.
    """
    reason = reason.strip()
    if not reason:
        raise Refused("no_reason", _("Describe what is wrong with the result."), field="reason")
    with transaction.atomic():
        locked = lock(match_id)
        match = Match.objects.select_related("arena", "season").get(pk=match_id)
        side = side_of(match, by)
        if side is None:
            raise Forbidden("not_playing", _("Only players of this match can object to it."))
        refuse_banned([], now, by=by)
        check_open(locked, match, now)
        check_others(match, side, by)
        check_limit(by, now)
        Objection.objects.create(match=match, side=side, player=by, at=now, reason=reason)
        notify_of_match(match_id, NoticeKind.DISPUTED, now, actor=by.pk)
    return match


def check_open(locked: LockedMatch, match: Match, now: datetime) -> None:
    """Refuse objections to a result that is not rated, final, or decided by staff."""
    if locked.status != Status.RATED:
        raise status_conflict(locked)
    closes = closes_at(match)
    if closes is None:
        raise Conflict("final", _("This result is final. Nobody can object to it."))
    if is_decided(match):
        raise Conflict("decided", _("Staff have already decided this result."))
    if now >= closes:
        raise Conflict("too_late", _("The time to object to this result is over."))
    check_no_correction(match.pk)


def check_no_correction(match_id: int) -> None:
    """Refuse a step while staff's correction of the match waits."""
    waiting = CorrectionRequest.State.WAITING
    if CorrectionRequest.objects.filter(match=match_id, state=waiting).exists():
        raise Conflict("correction_waits", _("Staff are correcting this result at the moment."))


def check_others(match: Match, side: int, by: Player) -> None:
    """Refuse a second open objection to a match, and a second one of a side."""
    waiting = open_one(match.pk)
    if waiting and waiting.player_id == by.pk:
        raise Conflict("objected", _("You have already objected to this result."))
    if waiting:
        raise Conflict(
            "objected",
            _("%(player)s has already objected to this result. Write to staff below its history.")
            % {"player": waiting.player},
        )
    earlier = Objection.objects.filter(match=match, side=side)
    if earlier.exclude(state=State.WITHDRAWN).exists():
        raise Conflict(
            "objected_before",
            _("Your side has already objected to this result, and staff have decided."),
        )


def check_limit(by: Player, now: datetime) -> None:
    """Refuse another objection by a player with many. Their objections wait for each other."""
    with connection.cursor() as cursor:
        cursor.execute(ONE_AFTER_ANOTHER, [by.pk])
    mine = Objection.objects.filter(player=by)
    recent = mine.filter(at__gt=now - OBJECTIONS_WITHIN).order_by("at")
    check_objections(mine.open().count(), list(recent.values_list("at", flat=True)), now)


def withdraw(match_id: int, *, by: Player, now: datetime) -> Match:
    """Withdraw one's own open objection. Everything is as before it, and the others are told.

    Raises:
        Forbidden: somebody else made it.
        Conflict: no objection waits, or a correction does.
    """
    with transaction.atomic():
        lock(match_id)
        waiting = open_one(match_id)
        if waiting is None:
            raise nothing_waits()
        if waiting.player_id != by.pk:
            raise Forbidden(
                "not_yours", _("Only the player who made this objection can withdraw it.")
            )
        check_no_correction(match_id)
        waiting.state, waiting.closed_at = State.WITHDRAWN, now
        waiting.save(update_fields=["state", "closed_at"])
        notify_of_match(match_id, NoticeKind.WITHDRAWN, now, actor=by.pk)
    return Match.objects.get(pk=match_id)


def nothing_waits() -> Conflict:
    return Conflict("no_objection", _("No objection to this result waits for staff."))


def reject(match_id: int, *, by: User, reason: str, now: datetime) -> Match:
    """Reject the objection to a match as staff, with a reason that both sides read.

    Raises:
        Forbidden: ``by`` may not decide results, or played in this match and is not the only one
            who can decide it.
        Conflict: no objection waits, or a correction does.
        Refused: there is no reason.
    """
    own_matches.check_permission(
        by, own_matches.DECIDE, match_id, _("Only staff can decide a result.")
    )
    if not reason.strip():
        raise Refused("no_reason", _("Give a reason. Both sides will read it."), field="reason")
    with transaction.atomic():
        lock(match_id)
        own = own_matches.check_own_match(Match.objects.get(pk=match_id), by)
        waiting = open_one(match_id)
        if waiting is None:
            raise nothing_waits()
        check_no_correction(match_id)
        action = StaffAction.objects.create(
            actor=by,
            kind=StaffAction.Kind.REJECTED,
            match_id=match_id,
            reason=reason.strip(),
            details={"objection": waiting.pk, **own},
            before={"Objection": "open"},
            after={"Objection": "rejected"},
            at=now,
        )
        close(waiting, State.REJECTED, action)
        notify_of_match(match_id, NoticeKind.DECIDED, now)
    return Match.objects.get(pk=match_id)


def close_corrected(match_id: int, action: StaffAction) -> None:
    """Close the objection to a locked match that staff have corrected, if there is one."""
    if waiting := open_one(match_id):
        close(waiting, State.CORRECTED, action)


def reopen(undone: StaffAction) -> None:
    """Let the objections wait again that a correction closed which staff have undone."""
    corrected = Objection.objects.filter(action=undone, state=State.CORRECTED)
    corrected.update(state=State.OPEN, action=None, closed_at=None)


def close(objection: Objection, state: State, action: StaffAction) -> None:
    objection.state, objection.action, objection.closed_at = state, action, action.at
    objection.save(update_fields=["state", "action", "closed_at"])


def lapse(season: Season, now: datetime) -> None:
    """Close a season's open objections because its results no longer change, and tell everyone."""
    waiting = Objection.objects.open().filter(match__season=season)
    matches = list(waiting.values_list("match", flat=True))
    waiting.update(state=State.LAPSED, closed_at=now)
    for match in matches:
        notify_of_match(match, NoticeKind.UNDECIDED, now)
