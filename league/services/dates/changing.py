"""Changing an agreed date: moving it, and calling it off.

A date is moved only if both captains agree, and stands until then. One captain alone can call it
off in good time; later, the other has to agree. The open request is a step of the arrangement, and
answers name it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _

from league.models import Arrangement, ArrangementStep, NoticeKind
from league.models.arrangement import LONGEST_REASON
from league.models.moments import describe_moment
from league.models.words import without_controls
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.dates.answers import check_seen
from league.services.dates.limits import (
    MOST_REQUESTS,
    answers_until,
    calls_off_alone,
    has_request,
    reports_until,
)
from league.services.dates.proposals import (
    check_able,
    check_arena,
    check_new,
    check_time,
    lock_both,
)
from league.services.dates.steps import end_request, locked_for, note
from league.services.notices.reading import mark_answered

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Player

Kind = ArrangementStep.Kind
REQUESTS = [Kind.MOVING, Kind.ENDING]


def ask_to_move(
    arrangement_id: int, play_at: datetime, *, by: Player, seen: int, now: datetime
) -> Arrangement:
    """Ask the other captain to move an agreed date. It stands until they agree.

    ``seen`` is the revision of the date that ``by`` read.

    Raises:
        Forbidden: ``by`` is not one of the captains, or may not play now.
        Refused: the time does not fit.
        Conflict: the date is over or has changed, a no-show is claimed, another request is open,
            or ``by`` has made too many.
    """
    play_at = play_at.replace(microsecond=0)
    with transaction.atomic():
        one = changeable(arrangement_id, by, seen, now)
        check_requests(one, by, now)
        check_move(one, play_at, by, now)
        until = min(answers_until(one, now), play_at)
        ask(one, note(one, Kind.MOVING, now, by=by, play_at=play_at), until)
    return one


def call_off(
    arrangement_id: int, *, by: Player, seen: int, reason: str, now: datetime
) -> Arrangement:
    """Call an agreed date off, or ask the other captain to if it is too late to do so alone.

    Raises as :func:`ask_to_move`, and ``Refused`` without a reason or with one that is too long.
    """
    reason = checked_reason(reason)
    with transaction.atomic():
        one = changeable(arrangement_id, by, seen, now)
        refuse_to_call_off_fixture(one)
        if calls_off_alone(one, now):
            end(one, now)
            note(one, Kind.CALLED_OFF, now, by=by, reason=reason)
            return one
        check_requests(one, by, now)
        step = note(one, Kind.ENDING, now, by=by, reason=reason)
        ask(one, step, answers_until(one, now))
    return one


def agree(arrangement_id: int, *, by: Player, request: int, now: datetime) -> Arrangement:
    """Agree to a request, which moves the date or calls it off. ``request`` is the step's id.

    Raises:
        Forbidden: ``by`` is not the captain who is asked, or may not play now.
        Refused: the new time no longer fits.
        Conflict: the request is not open, or another one is.
    """
    with transaction.atomic():
        one, step = asked_of(arrangement_id, by, request, now)
        if step.play_at is None:
            end(one, now)
            note(one, Kind.ENDED, now, by=by)
            return one
        check_move(one, step.play_at, by, now)
        end_request(one)
        one.play_at, one.changed_at = step.play_at, now
        one.revision += 1
        if one.moves_left is not None:
            one.moves_left -= 1
        one.save(update_fields=["play_at", "changed_at", "revision", "moves_left"])
        note(one, Kind.AGREED, now, by=by, play_at=one.play_at)
    return one


def refuse(arrangement_id: int, *, by: Player, request: int, now: datetime) -> Arrangement:
    """Refuse a request, so that the date stands as it is. Raises as :func:`agree`."""
    with transaction.atomic():
        one, _step = asked_of(arrangement_id, by, request, now)
        end_request(one)
        note(one, Kind.KEPT, now, by=by)
    return one


def drop(arrangement_id: int, *, by: Player, request: int, now: datetime) -> Arrangement:
    """Withdraw a request that has no answer yet.

    Raises:
        Forbidden: ``by`` is the captain who is asked, or neither of the two.
        Conflict: the request is not open.
    """
    with transaction.atomic():
        one = locked_for(arrangement_id, by)
        open_request(one, request, now)
        if one.asked_id == by.pk:
            raise Forbidden("asked", _("The other captain asked for this. Refuse it instead."))
        end_request(one)
        note(one, Kind.DROPPED, now, by=by)
    return one


def changeable(arrangement_id: int, by: Player, seen: int, now: datetime) -> Arrangement:
    """Lock an agreed date that ``by`` may change, and return it."""
    one = locked_for(arrangement_id, by)
    check_changeable(one, now)
    check_seen(one, seen)
    return one


def check_changeable(one: Arrangement, now: datetime) -> None:
    """Refuse to change what is not agreed, or over, or has a claimed no-show."""
    if one.state != Arrangement.State.ACCEPTED:
        raise Conflict(
            str(one.state),
            _("Only an agreed date can be changed. The state of this one: %(state)s.")
            % {"state": one.get_state_display()},
        )
    if one.claimed_by_id is not None:
        raise Conflict("claimed", _("A no-show is claimed, so the date cannot change any more."))
    if now >= reports_until(one):
        raise Conflict("too_late", _("This date is over."))


def check_requests(one: Arrangement, by: Player, now: datetime) -> None:
    """Refuse a second open request, and a captain who asks again and again."""
    if has_request(one, now):
        raise Conflict(
            "requested", _("A request to change this date is open. Answer or withdraw it first.")
        )
    if one.steps.filter(by=by, kind__in=REQUESTS).count() >= MOST_REQUESTS:
        raise Conflict(
            "requests",
            _("You have asked %(count)d times to change this date. You cannot ask again.")
            % {"count": MOST_REQUESTS},
        )


def check_move(one: Arrangement, play_at: datetime, by: Player, now: datetime) -> None:
    """Refuse times at which the two cannot play."""
    other = one.other(by)
    check_arena(one.arena)
    check_able(by, other, now)
    check_time(one.arena, play_at, now)
    check_window(one, play_at)
    lock_both(by, other)
    if play_at == one.play_at:
        raise Refused("same_time", _("The date is already at this time."), field="play_at")
    check_new(one.arena, by, other, play_at)


def check_window(one: Arrangement, play_at: datetime) -> None:
    """Refuse times after the window of a fixture, and more moves than its rules allow."""
    if one.moves_left == 0:
        raise Conflict(
            "moves",
            _("This fixture has been moved as often as the rules of its competition allow."),
        )
    if one.play_until is not None and play_at > one.play_until:
        raise Refused(
            "window",
            _("This fixture has to be played by %(end)s.")
            % {"end": describe_moment(one.play_until)},
            field="play_at",
        )


def refuse_to_call_off_fixture(one: Arrangement) -> None:
    if one.play_until is not None:
        raise Conflict(
            "fixture",
            _("This date belongs to a fixture, so it cannot be called off. Ask to move it."),
        )


def checked_reason(reason: str) -> str:
    reason = without_controls(reason).strip()
    if not reason:
        raise Refused("no_reason", _("Give a reason. The other side will read it."), field="reason")
    if len(reason) > LONGEST_REASON:
        raise Refused(
            "reason",
            _("A reason can have at most %(limit)d characters.") % {"limit": LONGEST_REASON},
            field="reason",
        )
    return reason


def ask(one: Arrangement, step: ArrangementStep, until: datetime) -> None:
    """Make a step the open request of its arrangement, for the other captain to answer."""
    one.request, one.request_until = step, until
    one.asked = one.proposer if step.by_id == one.opponent_id else one.opponent
    one.save(update_fields=["request", "request_until", "asked"])


def end(one: Arrangement, now: datetime) -> None:
    """Call a locked date off. Its calendar entry has a new revision, too."""
    one.request, one.request_until = None, None
    one.state, one.changed_at = Arrangement.State.CALLED_OFF, now
    one.revision += 1
    one.save(update_fields=["request", "request_until", "state", "changed_at", "revision"])


def open_request(one: Arrangement, request: int, now: datetime) -> ArrangementStep:
    """Return the open request of a locked arrangement if it is the one with this id."""
    if one.request is None or not has_request(one, now):
        raise Conflict("no_request", _("No request to change this date is open."))
    if one.request.pk != request:
        raise Conflict("changed", _("The request has changed in the meantime. Look at it again."))
    return one.request


def asked_of(
    arrangement_id: int, player: Player, request: int, now: datetime
) -> tuple[Arrangement, ArrangementStep]:
    """Lock an arrangement whose open request ``player`` may answer, and return both."""
    one = locked_for(arrangement_id, player)
    step = open_request(one, request, now)
    if one.asked_id != player.pk:
        raise Forbidden("not_asked", _("It is the other captain’s turn to answer."))
    mark_answered(player, NoticeKind.WAITING, now, arrangement=one)
    return one, step
